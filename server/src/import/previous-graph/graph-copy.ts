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

/** The run that built the graph, and the number of rows that each of its steps created. */
export const runOfCopySql = `SELECT id, CAST(steps AS VARCHAR) AS steps FROM ${graph}.run`;

/** How many blocks of the file are in use. */
export const blocksOfCopySql = `SELECT total_blocks, free_blocks, block_size FROM pragma_database_size() WHERE database_name = '${graph}'`;

/** A table of the graph, behind a view or not. */
interface ReadTable {
  /** The name of the step that creates it. */
  readonly name: string;
  /** Counts its rows (`rows`) and reads all of its blocks, whose checksums DuckDB then verifies. */
  readonly sql: string;
}

/** Reads all tables of a build in the copy. */
export function readTablesSql(source: BuildSource): readonly ReadTable[] {
  return compileBuild({ ...source, dialect: copyBuild }).flatMap(({ name, table }) =>
    table?.startsWith(`${graph}.`) === true
      ? [{ name, sql: `SELECT count(*) AS rows, any_value(COLUMNS(*)) FROM ${table}` }]
      : [],
  );
}

/** Drops the tables that the import writes at its end. */
export const dropRewrittenSql: readonly string[] = tableRows
  .filter(({ table }) => table.inNextImport === 'is written anew')
  .map(({ schema }) => `DROP TABLE IF EXISTS ${graph}.${schema}`);

/** Writes the copy to its file, in which the blocks of dropped tables become free. */
export const checkpointCopySql = `CHECKPOINT ${graph}`;

/** Writes the complete copy to its file, and detaches it, so that the file can be renamed. */
export const closeCopySql: readonly string[] = [checkpointCopySql, `DETACH ${graph}`];

/** Detaches the empty store, which the copy replaces. */
export const detachGraphSql = `DETACH ${duckdbBuild.graph}`;

/** Detaches the copy, if it is attached. */
export const detachCopyIfAttachedSql = `DETACH DATABASE IF EXISTS ${graph}`;

/** Detaches the store or the copy that has replaced it, if attached. */
export const detachGraphIfAttachedSql = `DETACH DATABASE IF EXISTS ${duckdbBuild.graph}`;
