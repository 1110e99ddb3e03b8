import {
  findingGraphTokens,
  type SemanticToken,
  type TokenCache,
  wholeOrder,
} from '../../server/src/language/semantic-tokens.ts';
import type { ParsedEntityGraph } from '../../server/src/model/parse-model.ts';
import type { Steps } from '../../server/src/model/steps.ts';

/** All tokens of a graph in text order, as steps. */
export function* findingTokens(parsed: ParsedEntityGraph, memo: TokenCache): Steps<readonly SemanticToken[]> {
  return wholeOrder(yield* findingGraphTokens(parsed, memo));
}
