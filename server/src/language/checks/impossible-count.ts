import type { GraphCheck } from './check.ts';

/** An expected number of rows whose lower limit is above its upper one. */
export const impossibleCount: GraphCheck = {
  codes: ['impossible-count'],
  scope: 'entry',
  check: ({ graph: { elements } }) =>
    elements.flatMap(({ expect }) => {
      const { rows } = expect ?? {};
      if (rows?.value.max === undefined || rows.value.max >= rows.value.min) return [];
      const { min, max } = rows.value;
      const message = `No number is at least ${min} and at most ${max}. Write the smaller one first: "${max}..${min}".`;
      return [{ code: 'impossible-count', severity: 'error', message, range: rows.range }];
    }),
};
