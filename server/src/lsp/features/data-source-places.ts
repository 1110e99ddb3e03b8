import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type LineIndex, createLineIndex } from '../../model/line-index.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { dataSourceNames } from '../../model/data-sources-used.ts';
import { listEntityFiles } from '../../project/list-entity-files.ts';
import { type GraphFile, type SourcesFile, findSources, readGraphFile } from '../../project/open-project.ts';
import type { LanguageServer } from '../language-server.ts';
import { parseInSlices } from '../../project/parse-in-slices.ts';

/** A reference to a data source. */
export interface DataSourcePlaces {
  readonly uri: string;
  /** Version of the open document; null for a file on disk. */
  readonly version: number | null;
  readonly text: string;
  readonly lines: LineIndex;
  readonly ranges: readonly SourceRange[];
}

/** The ranges in which a sources file defines a data source. */
export function placesInSources(
  server: Pick<LanguageServer, 'documents'>,
  { path, text, sources }: SourcesFile,
  name: string,
): DataSourcePlaces {
  const same = sources.sources.filter((source) => source.name.value === name);
  return placesIn(
    server,
    { path, text },
    same.map((source) => source.name.range),
  );
}

/**
 * All references to a data source: its definition, then the graphs of the workspace that use it, unsaved text first.
 * Graphs under a nearer sources file refer to another source.
 */
export async function dataSourcePlaces(
  server: Pick<LanguageServer, 'documents' | 'project'>,
  folders: readonly string[],
  sourcesFile: SourcesFile,
  name: string,
  signal?: AbortSignal,
): Promise<readonly [own: DataSourcePlaces, ...graphs: DataSourcePlaces[]]> {
  const graphs = await placesInGraphs(server, folders, sourcesFile, signal, (graph) =>
    dataSourceNames(graph).filter(({ value }) => value === name),
  );
  return [placesInSources(server, sourcesFile, name), ...graphs.map(({ places }) => places)];
}

/** What is found in the graphs of the workspace that a sources file applies to, unsaved text first. */
export async function placesInGraphs<Found extends { readonly range: SourceRange }>(
  { documents, project }: Pick<LanguageServer, 'documents' | 'project'>,
  folders: readonly string[],
  { path }: Pick<SourcesFile, 'path'>,
  signal: AbortSignal | undefined,
  find: (graph: EntityGraph) => readonly Found[],
): Promise<readonly { readonly places: DataSourcePlaces; readonly found: readonly Found[] }[]> {
  const graphs: { places: DataSourcePlaces; found: readonly Found[] }[] = [];
  // A sources file outside of workspace folders applies to the graphs beside and below it.
  const searched = project.workspaceFolderOf?.(path) === undefined ? [...folders, dirname(path)] : folders;
  const files = await Promise.all(searched.map((folder) => listEntityFiles(folder).catch(() => [])));
  const open = documents.files().flatMap(({ kind, path: itsPath }) => (kind === 'graph' ? (itsPath ?? []) : []));
  for (const file of new Set([...files.flat(), ...open])) {
    signal?.throwIfAborted();
    const graph = await readGraphFile(file, project).catch(() => undefined);
    const found = graph ? find((await parseInSlices(graph.text)).graph) : [];
    if (!graph || found.length === 0) continue;
    const itsFile = await findSources(file, project).catch(() => undefined);
    const ranges = found.map(({ range }) => range);
    if (itsFile?.path === path) graphs.push({ places: placesIn({ documents }, graph, ranges), found });
  }
  return graphs;
}

function placesIn(
  { documents }: Pick<LanguageServer, 'documents'>,
  { path, text }: GraphFile,
  ranges: readonly SourceRange[],
): DataSourcePlaces {
  const open = documents.files().find((file) => file.path === path);
  const uri = open?.uri ?? pathToFileURL(path).href;
  return { uri, version: open?.version ?? null, text, lines: createLineIndex(text), ranges };
}
