import type { DataSource } from '../model/data-sources.ts';
import type { ConnectorContext } from './connector-context.ts';
import type { Connector } from './connector.ts';
import { SourceError } from './source-error.ts';

type ConnectorFactory = (source: DataSource, context: ConnectorContext) => Promise<Connector>;

/** One row a kind of source. Modules load on first use: a file source needs no database driver. */
const factories: Readonly<Record<string, () => Promise<ConnectorFactory>>> = {
  postgresql: async () => (await import('./postgresql/connector.ts')).createPostgresqlConnector,
  csv: async () => (await import('./csv/connector.ts')).createCsvConnector,
  servicenow: async () => (await import('./servicenow/connector.ts')).createServiceNowConnector,
  rest: async () => (await import('./rest/connector.ts')).createRestConnector,
};

/** The connector of a configured source. Rejects with `source-config`, and as `resolveSource` does. */
export async function createConnector(source: DataSource, context: ConnectorContext): Promise<Connector> {
  const kind = source.kind?.value;
  const factory = kind === undefined ? undefined : factories[kind];
  if (!factory) {
    throw new SourceError('source-config', unknownKindMessage(source.name.value, kind), {
      remedy: `Set kind to one of: ${Object.keys(factories).join(', ')}.`,
    });
  }
  return (await factory())(source, context);
}

function unknownKindMessage(name: string, kind: string | undefined): string {
  return kind === undefined
    ? `Data source ${name} has no kind.`
    : `Data sources of kind ${kind} cannot be reached by this version (data source ${name}).`;
}
