import type { CountRange } from '../model/count-range.ts';

/**
 * The verdict on one judged entity or event, in SQL. The greatest one counts: broken outranks pending, which outranks
 * undecided.
 */
export const verdict = { kept: 0, undecided: 1, pending: 2, broken: 3 } as const;

/** @param counted rows `judged`, `found`, and `is_open`: whether more may still come */
export function judgeCount(counted: string, { min, max }: CountRange): string {
  const tooMany = max === undefined ? '' : `WHEN found > ${max} THEN ${verdict.broken} `;
  const enough = max === undefined ? `WHEN found >= ${min} THEN ${verdict.kept} ` : '';
  const otherwise = `WHEN is_open THEN ${verdict.pending} WHEN found >= ${min} THEN ${verdict.kept} ELSE ${verdict.broken}`;
  return `SELECT judged, CASE ${tooMany}${enough}${otherwise} END AS verdict, found FROM (${counted}) AS counted_events`;
}
