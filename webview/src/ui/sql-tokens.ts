/** A highlighted token of SQL. */
interface SqlToken {
  readonly kind: 'keyword' | 'string' | 'number' | 'comment' | 'name' | 'other';
  readonly text: string;
}

const keywords = new Set(
  (
    'select from where and or not in is null like ilike between exists join left right inner outer full cross on using as ' +
    'case when then else end distinct order by group having limit union all true false cast coalesce lateral interval'
  ).split(' '),
);

/**
 * Strings and quoted names are matched by their opening quote only: an expression for all of a long one would overflow
 * the stack.
 */
const start =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<string>')|(?<name>["`])|(?<number>\b\d+(?:\.\d+)?\b)|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|(?<other>[\s\S])/gu;

/** Splits SQL for highlighting. Accepts any text; the tokens add up to it. */
export function sqlTokens(sql: string): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  const pattern = new RegExp(start);
  for (let found = pattern.exec(sql); found; found = pattern.exec(sql)) {
    const { index, groups = {} } = found;
    if (groups['string'] !== undefined || groups['name'] !== undefined) pattern.lastIndex = endOfQuoted(sql, index);
    const text = sql.slice(index, pattern.lastIndex);
    const kind = kindOf(text, groups);
    const last = tokens.at(-1);
    if (last && last.kind === 'other' && kind === 'other') tokens.splice(-1, 1, { kind, text: last.text + text });
    else tokens.push({ kind, text });
  }
  return tokens;
}

/** Position after the closing quote; a doubled quote is part of the text. */
function endOfQuoted(sql: string, start: number): number {
  const quote = sql.charAt(start);
  for (let at = sql.indexOf(quote, start + 1); at >= 0; at = sql.indexOf(quote, at + 2)) {
    if (sql[at + 1] !== quote) return at + 1;
  }
  return sql.length;
}

function kindOf(text: string, groups: Readonly<Record<string, string | undefined>>): SqlToken['kind'] {
  if (groups['comment'] !== undefined) return 'comment';
  if (groups['string'] !== undefined) return 'string';
  if (groups['number'] !== undefined) return 'number';
  if (groups['name'] !== undefined) return 'name';
  if (groups['word'] !== undefined) return keywords.has(text.toLowerCase()) ? 'keyword' : 'name';
  return 'other';
}
