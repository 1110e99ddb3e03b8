/** The names visible at a position of a statement: the tables of a SELECT, then those of the enclosing SELECT. */
export interface NameScope {
  /** By alias, which several tables may share. */
  readonly tables: ReadonlyMap<string, ScopedColumns>;
  /** Names of result columns, where they are visible. */
  readonly results: ReadonlySet<string>;
  readonly around?: NameScope | undefined;
}

/** The column names of a table; `unknown` when any may exist. */
export type ScopedColumns = ReadonlySet<string> | 'unknown';

/** System columns of every PostgreSQL table. */
const systemColumns = new Set(['tableoid', 'ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'oid']);

/** Why a reference cannot be resolved, with valid alternatives; undefined when it may be valid. */
interface Unresolved {
  readonly kind: 'column' | 'alias';
  /** Index of the part of the reference. */
  readonly part: number;
  readonly candidates: readonly string[];
}

/** @param parts the names of the reference, without a trailing star. */
export function unresolved(parts: readonly string[], isStar: boolean, scope: NameScope): Unresolved | undefined {
  const scopes = chain(scope);
  const [first = '', second] = parts;
  if (parts.length === 1 && !isStar) return isColumn(first, scopes) ? undefined : columnMistake(0, scopes);
  // Any name may follow the name of a schema.
  if (parts.length > 2 || (parts.length === 2 && isStar)) return undefined;
  const owners = scopes.flatMap(({ tables }) => tables.get(first) ?? []);
  if (owners.length === 0) {
    const candidates = scopes.flatMap(({ tables }) => [...tables.keys()]);
    return { kind: 'alias', part: 0, candidates };
  }
  if (second === undefined || systemColumns.has(second)) return undefined;
  const known = owners.flatMap((columns) => (columns === 'unknown' ? [] : [columns]));
  if (known.length < owners.length || known.some((columns) => columns.has(second))) return undefined;
  return { kind: 'column', part: 1, candidates: known.flatMap((columns) => [...columns]) };
}

function isColumn(name: string, scopes: readonly NameScope[]): boolean {
  if (systemColumns.has(name)) return true;
  return scopes.some(
    ({ tables, results }) =>
      results.has(name) ||
      // The alias of a table alone is its whole row.
      tables.has(name) ||
      [...tables.values()].some((columns) => columns === 'unknown' || columns.has(name)),
  );
}

function columnMistake(part: number, scopes: readonly NameScope[]): Unresolved {
  const candidates = scopes.flatMap(({ tables }) =>
    [...tables.values()].flatMap((columns) => (columns === 'unknown' ? [] : [...columns])),
  );
  return { kind: 'column', part, candidates };
}

function chain(scope: NameScope): readonly NameScope[] {
  const scopes: NameScope[] = [];
  for (let at: NameScope | undefined = scope; at; at = at.around) scopes.push(at);
  return scopes;
}
