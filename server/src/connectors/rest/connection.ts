import type { DataSource } from '../../model/data-sources.ts';
import type { ConnectorContext } from '../connector-context.ts';
import type { ConnectionSettings } from '../http/client-settings.ts';
import { defaultRetryPolicy } from '../http/with-retries.ts';
import { resolveSource } from '../resolve-source.ts';
import type { RestConfig } from './read-settings.ts';
import { restSettings } from './setting-receivers.ts';

/** Prepared access to a REST interface. */
interface RestConnection {
  readonly config: RestConfig;
  readonly connection: ConnectionSettings;
  /** Texts to redact in messages; new tokens are added. */
  readonly secrets: Set<string>;
}

/** Rejects like `resolveSource` for invalid settings. */
export async function restConnection(source: DataSource, context: ConnectorContext): Promise<RestConnection> {
  const { config, secrets: known } = await resolveSource(source, context, restSettings);
  const secrets = new Set(known);
  const connection: ConnectionSettings = {
    ...config,
    peer: 'The service',
    connections: 4,
    retryPolicy: defaultRetryPolicy,
    onSecret: (secret) => secrets.add(secret),
    httpContext: context,
  };
  return { config, connection, secrets };
}
