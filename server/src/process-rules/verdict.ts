/**
 * The verdict on one judged entity or event, in SQL. The greatest one counts: broken outranks pending, which outranks
 * undecided.
 */
export const verdict = { kept: 0, undecided: 1, pending: 2, broken: 3 } as const;
