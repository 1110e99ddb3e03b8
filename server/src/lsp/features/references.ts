import type { Location, ReferenceParams } from 'vscode-languageserver/node';
import { readSourcesFile } from '../../project/open-project.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';
import { columnAt } from '../../lineage/trace.ts';
import { lineageOf } from '../../lineage/lineage.ts';
import { columnPlaces } from './column-places.ts';
import { type DataSourcePlaces, dataSourcePlaces } from './data-source-places.ts';
import { type NamedSource, nameIn, sourceNameAt } from './name-at-position.ts';

/** `textDocument/references` */
export function createReferences(
  server: LanguageServer,
  folders: () => readonly string[],
): RequestWork<ReferenceParams, Location[]> {
  return async (params, signal) => {
    const source = await sourceNameAt(server, params);
    if (source) return sourceReferences(source, params.context.includeDeclaration, signal);
    const found = await nameIn(server, params);
    if (!found) return columnReferences(params, signal);
    const { document, thing } = found;
    const { includeDeclaration } = params.context;
    return thing.places
      .filter(({ start }) => includeDeclaration || start !== thing.definition?.start)
      .map((range) => ({ uri: document.uri, range: document.lines.range(range) }));
  };

  /** Where the graphs of the same sources file name the column at the position. */
  async function columnReferences(
    { textDocument, position }: ReferenceParams,
    signal: AbortSignal,
  ): Promise<Location[]> {
    const document = server.documents.get(textDocument.uri);
    const sourcesFile = document?.kind === 'graph' ? server.contexts.sourceOf(document)?.sourcesFile : undefined;
    if (document?.kind !== 'graph' || !sourcesFile) return [];
    const lineage = lineageOf(document.parsed.graph, server.contexts.of(document).catalog);
    const column = columnAt(document.lines.offset(position), lineage);
    if (!column) return [];
    return locations(await columnPlaces(server, folders(), sourcesFile, column, signal));
  }

  /** Its definition in the sources file, and the graphs of the workspace that use it. */
  async function sourceReferences(
    { sourcesPath, name }: NamedSource,
    includeDeclaration: boolean,
    signal: AbortSignal,
  ): Promise<Location[]> {
    const file = await readSourcesFile(sourcesPath, server.project);
    const [own, ...graphs] = await dataSourcePlaces(server, folders(), file, name, signal);
    return locations([...(includeDeclaration ? [own] : []), ...graphs]);
  }
}

function locations(places: readonly DataSourcePlaces[]): Location[] {
  return places.flatMap(({ uri, lines, ranges }) => ranges.map((range) => ({ uri, range: lines.range(range) })));
}
