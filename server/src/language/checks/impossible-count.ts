import type { CountRange } from '../../model/count-range.ts';
import type { Problem } from '../../model/problem.ts';
import { writtenFields } from '../../model/process-rule.ts';
import type { Located, SourceRange } from '../../model/source-range.ts';
import type { GraphCheck } from './check.ts';

/** An expected number of rows whose lower limit is above its upper one. */
export const impossibleCount: GraphCheck = {
  codes: ['impossible-count'],
  scope: 'entry',
  check: ({ graph: { elements, entities } }) =>
    [...elements, ...entities].flatMap(({ expect }) => impossibleRange(expect?.rows)),
};

/** An expected number of events or entities, or an expected time, whose lower limit is above its upper one. */
export const impossibleRuleCount: GraphCheck = {
  codes: ['impossible-count'],
  sections: ['rules'],
  check: ({ graph: { rules } }) =>
    rules.flatMap(({ expect }) => expect.flatMap((each) => impossibleLimits(writtenFields(each)))),
};

function impossibleRange(range: Located<CountRange> | undefined): readonly Problem[] {
  if (range?.value.max === undefined || range.value.max >= range.value.min) return [];
  const { min, max } = range.value;
  const message = `No number is at least ${min} and at most ${max}. Write the smaller one first: "${max}..${min}".`;
  return [impossible(message, range.range)];
}

function impossibleLimits({ count, atLeast, atMost }: ReturnType<typeof writtenFields>): readonly Problem[] {
  // Days of a calendar that is not known are NaN.
  const isImpossible = atLeast && atMost && atLeast.value.milliseconds > atMost.value.milliseconds;
  if (!isImpossible) return impossibleRange(count);
  return [impossible('No time is longer than atLeast and shorter than atMost: swap them.', atLeast.range)];
}

function impossible(message: string, range: SourceRange): Problem {
  return { code: 'impossible-count', severity: 'error', message, range };
}
