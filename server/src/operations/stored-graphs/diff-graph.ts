import { access } from 'node:fs/promises';
import type { DiffedRun, GraphDiff, SchemaChange } from '../../../../protocol/graph-diff.ts';
import type { TestQueryResult } from '../../../../protocol/query-results.ts';
import { type ComparedChanges, allRows } from '../../graph-changes/compare-graphs.ts';
import type { GraphFile, ProjectContext } from '../../project/open-project.ts';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { toImportFailure } from '../imports/import-failure.ts';
import { OperationError } from '../operation-error.ts';
import { type ChangedRowsOf, changedRowsTable, compareStores } from './compared-stores.ts';
import { type StoredGraphs, storedGraphs } from './stored-graph.ts';

/** Compares the graph of the last import with the previous one. Rejects with an `OperationError`. */
export async function diffGraph(
  file: GraphFile,
  projectContext: ProjectContext,
  signal: AbortSignal,
  rows?: number,
): Promise<GraphDiff> {
  return diffStores(await storedGraphs(file, projectContext), file, signal, rows);
}

/** Compares stores with known paths; failures name `file`. @param rows how many of each number to list; default: none */
export async function diffStores(
  stores: StoredGraphs,
  file: GraphFile,
  signal: AbortSignal,
  rows?: number,
): Promise<GraphDiff> {
  return ofBoth(stores, file, signal, async ({ before, after }, compared, schema) => {
    const { changes } = compared;
    return {
      before,
      after,
      schema,
      changes,
      ...(rows !== undefined && { rows: await allRows(compared, rows) }),
      changed: changes.changed || schema.length > 0,
    };
  });
}

/** The rows behind one number of the comparison. Rejects like `diffStores`. */
export function diffedRows(
  stores: StoredGraphs,
  file: GraphFile,
  of: ChangedRowsOf,
  signal: AbortSignal,
): Promise<TestQueryResult> {
  const started = performance.now();
  return ofBoth(stores, file, signal, async (_, compared) => changedRowsTable(compared, of, started));
}

async function ofBoth<T>(
  { store: after, previous: before }: StoredGraphs,
  file: GraphFile,
  signal: AbortSignal,
  use: (
    runs: Pick<GraphDiff, 'before' | 'after'>,
    compared: ComparedChanges,
    schema: readonly SchemaChange[],
  ) => Promise<T>,
): Promise<T> {
  if (before === undefined || !(await exists(before))) throw nothingBefore(file);
  try {
    return await compareStores({ before, after }, signal, async (compared, schema, both) => {
      const runs = {
        before: await describeRun(both, 'before', before),
        after: await describeRun(both, 'after', after),
      };
      return use(runs, compared, schema);
    });
  } catch (error) {
    throw new OperationError(toImportFailure(error, file, signal), error);
  }
}

function nothingBefore(file: GraphFile): OperationError {
  return new OperationError({
    code: 'no-earlier-run',
    message: `${file.path} has been imported once, so there is nothing to compare with.`,
    file: file.path,
    remedy: 'Import it again after the data or the entity graph has changed.',
  });
}

async function describeRun(both: DuckDbSession, side: 'before' | 'after', store: string): Promise<DiffedRun> {
  const [row] = await both.query(`SELECT id, started, slice IS NOT NULL AS slice, config_hash FROM ${side}.run`);
  return {
    store,
    run: String(row?.['id']),
    started: String(row?.['started']),
    slice: row?.['slice'] === true,
    configHash: String(row?.['config_hash']),
  };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
