import type { Completion } from '../dialect.ts';
import { type FunctionRow, commonFunctions, functionsOf } from './functions.ts';
import { commonConditionWords, commonJoinWords } from './words.ts';

/** How the completion data of a dialect differs from the common one. */
interface DialectWords {
  readonly functions: readonly FunctionRow[];
  readonly conditionWords: readonly string[];
  readonly joinWords: readonly string[];
  /** Common functions that the dialect does not know, or knows as something else. */
  readonly unknownFunctions?: readonly string[];
  /** Common words of conditions and joins that the dialect does not know. */
  readonly unknownWords?: readonly string[];
}

/** The common completion data with the differences of a dialect. */
export function completionWith({
  functions,
  conditionWords,
  joinWords,
  unknownFunctions = [],
  unknownWords = [],
}: DialectWords): Completion {
  const isKnown = (word: string): boolean => !unknownWords.includes(word);
  return {
    functions: functionsOf(
      commonFunctions.filter(([name]) => !unknownFunctions.includes(name)),
      functions,
    ),
    conditionWords: [...commonConditionWords.filter(isKnown), ...conditionWords],
    joinWords: [...commonJoinWords.filter(isKnown), ...joinWords],
  };
}

/** The common completion data, for sources with an unknown dialect. */
export const commonCompletion: Completion = completionWith({ functions: [], conditionWords: [], joinWords: [] });
