import type { Completion } from '../dialect.ts';
import { type FunctionRow, commonFunctions, functionsOf } from './functions.ts';
import { commonConditionWords, commonJoinWords } from './words.ts';

/** What only one dialect has. */
export interface OwnWords {
  readonly functions: readonly FunctionRow[];
  readonly conditionWords: readonly string[];
  readonly joinWords: readonly string[];
}

/** What all dialects have, and what one has beside. */
export function completionWith({ functions, conditionWords, joinWords }: OwnWords): Completion {
  return {
    functions: functionsOf(commonFunctions, functions),
    conditionWords: [...commonConditionWords, ...conditionWords],
    joinWords: [...commonJoinWords, ...joinWords],
  };
}

/** What all dialects have, for sources whose dialect is not known yet. */
export const commonCompletion: Completion = completionWith({ functions: [], conditionWords: [], joinWords: [] });
