import type { Connector } from '../connectors/connector.ts';
import { sourceKind } from '../connectors/source-kinds.ts';
import { SourceError } from '../connectors/source-error.ts';

/** With this environment variable set to 1 no data source is contacted and none of its files is opened. */
const variable = 'ENTITY_GRAPH_OFFLINE';

/** Whether data sources may be contacted. */
export function reachesSources({
  environment,
}: {
  readonly environment: Readonly<Record<string, string | undefined>>;
}): boolean {
  return environment[variable] !== '1';
}

/** @param what a data source, or a file of data sources */
export function notAllowed(what: string): SourceError {
  return new SourceError('not-allowed', `${what} may not be read: ${variable} is set.`, {
    remedy: 'Without it, or with entity-graph mcp --allow reach, data sources are read.',
  });
}

/** A connector that knows the cached catalog and prints statements, but reads nothing. */
export function withoutReach(connector: Connector, dataSource: string): Connector {
  const isAtHand = sourceKind(connector.kind)?.capabilities.isAtHand === true;
  const refuse = async (): Promise<never> => {
    throw notAllowed(dataSource);
  };
  return {
    kind: connector.kind,
    dialect: connector.dialect,
    timeZone: connector.timeZone,
    hasRowOrder: connector.hasRowOrder,
    address: connector.address,
    describe: async ({ known }) => known ?? refuse(),
    preview: refuse,
    // For an import, the requests of some sources depend on their answers; the SQL of files depends on their first rows.
    steps: async (query, purpose, options) =>
      purpose.kind === 'preview' && !isAtHand ? connector.steps(query, purpose, options) : refuse(),
    openPull: refuse,
    ...(connector.openGivenPull && { openGivenPull: refuse }),
    ...(connector.openBuild && { openBuild: refuse }),
    ...(connector.graphPath && { graphPath: (graph) => connector.graphPath?.(graph) ?? [] }),
    ...(connector.openGraph && { openGraph: refuse }),
    ...(connector.dropGraphs && { dropGraphs: refuse }),
    ...(connector.proposeGraph && { proposeGraph: refuse }),
    ...(connector.diagnose && { diagnose: refuse }),
    ...(connector.checkQueries && { checkQueries: refuse }),
    close: () => connector.close(),
  };
}
