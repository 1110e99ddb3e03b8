import {
  type CompletionItem,
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
  type DocumentSymbol,
  InsertTextFormat,
  MarkupKind,
  SymbolKind,
} from 'vscode-languageserver/node';
import { repository } from '../../../package.json';
import type { CompletionProposal } from '../language/complete.ts';
import type { OutlineSymbol } from '../language/outline.ts';
import type { LineIndex } from '../model/line-index.ts';
import type { Problem } from '../model/problem.ts';

/** The name under which problems are listed. */
const diagnosticSource = 'entity-graph';

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
} as const;

/** Where a rule is described, with an example: its entry in `docs/rules.md` as the project's repository shows it. */
export function rulePage(code: string): string {
  return `${repository.url.replace(/\.git$/, '')}/blob/HEAD/docs/rules.md#${code}`;
}

/** A problem of the document at `uri` in the protocol's shape; `data` carries the suggestions for quick fixes. */
export function toDiagnostic(problem: Problem, uri: string, lines: LineIndex): Diagnostic {
  const related = problem.related?.map(({ message, range }) => ({
    message,
    location: { uri, range: lines.range(range) },
  }));
  return {
    range: lines.range(problem.range),
    severity: severities[problem.severity],
    code: problem.code,
    codeDescription: { href: rulePage(problem.code) },
    source: diagnosticSource,
    message: problem.message,
    ...(related ? { relatedInformation: related } : {}),
    ...(problem.suggestions ? { data: { suggestions: problem.suggestions } } : {}),
  };
}

const completionKinds = {
  property: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  dataObject: CompletionItemKind.Struct,
  column: CompletionItemKind.Field,
  activity: CompletionItemKind.Event,
  dataSource: CompletionItemKind.Module,
  operator: CompletionItemKind.Operator,
  snippet: CompletionItemKind.Snippet,
  keyword: CompletionItemKind.Keyword,
  function: CompletionItemKind.Function,
} as const satisfies Record<CompletionProposal['kind'], CompletionItemKind>;

export function toCompletionItem(proposal: CompletionProposal, lines: LineIndex): CompletionItem {
  const { label, kind, detail, documentation, insertText, isSnippet, replace, sortText, filterText } = proposal;
  return {
    label,
    kind: completionKinds[kind],
    insertTextFormat: isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    textEdit: { range: lines.range(replace), newText: insertText },
    ...(detail === undefined ? {} : { detail }),
    ...(documentation === undefined ? {} : { documentation: { kind: MarkupKind.Markdown, value: documentation } }),
    ...(sortText === undefined ? {} : { sortText }),
    ...(filterText === undefined || filterText === label ? {} : { filterText }),
  };
}

export const symbolKinds = {
  element: SymbolKind.Event,
  relationship: SymbolKind.Interface,
  group: SymbolKind.Namespace,
  dataSource: SymbolKind.Module,
} as const satisfies Record<OutlineSymbol['kind'], SymbolKind>;

export function toDocumentSymbol(symbol: OutlineSymbol, lines: LineIndex): DocumentSymbol {
  return {
    // The protocol forbids empty names.
    name: symbol.name || '?',
    kind: symbolKinds[symbol.kind],
    range: lines.range(symbol.range),
    selectionRange: lines.range(symbol.selectionRange),
    children: symbol.children.map((child) => toDocumentSymbol(child, lines)),
    ...(symbol.detail === undefined ? {} : { detail: symbol.detail }),
  };
}
