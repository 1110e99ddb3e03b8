import type { DataSource } from '../../model/data-sources.ts';
import type { ConnectorContext } from '../connector-context.ts';
import type { KindConnector, Pull } from '../connector.ts';
import { resolveSource } from '../resolve-source.ts';
import type { DuckdbSource } from './duckdb-source.ts';
import { findDatabase } from './find-database.ts';
import { introspect } from './introspect.ts';
import { preview } from './preview.ts';
import { openPull } from './pull.ts';
import { duckdbSettings } from './setting-receivers.ts';
import { querySteps } from './steps.ts';

/**
 * Connector of DuckDB database files, which the embedded engine attaches read only. Rejects like `resolveSource` for
 * invalid settings.
 */
export async function createDuckdbConnector(dataSource: DataSource, context: ConnectorContext): Promise<KindConnector> {
  const { config } = await resolveSource(dataSource, context, duckdbSettings);
  const source: DuckdbSource = { config, findDatabase: () => findDatabase(config, context.stateFolder) };
  const pulls = new Set<Pull>();
  return {
    timeZone: config.timeZone,
    describe: (options) => introspect(source, options),
    preview: (query, options) => preview(source, query, options),
    steps: (query, purpose) => querySteps(source, query, purpose),
    async openPull(staging, options) {
      const pull = await openPull(source, staging, options);
      pulls.add(pull);
      return pull;
    },
    async close() {
      await Promise.all([...pulls].map((pull) => pull.close()));
    },
  };
}
