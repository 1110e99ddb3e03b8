import type { Connector } from '../../server/src/connectors/connector.ts';
import type { AuthSettings } from '../../server/src/connectors/http/auth-settings.ts';
import { openHttpClient } from '../../server/src/connectors/http/open-client.ts';
import type { FormUpload } from '../../server/src/connectors/servicenow/api/attachment-api.ts';
import type { RetryPolicy } from '../../server/src/connectors/http/with-retries.ts';
import { createServiceNowClient, type ServiceNowClient } from '../../server/src/connectors/servicenow/api/client.ts';
import { createConnector } from './create-connector.ts';
import { dataSource } from './postgresql-source.ts';
import { startSimulator, type Simulator, type SimulatorOptions } from '../simulator/simulator.ts';
import { noSecrets } from './no-secrets.ts';

/** Production retries without delays. */
export const quickRetries: RetryPolicy = { attempts: 4, baseMs: 5, maxMs: 20, maxRetryAfterMs: 5000 };

export interface ClientOptions extends SimulatorOptions {
  readonly auth?: AuthSettings;
  readonly version?: string | undefined;
  readonly formUpload?: FormUpload;
  readonly requestTimeoutMs?: number;
}

/** Passes `use` a client of a simulated instance; default: Basic login. */
export async function withClient<T>(
  options: ClientOptions,
  use: (client: ServiceNowClient, simulator: Simulator) => Promise<T>,
): Promise<T> {
  const simulator = await startSimulator(options);
  const { user, password } = simulator.logins;
  const http = await openHttpClient({
    baseUrl: new URL(simulator.url),
    peer: 'The instance',
    auth: options.auth ?? { kind: 'basic', user, password },
    tokenPath: '/oauth_token.do',
    authorizationPath: '/oauth_auth.do',
    connections: 8,
    connectTimeoutMs: 2000,
    requestTimeoutMs: options.requestTimeoutMs ?? 5000,
    retryPolicy: quickRetries,
    onSecret: () => undefined,
  });
  const { version, formUpload } = options;
  const client = createServiceNowClient(http, {
    retryPolicy: quickRetries,
    version,
    formUpload,
  });
  try {
    return await use(client, simulator);
  } finally {
    client.close();
    await simulator.close();
  }
}

export interface SourceOptions extends SimulatorOptions {
  /** Over instance address, Basic login and the tables of the demo. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Settings of a source that reads a simulated instance. */
export function instanceSettings(simulator: Simulator, settings: Readonly<Record<string, unknown>> = {}) {
  const { user, password } = simulator.logins;
  return {
    kind: 'servicenow',
    instanceUrl: simulator.url,
    tables: ['incident', 'problem', 'task_ci', 'cmdb_ci', 'sys_user', 'sys_audit'],
    auth: { kind: 'basic', user, password },
    pageSize: 50,
    ...settings,
  };
}

/** Passes `use` a connector for a simulated instance. */
export async function withInstance<T>(
  options: SourceOptions,
  use: (connector: Connector, simulator: Simulator) => Promise<T>,
): Promise<T> {
  const simulator = await startSimulator(options);
  const source = dataSource('itsm', instanceSettings(simulator, options.settings));
  const connector = await createConnector(source, {
    folder: process.cwd(),
    ...noSecrets,
  });
  try {
    return await use(connector, simulator);
  } finally {
    await connector.close();
    await simulator.close();
  }
}
