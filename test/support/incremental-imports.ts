import assert from 'node:assert/strict';
import type { Connector, PullOptions } from '../../server/src/connectors/connector.ts';
import { createConnector } from './create-connector.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { buildElementQuery } from '../../server/src/query/build-query.ts';
import type { CompiledQuery } from '../../server/src/query/compiled-query.ts';
import type { SimulatedRecord } from '../simulator/demo-data.ts';
import type { SimulatedRequest } from '../simulator/http-answer.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { withBuildDatabase } from './build-database.ts';
import { dataSource } from './postgresql-source.ts';
import { instanceSettings } from './servicenow-source.ts';
import { folderWith, removeFolder } from './temporary-folder.ts';
import { noSecrets } from './no-secrets.ts';

/** Result of an import of one element. */
export interface IncrementalImport {
  /** The shown columns of each row, joined by `|`, sorted. */
  readonly rows: readonly string[];
  /** All requests, except for discovery. */
  readonly requests: readonly SimulatedRequest[];
  /** Number of requests for records of the data object. */
  readonly lists: number;
  readonly warnings: readonly string[];
}

/** The single element of the import. */
export interface ImportedElement {
  readonly dataObject: string;
  /** YAML lines after its data object. */
  readonly body: string;
  /** Result columns that identify a row. */
  readonly shown: readonly string[];
}

export const incidentElement: ImportedElement = {
  dataObject: 'incident',
  body: '    startTimestamp: opened_at\n    properties: [number, state]\n',
  shown: ['sys_id', 'number', 'state'],
};

export interface IncrementalImportOptions {
  /** YAML lines after those of the element. */
  readonly where?: string;
  readonly settings?: object;
  readonly pulling?: PullOptions;
  readonly element?: ImportedElement;
}

/** An incremental import of one element from a simulated instance, with its row cache in `folder`. */
export async function importIncrementally(
  simulator: Simulator,
  folder: string,
  { where = '', settings = {}, pulling = {}, element = incidentElement }: IncrementalImportOptions = {},
): Promise<IncrementalImport> {
  const { dataObject, body, shown } = element;
  const options = { tables: ['incident', 'sys_audit', 'sys_user'], incremental: true, pageSize: 20, ...settings };
  const source = dataSource('itsm', instanceSettings(simulator, options));
  const context = { folder, stateFolder: folder, ...noSecrets };
  const connector = await createConnector(source, context);
  try {
    const query = await queryOf(connector, simulator, `    dataObject: ${dataObject}\n${body}${where}`, settings);
    const { columns } = query;
    const cells = shown.map((name) => `c${columns.indexOf(name) + 1}`);
    const before = simulator.requests.length;
    const found = await withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, { queries: [query], ...pulling });
      try {
        const { warnings } = await pull.load(query, 't', {});
        return { warnings, rows: (await staging.table(`SELECT ${cells.join(', ')} FROM t`)).rows };
      } finally {
        await pull.close();
      }
    });
    const requests = simulator.requests.slice(before);
    return {
      rows: found.rows.map((row) => row.join('|')).sort(),
      requests,
      lists: requests.filter(({ path }) => path.endsWith(`/table/${dataObject}`)).length,
      warnings: found.warnings,
    };
  } finally {
    await connector.close();
  }
}

const queries = new Map<string, CompiledQuery>();

/** The compiled query of the element, cached per instance, because its columns are constant. */
async function queryOf(
  connector: Connector,
  { url }: Simulator,
  body: string,
  settings: object,
): Promise<CompiledQuery> {
  const name = JSON.stringify([url, body, settings]);
  const known = queries.get(name);
  if (known) return known;
  const text = `version: 1\nname: T\ndataSource: itsm\nelements:\n  - activityName: A\n${body}`;
  const { graph } = parseEntityGraph(text);
  const built = graph.elements[0] && buildElementQuery(graph, graph.elements[0], await connector.describe({}));
  assert.ok(built && 'query' in built, text);
  queries.set(name, built.query);
  return built.query;
}

/** The expected rows of `incidentElement`. */
export function expectedIncidents(
  { instance }: Simulator,
  selects: (record: SimulatedRecord) => boolean = () => true,
): readonly string[] {
  const records = (instance.data.get('incident') ?? []).filter(selects);
  return records.map((record) => `${record['sys_id']}|${record['number']}|${record['state']}`).sort();
}

/** A simulated instance, and a folder for the row cache. */
export async function withIncrementalImport<T>(
  incidents: number,
  use: (simulator: Simulator, folder: string) => Promise<T>,
  seed = 1,
): Promise<T> {
  const folder = await folderWith({});
  const simulator = await startSimulator({ incidents, seed });
  try {
    return await use(simulator, folder);
  } finally {
    await simulator.close();
    await removeFolder(folder);
  }
}
