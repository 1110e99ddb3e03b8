import type { DataSource } from '../../model/data-sources.ts';
import type { KindConnector, Pull } from '../connector.ts';
import type { ConnectorContext } from '../connector-context.ts';
import { openHttpClient } from '../http/open-client.ts';
import { redactSecrets, redactedStep } from '../redact-secrets.ts';
import { checkQueries } from './check-queries.ts';
import { trinoConnection } from './connection.ts';
import { diagnose } from './diagnose-connection.ts';
import { dropGraphs } from './drop-graphs.ts';
import { failureExplainer } from './errors.ts';
import { graphPlace } from './graph-place.ts';
import { introspect } from './introspect.ts';
import { preview, type Cluster } from './preview.ts';
import { openGraph } from './open-graph.ts';
import { openPull } from './pull.ts';
import { openSourceBuild } from './source-build.ts';
import { querySteps } from './steps.ts';

/** Connector of Trino. Rejects like `resolveSource` for invalid settings. */
export async function createTrinoConnector(source: DataSource, context: ConnectorContext): Promise<KindConnector> {
  const { config, connection, secrets } = await trinoConnection(source, context);
  const redact = (text: string): string => redactSecrets(text, [...secrets]);
  const explain = failureExplainer(config, redact);
  let opened: Promise<Cluster> | undefined;
  const cluster = (): Promise<Cluster> =>
    (opened ??= openHttpClient(connection).then((http) => ({ http, config, explain, redact })));
  const pulls = new Set<Pick<Pull, 'close'>>();
  return {
    timeZone: config.timeZone,
    address: { host: config.host, port: config.port },
    diagnose: async (options) =>
      (await diagnose(await cluster(), options)).map((step) => redactedStep(step, [...secrets])),
    async describe(options) {
      const catalog = await introspect(await cluster(), options);
      return { ...catalog, warnings: catalog.warnings.map(redact) };
    },
    preview: async (query, options) => preview(await cluster(), query, options),
    steps: async (query, purpose) => querySteps(await cluster(), query, purpose),
    checkQueries: async (queries, options) => checkQueries(await cluster(), queries, options),
    async openPull(staging, options) {
      const pull = await openPull(await cluster(), staging, options);
      pulls.add(pull);
      return pull;
    },
    async openGivenPull(data, staging, options) {
      const { openOnlinePull } = await import('./given/open-online-pull.ts');
      const pull = await openOnlinePull(await cluster(), data, staging, options);
      pulls.add(pull);
      return pull;
    },
    async openBuild(options) {
      const build = await openSourceBuild(await cluster(), options);
      pulls.add(build);
      return build;
    },
    openGraph: async (graph, options) => openGraph(await cluster(), graph, options),
    graphPath({ schema, run }) {
      const { catalog, runSchema } = graphPlace(config, schema);
      return [catalog, runSchema(run)];
    },
    dropGraphs: async (graphs, options) => dropGraphs(await cluster(), graphs, options),
    async close() {
      await Promise.all([...pulls].map((pull) => pull.close()));
      const closing = opened;
      opened = undefined;
      // A certificate that cannot be used was reported where it was needed.
      await closing?.then(
        ({ http }) => http.close(),
        () => undefined,
      );
    },
  };
}
