import type { Connector } from '../../server/src/connectors/connector.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import type { CompiledQuery } from '../../server/src/query/compiled-query.ts';
import { createConnector } from './create-connector.ts';
import { type PostgresqlSourceOptions, dataSource } from './postgresql-source.ts';

/** A connector for a schema of the catalog `lake` of the test server, over plain HTTP. */
export function trinoConnector(
  server: { readonly host: string; readonly port: number },
  schema: string,
  options: PostgresqlSourceOptions = {},
): Promise<Connector> {
  const { host, port } = server;
  const settings = {
    ...{ kind: 'trino', host, port, catalog: 'lake', schemas: [schema], user: 'ann' },
    // A cluster that has just started beside other work may need longer than the default.
    statementTimeout: '10m',
    ...options.settings,
  };
  return createConnector(dataSource('shop', settings, options.timeZone), {
    folder: options.folder ?? '/',
    permitUses: permitAllUses,
    readSecret: async (name) => options.secrets?.[name],
    environment: {},
  });
}

/** A hand-written core SELECT, all of it SQL of a user. */
export function trinoQuery(sql: string): CompiledQuery {
  const range = { start: 0, end: sql.length };
  const source = { value: sql, range, sourceOffsets: [...sql, ''].map((_, index) => index) };
  return { dialect: 'trino', sql, columns: [], dataObjects: [], fragments: [{ offset: 0, source }], references: [] };
}
