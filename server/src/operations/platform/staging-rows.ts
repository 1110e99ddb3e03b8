import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FieldValues, StagingRows } from '../../../../protocol/platform-actions.ts';
import type { StagedColumn } from '../../connectors/connector.ts';
import { createBuildDatabase } from '../../store/duckdb-store.ts';
import { type ProjectSurroundings, connectorOf, openProject, readGraphFile } from '../../project/open-project.ts';
import { compileTarget } from '../queries/query-operations.ts';
import { shownColumns } from '../queries/shown-columns.ts';
import { type OpenRows, openRowsFile, withoutSettings } from './staging-file.ts';

/** What is told of rows before they are sent. */
export interface StagingSample {
  /** Undefined when there are none. */
  readonly first: FieldValues | undefined;
  /** How many there are; of a query, that is known only when it has run. */
  readonly count?: number;
  /** Their columns, also those that the first has no value in. */
  readonly columns: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * The rows that are to be staged, batch by batch, each value as the platform reads it: a text, times as UTC. Missing values
 * are left out. The source is read before the first batch comes, into a database on disk.
 * @param from the first row that is wanted, 1-based.
 */
export async function* stagingRows(
  rows: StagingRows,
  surroundings: ProjectSurroundings,
  signal: AbortSignal | undefined,
  from = 1,
): AsyncGenerator<readonly FieldValues[], void, undefined> {
  let left = from - 1;
  for await (const { batch } of readRows(rows, surroundings, signal)) {
    if (left < batch.length) yield left === 0 ? batch : batch.slice(left);
    left = Math.max(0, left - batch.length);
  }
}

/** A look at these rows: of a file at all of it, so that what is wrong there is told before anything is sent; of a query at its first row. */
export async function sampleStagingRows(
  rows: StagingRows,
  surroundings: ProjectSurroundings,
  signal: AbortSignal | undefined,
  from = 1,
): Promise<StagingSample> {
  const part = rows.kind === 'query' ? { sample: 1 } : {};
  let left = from - 1;
  for await (const { batch, count, columns, warnings } of readRows(rows, surroundings, signal, part)) {
    const first = batch[left];
    if (first) return { first, ...(rows.kind === 'file' && { count: count - from + 1 }), columns, warnings };
    left -= batch.length;
  }
  return { first: undefined, count: 0, columns: [], warnings: [] };
}

interface Batch {
  readonly batch: readonly FieldValues[];
  /** Of all batches. */
  readonly count: number;
  readonly columns: readonly string[];
  readonly warnings: readonly string[];
}

async function* readRows(
  rows: StagingRows,
  surroundings: ProjectSurroundings,
  signal: AbortSignal | undefined,
  part: { readonly sample?: number } = {},
): AsyncGenerator<Batch, void, undefined> {
  const isFile = rows.kind === 'file';
  const { connector, query, warnings } = isFile
    ? await openRowsFile(rows.file)
    : await openQuery(rows, surroundings, signal);
  const folder = await mkdtemp(join(tmpdir(), 'entity-graph-rows-'));
  try {
    const store = await createBuildDatabase({ path: join(folder, 'rows.duckdb'), temporaryFolder: folder });
    try {
      const pull = await connector.openPull(store, { queries: [query], ...part, ...(signal && { signal }) });
      const loaded = await pull
        .load(query, 'rows', { ...part, ...(signal && { signal }) })
        .finally(() => pull.close())
        .catch((error: unknown) => {
          throw isFile ? withoutSettings(error) : error;
        });
      const names = shownColumns(query);
      const texts = loaded.columns.slice(0, names.length).map((column) => `${textSql(column)} AS ${column.stagedAs}`);
      for await (const batch of store.stream(`SELECT ${texts.join(', ')} FROM rows`, { ...(signal && { signal }) })) {
        const values = batch.map((row) => fieldValues(row, names));
        yield { batch: values, count: loaded.sourceRows, columns: names, warnings };
      }
    } finally {
      await store.close();
    }
  } finally {
    await connector.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function fieldValues(row: Readonly<Record<string, unknown>>, columns: readonly string[]): FieldValues {
  const values = columns.flatMap((name, index) => {
    const value = row[`c${index + 1}`];
    return value === null || value === undefined ? [] : [[name, String(value)] as const];
  });
  return Object.fromEntries(values);
}

async function openQuery(
  { graph, target }: Extract<StagingRows, { kind: 'query' }>,
  surroundings: ProjectSurroundings,
  signal: AbortSignal | undefined,
): Promise<OpenRows> {
  const project = await openProject(await readGraphFile(graph, surroundings), surroundings);
  const connector = await connectorOf(project.sourcesFile, project.source, surroundings);
  try {
    const catalog = await connector.describe({ ...(signal && { signal }) });
    return { connector, query: compileTarget(project, target, catalog), warnings: [] };
  } catch (error) {
    await connector.close();
    throw error;
  }
}

function textSql({ stagedAs, stagedType, sense }: StagedColumn): string {
  if (stagedType.startsWith('TIMESTAMP')) return `strftime(${stagedAs}, '%Y-%m-%d %H:%M:%S')`;
  if (sense !== 'json') return `CAST(${stagedAs} AS VARCHAR)`;
  // A text within JSON is what is between its quotes, and a null there is a missing value.
  const isScalar = `starts_with(${stagedAs}, '"') OR ${stagedAs} = 'null'`;
  return `CASE WHEN (${isScalar}) AND json_valid(${stagedAs}) THEN json_extract_string(${stagedAs}, '$') ELSE ${stagedAs} END`;
}
