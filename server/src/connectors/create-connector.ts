import type { CatalogOrigin } from '../catalog/catalog.ts';
import type { DataSource } from '../model/data-sources.ts';
import { nearestNames } from '../model/nearest-name.ts';
import type { ConnectorContext } from './connector-context.ts';
import type { Connector, KindConnector } from './connector.ts';
import { SourceError, errorOfSource } from './source-error.ts';
import type { SourceKind } from './source-kind.ts';
import { sourceKind, sourceKinds } from './source-kinds.ts';

/** The connector of a configured source. Rejects with `source-config`, and like `resolveSource`. */
export async function createConnector(source: DataSource, context: ConnectorContext): Promise<Connector> {
  const name = source.kind?.value;
  const kind = sourceKind(name);
  if (!kind) {
    const names = sourceKinds().map((each) => each.name);
    throw new SourceError('source-config', unknownKindMessage(source.name.value, name), {
      remedy: `Set kind to one of: ${names.join(', ')}.`,
    });
  }
  const unknown = unknownSetting(source, kind);
  if (unknown) throw unknown;
  const create = await kind.connector();
  return connectorOfKind(kind, source.name.value, await create(source, withGreetings(context)));
}

/** Names of settings, and patterns of further ones. */
interface SettingNames {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly patternProperties?: Readonly<Record<string, unknown>>;
}

/** A misspelt setting would otherwise have no effect, without a word. */
function unknownSetting({ name, settings }: DataSource, kind: SourceKind): SourceError | undefined {
  const { properties, patternProperties = {} } = kind.settingsSchema[kind.name] as SettingNames;
  const known = Object.keys(properties);
  const patterns = Object.keys(patternProperties).map((pattern) => new RegExp(pattern, 'u'));
  const unknown = Object.keys(settings).find(
    (setting) => !known.includes(setting) && !patterns.some((pattern) => pattern.test(setting)),
  );
  if (unknown === undefined) return undefined;
  const nearest = nearestNames(unknown, known);
  return errorOfSource(name.value, 'source-config', `${unknown} is not a setting of kind ${kind.name}.`, {
    remedy: nearest.length > 0 ? `Did you mean ${nearest.join(' or ')}?` : `Its settings are: ${known.join(', ')}.`,
  });
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
    : `Data sources of kind ${kind} cannot be reached by this version (data source ${name}).`;
}
