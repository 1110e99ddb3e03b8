import type { DataSource } from '../../server/src/model/data-sources.ts';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { createConnector } from './create-connector.ts';
import { dialectNamed } from '../../server/src/dialects/index.ts';
import type { CompiledQuery } from '../../server/src/query/compiled-query.ts';
import { printElementSelect } from '../../server/src/query/print-query.ts';
import type { ElementSelect } from '../../server/src/query/query-tree.ts';
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

/** The query of an element of a table, of whole columns, with a filter. */
export function tableQuery(
  path: readonly [schema: string, table: string],
  columns: readonly string[],
  filter?: string,
): CompiledQuery {
  const alias = path[1];
  const where =
    filter === undefined ? undefined : { value: filter, range, sourceOffsets: [...filter, ''].map(() => 0) };
  const select: ElementSelect = {
    items: columns.map((name) => ({ column: { alias, name }, as: name })),
    rows: { from: { path, alias, range }, where },
  };
  const printed = printElementSelect(select, dialectNamed('postgresql'));
  return { ...compiledQuery(''), ...printed, columns, select } as CompiledQuery;
}

const range = { start: 7, end: 8 };

/** A hand-written core SELECT. */
export function compiledQuery(sql: string): CompiledQuery {
  return { dialect: 'postgresql', sql, columns: [], dataObjects: [], fragments: [], references: [] };
}
