import {
  type SemanticTokens,
  SemanticTokensBuilder,
  type SemanticTokensDelta,
  type SemanticTokensDeltaParams,
  type SemanticTokensParams,
} from 'vscode-languageserver/node';
import { type SemanticToken, type TokenCache, semanticTokenTypes } from '../../language/semantic-tokens.ts';
import type { LineIndex } from '../../model/line-index.ts';
import type { Steps } from '../../model/steps.ts';
import { computeInSlices } from '../documents/compute-in-slices.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';

/** Token types in legend order. */
export const semanticTokensLegend = { tokenTypes: [...semanticTokenTypes], tokenModifiers: [] };

/** `textDocument/semanticTokens/full` and `textDocument/semanticTokens/full/delta` */
export interface SemanticTokensFeature {
  readonly full: RequestWork<SemanticTokensParams, SemanticTokens>;
  /** Only what changed since the client's previous answer; all tokens if that is not the last one. */
  readonly delta: RequestWork<SemanticTokensDeltaParams, SemanticTokens | SemanticTokensDelta>;
}

export function createSemanticTokens({ documents }: LanguageServer): SemanticTokensFeature {
  const tokenMemo: TokenCache = new WeakMap();
  /** The last answer for each open document, from which differences are taken. */
  const answers = new Map<string, { readonly resultId: string; readonly data: Uint32Array }>();
  let round = 0;
  documents.onClosed((uri) => void answers.delete(uri));

  async function tokensOf(uri: string, signal: AbortSignal): Promise<number[]> {
    const { findingTokens } = await import('../../language/semantic-tokens.ts');
    const { sourceTokens } = await import('../../language/source-tokens.ts');
    const { findingTestTokens } = await import('../../graph-tests/test-tokens.ts');
    const tokens = await computeInSlices(documents, uri, signal, function* (document) {
      if (document.kind === 'tests') return yield* toTokens(yield* findingTestTokens(document.parsed), document.lines);
      const found =
        document.kind === 'graph' ? yield* findingTokens(document.parsed, tokenMemo) : sourceTokens(document.parsed);
      return yield* toTokens(found, document.lines);
    });
    return tokens ?? [];
  }

  function remembered(uri: string, data: readonly number[]): string {
    const resultId = String((round += 1));
    // A closed document would never be forgotten.
    if (documents.isOpen(uri)) answers.set(uri, { resultId, data: Uint32Array.from(data) });
    return resultId;
  }

  return {
    async full({ textDocument: { uri } }, signal) {
      const data = await tokensOf(uri, signal);
      return { resultId: remembered(uri, data), data };
    },
    async delta({ textDocument: { uri }, previousResultId }, signal) {
      const data = await tokensOf(uri, signal);
      const last = answers.get(uri);
      const resultId = remembered(uri, data);
      return last?.resultId === previousResultId
        ? { resultId, edits: editsBetween(last.data, data) }
        : { resultId, data };
    },
  };
}

/** Number of tokens per time slice. */
const tokensOfStep = 500;

function* toTokens(tokens: readonly SemanticToken[], lines: LineIndex): Steps<number[]> {
  const builder = new SemanticTokensBuilder();
  for (const [index, { range, type }] of tokens.entries()) {
    if (index % tokensOfStep === tokensOfStep - 1) yield;
    const { start, end } = lines.range(range);
    // The protocol has no multi-line tokens.
    if (start.line !== end.line) continue;
    builder.push(start.line, start.character, end.character - start.character, semanticTokenTypes.indexOf(type), 0);
  }
  return builder.build().data;
}

/** One edit that replaces what is between the beginning and the end that both have in common; none if they are equal. */
function editsBetween(before: Uint32Array, after: readonly number[]): SemanticTokensDelta['edits'] {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start += 1;
  let atEnd = 0;
  while (atEnd < shortest - start && before[before.length - 1 - atEnd] === after[after.length - 1 - atEnd]) atEnd += 1;
  const deleteCount = before.length - atEnd - start;
  const data = after.slice(start, after.length - atEnd);
  return deleteCount === 0 && data.length === 0 ? [] : [{ start, deleteCount, data }];
}
