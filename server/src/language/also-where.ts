/** SQL of a condition of an entry and one more, which is in brackets or a comparison. */
export function alsoWhere(where: string, condition: string): string {
  const sql = where.trim();
  // A trailing comment must not swallow the bracket; # begins one in MySQL. A block scalar keeps its last line end.
  const closing = /(--|#)[^\n]*$/.test(sql) ? '\n)' : ')';
  return `(${sql}${closing} AND ${condition}${where.endsWith('\n') ? '\n' : ''}`;
}
