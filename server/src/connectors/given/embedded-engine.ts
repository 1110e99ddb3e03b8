import { findDataObject } from '../../catalog/catalog.ts';
import type { WrittenValue } from '../../catalog/written-value.ts';
import type { CompiledQuery, ElementQuery } from '../../query/compiled-query.ts';
import { fileRowColumn } from '../../query/file-row.ts';
import { quoteIdentifier, quoteLiteral } from '../../query/quote.ts';
import { isDuckDbError } from '../../store/duckdb-errors.ts';
import { confineDatabase } from '../../store/sandbox.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import { queryColumn, staging as stagedAs } from '../embedded/column-types.ts';
import { loadSql } from '../embedded/load-sql.ts';
import { queryError } from '../embedded/query-error.ts';
import type { LoadResult, Pull, QueryColumn, StagedColumn } from '../connector.ts';
import { givenCellSql } from './given-cell-sql.ts';
import type { GivenData } from './given-data.ts';
import { GivenRowsError, type OpenGivenRows } from './given-rows.ts';

/** Runs queries in the database of the build, as sources do whose queries the embedded engine runs. */
export const openEmbeddedEngine: OpenGivenRows = async () => {
  // Tests of one catalog share their queries, and types depend on nothing else.
  const described: Described = new WeakMap();
  return {
    async openPull(data, staging) {
      const paths = { files: [], folders: [staging.temporaryFolder] };
      // Several data sources are confined together, when all are open.
      if (staging.confine) staging.confine(paths);
      else await confineDatabase(staging, paths);
      return openGivenPull(data, staging, described);
    },
    close: async () => undefined,
  };
};

/** The columns of queries that were described before. */
type Described = WeakMap<CompiledQuery, readonly QueryColumn[]>;

/** Loads run one after another. */
function openGivenPull(data: GivenData, staging: StagingDatabase, described: Described): Pull {
  const tables = new Map<string, string>();
  /** The SQL of the views that exist, by data object. */
  const views = new Map<string, string>();
  let last: Promise<unknown> = Promise.resolve();

  async function tableOf(name: string): Promise<string> {
    const known = tables.get(name);
    if (known !== undefined) return known;
    const table = `given ${data.catalog.dataSource} ${tables.size + 1}`;
    await staging.run(createTableSql(data, name, table)).catch((error: unknown) => {
      throw new GivenRowsError(name, error);
    });
    tables.set(name, table);
    return table;
  }

  /** Queries mostly read the same views. */
  async function createViews(query: CompiledQuery): Promise<void> {
    for (const [index, name] of query.dataObjects.entries()) {
      const sql = viewSql(data, query, index, await tableOf(name));
      if (views.get(name) === sql) continue;
      await staging.run(sql);
      views.set(name, sql);
    }
  }

  /** Tables of the graph, and staging tables, may have their names. */
  async function dropViews(names: readonly string[]): Promise<void> {
    for (const name of names) {
      await staging.run(`DROP VIEW IF EXISTS temp.${quoteIdentifier(name)}`);
      views.delete(name);
    }
  }

  async function withViews<T>(query: CompiledQuery, run: () => Promise<T>): Promise<T> {
    try {
      await createViews(query);
      return await run();
    } finally {
      await dropViews([...views.keys()].filter((name) => mayBeStaged.test(name)));
    }
  }

  const inTurn = <T>(query: CompiledQuery, run: () => Promise<T>): Promise<T> => {
    const turn = last.then(() => withViews(query, run));
    last = turn.catch(() => undefined);
    return turn;
  };

  async function columnsOf(query: CompiledQuery): Promise<readonly QueryColumn[]> {
    const known = described.get(query);
    if (known) return known;
    const prefix = 'DESCRIBE ';
    const rows = await staging.query(`${prefix}${query.sql}`).catch(failed(query, prefix.length));
    const columns = rows.map((row) => queryColumn(String(row['column_name']), String(row['column_type'])));
    described.set(query, columns);
    return columns;
  }

  async function load(query: CompiledQuery, table: string): Promise<LoadResult> {
    const columns = await columnsOf(query);
    const { sql, coreOffset } = loadSql(query, table, columns, undefined);
    const rows = await staging.run(sql).catch(failed(query, coreOffset));
    return { sourceRows: Number(rows ?? 0), columns: columns.map(stagedColumn), warnings: [] };
  }

  const failed = (query: CompiledQuery, offset: number) => (error: unknown) => {
    if (!isDuckDbError(error)) throw error;
    const objects = data.catalog.objects.map(({ name }) => name);
    throw queryError(error, { core: { offset, length: query.sql.length }, objects }, undefined);
  };

  return {
    async columnsOf(query) {
      const columns = described.get(query) ?? (await inTurn(query, () => columnsOf(query)));
      return columns.map(stagedColumn);
    },
    load: (query, table) => inTurn(query, () => load(query, table)),
    async close() {
      await last;
      await dropViews([...views.keys()]);
    },
  };
}

