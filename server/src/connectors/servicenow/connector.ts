import type { DataSource } from '../../model/data-sources.ts';
import type { Connector } from '../connector.ts';
import type { ConnectorContext } from '../create-connector.ts';
import { fetchedConnector } from '../fetched/connector.ts';
import { openHttpClient } from '../http/open-client.ts';
import { defaultRetryPolicy } from '../http/with-retries.ts';
import { resolveSettings } from '../resolve-settings.ts';
import { createServiceNowClient } from './client.ts';
import { readServiceNowConfig } from './config.ts';
import { serviceNowRecords } from './record-source.ts';

/**
 * An instance of the IT-service-management platform. Nothing is sent before one of the methods is called. Rejects with
 * `source-config`, `secret-missing` or `environment-variable-missing` when the settings cannot be used.
 */
export async function createServiceNowConnector(source: DataSource, context: ConnectorContext): Promise<Connector> {
  const { settings, secrets } = await resolveSettings(source.name.value, source.settings, context);
  const identity = { name: source.name.value, timeZone: source.timeZone, folder: context.folder };
  const config = readServiceNowConfig(identity, settings);
  const known = new Set(secrets);
  const http = await openHttpClient({
    baseUrl: config.instanceUrl,
    peer: 'The instance',
    auth: config.auth,
    tokenPath: '/oauth_token.do',
    connections: config.concurrency,
    connectTimeoutMs: config.connectTimeoutMs,
    requestTimeoutMs: config.requestTimeoutMs,
    retryPolicy: defaultRetryPolicy,
    onSecret: (secret) => known.add(secret),
  });
  const client = createServiceNowClient(http, { ...(config.version !== undefined && { version: config.version }) });
  return fetchedConnector(serviceNowRecords(config, client, known), config.instanceUrl);
}
