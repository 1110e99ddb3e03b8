import type { FoldingRange, FoldingRangeParams } from 'vscode-languageserver/node';
import type { FoldCache } from '../../language/folding-ranges.ts';
import { computeInSlices } from '../documents/compute-in-slices.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';

/** `textDocument/foldingRange` */
export function createFoldingRanges({
  documents,
}: LanguageServer): RequestWork<FoldingRangeParams, FoldingRange[] | null> {
  const cache: FoldCache = new WeakMap();
  return async ({ textDocument }, signal) => {
    const { findingFolds } = await import('../../language/folding-ranges.ts');
    const found = await computeInSlices(documents, textDocument.uri, signal, ({ parsed, lines }) =>
      findingFolds(parsed.yaml, lines, cache),
    );
    // An empty response would disable folding by indentation.
    return found ? [...found] : null;
  };
}
