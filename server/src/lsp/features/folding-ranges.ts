import type { FoldingRange, FoldingRangeParams } from 'vscode-languageserver/node';
import type { FoldCache } from '../../language/folding-ranges.ts';
import { computeInSlices } from '../documents/compute-in-slices.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';

/** `textDocument/foldingRange` */
export function createFoldingRanges({
  documents,
  abilities,
}: LanguageServer): RequestWork<FoldingRangeParams, FoldingRange[] | null> {
  const cache: FoldCache = new WeakMap();
  return async ({ textDocument }, signal) => {
    const { findingFolds } = await import('../../language/folding-ranges.ts');
    const found = await computeInSlices(documents, textDocument.uri, signal, ({ parsed, lines }) =>
      findingFolds(parsed.yaml, lines, cache),
    );
    const { limit, kinds } = abilities().forms.foldingRanges;
    // An empty response would disable folding by indentation.
    return found
      ? found
          .slice(0, limit)
          .map(({ kind, ...range }) => (kind && kinds?.has(kind) !== false ? { ...range, kind } : range))
      : null;
  };
}
