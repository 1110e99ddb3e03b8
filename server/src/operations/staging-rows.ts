import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import type { FieldValues, StagingRows } from '../../../protocol/platform-actions.ts';
import type { Connector } from '../connectors/connector.ts';
import { createConnector } from '../connectors/create-connector.ts';
import { SourceError } from '../connectors/source-error.ts';
import { parseDataSources } from '../model/parse-data-sources.ts';
import type { CompiledQuery } from '../query/compiled-query.ts';
import { quoteIdentifier } from '../query/quote.ts';
import { createBuildDatabase } from '../store/duckdb-store.ts';
import { type ProjectSurroundings, connectorOf, openProject, readGraphFile } from '../project/open-project.ts';
import { compileTarget } from './query-operations.ts';

/**
 * The rows that are to be staged, batch by batch, each value as the platform reads it: a text, times as UTC. Missing values
 * are left out. The source is read before the first batch comes, into a database on disk.
 */
export function stagingRows(
  rows: StagingRows,
  surroundings: ProjectSurroundings,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly FieldValues[], void, undefined> {
  return readRows(rows, surroundings, signal);
}

/** The first of these rows; undefined when there are none. The rest is not read, as far as the source allows that. */
export async function firstStagingRow(
  rows: StagingRows,
  surroundings: ProjectSurroundings,
  signal: AbortSignal | undefined,
): Promise<FieldValues | undefined> {
  for await (const batch of readRows(rows, surroundings, signal, { sample: 1 })) if (batch[0]) return batch[0];
  return undefined;
}

async function* readRows(
  rows: StagingRows,
  surroundings: ProjectSurroundings,
  signal: AbortSignal | undefined,
  part: { readonly sample?: number } = {},
): AsyncGenerator<readonly FieldValues[], void, undefined> {
  const { connector, query } =
    rows.kind === 'file' ? await openFile(rows.file) : await openQuery(rows, surroundings, signal);
  const folder = await mkdtemp(join(tmpdir(), 'entity-graph-rows-'));
  try {
    const store = await createBuildDatabase({ path: join(folder, 'rows.duckdb'), temporaryFolder: folder });
    try {
      const pull = await connector.openPull(store, { queries: [query], ...part, ...(signal && { signal }) });
      const loaded = await pull.load(query, 'rows', { ...part, ...(signal && { signal }) }).finally(() => pull.close());
      const texts = loaded.columns.map(({ stagedAs, stagedType }) => `${textSql(stagedAs, stagedType)} AS ${stagedAs}`);
      for await (const batch of store.stream(`SELECT ${texts.join(', ')} FROM rows`, { ...(signal && { signal }) })) {
        yield batch.map((row) => {
          const values = query.columns.flatMap((name, index) => {
            const value = row[`c${index + 1}`];
            return value === null || value === undefined ? [] : [[name, String(value)] as const];
          });
          return Object.fromEntries(values);
        });
      }
    } finally {
      await store.close();
    }
  } finally {
    await connector.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface OpenRows {
  readonly connector: Connector;
  readonly query: CompiledQuery;
}

/** Every value as it stands in the file: a number would lose its zeros. */
async function openFile(file: string): Promise<OpenRows> {
  const connect = (types: Readonly<Record<string, string>>): Promise<Connector> => {
    const settings = { kind: 'csv', path: basename(file), ...(Object.keys(types).length > 0 && { types }) };
    const { sources } = parseDataSources(JSON.stringify({ version: 1, dataSources: { rows: settings } })).sources;
    const [source] = sources;
    if (!source) throw new Error('The source of the rows is not readable.');
    const context = { folder: dirname(file), readSecret: async () => undefined, environment: {} };
    return createConnector(source, context);
  };
  const first = await connect({});
  const catalog = await first.describe({}).finally(() => first.close());
  const [object] = catalog.objects;
  if (!object) throw noRows(file, catalog.warnings[0]);
  const isText = ['.csv', '.tsv', '.txt', '.gz'].includes(extname(file).toLowerCase());
  const names = object.columns.map(({ name }) => name);
  const connector = await connect(isText ? Object.fromEntries(names.map((name) => [name, 'VARCHAR'])) : {});
  const sql = `SELECT ${names.map(quoteIdentifier).join(', ')} FROM ${quoteIdentifier(object.path.at(-1) ?? object.name)}`;
  const query = {
    dialect: 'duckdb',
    sql,
    columns: names,
    dataObjects: [object.name],
    fragments: [],
    references: [],
  } as const;
  return { connector, query };
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
    return { connector, query: compileTarget(project, target, catalog) };
  } catch (error) {
    await connector.close();
    throw error;
  }
}

function textSql(column: string, type: string): string {
  return type.startsWith('TIMESTAMP') ? `strftime(${column}, '%Y-%m-%d %H:%M:%S')` : `CAST(${column} AS VARCHAR)`;
}

function noRows(file: string, warning: string | undefined): SourceError {
  return new SourceError('file-unreadable', warning ?? `${file} holds no rows.`, {
    file,
    remedy: 'Name a file of records: CSV, TSV, JSON or Parquet.',
  });
}
