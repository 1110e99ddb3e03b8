import type { DataSource } from '../../model/data-sources.ts';
import type { KindConnector } from '../connector.ts';
import type { ConnectorContext } from '../connector-context.ts';
import { fetchedConnector } from '../fetched/connector.ts';
import { proxyHost } from '../http/open-client.ts';
import { openServiceNow } from './connection.ts';
import { serviceNowRecords } from './record-source.ts';

/**
 * An instance of the IT-service-management platform. Nothing is sent before one of the methods is called. Rejects with
 * `source-config`, `secret-missing` or `environment-variable-missing` when the settings cannot be used.
 */
export async function createServiceNowConnector(source: DataSource, context: ConnectorContext): Promise<KindConnector> {
  const { config, connection, client, secrets } = await openServiceNow(source, context);
  const { stateFolder } = context;
  return fetchedConnector(serviceNowRecords(config, client, secrets), {
    baseUrl: config.instanceUrl,
    proxy: proxyHost(connection),
    stateFolder,
  });
}
