import type { Completion } from '../dialect.ts';
import { type FunctionRow, commonFunctions, functionsOf } from './functions.ts';
import { commonConditionWords, commonJoinWords } from './words.ts';

/** Additions of one dialect. */
interface DialectWords {
  readonly functions: readonly FunctionRow[];
  readonly conditionWords: readonly string[];
  readonly joinWords: readonly string[];
}

/** The common completion data with the additions of a dialect. */
export function completionWith({ functions, conditionWords, joinWords }: DialectWords): Completion {
  return {
    functions: functionsOf(commonFunctions, functions),
    conditionWords: [...commonConditionWords, ...conditionWords],
    joinWords: [...commonJoinWords, ...joinWords],
  };
}

/** The common completion data, for sources with an unknown dialect. */
export const commonCompletion: Completion = completionWith({ functions: [], conditionWords: [], joinWords: [] });
