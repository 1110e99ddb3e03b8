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

/** Catalog objects named in JOIN clauses, in order; subqueries and unknown tables are skipped. */
export function joinedObjects(joins: string, catalog: Catalog): readonly JoinedObject[] {
  const tokens = sqlTokens(joins, dialectNamed(catalog.dialect).lexis).filter((token) => token.kind !== 'comment');
  let depth = 0;
  return tokens.flatMap((token, index) => {
    depth += token.text === '(' ? 1 : token.text === ')' ? -1 : 0;
    if (!isWord(token, ['join'])) return [];
    const after = tokens.slice(index + 1);
    const path = pathAt(after, catalog);
    const object = findByPath(path, catalog);
    if (!object) return [];
    const next = after.slice(path.length * 2 - 1);
    const at = isWord(next[0], ['as']) ? 1 : 0;
    const named = next[at];
    const last = path.at(-1) ?? object.name;
    const given = named && !isWord(named, notAnAlias) ? nameOf(named, catalog) : undefined;
    const isPlain = depth === 0 && next[given === undefined ? 0 : at + 1]?.text !== '(';
    return [{ alias: given ?? last, object, isPlain }];
  });
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
