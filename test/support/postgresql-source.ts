import type { DataSource } from '../../server/src/model/data-sources.ts';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { createConnector } from './create-connector.ts';
import type { CompiledQuery } from '../../server/src/query/compiled-query.ts';
import type { TestPostgres } from './postgres.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';

export interface PostgresqlSourceOptions {
  /** Over the settings that reach the test server as its superuser. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly timeZone?: string;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Folder of the sources file. */
  readonly folder?: string;
}

/** A connector for a database of the test server, with the password as a secret. */
export function postgresqlConnector(
  server: Pick<TestPostgres, 'host' | 'port' | 'user' | 'password'>,
  database: string,
  options: PostgresqlSourceOptions = {},
): Promise<Connector> {
  const { host, port, user } = server;
  const settings = { kind: 'postgresql', host, port, database, user, password: '${secret:shop}', ...options.settings };
  const secrets: Readonly<Record<string, string>> = { shop: server.password, ...options.secrets };
  return createConnector(dataSource('shop', settings, options.timeZone), {
    folder: options.folder ?? '/',
    permitUses: permitAllUses,
    readSecret: async (name) => secrets[name],
    environment: {},
  });
}

export function dataSource(name: string, settings: Readonly<Record<string, unknown>>, timeZone = 'UTC'): DataSource {
  const range = { start: 0, end: 0 };
  const kind = { value: String(settings['kind']), range };
  return { name: { value: name, range }, range, timeZone, kind, settings };
}

/** A hand-written core SELECT. */
export function compiledQuery(sql: string): CompiledQuery {
  return { dialect: 'postgresql', sql, columns: [], dataObjects: [], fragments: [], references: [] };
}
