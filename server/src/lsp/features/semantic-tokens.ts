import type {
  SemanticTokens,
  SemanticTokensDelta,
  SemanticTokensDeltaParams,
  SemanticTokensLegend,
  SemanticTokensParams,
} from 'vscode-languageserver/node';
import type { EncodingCache } from '../../language/encode-tokens.ts';
import { type TokenCache, semanticTokenTypes } from '../../language/semantic-tokens.ts';
import { computeInSlices } from '../documents/compute-in-slices.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';

/** Token types in legend order: those that the client knows; all if it does not say. */
export function semanticTokensLegend(known: ReadonlySet<string> | undefined): SemanticTokensLegend {
  return { tokenTypes: semanticTokenTypes.filter((type) => known?.has(type) ?? true), tokenModifiers: [] };
}

/** `textDocument/semanticTokens/full` and `textDocument/semanticTokens/full/delta` */
interface SemanticTokensFeature {
  readonly full: RequestWork<SemanticTokensParams, SemanticTokens>;
  /** Only what changed since the client's previous answer; all tokens if that is not the last one. */
  readonly delta: RequestWork<SemanticTokensDeltaParams, SemanticTokens | SemanticTokensDelta>;
}

export function createSemanticTokens({ documents, abilities }: LanguageServer): SemanticTokensFeature {
  const tokenMemo: TokenCache = new WeakMap();
  const encoded: EncodingCache = new WeakMap();
  /** The last answer for each open document, from which differences are taken. */
  const answers = new Map<string, { readonly resultId: string; readonly data: Uint32Array }>();
  let round = 0;
  documents.onClosed((uri) => void answers.delete(uri));

  async function tokensOf(uri: string, signal: AbortSignal): Promise<number[]> {
    const { findingGraphTokens } = await import('../../language/semantic-tokens.ts');
    const { encodingGraphTokens, encodingTokens } = await import('../../language/encode-tokens.ts');
    const { sourceTokens } = await import('../../language/source-tokens.ts');
    const { findingTestTokens } = await import('../../graph-tests/test-tokens.ts');
    const tokens = await computeInSlices(documents, uri, signal, function* (document) {
      const { kind, lines } = document;
      if (kind === 'graph')
        return yield* encodingGraphTokens(yield* findingGraphTokens(document.parsed, tokenMemo), lines, encoded);
      const found = kind === 'tests' ? yield* findingTestTokens(document.parsed) : sourceTokens(document.parsed);
      return yield* encodingTokens(found, lines);
    });
    return inLegend(tokens ?? [], semanticTokensLegend(abilities().forms.tokenTypes));
  }

  function remembered(uri: string, data: readonly number[]): string {
    const resultId = String((round += 1));
    // A closed document would never be forgotten.
    if (documents.isOpen(uri)) answers.set(uri, { resultId, data: new Uint32Array(data) });
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

/** The tokens with the types of a legend, without tokens of other types. Five numbers each, as the protocol has them. */
function inLegend(data: number[], { tokenTypes }: SemanticTokensLegend): number[] {
  if (tokenTypes.length === semanticTokenTypes.length) return data;
  const kept: number[] = [];
  let [line, character] = [0, 0];
  let [lastLine, lastCharacter] = [0, 0];
  for (let at = 0; at < data.length; at += 5) {
    const [lines = 0, characters = 0, length = 0, type = 0, modifiers = 0] = data.slice(at, at + 5);
    line += lines;
    character = lines === 0 ? character + characters : characters;
    const index = tokenTypes.indexOf(semanticTokenTypes[type] ?? '');
    if (index < 0) continue;
    kept.push(line - lastLine, line === lastLine ? character - lastCharacter : character, length, index, modifiers);
    [lastLine, lastCharacter] = [line, character];
  }
  return kept;
}

/** One edit that replaces everything between the common prefix and the common suffix; none if both are equal. */
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
