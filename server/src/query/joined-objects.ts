import type { Catalog, DataObject } from '../catalog/catalog.ts';
import { dialectNamed } from '../dialects/index.ts';
import { identifierKey } from './sql-names.ts';
import { sqlTokens, type SqlToken } from './sql-tokens.ts';

/** A table in custom joins, with its alias. */
interface JoinedObject {
  /** Folded by the dialect. */
  readonly alias: string;
  readonly object: DataObject;
  /** Whether its columns are those of the object: not for parenthesised joins, nor with column aliases. */
  readonly isPlain: boolean;
}

/**
 * Catalog objects named in JOIN clauses, in order; subqueries and unknown tables are skipped.
 * @param words what stands before a table
 */
export function joinedObjects(
  joins: string,
  catalog: Catalog,
  words: readonly string[] = ['join'],
): readonly JoinedObject[] {
  const tokens = sqlTokens(joins, dialectNamed(catalog.dialect).lexis).filter((token) => token.kind !== 'comment');
  let depth = 0;
  return tokens.flatMap((token, index) => {
    depth += token.text === '(' ? 1 : token.text === ')' ? -1 : 0;
    if (!isWord(token, words)) return [];
    const found = objectAt(tokens.slice(index + 1), catalog);
    return found ? [{ ...found, isPlain: depth === 0 && found.isPlain }] : [];
  });
}

/**
 * Catalog objects that subqueries read, in order, with their aliases: those behind FROM, its commas, and JOIN, within
 * parentheses that contain SELECT.
 */
export function objectsInSubqueries(sql: string, catalog: Catalog): readonly JoinedObject[] {
  const tokens = sqlTokens(sql, dialectNamed(catalog.dialect).lexis).filter((token) => token.kind !== 'comment');
  const levels: { isQuery: boolean; isInFrom: boolean }[] = [];
  return tokens.flatMap((token, index) => {
    if (token.text === '(') levels.push({ isQuery: false, isInFrom: false });
    else if (token.text === ')') levels.pop();
    const level = levels.at(-1);
    if (!level) return [];
    if (isWord(token, ['select'])) level.isQuery = true;
    if (isWord(token, endOfFrom)) level.isInFrom = false;
    if (isWord(token, ['from'])) level.isInFrom = level.isQuery;
    const isNext = isWord(token, ['from', 'join']) || (token.kind === 'symbol' && token.text === ',');
    return isNext && level.isInFrom ? (objectAt(tokens.slice(index + 1), catalog) ?? []) : [];
  });
}

const endOfFrom = ['select', 'where', 'group', 'having', 'order', 'limit', 'union', 'intersect', 'except', 'window'];

/** The catalog object that the tokens begin with, and its alias. */
function objectAt(tokens: readonly SqlToken[], catalog: Catalog): JoinedObject | undefined {
  const path = pathAt(tokens, catalog);
  const object = findByPath(path, catalog);
  if (!object) return undefined;
  const next = tokens.slice(path.length * 2 - 1);
  const at = isWord(next[0], ['as']) ? 1 : 0;
  const named = next[at];
  const last = path.at(-1) ?? object.name;
  const given = named && !isWord(named, notAnAlias) ? nameOf(named, catalog) : undefined;
  return { alias: given ?? last, object, isPlain: next[given === undefined ? 0 : at + 1]?.text !== '(' };
}

/** The object of an alias; undefined when uncertain. */
export function joinedUnder(alias: string, joins: string, catalog: Catalog): DataObject | undefined {
  const key = identifierKey(alias, catalog.dialect);
  const [joined, ...others] = joinedObjects(joins, catalog).filter((each) => each.alias === key);
  return joined?.isPlain && others.length === 0 ? joined.object : undefined;
}

const notAnAlias = [
  'on',
  'using',
  'join',
  'left',
  'right',
  'inner',
  'full',
  'cross',
  'natural',
  'where',
  'group',
  'having',
  'order',
  'limit',
  'union',
  'tablesample',
];

function pathAt(tokens: readonly SqlToken[], catalog: Catalog): readonly string[] {
  const path: string[] = [];
  for (let at = 0; ; at += 2) {
    const name = nameOf(tokens[at], catalog);
    if (name === undefined) return path;
    path.push(name);
    if (tokens[at + 1]?.text !== '.') return path;
  }
}

/** An unqualified name refers to the first schema, whose catalog names are unqualified as well. */
function findByPath(path: readonly string[], catalog: Catalog): DataObject | undefined {
  const key = (parts: readonly string[]) => JSON.stringify(parts.map((part) => identifierKey(part, catalog.dialect)));
  return catalog.objects.find(
    (object) => key(path) === key(object.path) || (path.length === 1 && key(path) === key([object.name])),
  );
}

function nameOf(token: SqlToken | undefined, { dialect }: Catalog): string | undefined {
  const { identifiers } = dialectNamed(dialect);
  if (token?.kind === 'quoted') return identifiers.key(token.text);
  return token?.kind === 'word' ? identifiers.fold(token.text) : undefined;
}

function isWord(token: SqlToken | undefined, words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toLowerCase());
}
