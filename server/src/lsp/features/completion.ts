import {
  type CompletionItem,
  type CompletionList,
  type CompletionParams,
  CompletionItemKind,
  InsertTextFormat,
  InsertTextMode,
} from 'vscode-languageserver/node';
import type { CompletionProposal } from '../../language/completion/completion-proposal.ts';
import type { SourceRange } from '../../model/source-range.ts';
import type { ClientForms } from '../client-forms.ts';
import type { OpenDocument } from '../documents/open-documents.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';
import { toMarkup } from './to-markup.ts';
import { indentedLike, withoutStops } from '../../language/completion/snippet-text.ts';

/** Trigger characters. */
export const completionTriggers = [' ', '.', '[', '"', "'", '(', '$', '{', ':'];

/** Trigger characters inside `${env:NAME}` only. */
const inReferences = new Set(['$', '{', ':']);

/** `textDocument/completion` and `completionItem/resolve` */
interface Completion {
  readonly completion: RequestWork<CompletionParams, CompletionItem[] | CompletionList>;
  readonly resolve: RequestWork<CompletionItem, CompletionItem>;
}

export function createCompletion({ documents, contexts, tests, abilities, references }: LanguageServer): Completion {
  /** The last response, whose items can be resolved. */
  let last: { readonly round: number; readonly proposals: readonly CompletionProposal[] } = { round: 0, proposals: [] };

  return {
    async completion({ textDocument, position, context }, signal) {
      const { completeEntityGraph } = await import('../../language/completion/complete.ts');
      const { completeDataSources } = await import('../../language/completion/complete-data-sources.ts');
      const { completeGraphTests } = await import('../../graph-tests/complete-tests.ts');
      const { maxProposals } = await import('../../language/completion/fitting-proposals.ts');
      const { referenceAt } = await import('../../language/completion/complete-references.ts');
      signal.throwIfAborted();
      const document = documents.get(textDocument.uri);
      if (!document) return [];
      const offset = document.lines.offset(position);
      // Elsewhere, a popup after these characters would intercept the Enter key.
      const isReference = document.kind === 'sources' && referenceAt(document.text, offset) !== undefined;
      if (inReferences.has(context?.triggerCharacter ?? '') && !isReference) return [];
      let isIncomplete = false;
      const limit = { max: maxProposals, onExceeded: () => void (isIncomplete = true) };
      const all =
        document.kind === 'tests'
          ? completeGraphTests(document.parsed.yaml, await tests.of(document), offset, limit)
          : document.kind === 'graph'
            ? completeEntityGraph(contexts.of(document), offset, limit)
            : completeDataSources({ parsed: document.parsed, names: references.besides(document) }, offset);
      const { resolvesCompletions, takesCompletionDefaults: withDefaults, forms, extended } = abilities();
      const proposals = all.filter(({ command }) => !command || (extended && document.path !== undefined));
      // An incomplete list makes editors request it again while typing, so that names appear once known.
      const isReading = document.kind === 'graph' && contexts.of(document).catalogReading !== undefined;
      if (isReading && proposals.some(({ kind }) => kind === 'notice')) isIncomplete = true;
      const round = last.round + 1;
      last = { round, proposals };
      const dataOf = resolvesCompletions ? (index: number): ProposalData => ({ round, index }) : undefined;
      return toCompletions(proposals, document, { isIncomplete, withDefaults, dataOf, forms });
    },
    resolve(item) {
      // Some clients resolve what they already have.
      const { round, index } = (item.data ?? {}) as Partial<ProposalData>;
      const value = round === last.round && index !== undefined ? last.proposals[index]?.documentation : undefined;
      return value === undefined ? item : { ...item, documentation: toMarkup(value, abilities().forms.documentation) };
    },
  };
}

/** Identifies an item of a response. */
interface ProposalData {
  readonly round: number;
  readonly index: number;
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
  notice: CompletionItemKind.Text,
} as const satisfies Record<CompletionProposal['kind'], CompletionItemKind>;

