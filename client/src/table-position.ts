/** Words of SQL after which a table is named. */
const beforeTables = new Set(['FROM', 'JOIN', 'DESCRIBE', 'SUMMARIZE']);
/** Words with which the list of tables after FROM ends. */
const afterTables = new Set([
  ...['WHERE', 'GROUP', 'ORDER', 'HAVING', 'LIMIT', 'SELECT', 'ON', 'USING', 'QUALIFY', 'WINDOW', 'UNION'],
  ...['EXCEPT', 'INTERSECT', 'SET', 'VALUES'],
]);

/**
 * Whether the name at the end of a text of SQL is that of a table: after FROM and JOIN, and after a comma in the list
 * of tables. A name in brackets or behind a dot is none.
 */
export function isTablePosition(textBefore: string): boolean {
  const statement =
    textBefore
      .replaceAll(/--[^\n]*|\/\*[^]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)/g, ' ')
      .split(';')
      .at(-1) ?? '';
  const words = statement.match(/"(?:[^"]|"")*(?:"|$)|[\p{L}_][\p{L}\p{N}_]*|[^\s\p{L}_]/gu) ?? [];
  // The name that is being typed.
  if (/[\p{L}\p{N}_"]$/u.test(statement)) words.pop();
  if (words.at(-1) === ',') return isInTables(words);
  return beforeTables.has(words.at(-1)?.toUpperCase() ?? '');
}

/** Whether a comma at the end follows a table rather than an expression. */
function isInTables(words: readonly string[]): boolean {
  let open = 0;
  for (const word of words.toReversed()) {
    if (word === ')') open += 1;
    else if (word === '(') open -= 1;
    if (open < 0) return false;
    if (open > 0) continue;
    if (afterTables.has(word.toUpperCase())) return false;
    if (beforeTables.has(word.toUpperCase())) return true;
  }
  return false;
}
