import type { Catalog, DataObject } from '../catalog/catalog.ts';
import { identifierKey } from './sql-names.ts';
import { sqlTokens, type SqlToken } from './sql-tokens.ts';

/** A table that custom joins bring in under an alias. */
export interface JoinedObject {
  /** As the dialect folds it. */
  readonly alias: string;
  readonly object: DataObject;
}

/** The catalog's objects that a text of JOIN clauses names, in order; subqueries and unknown tables are left out. */
export function joinedObjects(joins: string, catalog: Catalog): readonly JoinedObject[] {
  const tokens = sqlTokens(joins).filter((token) => token.kind !== 'comment');
  return tokens.flatMap((token, index) => {
    if (!isWord(token, ['join'])) return [];
    const after = tokens.slice(index + 1);
    const path = pathAt(after, catalog);
    const object = findByPath(path, catalog);
    if (!object) return [];
    const next = after.slice(path.length * 2 - 1);
    const named = isWord(next[0], ['as']) ? next[1] : next[0];
    const last = path.at(-1) ?? object.name;
    return [{ alias: named && !isWord(named, notAnAlias) ? (nameOf(named, catalog) ?? last) : last, object }];
  });
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

/** A bare name is found in the first schema, where the catalog's name is bare as well. */
function findByPath(path: readonly string[], catalog: Catalog): DataObject | undefined {
  const key = (parts: readonly string[]) => JSON.stringify(parts.map((part) => identifierKey(part, catalog.dialect)));
  return catalog.objects.find(
    (object) => key(path) === key(object.path) || (path.length === 1 && key(path) === key([object.name])),
  );
}

function nameOf(token: SqlToken | undefined, { dialect }: Catalog): string | undefined {
  if (token?.kind === 'quoted') return identifierKey(token.text, dialect);
  // Unquoted words are folded in both dialects.
  return token?.kind === 'word' ? identifierKey(token.text, 'duckdb') : undefined;
}

function isWord(token: SqlToken | undefined, words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toLowerCase());
}
