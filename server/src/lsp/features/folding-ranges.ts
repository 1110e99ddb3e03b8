import type { FoldingRange, FoldingRangeParams } from 'vscode-languageserver/node';
import { answerInTurns } from '../documents/answer-in-turns.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';

/** `textDocument/foldingRange` */
export function createFoldingRanges({
  documents,
}: LanguageServer): RequestWork<FoldingRangeParams, FoldingRange[] | null> {
  return async ({ textDocument }, signal) => {
    const { findingFolds } = await import('../../language/folding-ranges.ts');
    const found = await answerInTurns(documents, textDocument.uri, signal, ({ parsed, lines }) =>
      findingFolds(parsed.yaml, lines),
    );
    // An empty list would keep the editor from folding by indentation.
    return found ? [...found] : null;
  };
}
