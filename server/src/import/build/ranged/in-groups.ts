/** Selects of one statement: engines limit the stages of a statement, and each join is some. */
const selectsAtOnce = 8;

/** The statements that fill a table from selects: the first creates it. At least one select. */
export function inGroups(table: string, create: string, selects: readonly string[]): readonly [string, ...string[]] {
  const groups = Array.from({ length: Math.ceil(selects.length / selectsAtOnce) }, (_, index) =>
    selects.slice(index * selectsAtOnce, (index + 1) * selectsAtOnce).join('\nUNION ALL\n'),
  );
  const [first = '', ...others] = groups;
  return [`${create} ${table} AS ${first}`, ...others.map((group) => `INSERT INTO ${table} ${group}`)];
}
