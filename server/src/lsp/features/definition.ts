import type { DefinitionParams, Location } from 'vscode-languageserver/node';
import { readSourcesFile } from '../../project/open-project.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';
import { placesInSources } from './data-source-places.ts';
import { type NamedSource, nameIn, sourceNameAt } from './name-at-position.ts';

/** `textDocument/definition` */
export function createDefinition(server: LanguageServer): RequestWork<DefinitionParams, Location | null> {
  return async (params) => {
    const source = await sourceNameAt(server, params);
    if (source) return sourceLocation(source);
    const found = await nameIn(server, params);
    if (!found) return null;
    const { document, thing } = found;
    return thing.definition ? { uri: document.uri, range: document.lines.range(thing.definition) } : null;
  };

  async function sourceLocation({ sourcesPath, name }: NamedSource): Promise<Location | null> {
    const own = placesInSources(server, await readSourcesFile(sourcesPath, server.project), name);
    const [first] = own.ranges;
    return first ? { uri: own.uri, range: own.lines.range(first) } : null;
  }
}
