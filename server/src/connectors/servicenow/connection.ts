import type { DataSource } from '../../model/data-sources.ts';
import type { ConnectorContext } from '../connector-context.ts';
import type { ConnectionSettings } from '../http/client-settings.ts';
import { openHttpClient } from '../http/open-client.ts';
import { defaultRetryPolicy } from '../http/with-retries.ts';
import { resolveSource } from '../resolve-source.ts';
import { createServiceNowClient, type ServiceNowClient } from './api/client.ts';
import type { ServiceNowConfig } from './config.ts';
import { authorizationPath, serviceNowSettings, tokenPath } from './settings.ts';

/** How an instance is reached, before anything is sent. */
export interface ServiceNowConnection {
  readonly config: ServiceNowConfig;
  readonly connection: ConnectionSettings;
  /** Texts that no message may contain; grows with the tokens that are handed out. */
  readonly secrets: Set<string>;
}

/** Rejects as `resolveSource` does when the settings cannot be used. */
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
    surroundings: context,
  };
  return { config, connection, secrets };
}

/** A client of the instance; close it when done. Rejects as `serviceNowConnection` and `openHttpClient` do. */
export async function openServiceNow(
  source: DataSource,
  context: ConnectorContext,
): Promise<ServiceNowConnection & { readonly client: ServiceNowClient }> {
  const opened = await serviceNowConnection(source, context);
  const { version, queryNoDomain } = opened.config;
  const http = await openHttpClient(opened.connection);
  return {
    ...opened,
    client: createServiceNowClient(http, { queryNoDomain, ...(version !== undefined && { version }) }),
  };
}
