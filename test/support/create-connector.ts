import type { ConnectorContext } from '../../server/src/connectors/connector-context.ts';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { connectorOfKind, withGreetings } from '../../server/src/connectors/create-connector.ts';
import { createCsvConnector } from '../../server/src/connectors/csv/connector.ts';
import { createDuckdbConnector } from '../../server/src/connectors/duckdb/connector.ts';
import { createOcelConnector } from '../../server/src/connectors/ocel/connector.ts';
import { createPostgresqlConnector } from '../../server/src/connectors/postgresql/connector.ts';
import { createMysqlConnector } from '../../server/src/connectors/mysql/connector.ts';
import { createRestConnector } from '../../server/src/connectors/rest/connector.ts';
import { createServiceNowConnector } from '../../server/src/connectors/servicenow/connector.ts';
import { createSqliteConnector } from '../../server/src/connectors/sqlite/connector.ts';
import { createTrinoConnector } from '../../server/src/connectors/trino/connector.ts';
import { createXesConnector } from '../../server/src/connectors/xes/connector.ts';
import type { ConnectorFactory } from '../../server/src/connectors/source-kind.ts';
import { sourceKind } from '../../server/src/connectors/source-kinds.ts';
import type { DataSource } from '../../server/src/model/data-sources.ts';

const factories: Readonly<Record<string, ConnectorFactory>> = {
  csv: createCsvConnector,
  duckdb: createDuckdbConnector,
  ocel: createOcelConnector,
  mysql: createMysqlConnector,
  postgresql: createPostgresqlConnector,
  rest: createRestConnector,
  servicenow: createServiceNowConnector,
  sqlite: createSqliteConnector,
  trino: createTrinoConnector,
  xes: createXesConnector,
};

/**
 * The connector of a source, as the product creates it, from modules that are already loaded: the loader of tests gives `import()` modules of
 * its own, whose classes of errors are others than those of the test.
 */
export async function createConnector(source: DataSource, context: ConnectorContext): Promise<Connector> {
  const name = source.kind?.value ?? '';
  const [kind, create] = [sourceKind(name), factories[name]];
  if (!kind || !create) throw new Error(`Tests have no source kind ${name}.`);
  return connectorOfKind(kind, source.name.value, await create(source, withGreetings(context)));
}
