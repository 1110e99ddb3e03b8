import { type SemanticTokens, SemanticTokensBuilder, type SemanticTokensParams } from 'vscode-languageserver/node';
import { type SemanticToken, type TokenCache, semanticTokenTypes } from '../../language/semantic-tokens.ts';
import type { LineIndex } from '../../model/line-index.ts';
import type { Steps } from '../../model/steps.ts';
import { computeInSlices } from '../documents/compute-in-slices.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';

/** Token types in legend order. */
export const semanticTokensLegend = { tokenTypes: [...semanticTokenTypes], tokenModifiers: [] };

/** `textDocument/semanticTokens/full` */
export function createSemanticTokens({ documents }: LanguageServer): RequestWork<SemanticTokensParams, SemanticTokens> {
  const tokenMemo: TokenCache = new WeakMap();

  return async ({ textDocument }, signal) => {
    const { findingTokens } = await import('../../language/semantic-tokens.ts');
    const { sourceTokens } = await import('../../language/source-tokens.ts');
    const { findingTestTokens } = await import('../../graph-tests/test-tokens.ts');
    const tokens = await computeInSlices(documents, textDocument.uri, signal, function* (document) {
      if (document.kind === 'tests') return yield* toTokens(yield* findingTestTokens(document.parsed), document.lines);
      const found =
        document.kind === 'graph' ? yield* findingTokens(document.parsed, tokenMemo) : sourceTokens(document.parsed);
      return yield* toTokens(found, document.lines);
    });
    return tokens ?? new SemanticTokensBuilder().build();
  };
}

/** Number of tokens per time slice. */
const tokensOfStep = 500;

function* toTokens(tokens: readonly SemanticToken[], lines: LineIndex): Steps<SemanticTokens> {
  const builder = new SemanticTokensBuilder();
  for (const [index, { range, type }] of tokens.entries()) {
    if (index % tokensOfStep === tokensOfStep - 1) yield;
    const { start, end } = lines.range(range);
    // The protocol has no multi-line tokens.
    if (start.line !== end.line) continue;
    builder.push(start.line, start.character, end.character - start.character, semanticTokenTypes.indexOf(type), 0);
  }
  return builder.build();
}
