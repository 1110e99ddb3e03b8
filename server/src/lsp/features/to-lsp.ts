import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type Diagnostic,
  DiagnosticSeverity,
  type DocumentSymbol,
  InsertTextFormat,
  SymbolKind,
} from 'vscode-languageserver/node';
import { repository } from '../../../../package.json';
import type { CompletionProposal } from '../../language/completion/completion-proposal.ts';
import type { OutlineSymbol } from '../../language/outline.ts';
import type { LineIndex } from '../../model/line-index.ts';
import type { Problem } from '../../model/problem.ts';
import type { ProblemCode } from '../../model/rules.ts';
import type { SourceRange } from '../../model/source-range.ts';
import type { Steps } from '../../model/steps.ts';
import { toMarkup } from './to-markup.ts';

/** The name under which problems are listed. */
const diagnosticSource = 'entity-graph';

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
} as const;

/** Where a rule is described, with an example: its entry in `docs/rules.md` as the project's repository shows it. */
export function rulePage(code: ProblemCode): string {
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

/** How an editor takes completions. */
export interface CompletionForm {
  /** There are more than these. */
  readonly isIncomplete: boolean;
  /** What they have in common may be said once for all of them. */
  readonly withDefaults: boolean;
  /** Set when documentation is asked for later: what the editor then gives back of the proposal with this index. */
  readonly dataOf?: ((index: number) => unknown) | undefined;
}

/** Proposals in the protocol's shape; a list of hundreds is a third as long with what they have in common said once. */
export function toCompletions(
  proposals: readonly CompletionProposal[],
  lines: LineIndex,
  { isIncomplete, withDefaults, dataOf }: CompletionForm,
): CompletionItem[] | CompletionList {
  const shared = withDefaults ? proposals[0]?.replace : undefined;
  const items = proposals.map((proposal, index) => {
    const item = toCompletionItem(proposal, lines, shared);
    if (proposal.documentation === undefined) return item;
    if (dataOf) item.data = dataOf(index);
    else item.documentation = toMarkup(proposal.documentation);
    return item;
  });
  if (!shared) return isIncomplete ? { isIncomplete, items } : items;
  const itemDefaults = { editRange: lines.range(shared), insertTextFormat: InsertTextFormat.PlainText };
  return { isIncomplete, itemDefaults, items };
}

/** @param shared what the list says that its items replace; those that do then are no snippets unless they say so. */
function toCompletionItem(
  { label, kind, detail, insertText, isSnippet = false, replace, sortText, filterText }: CompletionProposal,
  lines: LineIndex,
  shared: SourceRange | undefined,
): CompletionItem {
  const item: CompletionItem = { label, kind: completionKinds[kind] };
  if (isSnippet) item.insertTextFormat = InsertTextFormat.Snippet;
  else if (!shared) item.insertTextFormat = InsertTextFormat.PlainText;
  const isShared = shared?.start === replace.start && shared.end === replace.end;
  if (!isShared) item.textEdit = { range: lines.range(replace), newText: insertText };
  else if (insertText !== label) item.textEditText = insertText;
  if (detail !== undefined) item.detail = detail;
  if (sortText !== undefined) item.sortText = sortText;
  if (filterText !== undefined && filterText !== label) item.filterText = filterText;
  return item;
}

export const symbolKinds = {
  element: SymbolKind.Event,
  relationship: SymbolKind.Interface,
  group: SymbolKind.Namespace,
  dataSource: SymbolKind.Module,
} as const satisfies Record<OutlineSymbol['kind'], SymbolKind>;

/** Entries of an outline, one by one. */
export function* toDocumentSymbols(symbols: readonly OutlineSymbol[], lines: LineIndex): Steps<DocumentSymbol[]> {
  const all: DocumentSymbol[] = [];
  for (const symbol of symbols) {
    const children = yield* toDocumentSymbols(symbol.children, lines);
    all.push(toDocumentSymbol(symbol, children, lines));
    yield;
  }
  return all;
}

function toDocumentSymbol(symbol: OutlineSymbol, children: DocumentSymbol[], lines: LineIndex): DocumentSymbol {
  return {
    // The protocol forbids empty names.
    name: symbol.name || '?',
    kind: symbolKinds[symbol.kind],
    range: lines.range(symbol.range),
    selectionRange: lines.range(symbol.selectionRange),
    children,
    ...(symbol.detail === undefined ? {} : { detail: symbol.detail }),
  };
}
