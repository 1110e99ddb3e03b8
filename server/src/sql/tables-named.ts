import type { Dialect } from '../dialects/dialect.ts';
import type { SqlTable } from '../language/sql/sql-validator.ts';
import type { SqlToken } from '../query/sql-tokens.ts';

/** A table of a statement. */
interface NamedTable {
  /** Its alias as written. */
  readonly name: string;
  /** Undefined when they are not known. */
  readonly columns: readonly string[] | undefined;
}

/** The tables behind FROM and JOIN, at any depth. */
export interface NamedTables {
  /** By the comparison form of their aliases. */
  readonly tables: ReadonlyMap<string, NamedTable>;
  /** Indexes of the tokens that name them. */
  readonly places: ReadonlySet<number>;
}

type Names = Pick<Dialect, 'identifiers'>;

/** Finds the tables by their tokens. A shared alias of several tables, and a subquery, have unknown columns. */
export function tablesNamed(tokens: readonly SqlToken[], known: readonly SqlTable[], dialect: Names): NamedTables {
  const tables = new Map<string, NamedTable>();
  const places = new Set<number>();
  const add = (token: SqlToken, columns: readonly string[] | undefined): void => {
    const key = nameOf(token, dialect) ?? '';
    tables.set(key, { name: token.text, columns: tables.has(key) ? undefined : columns });
  };
  const alias = (index: number): number | undefined => {
    const at = isWord(tokens[index], ['as']) ? index + 1 : index;
    return nameOf(tokens[at], dialect) === undefined || isWord(tokens[at], notAnAlias) ? undefined : at;
  };
  /** Reads the table that starts at a token; returns the index behind it. */
  const read = (start: number): number => {
    const first = tokens[start];
    if (first?.text === '(' && first.kind === 'symbol') {
      const behind = afterParentheses(tokens, start);
      const at = alias(behind);
      if (at === undefined) return behind;
      places.add(at);
      add(tokens[at] as SqlToken, undefined);
      return at + 1;
    }
    const path: SqlToken[] = [];
    let index = start;
    for (; nameOf(tokens[index], dialect) !== undefined; index += 2) {
      path.push(tokens[index] as SqlToken);
      places.add(index);
      if (tokens[index + 1]?.text !== '.') break;
    }
    const last = path.at(-1);
    if (!last) return start + 1;
    const columns = columnsOf(path, known, dialect);
    const at = alias(index + 1);
    if (at !== undefined) places.add(at);
    add(at === undefined ? last : (tokens[at] as SqlToken), columns);
    return (at ?? index) + 1;
  };
  tokens.forEach((token, index) => {
    if (!isWord(token, ['from', 'join'])) return;
    let behind = read(isWord(tokens[index + 1], ['lateral']) ? index + 2 : index + 1);
    while (tokens[behind]?.text === ',' && isWord(token, ['from'])) behind = read(behind + 1);
  });
  return { tables, places };
}

/** The comparison form of a name; undefined for other tokens. */
export function nameOf(token: SqlToken | undefined, { identifiers }: Names): string | undefined {
  if (token?.kind === 'quoted') return identifiers.key(token.text);
  return token?.kind === 'word' ? identifiers.key(identifiers.fold(token.text)) : undefined;
}

function columnsOf(
  path: readonly SqlToken[],
  known: readonly SqlTable[],
  { identifiers }: Names,
): readonly string[] | undefined {
  const [name, schema] = [path.at(-1), path.at(-2)].map((token) => nameOf(token, { identifiers }));
  const key = (part: string | undefined): string | undefined => (part === undefined ? part : identifiers.key(part));
  const table = known.find(
    (each) => key(each.path.at(-1)) === name && (schema === undefined ? each.bare : key(each.path.at(-2)) === schema),
  );
  return table?.columns.map((column) => column.name);
}

function afterParentheses(tokens: readonly SqlToken[], start: number): number {
  let depth = 0;
  for (let index = start; index < tokens.length; index += 1) {
    const { kind, text } = tokens[index] as SqlToken;
    if (kind !== 'symbol') continue;
    depth += text === '(' ? 1 : text === ')' ? -1 : 0;
    if (depth === 0) return index + 1;
  }
  return tokens.length;
}

function isWord(token: SqlToken | undefined, words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toLowerCase());
}

const notAnAlias =
  'on using join left right inner outer full cross natural straight_join where group order having limit union except intersect use force ignore partition for window'.split(
    ' ',
  );
