import type { DataSource } from '../../model/data-sources.ts';
import type { ConnectorContext } from '../create-connector.ts';
import { openHttpClient, type ConnectionSettings } from '../http/open-client.ts';
import { defaultRetryPolicy } from '../http/with-retries.ts';
import { resolveSettings } from '../resolve-settings.ts';
import { createServiceNowClient, type ServiceNowClient } from './client.ts';
import { readServiceNowConfig, type ServiceNowConfig } from './config.ts';

/** How an instance is reached, before anything is sent. */
export interface ServiceNowConnection {
  readonly config: ServiceNowConfig;
  readonly connection: ConnectionSettings;
  /** Texts that no message may contain; grows with the tokens that are handed out. */
  readonly secrets: Set<string>;
}

/** Where users log in, below the address of the instance. */
export const authorizationPath = '/oauth_auth.do';

/** Rejects with `source-config`, `secret-missing` or `environment-variable-missing` when the settings cannot be used. */
export async function serviceNowConnection(
  source: DataSource,
  context: ConnectorContext,
): Promise<ServiceNowConnection> {
  const resolved = await resolveSettings(source.name.value, source.settings, context);
  const identity = { name: source.name.value, timeZone: source.timeZone, folder: context.folder };
  const config = readServiceNowConfig(identity, resolved.settings);
  const secrets = new Set(resolved.secrets);
  const connection: ConnectionSettings = {
    ...config,
    baseUrl: config.instanceUrl,
    peer: 'The instance',
    tokenPath: '/oauth_token.do',
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
  const { version } = opened.config;
  const http = await openHttpClient(opened.connection);
  return { ...opened, client: createServiceNowClient(http, { ...(version !== undefined && { version }) }) };
}