/** A table has the values, the texts as written, and the numbers of the rows. */
function createTableSql({ catalog, objects, timeZone }: GivenData, name: string, table: string): string {
  const columns = findDataObject(catalog, name)?.columns ?? [];
  const rows = objects.find(({ dataObject }) => dataObject === name)?.rows ?? [];
  const create = `CREATE TEMP TABLE ${quoteIdentifier(table)}`;
  if (rows.length === 0) {
    const values = columns.map((column) => `${quoteIdentifier(column.name)} ${column.type}`);
    const texts = columns.map((_, index) => `${textColumn(index)} VARCHAR`);
    return `${create} (${[...values, ...texts, `${rowColumn} BIGINT`].join(', ')})`;
  }
  const lines = rows.map((row, index) => {
    const cells = columns.map((column) => row.get(column.name) ?? missing);
    const written = cells.map(({ kind, text }) => (kind === 'null' ? nullOf('VARCHAR') : quoteLiteral(text, 'duckdb')));
    const typed = cells.map((cell, at) => {
      const column = columns[at] ?? textOnly;
      return cell.kind === 'null' ? nullOf(column.type) : givenCellSql(cell, column, timeZone);
    });
    return `(${[...typed, ...written, `${index + 1}::BIGINT`].join(', ')})`;
  });
  const names = [...columns.map((column) => quoteIdentifier(column.name)), ...columns.map((_, at) => textColumn(at))];
  return `${create} AS FROM (VALUES ${lines.join(',\n')}) AS given (${[...names, rowColumn].join(', ')})`;
}

/** The types of a table that is made of values are theirs. */
function nullOf(type: string): string {
  return `CAST(NULL AS ${type})`;
}

/** Names of tables in which rows are staged, such as `element_1`. */
const mayBeStaged = /^[a-z_]+_\d+(?:$|_)/i;

const rowColumn = '"given row"';
const missing: WrittenValue = { kind: 'null', text: '' };
const textOnly = { name: '', type: 'VARCHAR', sense: 'text', nullable: true, primaryKey: false } as const;

function textColumn(index: number): string {
  return `"given text ${index + 1}"`;
}

function viewSql({ catalog }: GivenData, query: CompiledQuery, index: number, table: string): string {
  const name = query.dataObjects[index] ?? '';
  const columns = findDataObject(catalog, name)?.columns ?? [];
  const texts = (query.texts ?? []).filter(({ dataObject }) => dataObject === name);
  const hasRow = index === 0 && 'roles' in query && (query as ElementQuery).roles.rowOrder !== undefined;
  const list = [
    ...columns.map((column) => quoteIdentifier(column.name)),
    ...texts.map(({ column, as }) => {
      const at = columns.findIndex((each) => each.name === column);
      return `${textColumn(at)} AS ${quoteIdentifier(as)}`;
    }),
    ...(hasRow ? [`${rowColumn} AS ${quoteIdentifier(fileRowColumn)}`] : []),
  ];
  const inOrder = `SELECT ${list.join(', ')} FROM temp.${quoteIdentifier(table)} ORDER BY ${rowColumn}`;
  return `CREATE OR REPLACE TEMP VIEW ${quoteIdentifier(name)} AS ${inOrder}`;
}

function stagedColumn(column: QueryColumn, index: number): StagedColumn {
  return { ...column, stagedAs: `c${index + 1}`, stagedType: stagedAs('', column.type).stagedType };
}
