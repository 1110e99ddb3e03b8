import { tableRows } from '../../graph-schema/table-names.ts';
import { storageSchema } from '../../graph-schema/storage-tables.ts';
import { duckdbBuild } from '../build/build-dialect.ts';
import type { BuildSource } from '../build/build-source.ts';
import { compileBuild } from '../build/compile-build.ts';
import { attachStoreSql } from '../build/staging-steps.ts';

/** The copy of the previous graph, attached beside the empty store until it takes its place. */
export const copyBuild: typeof duckdbBuild = {
  ...duckdbBuild,
  graph: 'graph_copy',
  storage: { ...duckdbBuild.storage, tables: `graph_copy.${storageSchema}` },
};

const { graph } = copyBuild;

/** @param store its path; without it, the statement for a plan */
export function attachCopySql(store?: string): string {
  return attachStoreSql(copyBuild, store)[0];
}

/** @param store see `attachCopySql` */
export function attachGraphSql(store?: string): string {
  return attachStoreSql(duckdbBuild, store)[0];
}

/** Whose graph it is, and the rows of the tables that its steps made. */
export const runOfCopySql = `SELECT id, CAST(steps AS VARCHAR) AS steps FROM ${graph}.run`;

/** How much of its file is in use. */
export const blocksOfCopySql = `SELECT total_blocks, free_blocks, block_size FROM pragma_database_size() WHERE database_name = '${graph}'`;

/** A table of the graph, behind a view or not. */
interface ReadTable {
  /** Of the step that makes it. */
  readonly name: string;
  /** Counts its rows (`rows`), and reads all of its blocks: DuckDB compares their checksums then. */
  readonly sql: string;
}

/** Reads all tables that a build makes, in the copy. */
export function readTablesSql(source: BuildSource): readonly ReadTable[] {
  return compileBuild({ ...source, dialect: copyBuild }).flatMap(({ name, table }) =>
    table?.startsWith(`${graph}.`) === true
      ? [{ name, sql: `SELECT count(*) AS rows, any_value(COLUMNS(*)) FROM ${table}` }]
      : [],
  );
}

/** Drops what the import writes at its end. */
export const dropWrittenAnewSql: readonly string[] = tableRows
  .filter(({ table }) => table.inNextImport === 'is written anew')
  .map(({ schema }) => `DROP TABLE IF EXISTS ${graph}.${schema}`);

/** The copy is complete in its file, which can be renamed. */
export const closeCopySql: readonly string[] = [`CHECKPOINT ${graph}`, `DETACH ${graph}`];

/** The empty store is closed, and gives its place to the copy. */
export const detachGraphSql = `DETACH ${duckdbBuild.graph}`;

/** The copy is closed, if it is open. */
export const closeCopyAnywaySql = `DETACH DATABASE IF EXISTS ${graph}`;

/** Whatever is in the place of the store is closed, if it is open. */
export const closeGraphAnywaySql = `DETACH DATABASE IF EXISTS ${duckdbBuild.graph}`;
