import { access } from 'node:fs/promises';
import type { CountChange, DiffedRun, EntityChange, GraphDiff } from '../../../../protocol/graph-diff.ts';
import { noEnd } from '../../analysis/event-place.ts';
import { compareGraphs } from '../../graph-changes/compare-graphs.ts';
import { countedTables } from '../../graph-schema/graph-schema.ts';
import { storedNamesSql, storedTables } from '../../graph-schema/stored-tables.ts';
import type { GraphFile, ProjectContext } from '../../project/open-project.ts';
import { embeddedLiteral } from '../../query/quote.ts';
import { type DuckDbSession, openScratch } from '../../store/duckdb-store.ts';
import { toImportFailure } from '../imports/import-failure.ts';
import { OperationError } from '../operation-error.ts';
import { comparedGraphs, propertyTables, schemaChanges } from './compared-stores.ts';
import { type StoredGraphs, storedGraphs } from './stored-graph.ts';

/** Maximum number of named keys per kind of change. */
const shownKeys = 10;

/** Compares the graph of the last import with the previous one. Rejects with an `OperationError`. */
export async function diffGraph(
  file: GraphFile,
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<GraphDiff> {
  return diffStores(await storedGraphs(file, projectContext), file, signal);
}

/** Compares stores with known paths; failures name `file`. */
export async function diffStores(
  { store: after, previous: before }: StoredGraphs,
  file: GraphFile,
  signal: AbortSignal,
): Promise<GraphDiff> {
  if (before === undefined || !(await exists(before))) throw nothingBefore(file);
  const both = await openScratch({ memoryLimit: '1GB' });
  try {
    // Opens both as graphs first, which rejects unsupported versions.
    const [old, now] = [await propertyTables(before), await propertyTables(after)];
    const schema = schemaChanges(old, now);
    await both.run(`ATTACH ${embeddedLiteral(before)} AS before (READ_ONLY)`);
    await both.run(`ATTACH ${embeddedLiteral(after)} AS after (READ_ONLY)`);
    const tables = await tableChanges(both, signal);
    const activities = await countChanges(
      both,
      `SELECT activity AS name, count(*) AS n FROM $.event AS e WHERE ${noEnd('e')} GROUP BY 1`,
      signal,
    );
    const relations = await countChanges(
      both,
      'SELECT relationship AS name, count(*) AS n FROM $.relation GROUP BY 1',
      signal,
    );
    const entities = await entityChanges(both, signal);
    const { changes } = await compareGraphs(both, comparedGraphs(old, now), { signal });
    return {
      before: await describeRun(both, 'before', before),
      after: await describeRun(both, 'after', after),
      tables,
      activities,
      entities,
      relations,
      schema,
      changes,
      changed:
        changes.changed ||
        [activities, relations, entities, schema].some((changes) => changes.length > 0) ||
        tables.some((table) => table.before !== table.after),
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

/** A table of an entry of `entities` is in one graph only if the other lacks the entry. */
async function tableChanges(both: DuckDbSession, signal: AbortSignal): Promise<readonly CountChange[]> {
  const existing = await both.query(`SELECT database_name AS side, name FROM (${storedNamesSql}) AS stored`, {
    signal,
  });
  const has = new Set(existing.map(({ side, name }) => JSON.stringify([side, name])));
  const ofEntries = (await storedTables(both, { signal })).filter(({ table }) => table.isPerEntryOf === 'entities');
  const count = (side: string, table: string): string =>
    has.has(JSON.stringify([side, table])) ? `(SELECT count(*) FROM ${side}.${table})` : '0';
  const counts = [...Object.values(countedTables), ...ofEntries.map(({ name }) => name)].map(
    (table) => `SELECT '${table}' AS name, ${count('before', table)} AS before, ${count('after', table)} AS after`,
  );
  return (await both.query(counts.join(' UNION ALL '), { signal })).map(toCountChange);
}

/** @param counts a query of `name` and `n`; `$` is replaced by the run. */
async function countChanges(both: DuckDbSession, counts: string, signal: AbortSignal): Promise<readonly CountChange[]> {
  const of = (side: string): string => counts.replaceAll('$', side);
  const rows = await both.query(
    `SELECT coalesce(b.name, a.name) AS name, coalesce(b.n, 0) AS before, coalesce(a.n, 0) AS after
     FROM (${of('before')}) AS b FULL JOIN (${of('after')}) AS a ON a.name = b.name
     WHERE a.n IS DISTINCT FROM b.n ORDER BY 1`,
    { signal },
  );
  return rows.map(toCountChange);
}

function toCountChange(row: Readonly<Record<string, unknown>>): CountChange {
  return { name: String(row['name']), before: Number(row['before']), after: Number(row['after']) };
}

async function entityChanges(both: DuckDbSession, signal: AbortSignal): Promise<readonly EntityChange[]> {
  const rows = await both.query(
    `SELECT entity_type, count(old) AS before, count(new) AS after,
        count(*) FILTER (old IS NULL) AS added, count(*) FILTER (new IS NULL) AS removed,
        to_json(min(key, ${shownKeys}) FILTER (old IS NULL)) AS "addedKeys", to_json(min(key, ${shownKeys}) FILTER (new IS NULL)) AS "removedKeys"
     FROM (SELECT entity_type, key, id AS old FROM before.entity) FULL JOIN (SELECT entity_type, key, id AS new FROM after.entity)
       USING (entity_type, key)
     GROUP BY 1 HAVING count(*) FILTER (old IS NULL OR new IS NULL) > 0 ORDER BY 1`,
    { signal },
  );
  const keys = (value: unknown): readonly string[] => (JSON.parse(String(value ?? '[]')) as string[] | null) ?? [];
  return rows.map((row) => ({
    entityType: String(row['entity_type']),
    before: Number(row['before']),
    after: Number(row['after']),
    added: Number(row['added']),
    removed: Number(row['removed']),
    addedKeys: keys(row['addedKeys']),
    removedKeys: keys(row['removedKeys']),
  }));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
