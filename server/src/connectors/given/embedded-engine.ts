import type { CompiledQuery } from '../../query/compiled-query.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import { isDuckDbError } from '../../store/duckdb-errors.ts';
import { confineDatabase } from '../../store/sandbox.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import { queryColumn, staging as stagedAs } from '../embedded/column-types.ts';
import { loadSql } from '../embedded/load-sql.ts';
import { queryError } from '../embedded/query-error.ts';
import type { LoadResult, Pull, QueryColumn, StagedColumn } from '../connector.ts';
import { extraColumns, hasColumns, valuesTableSql, viewSql, wholeTableSql } from './embedded-tables.ts';
import type { GivenData } from './given-data.ts';
import { GivenRowsError, type OpenGivenRows } from './given-rows.ts';

/** Runs queries in the database of the build, for kinds whose queries the embedded engine runs. */
export const openEmbeddedEngine: OpenGivenRows = async () => {
  // Caches column types by query: tests of one catalog share queries, and types depend only on these.
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
  const wholeTables = new Map<string, string>();
  /**
   * The database object for each data object: a table of its values, or a view with additional columns that a query
   * needs.
   */
  const objects = new Map<string, { readonly kind: 'TABLE' } | { readonly kind: 'VIEW'; readonly sql: string }>();
  let last: Promise<unknown> = Promise.resolve();

  async function wholeTableOf(name: string): Promise<string> {
    const known = wholeTables.get(name);
    if (known !== undefined) return known;
    const table = `given ${data.catalog.dataSource} ${wholeTables.size + 1}`;
    await createTable(staging, name, wholeTableSql(data, name, table));
    wholeTables.set(name, table);
    return table;
  }

  /**
   * Most queries need values only. A table returns them in half the time of a view: for few rows, binding a view and
   * sorting by row take longer than reading.
   */
  async function provide(query: CompiledQuery, index: number, name: string): Promise<void> {
    const extra = extraColumns(data, query, index);
    const there = objects.get(name);
    const needsView = extra.length > 0 || mayBeStaged.test(name) || wholeTables.has(name) || !hasColumns(data, name);
    if (!needsView) {
      if (there) return;
      await createTable(staging, name, valuesTableSql(data, name, name));
      objects.set(name, { kind: 'TABLE' });
      return;
    }
    const sql = viewSql(data, name, extra, await wholeTableOf(name));
    if (there?.kind === 'VIEW' && there.sql === sql) return;
    await staging.runAll([...(there?.kind === 'TABLE' ? [dropSql(name, 'TABLE')] : []), sql]);
    objects.set(name, { kind: 'VIEW', sql });
  }

  /** Tables of the graph, and staging tables, may have their names. */
  async function dropAll(isDropped: (name: string) => boolean): Promise<void> {
    const dropped = [...objects].filter(([name]) => isDropped(name));
    await staging.runAll(dropped.map(([name, { kind }]) => dropSql(name, kind)));
    for (const [name] of dropped) objects.delete(name);
  }

  async function withObjects<T>(query: CompiledQuery, run: () => Promise<T>): Promise<T> {
    try {
      for (const [index, name] of query.dataObjects.entries()) await provide(query, index, name);
      return await run();
    } finally {
      await dropAll((name) => mayBeStaged.test(name));
    }
  }

  const inTurn = <T>(query: CompiledQuery, run: () => Promise<T>): Promise<T> => {
    const turn = last.then(() => withObjects(query, run));
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
      await dropAll(() => true);
    },
  };
}

async function createTable(staging: StagingDatabase, name: string, sql: string): Promise<void> {
  await staging.runAll([sql]).catch((error: unknown) => {
    throw new GivenRowsError(name, error);
  });
}

function dropSql(name: string, kind: 'TABLE' | 'VIEW'): string {
  return `DROP ${kind} temp.${quoteIdentifier(name)}`;
}

/** Names of tables in which rows are staged, such as `element_1`. */
const mayBeStaged = /^[a-z_]+_\d+(?:$|_)/i;

function stagedColumn(column: QueryColumn, index: number): StagedColumn {
  return { ...column, stagedAs: `c${index + 1}`, stagedType: stagedAs('', column.type).stagedType };
}
