import type { DataSource } from '../../model/data-sources.ts';
import type { ConnectorContext } from '../connector-context.ts';
import type { ConnectionSettings } from '../http/client-settings.ts';
import { defaultRetryPolicy } from '../http/with-retries.ts';
import { resolveSource } from '../resolve-source.ts';
import type { TrinoConfig } from './read-settings.ts';
import { trinoSettings } from './setting-receivers.ts';

/** Prepared access to a cluster. */
interface TrinoConnection {
  readonly config: TrinoConfig;
  readonly connection: ConnectionSettings;
  /** Texts to redact in messages; new tokens are added. */
  readonly secrets: ReadonlySet<string>;
}

/** Rejects like `resolveSource` for invalid settings. */
export async function trinoConnection(source: DataSource, context: ConnectorContext): Promise<TrinoConnection> {
  const { config, secrets: known } = await resolveSource(source, context, trinoSettings);
  const secrets = new Set(known);
  const connection: ConnectionSettings = {
    ...config,
    peer: 'Trino',
    connections: 8,
    retryPolicy: defaultRetryPolicy,
    onSecret: (secret) => secrets.add(secret),
    httpContext: context,
  };
  return { config, connection, secrets };
}
