import type { DataSource } from '../../model/data-sources.ts';
import type { KindConnector, Pull } from '../connector.ts';
import type { ConnectorContext } from '../connector-context.ts';
import { redactSecrets, redactedStep } from '../redact-secrets.ts';
import { resolveSource } from '../resolve-source.ts';
import { checkQueries } from './check-queries.ts';
import { diagnose } from './diagnose-connection.ts';
import { errorExplainer } from './errors.ts';
import { introspect } from './introspect.ts';
import { preview } from './preview.ts';
import { openPull } from './pull.ts';
import { mysqlSettings } from './setting-receivers.ts';
import { querySteps } from './steps.ts';

/**
 * Connector of MySQL and MariaDB. Every call uses its own connection; a pull keeps its connection until it is closed.
 * Rejects like `resolveSource` for invalid settings.
 */
export async function createMysqlConnector(source: DataSource, context: ConnectorContext): Promise<KindConnector> {
  const { config: settings, secrets } = await resolveSource(source, context, mysqlSettings);
  const config = { ...settings, greetings: context.greetings };
  const explain = errorExplainer(config, secrets);
  const pulls = new Set<Pull>();
  return {
    timeZone: config.timeZone,
    address: { host: config.host, port: config.port },
    diagnose: async (options) => (await diagnose(config, explain, options)).map((step) => redactedStep(step, secrets)),
    async describe(options) {
      const catalog = await introspect(config, explain, options);
      // Warnings may contain the user name.
      return { ...catalog, warnings: catalog.warnings.map((warning) => redactSecrets(warning, secrets)) };
    },
    preview: (query, options) => preview(config, explain, query, options),
    steps: (query, purpose) => querySteps(config, explain, query, purpose),
    checkQueries: (queries, options) => checkQueries(config, explain, queries, options),
    async openPull(staging, options) {
      const pull = await openPull(config, explain, staging, options);
      pulls.add(pull);
      return pull;
    },
    async openGivenPull(data, staging, options) {
      const { openOnlinePull } = await import('./given/open-online-pull.ts');
      const pull = await openOnlinePull(config, explain, data, staging, options);
      pulls.add(pull);
      return pull;
    },
    async close() {
      await Promise.all([...pulls].map((pull) => pull.close()));
    },
  };
}
