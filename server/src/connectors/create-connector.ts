import type { CatalogOrigin } from '../catalog/catalog.ts';
import type { DataSource } from '../model/data-sources.ts';
import { nearestNames } from '../model/nearest-name.ts';
import type { ConnectorContext } from './connector-context.ts';
import type { Connector, KindConnector } from './connector.ts';
import { SourceError } from './source-error.ts';
import type { SourceKind } from './source-kind.ts';
import { sourceKind, sourceKinds } from './source-kinds.ts';
import { unknownSetting } from './unknown-setting.ts';

/** The connector of a configured source. Rejects with `source-config`, and like `resolveSource`. */
export async function createConnector(source: DataSource, context: ConnectorContext): Promise<Connector> {
  const name = source.kind?.value;
  const kind = sourceKind(name);
  if (!kind) {
    const names = sourceKinds().map((each) => each.name);
    // A value that is like no kind may be a secret at the wrong place.
    const shown = name === undefined || nearestNames(name, names).length > 0 ? name && `kind ${name}` : 'another kind';
    throw new SourceError('source-config', unknownKindMessage(source.name.value, shown), {
      remedy: `Set kind to one of: ${names.join(', ')}.`,
    });
  }
  const unknown = unknownSetting(source, kind);
  if (unknown) throw unknown;
  const create = await kind.connector();
  return connectorOfKind(kind, source.name.value, await create(source, withGreetings(context)));
}

/** Adds how the database servers of all kinds are recognised. */
export function withGreetings(context: ConnectorContext): ConnectorContext {
  return { ...context, greetings: sourceKinds().flatMap(({ greeting }) => greeting ?? []) };
}

/** Adds the properties of the kind to its connector: dialect, row order and whether records are fetched. */
export function connectorOfKind(
  { name: kind, dialect, capabilities: { hasRowOrder, isFetched } }: SourceKind,
  dataSource: string,
  connector: KindConnector,
): Connector {
  const origin: CatalogOrigin = {
    dataSource,
    kind,
    dialect,
    ...(hasRowOrder && { hasRowOrder }),
    ...(isFetched && { isFetched }),
    ...(connector.timeZone !== 'UTC' && { timeZone: connector.timeZone }),
  };
  return {
    ...connector,
    kind,
    dialect,
    hasRowOrder,
    describe: async (options) => ({ ...(await connector.describe(options)), ...origin }),
  };
}

function unknownKindMessage(name: string, kind: string | undefined): string {
  return kind === undefined
    ? `Data source ${name} has no kind.`
    : `Data source ${name} is of ${kind}, which this version cannot reach.`;
}
