import type { DataSource } from '../../model/data-sources.ts';
import type { Connector } from '../connector.ts';
import type { ConnectorContext } from '../create-connector.ts';
import { fetchedConnector } from '../fetched/connector.ts';
import { openHttpClient } from '../http/open-client.ts';
import { defaultRetryPolicy } from '../http/with-retries.ts';
import { resolveSettings } from '../resolve-settings.ts';
import { readRestConfig } from './config.ts';
import { restRecords } from './record-source.ts';

/**
 * Any REST interface that answers with JSON. Nothing is sent before one of the methods is called. Rejects with
 * `source-config`, `secret-missing` or `environment-variable-missing` when the settings cannot be used.
 */
export async function createRestConnector(source: DataSource, context: ConnectorContext): Promise<Connector> {
  const { settings, secrets } = await resolveSettings(source.name.value, source.settings, context);
  const identity = { name: source.name.value, timeZone: source.timeZone, folder: context.folder };
  const config = readRestConfig(identity, settings);
  const known = new Set(secrets);
  const client = await openHttpClient({
    baseUrl: config.baseUrl,
    peer: 'The service',
    auth: config.auth,
    connections: 4,
    connectTimeoutMs: config.connectTimeoutMs,
    requestTimeoutMs: config.requestTimeoutMs,
    retryPolicy: defaultRetryPolicy,
    onSecret: (secret) => known.add(secret),
  });
  return fetchedConnector(restRecords(config, client, defaultRetryPolicy, known), config.baseUrl);
}
