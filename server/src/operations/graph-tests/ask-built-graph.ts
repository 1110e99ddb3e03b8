import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { duckdb } from '../../dialects/duckdb.ts';
import { runSql } from '../../event-graph/run-sql.ts';
import type { ActualRow, ActualRows } from '../../graph-tests/actual-graph.ts';
import type { ExpectedQuery } from '../../graph-tests/graph-tests.ts';
import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import type { GraphFile } from '../../project/open-project.ts';
import { type BuildDatabase, type StoreReader, isDuckDbError } from '../../store/duckdb-store.ts';
import { namedQueries } from '../stored-graphs/named-queries.ts';
import { openConfinedGraphStore } from '../stored-graphs/open-graph-store.ts';

/** A graph of a test in its build database, and the file that it is made from. */
interface BuiltGraph {
  readonly staging: BuildDatabase;
  /** The schema of its tables. */
  readonly graph: string;
  readonly file: Pick<GraphFile, 'path'>;
}

/** More rows of a query are not compared. */
const maxRows = 1000;

/**
 * Runs named queries on a graph in its build database, as on an imported one: the tables are copied into a file, which is
 * opened read-only in a sandbox. Rejects with `DuckDbError` if that fails, or with the reason of the signal.
 */
export async function askBuiltGraph(
  { staging, graph, file }: BuiltGraph,
  expected: readonly ExpectedQuery[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ActualRows>> {
  if (expected.length === 0) return new Map();
  const known = new Map((await namedQueries(file)).map(({ name, sql }) => [name, sql]));
  const folder = await mkdtemp(join(staging.temporaryFolder, 'asked-'));
  try {
    const path = join(folder, 'graph.duckdb');
    const copy = [`ATTACH ${duckdb.literals.quote(path)} AS asked`, `COPY FROM DATABASE ${graph} TO asked`];
    await staging.runAll([...copy, 'DETACH asked'], { signal });
    const store = await openConfinedGraphStore(path, { temporaryFolder: folder, threads: 1 });
    try {
      const answers = new Map<string, ActualRows>();
      for (const { name } of expected) {
        const sql = known.get(name.value);
        if (sql === undefined) {
          const names = [...known.keys()];
          const others = names.length === 0 ? 'Write it.' : `There are ${names.join(', ')}.`;
          const remedy = didYouMean(nearestNames(name.value, names)) ?? others;
          answers.set(name.value, { error: `There is no queries/${name.value}.sql beside the graph. ${remedy}` });
          continue;
        }
        const connection = await store.connect();
        try {
          answers.set(name.value, await rowsOf(connection, sql, signal));
        } finally {
          await connection.close();
        }
      }
      return answers;
    } finally {
      store.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function rowsOf(store: StoreReader, sql: string, signal: AbortSignal): Promise<ActualRows> {
  try {
    const { columns, rows, truncated, sizeLimit } = await runSql(store, { sql, limit: maxRows }, { signal });
    if (truncated || sizeLimit !== undefined)
      return { error: `It has more than ${rows.length} rows, too many to compare.` };
    return {
      rows: rows.map((row): ActualRow =>
        Object.fromEntries(columns.map(({ name }, index) => [name, textOf(row[index])])),
      ),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (!isDuckDbError(error)) throw error;
    return { error: error.failure.message };
  }
}

function textOf(value: string | number | boolean | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
