import pg from 'pg';
import type { DataObject } from '../../../catalog/catalog.ts';
import { postgresqlWrittenValue } from '../../../dialects/postgresql/written-value.ts';
import type { CompiledQuery } from '../../../query/compiled-query.ts';
import { sqlTokens } from '../../../query/sql-tokens.ts';
import type { SyntaxTree } from '../../../sql/syntax-tree.ts';
import type { GivenData } from '../../given/given-data.ts';
import { CannotRunError } from '../../given/given-rows.ts';
import { findGivenObject } from '../../given/online/find-given-object.ts';
import type { GivenTables } from '../../given/online/online-pull.ts';
import { rowsError } from '../../given/online/rows-error.ts';
import type { TableReference } from '../../given/online/table-reference.ts';
import type { OperationOptions } from '../../connector.ts';
import { executedSql } from '../error-position.ts';
import type { Session } from '../session.ts';
import { type NamedTable, type ReadNames, namesRead } from './tables-in-tree.ts';

/** Replaces tables of a PostgreSQL database by given rows. Syntax trees show where they are read. */
export async function postgresqlGivenTables(
  session: Session,
  data: GivenData,
  schemas: readonly string[],
): Promise<GivenTables> {
  const parse = await loadParser();
  const known = new Set<string>();

  /** Refuses user-defined functions and operators, which may read tables that the statement does not name. */
  async function refuseReaders({ functions, operators }: ReadNames, { signal }: OperationOptions): Promise<void> {
    const names = [...functions, ...operators].filter((name) => !known.has(name));
    if (names.length === 0) return;
    const own = [...functions].find((name) => readsByName.test(name));
    const [found] = await session.rows<{ name: string }>(readersSql, [[...functions], [...operators]], signal);
    const reader = own ?? found?.name;
    if (reader !== undefined) throw uncertain(`${reader} may read tables: it is not declared IMMUTABLE`);
    for (const name of names) known.add(name);
  }

  function readNames(sql: string): ReadNames {
    let names: ReadNames;
    try {
      names = namesRead(parse(sql));
    } catch (error) {
      // A server may understand what this parser does not, and would read its own tables.
      throw uncertain(error instanceof Error ? error.message : String(error));
    }
    if (names.needsTable !== undefined) throw uncertain(`it has ${names.needsTable}`);
    const qualified = names.columns.find((parts) => parts.length > 2);
    if (qualified) throw uncertain(`${qualified.join('.')} names a column by its schema. Write an alias before it`);
    const system = names.columns.find((parts) => systemColumns.has(parts.at(-1) ?? ''));
    if (system) throw uncertain(`${system.join('.')} is a column that only a real table has`);
    return names;
  }

  return {
    async referencesIn(query, options) {
      const names = readNames(query.sql);
      await refuseReaders(names, options);
      return referencesOf(names.tables, query, (table) => objectOf(table, data, schemas));
    },
    async verify(query) {
      const [left] = readNames(query.sql).tables;
      if (left) throw uncertain(`${left.name} is still read in it`);
    },
    bodyOf: (object) => bodySql(object, data),
    async checkRows(object, body, { signal }) {
      await session.texts(executedSql('', body, ''), signal).catch((error: unknown) => {
        throw rowsError(object, error);
      });
    },
  };
}

function uncertain(reason: string): CannotRunError {
  return new CannotRunError(`Given rows cannot stand in for all that its SQL reads: ${reason}.`);
}

async function loadParser(): Promise<(sql: string) => SyntaxTree> {
  const { loadModule, parseSync } = await import('libpg-query');
  await loadModule();
  return (sql) => parseSync(sql) as unknown as SyntaxTree;
}

/** System columns, which tables have and common table expressions lack. */
const systemColumns: ReadonlySet<string> = new Set(['tableoid', 'ctid', 'xmin', 'xmax', 'cmin', 'cmax']);

/** Functions of PostgreSQL that read what a text names, or the state of the database. */
const readsByName =
  /^(?:(?:query|table|schema|database|cursor)_to_xml|ts_stat$|ts_rewrite$|lo_|loread$|nextval$|currval$|lastval$|pg_(?:read|ls|stat|get|sequence))/;

const readersSql = `SELECT p.proname AS name FROM pg_catalog.pg_proc AS p
WHERE p.proname = ANY ($1::text[]) AND p.pronamespace <> 'pg_catalog'::regnamespace AND p.provolatile <> 'i'
UNION ALL SELECT o.oprname FROM pg_catalog.pg_operator AS o JOIN pg_catalog.pg_proc AS p ON p.oid = o.oprcode
WHERE o.oprname = ANY ($2::text[]) AND p.pronamespace <> 'pg_catalog'::regnamespace AND p.provolatile <> 'i'
LIMIT 1`;

/** The data object that a table is: without a schema, that of the first schema which has one. */
function objectOf({ schema, name }: NamedTable, data: GivenData, schemas: readonly string[]): DataObject {
  const placed = (object: DataObject): readonly string[] =>
    object.path.length > 1 ? object.path : [schemas[0] ?? 'public', object.path[0] ?? object.name];
  const searched = schema === undefined ? schemas : [schema];
  for (const each of name.startsWith('pg_') && schema === undefined ? [] : searched) {
    const found = data.catalog.objects.filter((one) => {
      const [place, table] = placed(one);
      return place === each && table === name;
    });
    const object = findGivenObject(found, data);
    if (object) return object;
  }
  const path = schema === undefined ? name : `${schema}.${name}`;
  throw uncertain(`${path} is no data object that the catalog of ${data.catalog.dataSource} has`);
}

function referencesOf(
  tables: readonly NamedTable[],
  { sql }: CompiledQuery,
  objectAt: (table: NamedTable) => DataObject,
): readonly TableReference[] {
  const bytes = Buffer.from(sql);
  return tables
    .map((table): TableReference => {
      const start = bytes.subarray(0, table.location).toString().length;
      const tokens = sqlTokens(sql.slice(start)).filter(({ kind }) => kind !== 'comment');
      const last = tokens[table.schema === undefined ? 0 : 2];
      // A star after the name includes inheriting tables.
      if (!last || tokens[table.schema === undefined ? 1 : 3]?.text === '*')
        throw uncertain('it has a star behind a table');
      const written = sql.slice(start + last.start, start + last.end);
      const ownAlias = table.hasAlias ? undefined : written;
      return { start, end: start + last.end, object: objectAt(table), ownAlias };
    })
    .toSorted((left, right) => left.start - right.start);
}

/** OFFSET keeps the planner from computing expressions of constant rows that a condition leaves out. */
function bodySql({ name, columns }: DataObject, { catalog, objects, timeZone }: GivenData): string {
  if (columns.length === 0) throw new CannotRunError(`The columns of ${name} in ${catalog.dataSource} are not known.`);
  const rows = objects.find(({ dataObject }) => dataObject === name)?.rows ?? [];
  const names = columns.map((column) => pg.escapeIdentifier(column.name));
  if (rows.length === 0) {
    const nulls = columns.map(({ type }, index) => `CAST(NULL AS ${type}) AS ${names[index] ?? ''}`);
    return `SELECT ${nulls.join(', ')} WHERE false`;
  }
  const lines = rows.map((row) => {
    const cells = columns.map((column) =>
      postgresqlWrittenValue(row.get(column.name) ?? { kind: 'null', text: '' }, column, timeZone),
    );
    return `(${cells.join(', ')})`;
  });
  return `SELECT * FROM (VALUES ${lines.join(',\n')}) AS given (${names.join(', ')}) OFFSET 0`;
}
