import { lifecycles } from '../../../../protocol/lifecycles.ts';
import type { CodeType } from '../../graph-schema/storage-tables.ts';
import type { BuildDialect, BuildStorage } from './build-dialect.ts';
import { type GraphShape, rowsTable } from './rows.ts';
import type { StagedElement } from './staged-element.ts';

/**
 * The most activities of rows that are stored as codes; others are stored as texts. DuckDB reads the names of all codes
 * whenever it opens a store.
 */
const mostActivities = 10_000;

interface NamedGraph {
  readonly elements: readonly StagedElement[];
  /** Names of relationships, and qualifiers of row correlations. */
  readonly qualifiers: readonly string[];
}

/**
 * Creates the types of columns that repeat few names, from `rows_<n>`. Names are sorted, so that codes sort like the
 * names that they stand for.
 */
export function createCodeTypesSql(
  { elements, qualifiers }: NamedGraph,
  { dialect: { literals }, activities }: GraphShape,
  storage: BuildStorage,
): readonly { readonly name: string; readonly sql: string }[] {
  const names: Readonly<Record<Exclude<CodeType, 'activity'>, readonly string[]>> = {
    element: elements.map(({ plan }) => plan.activityName),
    lifecycle: lifecycles,
    qualifier: qualifiers,
  };
  const listed = Object.entries(names)
    .filter(([, each]) => each.length > 0)
    .map(([type, each]) => ({
      name: `${type}_codes`,
      sql: `CREATE TYPE ${storage.tables}.${type} AS ENUM (${inOrder(each).map(literals.quote).join(', ')})`,
    }));
  if (!activities) return listed;
  return [...listed, { name: 'activity_codes', sql: activitiesSql(elements, storage, literals) }];
}

/** The names of the elements and the most frequent activities of rows. */
function activitiesSql(
  elements: readonly StagedElement[],
  storage: BuildStorage,
  { quote }: BuildDialect['literals'],
): string {
  const rows = elements
    .filter(({ activity }) => activity !== undefined)
    .map((element) => `SELECT activity FROM ${rowsTable(element)}`);
  const names = inOrder(elements.map(({ plan }) => plan.activityName)).map((name) => `(${quote(name)})`);
  return `CREATE TYPE ${storage.tables}.activity AS ENUM (
      SELECT name FROM (VALUES ${names.join(', ')}) AS element(name) UNION (
        SELECT activity FROM (${rows.join(' UNION ALL ')}) AS rows WHERE activity IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${mostActivities}
      ) ORDER BY 1)`;
}

/** Each name once, sorted by its characters. */
export function inOrder(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
}

/** A name as a value of a column of codes, or of texts where the engine has no tables behind views. */
export function nameSql(type: CodeType, name: string, { literals, storage }: BuildDialect): string {
  return storage ? `CAST(${literals.quote(name)} AS ${storage.tables}.${type})` : literals.text(name);
}

/** SQL that is true where a column of codes, or of texts, has this name. */
export function isNameSql(column: string, type: CodeType, name: string, dialect: BuildDialect): string {
  return `${column} = ${dialect.storage ? nameSql(type, name, dialect) : dialect.literals.quote(name)}`;
}
