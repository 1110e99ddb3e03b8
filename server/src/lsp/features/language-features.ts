import {
  type CompletionItem,
  type CompletionList,
  type CompletionParams,
  type DocumentSymbol,
  type DocumentSymbolParams,
  type Hover,
  type HoverParams,
} from 'vscode-languageserver/node';
import type { CompletionProposal } from '../../language/completion/completion-proposal.ts';
import { answerInTurns } from '../documents/answer-in-turns.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';
import { toMarkup } from './to-markup.ts';
import { toCompletions, toDocumentSymbols } from './to-lsp.ts';

/** Signs behind which proposals are shown without being asked for. */
export const completionTriggers = [' ', '.', '[', '"', "'", '(', '$', '{', ':'];

/** Those of them that count inside `${env:NAME}` only. */
const inReferences = new Set(['$', '{', ':']);

/** What LSP itself asks for; the answers come from the pure functions of `language/`. */
export interface LanguageFeatures {
  readonly completion: RequestWork<CompletionParams, CompletionItem[] | CompletionList>;
  readonly resolveCompletion: RequestWork<CompletionItem, CompletionItem>;
  readonly hover: RequestWork<HoverParams, Hover | null>;
  readonly documentSymbols: RequestWork<DocumentSymbolParams, DocumentSymbol[]>;
}

export function createLanguageFeatures({
  documents,
  contexts,
  abilities,
  references,
}: LanguageServer): LanguageFeatures {
  /** What was proposed last: only of these an editor can ask for more. */
  let last: { readonly round: number; readonly proposals: readonly CompletionProposal[] } = { round: 0, proposals: [] };

  return {
    async completion({ textDocument, position, context }, signal) {
      const { completeEntityGraph } = await import('../../language/completion/complete.ts');
      const { completeDataSources } = await import('../../language/completion/complete-data-sources.ts');
      const { mostProposals } = await import('../../language/completion/fitting-proposals.ts');
      const { referenceAt } = await import('../../language/completion/complete-references.ts');
      signal.throwIfAborted();
      const document = documents.get(textDocument.uri);
      if (!document) return [];
      const offset = document.lines.offset(position);
      // Where these signs begin something else, a list that pops up would take the Enter that was meant for the text.
      const isReference = document.kind === 'sources' && referenceAt(document.text, offset) !== undefined;
      if (inReferences.has(context?.triggerCharacter ?? '') && !isReference) return [];
      let isIncomplete = false;
      const room = { most: mostProposals, onLeftOut: () => void (isIncomplete = true) };
      const proposals =
        document.kind === 'graph'
          ? completeEntityGraph(contexts.of(document), offset, room)
          : completeDataSources({ parsed: document.parsed, names: references.besides(document) }, offset);
      const { resolvesCompletions, takesCompletionDefaults: withDefaults } = abilities();
      const round = last.round + 1;
      last = { round, proposals };
      const dataOf = resolvesCompletions ? (index: number): ProposalData => ({ round, index }) : undefined;
      return toCompletions(proposals, document.lines, { isIncomplete, withDefaults, dataOf });
    },
    resolveCompletion(item) {
      // Some editors ask for what they have already.
      const { round, index } = (item.data ?? {}) as Partial<ProposalData>;
      const value = round === last.round && index !== undefined ? last.proposals[index]?.documentation : undefined;
      return value === undefined ? item : { ...item, documentation: toMarkup(value) };
    },
    async hover({ textDocument, position }, signal) {
      const { hoverDataSources, hoverEntityGraph } = await import('../../language/hover.ts');
      signal.throwIfAborted();
      const document = documents.get(textDocument.uri);
      if (!document) return null;
      const offset = document.lines.offset(position);
      const hover =
        document.kind === 'graph'
          ? hoverEntityGraph(contexts.of(document), offset)
          : hoverDataSources({ parsed: document.parsed }, offset);
      if (!hover) return null;
      return {
        contents: toMarkup(hover.markdown),
        range: document.lines.range(hover.range),
      };
    },
    async documentSymbols({ textDocument }, signal) {
      const { outlineDataSources, outlineEntityGraph } = await import('../../language/outline.ts');
      const symbols = await answerInTurns(documents, textDocument.uri, signal, (document) =>
        toDocumentSymbols(
          document.kind === 'graph' ? outlineEntityGraph(document.parsed) : outlineDataSources(document.parsed),
          document.lines,
        ),
      );
      return symbols ?? [];
    },
  };
}

/** Which proposal of which answer an item is. */
interface ProposalData {
  readonly round: number;
  readonly index: number;
}
