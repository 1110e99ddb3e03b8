import type { Connector } from '../connectors/connector.ts';
import { SourceError } from '../connectors/source-error.ts';

/** With this environment variable set to 1 nothing is written in a data source: no graph, no record. */
const variable = 'ENTITY_GRAPH_SOURCES_READ_ONLY';

/** Whether graphs may be built and dropped in data sources, and records be written there. */
export function writesInSources({
  environment,
}: {
  readonly environment: Readonly<Record<string, string | undefined>>;
}): boolean {
  return environment[variable] !== '1';
}

export function writeNotAllowed(dataSource: string): SourceError {
  return new SourceError('not-allowed', `${dataSource} may not be written to: ${variable} is set.`, {
    remedy:
      'A person allows it, by a command without this variable or by entity-graph mcp --allow reach,write. A graph without engine: source is built on this machine.',
  });
}

/** A connector that reads, and shows what a build would do, but neither builds nor drops graphs in the source. */
export function withoutWrites(connector: Connector, dataSource: string): Connector {
  const { openBuild, dropGraphs } = connector;
  const refuse = async (): Promise<never> => {
    throw writeNotAllowed(dataSource);
  };
  return {
    ...connector,
    ...(openBuild && { openBuild: (options) => (options.readOnly === true ? openBuild(options) : refuse()) }),
    ...(dropGraphs && { dropGraphs: refuse }),
  };
}
