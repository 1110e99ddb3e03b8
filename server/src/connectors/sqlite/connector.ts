import type { DataSource } from '../../model/data-sources.ts';
import type { ConnectorContext } from '../connector-context.ts';
import type { KindConnector, Pull } from '../connector.ts';
import { resolveSource } from '../resolve-source.ts';
import { checkQueries } from './check-queries.ts';
import { introspect } from './introspect.ts';
import { preview } from './preview.ts';
import { openPull } from './pull.ts';
import { sqliteSettings } from './setting-receivers.ts';
import { querySteps } from './steps.ts';

/**
 * Connector of SQLite files. Every call reads in a process of its own, in one transaction; a pull keeps its process until
 * it is closed. Rejects like `resolveSource` for invalid settings.
 */
export async function createSqliteConnector(source: DataSource, context: ConnectorContext): Promise<KindConnector> {
  const { config } = await resolveSource(source, context, sqliteSettings);
  const pulls = new Set<Pull>();
  return {
    timeZone: config.timeZone,
    describe: (options) => introspect(config, options),
    preview: (query, options) => preview(config, query, options),
    steps: (query, purpose) => querySteps(config, query, purpose),
    checkQueries: (queries, options) => checkQueries(config, queries, options),
    async openPull(staging, options) {
      const pull = await openPull(config, staging, options);
      pulls.add(pull);
      return pull;
    },
    async close() {
      await Promise.all([...pulls].map((pull) => pull.close()));
    },
  };
}
