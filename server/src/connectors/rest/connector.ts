import type { DataSource } from '../../model/data-sources.ts';
import type { KindConnector } from '../connector.ts';
import type { ConnectorContext } from '../connector-context.ts';
import { fetchedConnector } from '../fetched/connector.ts';
import { openHttpClient, proxyHost } from '../http/open-client.ts';
import { restConnection } from './connection.ts';
import { restRecords } from './record-source.ts';

/**
 * Any REST interface that answers with JSON. Nothing is sent before one of the methods is called. Rejects with
 * `source-config`, `secret-missing` or `environment-variable-missing` when the settings cannot be used.
 */
export async function createRestConnector(source: DataSource, context: ConnectorContext): Promise<KindConnector> {
  const { config, connection, secrets } = await restConnection(source, context);
  const client = await openHttpClient(connection);
  return fetchedConnector(restRecords(config, client, connection.retryPolicy, secrets), {
    baseUrl: config.baseUrl,
    proxy: proxyHost(connection),
  });
}
