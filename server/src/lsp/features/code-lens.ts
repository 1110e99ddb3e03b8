import { isDeepStrictEqual } from 'node:util';
import type { CodeLens, CodeLensParams, Command, Range } from 'vscode-languageserver/node';
import type { Lens } from '../../language/code-lens.ts';
import { openGraph } from '../documents/open-documents.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';
import { lastImport } from './last-import.ts';

/** `textDocument/codeLens` and `codeLens/resolve` */
interface CodeLenses {
  readonly codeLens: RequestWork<CodeLensParams, CodeLens[]>;
  readonly resolve: RequestWork<CodeLens, CodeLens>;
}

/**
 * A file of 10,000 lines has thousands of code lenses, which clients request after each pause in typing although they
 * show only a few. Clients that can resolve commands get ranges only: a third of the bytes, and no commands to convert.
 */
export function createCodeLens({ documents, contexts, abilities, comparisons }: LanguageServer): CodeLenses {
  /** The last response for each open document, whose lenses can be resolved. */
  const answers = new Map<string, { readonly round: number; readonly lenses: readonly Lens[] }>();
  let round = 0;
  documents.onClosed((uri) => void answers.delete(uri));

  /** Several editors of one text request lenses separately, and resolve those of their own response. */
  function roundOf(uri: string, lenses: readonly Lens[]): number {
    const before = answers.get(uri);
    if (before && isDeepStrictEqual(before.lenses, lenses)) return before.round;
    round += 1;
    // A closed document would never be forgotten.
    if (documents.isOpen(uri)) answers.set(uri, { round, lenses });
    return round;
  }

  return {
    async codeLens({ textDocument: { uri } }) {
      const { codeLenses } = await import('../../language/code-lens.ts');
      const { effectLenses } = await import('../../language/effect-lenses.ts');
      const document = openGraph(documents, uri);
      if (!document) return [];
      await contexts.importResultsRead(document);
      const { importedExpectations: imported } = contexts.of(document);
      const { isCurrent, counts } = await lastImport(document, documents, contexts);
      if (!isCurrent) return [];
      const { text, lines } = document;
      const { graph } = document.parsed;
      const compared = comparisons.get(uri);
      const lenses = [
        ...(compared ? effectLenses(graph, compared.effect, compared.text === text) : []),
        ...codeLenses(graph, counts, imported && { text, imported }),
      ];
      const placeOf = ({ range }: Lens): Range => lines.range({ start: range.start, end: range.start });
      if (!abilities().resolvesLenses)
        return lenses.map((lens) => ({ range: placeOf(lens), command: toCommand(uri, lens) }));
      const own = roundOf(uri, lenses);
      return lenses.map((lens, index) => ({ range: placeOf(lens), data: [own, index] satisfies LensData }));
    },
    resolve(lens) {
      const [wanted, index] = (lens.data ?? []) as Partial<LensData>;
      for (const [uri, answer] of answers) {
        const found = answer.round === wanted && index !== undefined ? answer.lenses[index] : undefined;
        if (found) return { ...lens, command: toCommand(uri, found) };
      }
      // The text or the counts have changed since; clients then request the lenses again.
      return lens;
    },
  };
}

/** Identifies a lens: the round of its answer, and its index there. */
type LensData = readonly [round: number, index: number];

function toCommand(uri: string, { title, action, target, rule, entry }: Lens): Command {
  // Without a command, clients show the title as text.
  if (!action) return { title, command: '' };
  const args = [uri, ...(target ? [target] : []), ...(rule === undefined ? [] : [rule]), ...(entry ? [entry] : [])];
  return { title, command: `entityGraph.${action}`, arguments: args };
}
