import type { DataSource } from '../../model/data-sources.ts';
import type { ConnectorContext } from '../connector-context.ts';
import type { ConnectionSettings } from '../http/client-settings.ts';
import { openHttpClient } from '../http/open-client.ts';
import { defaultRetryPolicy } from '../http/with-retries.ts';
import { resolveSource } from '../resolve-source.ts';
import { createServiceNowClient, type ServiceNowClient } from './api/client.ts';
import type { ServiceNowConfig } from './read-settings.ts';
import { authorizationPath, serviceNowSettings, tokenPath } from './setting-receivers.ts';

/** Prepared access to an instance. */
interface ServiceNowConnection {
  readonly config: ServiceNowConfig;
  readonly connection: ConnectionSettings;
  /** Texts to redact in messages; new tokens are added. */
  readonly secrets: Set<string>;
}

/** Rejects like `resolveSource` for invalid settings. */
export async function serviceNowConnection(
  source: DataSource,
  context: ConnectorContext,
): Promise<ServiceNowConnection> {
  const { config, secrets: known } = await resolveSource(source, context, serviceNowSettings);
  const secrets = new Set(known);
  const connection: ConnectionSettings = {
    ...config,
    baseUrl: config.instanceUrl,
    peer: 'The instance',
    tokenPath,
    authorizationPath,
    connections: config.concurrency,
    retryPolicy: defaultRetryPolicy,
    onSecret: (secret) => secrets.add(secret),
    httpContext: context,
  };
  return { config, connection, secrets };
}

/** A client of the instance, to be closed by the caller. Rejects like `serviceNowConnection` and `openHttpClient`. */
export async function openServiceNow(
  source: DataSource,
  context: ConnectorContext,
): Promise<ServiceNowConnection & { readonly client: ServiceNowClient }> {
  const opened = await serviceNowConnection(source, context);
  const { version, queryNoDomain, formUpload } = opened.config;
  const http = await openHttpClient(opened.connection);
  return {
    ...opened,
    client: createServiceNowClient(http, { queryNoDomain, formUpload, version }),
  };
}
