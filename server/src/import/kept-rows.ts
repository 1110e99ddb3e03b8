import { createHash } from 'node:crypto';
import { copyFile, link, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LoadResult, Pull, StagedColumn } from '../connectors/connector.ts';
import { quoteIdentifier, quoteLiteral } from '../query/quote.ts';
import type { BuildDatabase } from '../store/duckdb-store.ts';

/** Rows that the queries of an entity graph gave in an import, for the next one: equal rows need not be pulled again. */
export interface KeptRows {
  /** Creates a table of the rows that are kept under a key; undefined when there are none. */
  take(key: string, table: string, signal: AbortSignal | undefined): Promise<LoadResult | undefined>;
  /** Says that a table has been staged whole, and under which key it is to be kept. */
  keep(key: string, table: string, loaded: LoadResult): void;
  /** Leaves in the database nothing but what is to be kept. Resolves to whether that is anything. */
  finish(): Promise<boolean>;
}

/** Changes when kept rows of earlier versions cannot be used any more. */
const format = 1;

interface KeptTable {
  readonly table: string;
  readonly loaded: LoadResult;
}

/**
 * Opens what the import before has kept, for an import whose rows are staged in `staging`, a database of its own. What is damaged counts as not
 * there.
 *
 * @param file the rows that are kept; undefined when they are not to be used.
 */
export async function openKeptRows(staging: BuildDatabase, file: string | undefined): Promise<KeptRows> {
  const known = file === undefined ? new Map<string, KeptTable>() : await attachKept(staging, file);
  const kept = new Map<string, KeptTable>();
  return {
    async take(key, table, signal) {
      const found = known.get(key);
      if (!found) return undefined;
      const name = quoteIdentifier(table);
      try {
        const from = `kept.main.${quoteIdentifier(found.table)}`;
        await staging.run(`CREATE TABLE ${name} AS SELECT * FROM ${from}`, { ...(signal && { signal }) });
        const [count] = await staging.query(`SELECT count(*) AS rows FROM ${name}`);
        if (Number(count?.['rows']) !== found.loaded.sourceRows) throw new Error('Rows are missing.');
      } catch (error) {
        if (signal?.aborted) throw error;
        await staging.run(`DROP TABLE IF EXISTS ${name}`);
        return undefined;
      }
      kept.set(key, { table, loaded: found.loaded });
      return { ...found.loaded, isUnchanged: true };
    },
    keep: (key, table, loaded) => void kept.set(key, { table, loaded }),
    async finish() {
      await staging.run('DETACH DATABASE IF EXISTS kept');
      const names = new Set([...kept.values()].map(({ table }) => table));
      const tables = await staging.query(
        `SELECT table_name AS name FROM duckdb_tables() WHERE database_name = current_database() AND NOT temporary`,
      );
      for (const { name } of tables) {
        if (!names.has(String(name))) await staging.run(`DROP TABLE ${quoteIdentifier(String(name))}`);
      }
      if (kept.size === 0) return false;
      await staging.run(
        'CREATE TABLE kept_rows (format INTEGER, key VARCHAR, "table" VARCHAR, source_rows BIGINT, columns VARCHAR, warnings VARCHAR)',
      );
      for (const [key, { table, loaded }] of kept) await staging.run(insertSql(key, table, loaded));
      await staging.run('CHECKPOINT');
      return true;
    },
  };
}

/** A pull that asks the source only for rows that may have changed. */
export function reusingPull(pull: Pull, rows: KeptRows, identity: unknown): Pull {
  return {
    ...pull,
    async load(query, table, options) {
      const fingerprint = await pull.fingerprint?.(query, options);
      if (fingerprint === undefined) return pull.load(query, table, options);
      const key = createHash('sha256')
        .update(JSON.stringify([identity, query.sql, fingerprint]))
        .digest('hex');
      const known = await rows.take(key, table, options.signal);
      if (known) return known;
      const loaded = await pull.load(query, table, options);
      rows.keep(key, table, loaded);
      return loaded;
    },
  };
}

/** Puts the rows that an import has kept in the place of those of the import before. Rejects with the error of the file system. */
export async function publishKeptRows(from: string | undefined, file: string): Promise<void> {
  if (from === undefined) return rm(file, { force: true });
  await mkdir(dirname(file), { recursive: true });
  await rename(from, file);
}

async function attachKept(staging: BuildDatabase, file: string): Promise<ReadonlyMap<string, KeptTable>> {
  // A name of its own: another process may be putting a newer file in the place of this one.
  const path = join(staging.temporaryFolder, 'kept.duckdb');
  try {
    await stat(file);
    await link(file, path).catch(() => copyFile(file, path));
    await staging.run(`ATTACH ${quoteLiteral(path, 'duckdb')} AS kept (READ_ONLY)`);
    const rows = await staging.query(`SELECT * FROM kept.main.kept_rows WHERE format = ${format}`);
    return new Map(rows.map((row) => [String(row['key']), readKept(row)]));
  } catch {
    await staging.run('DETACH DATABASE IF EXISTS kept');
    return new Map();
  }
}

function readKept(row: Readonly<Record<string, unknown>>): KeptTable {
  const columns = JSON.parse(String(row['columns'])) as StagedColumn[];
  const warnings = JSON.parse(String(row['warnings'])) as string[];
  return { table: String(row['table']), loaded: { sourceRows: Number(row['source_rows']), columns, warnings } };
}

function insertSql(key: string, table: string, { sourceRows, columns, warnings }: LoadResult): string {
  const texts = [key, table].map((text) => quoteLiteral(text, 'duckdb')).join(', ');
  const json = [columns, warnings].map((value) => quoteLiteral(JSON.stringify(value), 'duckdb')).join(', ');
  return `INSERT INTO kept_rows VALUES (${format}, ${texts}, ${sourceRows}, ${json})`;
}
