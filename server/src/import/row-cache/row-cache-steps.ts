import { dropCopySql, keepRowGroupsSql, readRowsSql, renameCopySql } from '../../connectors/cached-copy.ts';
import type { PlanStatement } from '../../query/compiled-query.ts';
import { type StatementsStep, runValue } from '../build/plan-statement.ts';
import { blocksOfCacheSql, copyOf, copyRowCacheSql } from './row-cache-copy.ts';
import {
  attachCacheSql,
  cacheDatabase,
  createListSql,
  describingTable,
  detachCacheSql,
  dropTableSql,
  insertCachedSql,
  listCachedSql,
  listTablesSql,
  takeRowsSql,
} from './row-cache-tables.ts';

const database = cacheDatabase(0);

/** Opens the row cache of the previous import. @param tables the tables that may be taken from it */
export function openRowCacheStep(tables: readonly string[]): StatementsStep {
  return {
    name: 'kept',
    title: 'Cached rows of the previous import',
    statements: [
      { title: 'Their file', sql: attachCacheSql(runValue, database) },
      { title: 'What it has', sql: listCachedSql(database) },
      { title: 'Whether most of it is free', sql: blocksOfCacheSql },
      ...copyRowCacheSql(tables, describingTable).map((sql) => ({ title: 'A copy of it for staged rows', sql })),
      ...tables.flatMap((table) => [
        { title: `Instead of ${table}, where nothing has changed`, sql: renameCopySql(copyOf(table), table) },
        { title: 'Whether all of it can be read', sql: readRowsSql(table) },
        { title: 'If the copy is gone', sql: takeRowsSql(table, { database, table }) },
        ...dropCopySql(copyOf(table)).map((sql) => ({ title: `Where ${table} has changed`, sql })),
      ]),
    ],
  };
}

/** Asks the source which queries may return changed rows. */
export function unchangedStep(statements: readonly PlanStatement[]): StatementsStep {
  return { name: unchangedName, title: 'Whether anything has changed since the import before', statements };
}

export const unchangedName = 'unchanged';

/** Caches rows for the next import. @param others tables that are not cached. */
export function cacheRowsStep(tables: readonly string[], others: readonly string[]): StatementsStep {
  const unknown = { sourceRows: 0, columns: [], warnings: [] };
  return {
    name: rowCacheName,
    title:
      'Rows are cached for the next import: those whose changes the source can tell, and all of several data sources',
    statements: [
      { title: 'The cached rows of the previous import', sql: detachCacheSql(database) },
      { title: 'Tables', sql: listTablesSql },
      ...others.map((table) => ({ title: 'Is not kept', sql: dropTableSql(table) })),
      { title: 'What is kept', sql: createListSql },
      ...tables.map((table) => ({
        title: table,
        sql: insertCachedSql({ query: runValue, unchanged: runValue, readAt: runValue }, table, unknown),
      })),
      { title: 'Rows stay as they were written', sql: keepRowGroupsSql },
      { title: 'All is written', sql: 'CHECKPOINT' },
    ],
  };
}

export const rowCacheName = 'kept_rows';
