import type { Connector } from '../../server/src/connectors/connector.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import type { CompiledQuery } from '../../server/src/query/compiled-query.ts';
import { createConnector } from './create-connector.ts';
import type { TestMariadb } from './mariadb.ts';
import { type PostgresqlSourceOptions, dataSource } from './postgresql-source.ts';

/** A connector for a database of the test server, with the password as a secret. */
export function mysqlConnector(
  server: Pick<TestMariadb, 'host' | 'port' | 'user' | 'password'>,
  database: string,
  options: PostgresqlSourceOptions = {},
): Promise<Connector> {
  const { host, port, user } = server;
  const settings = { kind: 'mysql', host, port, database, user, password: '${secret:shop}', ...options.settings };
  const secrets: Readonly<Record<string, string>> = { shop: server.password, ...options.secrets };
  return createConnector(dataSource('shop', settings, options.timeZone), {
    folder: options.folder ?? '/',
    permitUses: permitAllUses,
    readSecret: async (name) => secrets[name],
    environment: {},
  });
}

/** A hand-written core SELECT, all of it SQL of a user. */
export function mysqlQuery(sql: string): CompiledQuery {
  const range = { start: 0, end: sql.length };
  const source = { value: sql, range, sourceOffsets: [...sql, ''].map((_, index) => index) };
  return { dialect: 'mysql', sql, columns: [], dataObjects: [], fragments: [{ offset: 0, source }], references: [] };
}
