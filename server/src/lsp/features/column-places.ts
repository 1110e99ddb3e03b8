import type { SourcesFile } from '../../project/open-project.ts';
import { catalogKey } from '../../project/catalog-freshness.ts';
import { combineCatalogs } from '../../project/combine-catalogs.ts';
import { lineageOf } from '../../lineage/lineage.ts';
import type { ColumnName, Output } from '../../lineage/output.ts';
import { outputsOf, placesOf } from '../../lineage/trace.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import type { LanguageServer } from '../language-server.ts';
import { type DataSourcePlaces, placesInGraphs } from './data-source-places.ts';

type Server = Pick<LanguageServer, 'documents' | 'project' | 'catalogs'>;

/** Where the graphs of a sources file name a column, or have it as one of all. */
export async function columnPlaces(
  server: Server,
  folders: readonly string[],
  sourcesFile: SourcesFile,
  column: ColumnName,
  signal?: AbortSignal,
): Promise<readonly DataSourcePlaces[]> {
  const found = await placesInGraphs(server, folders, sourcesFile, signal, (graph) =>
    placesOf(column, lineageIn(graph, sourcesFile, server)),
  );
  return found.map(({ places }) => places);
}

/** What a column feeds in the graphs of a sources file. */
export function columnOutputs(
  server: Server,
  folders: readonly string[],
  sourcesFile: SourcesFile,
  column: ColumnName,
  signal?: AbortSignal,
): Promise<readonly { readonly places: DataSourcePlaces; readonly found: readonly Output[] }[]> {
  return placesInGraphs(server, folders, sourcesFile, signal, (graph) =>
    outputsOf(column, lineageIn(graph, sourcesFile, server)),
  );
}

/** By the catalogs in memory. */
function lineageIn(graph: EntityGraph, sourcesFile: SourcesFile, { catalogs }: Server): readonly Output[] {
  const known = combineCatalogs(
    graph,
    sourcesFile.sources,
    (source) => catalogs.known(catalogKey(sourcesFile, source)).catalog,
  );
  return lineageOf(graph, known);
}
