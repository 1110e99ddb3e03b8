import assert from 'node:assert/strict';
import type { Catalog } from '../../server/src/catalog/catalog.ts';
import type { Connector, LoadResult } from '../../server/src/connectors/connector.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { buildElementQuery } from '../../server/src/query/build-query.ts';
import type { CompiledQuery } from '../../server/src/query/compiled-query.ts';
import type { SimulatedRecord } from '../simulator/demo-data.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { withBuildDatabase } from './build-database.ts';
import { withInstance, type SourceOptions } from './servicenow-source.ts';

/** The query of the first element over incidents with additional YAML lines. */
export function elementQuery(catalog: Catalog, lines = ''): CompiledQuery {
  const text = `version: 1\nname: T\ndataSource: itsm\nelements:\n  - activityName: A\n    dataObject: incident\n    startTimestamp: opened_at\n    properties: [number, state]\n${lines}`;
  const { graph } = parseEntityGraph(text);
  const [element] = graph.elements;
  if (!element) throw new Error(`No element in ${text}`);
  const built = buildElementQuery(graph, element, catalog);
  if (!('query' in built)) throw new Error(built.problems.map(({ message }) => message).join('\n'));
  return built.query;
}

/** Loads queries like an import; rows of each, sorted, as texts. */
export async function loaded(
  connector: Connector,
  queries: readonly CompiledQuery[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly { readonly result: LoadResult; readonly rows: readonly string[] }[]> {
  return withBuildDatabase(async (staging) => {
    const pull = await connector.openPull(staging, { queries, ...options });
    const found = [];
    try {
      for (const [index, query] of queries.entries()) {
        const result = await pull.load(query, `t${index}`, options);
        const { rows } = await staging.table(`SELECT * FROM t${index}`);
        found.push({ result, rows: rows.map((row) => row.join('|')).sort() });
      }
      return found;
    } finally {
      await pull.close();
      const left = await staging.query(
        "SELECT table_name AS name FROM duckdb_tables() WHERE table_name NOT SIMILAR TO 't[0-9]+'",
      );
      assert.deepEqual(left, []);
    }
  });
}

export async function withCatalog<T>(
  options: SourceOptions,
  use: (connector: Connector, catalog: Catalog, simulator: Simulator) => Promise<T>,
): Promise<T> {
  return withInstance({ incidents: 300, ...options }, async (connector, simulator) =>
    use(connector, await connector.describe({}), simulator),
  );
}

export function incidents({ instance }: Simulator): readonly SimulatedRecord[] {
  return instance.data.get('incident') ?? [];
}

/** Encoded queries of incident lists requested since `from`. */
export function listQueries({ requests }: Simulator, from = 0): readonly string[] {
  return requests
    .slice(from)
    .filter(({ path }) => path.endsWith('/table/incident'))
    .map(({ parameters }) => parameters.get('sysparm_query') ?? '');
}

/** An ACL that hides every second incident. */
export function hidesEverySecond(table: string, record: SimulatedRecord): boolean {
  return table !== 'incident' || Number(record['number']?.slice(-1)) % 2 === 0;
}
