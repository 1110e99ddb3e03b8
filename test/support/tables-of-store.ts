import { storedTables } from '../../server/src/graph-schema/stored-tables.ts';
import type { DuckDbSession } from '../../server/src/store/duckdb-store.ts';

/** The names of all tables of a store but the record of its run, which differs between imports. */
export async function tablesBesideRun(store: Pick<DuckDbSession, 'query'>): Promise<readonly string[]> {
  return (await storedTables(store)).map(({ name }) => name).filter((name) => name !== 'run');
}

/** Makes tables of those tables of a store that are views, as in copies of graphs inside sources, so that statements can damage them. */
export async function makeAllTables(store: Pick<DuckDbSession, 'query' | 'run'>): Promise<void> {
  const views = await store.query('SELECT view_name AS name FROM duckdb_views() WHERE NOT internal');
  const names = new Set(views.map(({ name }) => String(name)));
  const stored = (await tablesBesideRun(store)).filter((name) => names.has(name));
  // One view may read another.
  for (const name of stored) await store.run(`CREATE TABLE "table of ${name}" AS FROM ${name}`);
  for (const name of stored) await store.run(`DROP VIEW ${name}`);
  for (const name of stored) await store.run(`ALTER TABLE "table of ${name}" RENAME TO ${name}`);
}
