import type { Server } from './server.ts';

/** These queries read the whole catalog, for any number of tables. `?` is the list of databases. */
export const catalogQueries = {
  databases: `SELECT SCHEMA_NAME AS name, @@lower_case_table_names AS cases FROM information_schema.SCHEMATA WHERE SCHEMA_NAME IN (?)`,

  objects: `SELECT TABLE_SCHEMA AS db, TABLE_NAME AS name, TABLE_TYPE AS kind, ENGINE AS engine, TABLE_ROWS AS estimate,
  DATA_LENGTH + INDEX_LENGTH AS size, TABLE_COMMENT AS comment
FROM information_schema.TABLES
WHERE TABLE_SCHEMA IN (?) AND TABLE_TYPE <> 'SEQUENCE'
ORDER BY TABLE_SCHEMA, TABLE_NAME`,

  /** In order. `SELECT *` leaves invisible columns out, and so does the catalog. */
  columns: `SELECT TABLE_SCHEMA AS db, TABLE_NAME AS tab, COLUMN_NAME AS name, COLUMN_TYPE AS type, IS_NULLABLE = 'YES' AS nullable,
  COLUMN_COMMENT AS comment, COLLATION_NAME AS collation, PRIVILEGES AS privileges
FROM information_schema.COLUMNS
WHERE TABLE_SCHEMA IN (?) AND EXTRA NOT LIKE '%INVISIBLE%'
ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`,

  /** Columns of primary and foreign keys, in order. */
  keys: `SELECT TABLE_SCHEMA AS db, TABLE_NAME AS tab, CONSTRAINT_NAME AS name, COLUMN_NAME AS col,
  REFERENCED_TABLE_SCHEMA AS target_db, REFERENCED_TABLE_NAME AS target, REFERENCED_COLUMN_NAME AS target_col
FROM information_schema.KEY_COLUMN_USAGE
WHERE TABLE_SCHEMA IN (?) AND (CONSTRAINT_NAME = 'PRIMARY' OR REFERENCED_TABLE_NAME IS NOT NULL)
ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`,

  /** Estimated numbers of values of columns that an index begins with. */
  statistics: `SELECT TABLE_SCHEMA AS db, TABLE_NAME AS tab, COLUMN_NAME AS col, MAX(CARDINALITY) AS amount
FROM information_schema.STATISTICS
WHERE TABLE_SCHEMA IN (?) AND SEQ_IN_INDEX = 1 AND CARDINALITY > 0
GROUP BY TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME`,
};

/** The columns of type JSON in MariaDB, which stores JSON as text with a check constraint; empty for MySQL. */
export function jsonColumnsQuery({ isMariadb }: Server): string | undefined {
  if (!isMariadb) return undefined;
  return `SELECT CONSTRAINT_SCHEMA AS db, TABLE_NAME AS tab, CHECK_CLAUSE AS clause
FROM information_schema.CHECK_CONSTRAINTS
WHERE CONSTRAINT_SCHEMA IN (?) AND CHECK_CLAUSE LIKE 'json_valid(%'`;
}

export interface DatabaseRow {
  readonly name: string;
  /** 0 when names of tables differ by case. */
  readonly cases: number;
}

export interface ObjectRow {
  readonly db: string;
  readonly name: string;
  readonly kind: string;
  readonly engine: string | null;
  readonly estimate: string | null;
  readonly size: string | null;
  readonly comment: string;
}

export interface ColumnRow {
  readonly db: string;
  readonly tab: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: number;
  readonly comment: string;
  readonly collation: string | null;
  readonly privileges: string;
}

export interface KeyRow {
  readonly db: string;
  readonly tab: string;
  readonly name: string;
  readonly col: string;
  readonly target_db: string | null;
  readonly target: string | null;
  readonly target_col: string | null;
}

export interface StatisticsRow {
  readonly db: string;
  readonly tab: string;
  readonly col: string;
  readonly amount: string;
}

export interface JsonRow {
  readonly db: string;
  readonly tab: string;
  readonly clause: string;
}

export interface CatalogRows {
  readonly databases: readonly DatabaseRow[];
  readonly objects: readonly ObjectRow[];
  readonly columns: readonly ColumnRow[];
  readonly keys: readonly KeyRow[];
  readonly statistics: readonly StatisticsRow[];
  readonly json: readonly JsonRow[];
}
