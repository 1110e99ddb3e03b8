/** The transitions of XES that begin and complete an activity (https://www.xes-standard.org/lifecycle.xesext), and words for them. */
const words = {
  start: /^(?:start|started|begin|began|begun)$/iu,
  end: /^(?:complete|completed|end|ended|finish|finished)$/iu,
};

/** The starts and ends among the values of a column, as `lifecycle` of an element names them; undefined unless it has both. */
export function lifecycleOf(
  column: string,
  values: Iterable<string>,
): { readonly column: string; readonly start: readonly string[]; readonly end: readonly string[] } | undefined {
  const all = [...new Set(values)].sort();
  const start = all.filter((value) => words.start.test(value));
  const end = all.filter((value) => words.end.test(value));
  return start.length > 0 && end.length > 0 ? { column, start, end } : undefined;
}

/** The other transitions of XES. */
const others =
  /^(?:schedule|assign|reassign|withdraw|suspend|resume|autoskip|manualskip|pi_abort|ate_abort|unknown)(?:ed|d)?$/iu;

/** Whether a value of a column says what happens to an activity. */
export function isTransition(value: string): boolean {
  return [words.start, words.end, others].some((word) => word.test(value));
}
