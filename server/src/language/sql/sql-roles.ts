import { standardLexis } from '../../dialects/standard/lexis.ts';
import { type SqlToken, sqlTokens } from '../../query/sql-tokens.ts';
import { isKeyword } from './sql-keywords.ts';

/** Role of an SQL token, based on text alone. */
export type SqlRole = 'keyword' | 'function' | 'table' | 'alias' | 'column' | 'type' | 'string' | 'number' | 'comment';

interface SqlRoleToken extends SqlToken {
  readonly role: SqlRole;
}

/** The significant tokens of custom SQL with their roles. Works in broken SQL. */
export function sqlRoles(sql: string): readonly SqlRoleToken[] {
  const tokens = sqlTokens(sql, highlighted);
  const said = tokens.filter(({ kind }) => kind !== 'comment');
  const roles = new Map<SqlToken, SqlRole>();
  /** Possible role of a name after the preceding tokens. */
  let next: 'table' | 'alias' | 'type' | undefined;
  for (const [index, token] of said.entries()) {
    const around = { before: said[index - 1]?.text ?? '', behind: said[index + 1]?.text ?? '' };
    const role = roleOf(token, around, next);
    if (role) roles.set(token, role);
    next = expectedAfter(token, role, around, next, said[index - 2]);
  }
  return tokens.flatMap((token) => {
    const role = token.kind === 'comment' ? 'comment' : roles.get(token);
    return role ? [{ ...token, role }] : [];
  });
}

/** MySQL quotes names in backticks; other dialects do not use backticks. */
const highlighted = { ...standardLexis, nameQuotes: '"`' };

/** Table aliases in custom JOIN clauses, in lower case. */
export function joinAliases(joins: string): ReadonlySet<string> {
  const named: string[] = [];
  let table: string | undefined;
  for (const { role, text } of sqlRoles(joins)) {
    if (role === 'table') table = text;
    else if (table !== undefined && text.toLowerCase() !== 'as') {
      named.push(role === 'alias' ? text : table);
      table = undefined;
    }
  }
  return new Set([...named, ...(table === undefined ? [] : [table])].map((name) => name.toLowerCase()));
}

interface Around {
  readonly before: string;
  readonly behind: string;
}

function roleOf(
  { kind, text }: SqlToken,
  { before, behind }: Around,
  next: 'table' | 'alias' | 'type' | undefined,
): SqlRole | undefined {
  if (kind === 'literal') return /^\d/.test(text) ? 'number' : 'string';
  if (kind === 'symbol') return undefined;
  if (next === 'table' && !(kind === 'word' && tablePrefixes.has(text.toLowerCase()))) return 'table';
  // A unit, as in INTERVAL 1 DAY.
  if (kind === 'word' && /^['\d]/.test(before)) return 'keyword';
  const isQualified = before === '.';
  if (kind === 'word' && !isQualified && behind !== '.' && isWord(text, { before, behind })) return 'keyword';
  if (kind === 'word' && behind === '(') return 'function';
  if (next === 'alias' || next === 'type') return next;
  return behind === '.' && !isQualified ? 'alias' : 'column';
}

/** Whether a name is a word of SQL at its place: many words are names of columns, too. */
function isWord(text: string, { before, behind }: Around): boolean {
  const word = text.toLowerCase();
  if (!isKeyword(word)) return false;
  if (behind === '(' && alsoFunctions.has(word)) return false;
  // MySQL has INTERVAL days DAY.
  if (word === 'interval') return /^['(\d]/.test(behind) || (/^\w/.test(behind) && !isKeyword(behind));
  return (wordsBefore[word] ?? anything).test(before) && (wordsBehind[word] ?? anything).test(behind);
}

const alsoFunctions = new Set(['left', 'right', 'date', 'timestamp', 'first', 'last']);
const anything = /^/;

/** What is before words that are columns elsewhere. */
const wordsBefore: Readonly<Record<string, RegExp>> = {
  zone: /^time$/i,
  first: /^nulls$/i,
  last: /^nulls$/i,
  to: /^similar$/i,
};

/** What is behind words that are columns elsewhere. */
const wordsBehind: Readonly<Record<string, RegExp>> = {
  at: /^(?:time|local)$/i,
  time: /^(?:zone$|')/i,
  date: /^'/,
  timestamp: /^(?:'|with$)/i,
  nulls: /^(?:first|last)$/i,
  similar: /^to$/i,
  partition: /^by$/i,
  values: /^\($/,
  some: /^\($/,
  rows: /^(?:between$|unbounded$|current$|\d)/i,
  escape: /^'/,
};

const tablePrefixes = new Set(['lateral', 'only', 'select']);

function expectedAfter(
  { kind, text }: SqlToken,
  role: SqlRole | undefined,
  { before, behind }: Around,
  next: 'table' | 'alias' | 'type' | undefined,
  beforeLast: SqlToken | undefined,
): 'table' | 'alias' | 'type' | undefined {
  const word = kind === 'word' ? text.toLowerCase() : '';
  if (role === 'keyword') {
    // EXTRACT(year FROM time) reads no table.
    if (word === 'join' || (word === 'from' && beforeLast?.text !== '(')) return 'table';
    if (word === 'lateral' || word === 'only') return next;
    if (word === 'as') return next === 'alias' ? 'alias' : 'type';
    return undefined;
  }
  if (role === 'table') return behind === '.' ? 'table' : 'alias';
  if (text === '.' && next === 'table') return 'table';
  if (text === ':' && before === ':') return 'type';
  return undefined;
}
