import type { DataSource } from '../../model/data-sources.ts';
import type { ConnectorContext } from '../create-connector.ts';
import type { ConnectionSettings } from '../http/open-client.ts';
import { defaultRetryPolicy } from '../http/with-retries.ts';
import { resolveSettings } from '../resolve-settings.ts';
import { readRestConfig, type RestConfig } from './config.ts';

/** How a REST interface is reached, before anything is sent. */
export interface RestConnection {
  readonly config: RestConfig;
  readonly connection: ConnectionSettings;
  /** Texts that no message may contain; grows with the tokens that are handed out. */
  readonly secrets: Set<string>;
}

/** Rejects with `source-config`, `secret-missing` or `environment-variable-missing` when the settings cannot be used. */
export async function restConnection(source: DataSource, context: ConnectorContext): Promise<RestConnection> {
  const resolved = await resolveSettings(source.name.value, source.settings, context);
  const identity = { name: source.name.value, timeZone: source.timeZone, folder: context.folder };
  const config = readRestConfig(identity, resolved.settings);
  const secrets = new Set(resolved.secrets);
  const connection: ConnectionSettings = {
    ...config,
    peer: 'The service',
    connections: 4,
    retryPolicy: defaultRetryPolicy,
    onSecret: (secret) => secrets.add(secret),
    surroundings: context,
  };
  return { config, connection, secrets };
}
