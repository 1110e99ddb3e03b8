import { access } from 'node:fs/promises';
import type { DiffedRun, GraphDiff } from '../../../../protocol/graph-diff.ts';
import { allRows, compareGraphs } from '../../graph-changes/compare-graphs.ts';
import type { GraphFile, ProjectContext } from '../../project/open-project.ts';
import { embeddedLiteral } from '../../query/quote.ts';
import { type DuckDbSession, openScratch } from '../../store/duckdb-store.ts';
import { toImportFailure } from '../imports/import-failure.ts';
import { OperationError } from '../operation-error.ts';
import { comparedGraphs, propertyTables, schemaChanges } from './compared-stores.ts';
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
  { store: after, previous: before }: StoredGraphs,
  file: GraphFile,
  signal: AbortSignal,
  rows?: number,
): Promise<GraphDiff> {
  if (before === undefined || !(await exists(before))) throw nothingBefore(file);
  const both = await openScratch({ memoryLimit: '1GB' });
  try {
    // Opens both as graphs first, which rejects unsupported versions.
    const [old, now] = [await propertyTables(before), await propertyTables(after)];
    const schema = schemaChanges(old, now);
    await both.run(`ATTACH ${embeddedLiteral(before)} AS before (READ_ONLY)`);
    await both.run(`ATTACH ${embeddedLiteral(after)} AS after (READ_ONLY)`);
    const compared = await compareGraphs(both, comparedGraphs(old, now), { signal });
    const { changes } = compared;
    return {
      before: await describeRun(both, 'before', before),
      after: await describeRun(both, 'after', after),
      schema,
      changes,
      ...(rows !== undefined && { rows: await allRows(compared, rows) }),
      changed: changes.changed || schema.length > 0,
    };
  } catch (error) {
    throw new OperationError(toImportFailure(error, file, signal), error);
  } finally {
    await both.close();
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
