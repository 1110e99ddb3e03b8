import type { Location, ReferenceParams } from 'vscode-languageserver/node';
import { readSourcesFile } from '../../project/open-project.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';
import { dataSourcePlaces } from './data-source-places.ts';
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
    if (!found) return [];
    const { document, thing } = found;
    const { includeDeclaration } = params.context;
    return thing.places
      .filter(({ start }) => includeDeclaration || start !== thing.definition?.start)
      .map((range) => ({ uri: document.uri, range: document.lines.range(range) }));
  };

  /** Its place in the sources file, and the graphs of the open folders that read it. */
  async function sourceReferences(
    { sourcesPath, name }: NamedSource,
    includeDeclaration: boolean,
    signal: AbortSignal,
  ): Promise<Location[]> {
    const file = await readSourcesFile(sourcesPath, server.project);
    const [own, ...graphs] = await dataSourcePlaces(server, folders(), file, name, signal);
    return [...(includeDeclaration ? [own] : []), ...graphs].flatMap(({ uri, lines, ranges }) =>
      ranges.map((range) => ({ uri, range: lines.range(range) })),
    );
  }
}
