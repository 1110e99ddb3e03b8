import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { FieldValues, StagingRows } from '../../../../protocol/platform-actions.ts';
import type { StagedColumn } from '../../connectors/connector.ts';
import { errorOfFile } from '../../connectors/file-read-error.ts';
import type { OpenRows } from '../../connectors/rows-file.ts';
import { sourceKinds } from '../../connectors/source-kinds.ts';
import { createBuildDatabase } from '../../store/duckdb-store.ts';
import { type ProjectContext, connectorOf, openProject, readGraphFile } from '../../project/open-project.ts';
import { OperationError } from '../operation-error.ts';
import type { ActionOptions } from './action-options.ts';
import { compileTarget } from '../queries/query-operations.ts';
import { isTargetAcross, projectOfTarget } from '../queries/target-sources.ts';
import { shownColumns } from '../queries/shown-columns.ts';

/** Summary of rows before they are sent. */
export interface StagingSample {
  /** Undefined without rows. */
  readonly first: FieldValues | undefined;
  /** Number of rows; for a query known only after its run. */
  readonly count?: number;
  /** Their columns, including those without a value in the first row. */
  readonly columns: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Reads the rows to stage in batches, converted for the platform: texts, times as UTC. Missing values are omitted. The
 * source is read completely into a temporary database before the first batch.
 * @param from 1-based first row.
 */
export async function* readStagingRows(
  rows: StagingRows,
  projectContext: ProjectContext,
  signal: AbortSignal | undefined,
  from = 1,
): AsyncGenerator<readonly FieldValues[], void, undefined> {
  let left = from - 1;
  for await (const { batch } of readRows(rows, projectContext, { signal })) {
    if (left < batch.length) yield left === 0 ? batch : batch.slice(left);
    left = Math.max(0, left - batch.length);
  }
}

/**
 * Checks the rows: a file completely, so that its problems are reported before anything is sent; a query by its first
 * row.
 */
export async function sampleStagingRows(
  rows: StagingRows,
  projectContext: ProjectContext,
  options: ActionOptions,
  from = 1,
): Promise<StagingSample> {
  const part = rows.kind === 'query' ? { sample: 1 } : {};
  let left = from - 1;
  for await (const { batch, count, columns, warnings } of readRows(rows, projectContext, options, part)) {
    const first = batch[left];
    if (first) return { first, ...(rows.kind === 'file' && { count: count - from + 1 }), columns, warnings };
    left -= batch.length;
  }
  return { first: undefined, count: 0, columns: [], warnings: [] };
}

interface Batch {
  readonly batch: readonly FieldValues[];
  /** Total of all batches. */
  readonly count: number;
  readonly columns: readonly string[];
  readonly warnings: readonly string[];
}

async function* readRows(
  rows: StagingRows,
  projectContext: ProjectContext,
  { signal, onProgress }: ActionOptions,
  part: { readonly sample?: number } = {},
): AsyncGenerator<Batch, void, undefined> {
  const isFile = rows.kind === 'file';
  const { connector, query, warnings } = isFile
    ? await openFile(rows.file)
    : await openQuery(rows, projectContext, { signal, onProgress });
  const folder = await mkdtemp(join(tmpdir(), 'entity-graph-rows-'));
  try {
    onProgress?.(isFile ? `Reading ${basename(rows.file)}` : `Reading the rows of ${rows.target.name}`);
    const store = await createBuildDatabase({ path: join(folder, 'rows.duckdb'), temporaryFolder: folder });
    try {
      const pull = await connector.openPull(store, { queries: [query], ...part, signal, onProgress });
      const loaded = await pull
        .load(query, 'rows', { ...part, signal, onProgress })
        .finally(() => pull.close())
        .catch((error: unknown) => {
          throw isFile ? errorOfFile(error) : error;
        });
      const names = shownColumns(query);
      const texts = loaded.columns.slice(0, names.length).map((column) => `${textSql(column)} AS ${column.stagedAs}`);
      for await (const batch of store.stream(`SELECT ${texts.join(', ')} FROM rows`, { signal })) {
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

async function openFile(file: string): Promise<OpenRows> {
  for (const { rowsFile } of sourceKinds()) if (rowsFile) return (await rowsFile())(file);
  throw new Error('No source kind reads files.');
}

async function openQuery(
  { graph, target }: Extract<StagingRows, { kind: 'query' }>,
  projectContext: ProjectContext,
  options: ActionOptions,
): Promise<OpenRows> {
  const whole = await openProject(await readGraphFile(graph, projectContext), projectContext);
  if (isTargetAcross(whole, target)) {
    throw new OperationError({
      code: 'engine-unsupported',
      message: `${target.name} joins rows of several data sources, which cannot be staged.`,
      remedy: 'Stage the rows of an element.',
    });
  }
  const project = projectOfTarget(whole, target);
  const connector = await connectorOf(project.sourcesFile, project.source, projectContext);
  try {
    const catalog = await connector.describe(options);
    return { connector, query: compileTarget(project, target, catalog, connector), warnings: [] };
  } catch (error) {
    await connector.close();
    throw error;
  }
}

function textSql({ stagedAs, stagedType, sense }: StagedColumn): string {
  if (stagedType.startsWith('TIMESTAMP')) return `strftime(${stagedAs}, '%Y-%m-%d %H:%M:%S')`;
  if (sense !== 'json') return `CAST(${stagedAs} AS VARCHAR)`;
  // A JSON string is unquoted, and a JSON null is a missing value.
  const isScalar = `starts_with(${stagedAs}, '"') OR ${stagedAs} = 'null'`;
  return `CASE WHEN (${isScalar}) AND json_valid(${stagedAs}) THEN json_extract_string(${stagedAs}, '$') ELSE ${stagedAs} END`;
}
