/** A stretch of SQL of one kind, for colouring. */
export interface SqlToken {
  readonly kind: 'keyword' | 'string' | 'number' | 'comment' | 'name' | 'other';
  readonly text: string;
}

const keywords = new Set(
  (
    'select from where and or not in is null like ilike between exists join left right inner outer full cross on using as ' +
    'case when then else end distinct order by group having limit union all true false cast coalesce lateral interval'
  ).split(' '),
);

const pattern =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<string>'(?:[^']|'')*(?:'|$))|(?<name>"(?:[^"]|"")*(?:"|$))|(?<number>\b\d+(?:\.\d+)?\b)|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|(?<other>[\s\S])/gu;

/** Takes SQL apart for colouring, nothing more; any text will do, and all of it comes back. */
export function sqlTokens(sql: string): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  for (const { 0: text, groups = {} } of sql.matchAll(pattern)) {
    const kind = kindOf(text, groups);
    const last = tokens.at(-1);
    if (last && last.kind === 'other' && kind === 'other') tokens.splice(-1, 1, { kind, text: last.text + text });
    else tokens.push({ kind, text });
  }
  return tokens;
}

function kindOf(text: string, groups: Readonly<Record<string, string | undefined>>): SqlToken['kind'] {
  if (groups['comment'] !== undefined) return 'comment';
  if (groups['string'] !== undefined) return 'string';
  if (groups['number'] !== undefined) return 'number';
  if (groups['name'] !== undefined) return 'name';
  if (groups['word'] !== undefined) return keywords.has(text.toLowerCase()) ? 'keyword' : 'name';
  return 'other';
}