type Place = Pick<OpenDocument, 'uri' | 'text' | 'lines'>;

/** Completion capabilities of the client. */
interface CompletionForm {
  /** The list is incomplete. */
  readonly isIncomplete: boolean;
  /** Item defaults are supported. */
  readonly withDefaults: boolean;
  /** Set if documentation is resolved later: the data to identify the item with this index. */
  readonly dataOf?: ((index: number) => unknown) | undefined;
  readonly forms: ClientForms;
}

/** Converts items to LSP; item defaults reduce a long list to a third. */
function toCompletions(
  proposals: readonly CompletionProposal[],
  document: Place,
  { isIncomplete, withDefaults, dataOf, forms }: CompletionForm,
): CompletionItem[] | CompletionList {
  const shared = withDefaults ? proposals[0]?.replace : undefined;
  const items = proposals.map((proposal, index) => {
    const item = toCompletionItem(proposal, document, shared, forms);
    if (proposal.documentation === undefined) return item;
    if (dataOf) item.data = dataOf(index);
    else item.documentation = toMarkup(proposal.documentation, forms.documentation);
    return item;
  });
  if (!shared) return isIncomplete ? { isIncomplete, items } : items;
  const itemDefaults = { editRange: document.lines.range(shared), insertTextFormat: InsertTextFormat.PlainText };
  return { isIncomplete, itemDefaults, items };
}

/** @param shared default replace range; items that use it are plain text unless they say that they are snippets. */
function toCompletionItem(
  proposal: CompletionProposal,
  document: Place,
  shared: SourceRange | undefined,
  forms: ClientForms,
): CompletionItem {
  const { label, kind, detail, replace, sortText, filterText, command } = proposal;
  const item: CompletionItem = { label };
  if (forms.completionKinds.has(completionKinds[kind])) item.kind = completionKinds[kind];
  const { insertText, isSnippet, insertTextMode } = insertedText(proposal, document, forms);
  if (insertTextMode) item.insertTextMode = insertTextMode;
  if (isSnippet) item.insertTextFormat = InsertTextFormat.Snippet;
  else if (!shared) item.insertTextFormat = InsertTextFormat.PlainText;
  const isShared = shared?.start === replace.start && shared.end === replace.end;
  if (!isShared) item.textEdit = { range: document.lines.range(replace), newText: insertText };
  else if (insertText !== label) item.textEditText = insertText;
  if (command) item.command = { title: label, command: `entityGraph.${command}`, arguments: [document.uri] };
  if (detail !== undefined) item.detail = detail;
  if (sortText !== undefined) item.sortText = sortText;
  if (filterText !== undefined && filterText !== label) item.filterText = filterText;
  return item;
}

/** The text of a completion in the form that the client declared. */
interface InsertedText {
  readonly insertText: string;
  readonly isSnippet: boolean;
  readonly insertTextMode?: InsertTextMode;
}

/**
 * Further lines of a proposal are indented relative to the first. Editors that add its indentation get them so; others
 * get whole indentations. Snippets of editors that do not say which they do are on one line, where nothing is added.
 */
function insertedText(
  { insertText, isSnippet = false, oneLine, replace }: CompletionProposal,
  { text }: { readonly text: string },
  { snippets, insertTextMode, itemSaysInsertTextMode }: ClientForms,
): InsertedText {
  const asSnippet = isSnippet && snippets;
  if (!insertText.includes('\n'))
    return { insertText: asSnippet || !isSnippet ? insertText : withoutStops(insertText), isSnippet: asSnippet };
  const mode = itemSaysInsertTextMode && insertTextMode ? { insertTextMode } : {};
  if (asSnippet && !insertTextMode) return { insertText: oneLine ?? insertText, isSnippet: true };
  const form = { isSnippet: asSnippet, ...mode };
  const shown = isSnippet && !snippets ? withoutStops(insertText) : insertText;
  if (insertTextMode === InsertTextMode.adjustIndentation) return { insertText: shown, ...form };
  return { insertText: indentedLike(shown, replace, text), ...form };
}
