import type { DefinitionParams, Location, Range } from 'vscode-languageserver/node';
import { createLineIndex } from '../../model/line-index.ts';
import { readSourcesFile } from '../../project/open-project.ts';
import { type OpenTests, openGraph } from '../documents/open-documents.ts';
import { uriOfPath } from '../file-uri.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';
import { placesInSources } from './data-source-places.ts';
import { type NamedSource, nameIn, sourceNameAt } from './name-at-position.ts';

const startOfFile: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** `textDocument/definition` */
export function createDefinition(server: LanguageServer): RequestWork<DefinitionParams, Location | null> {
  return async (params) => {
    const document = server.documents.get(params.textDocument.uri);
    if (document?.kind === 'tests') return testedLocation(document, params);
    const source = await sourceNameAt(server, params);
    if (source) return sourceLocation(source);
    const found = await nameIn(server, params);
    if (!found) return null;
    const { document: graph, thing } = found;
    return thing.definition ? { uri: graph.uri, range: graph.lines.range(thing.definition) } : null;
  };

  /** The graph under test, or what a name means there, with unsaved changes. */
  async function testedLocation(document: OpenTests, { position }: DefinitionParams): Promise<Location | null> {
    const { definitionInGraph, placeInTests } = await import('../../graph-tests/name-in-tests.ts');
    const place = placeInTests(document.parsed, document.lines.offset(position));
    const { project } = await server.tests.of(document);
    if (!place?.role || !project) return null;
    const uri = uriOfPath(project.file.path);
    if (place.role === 'graph') return { uri, range: startOfFile };
    const open = openGraph(server.documents, uri);
    const range = definitionInGraph((open?.parsed ?? project.parsed).graph, place);
    return range ? { uri, range: (open?.lines ?? createLineIndex(project.file.text)).range(range) } : null;
  }

  async function sourceLocation({ sourcesPath, name }: NamedSource): Promise<Location | null> {
    const own = placesInSources(server, await readSourcesFile(sourcesPath, server.project), name);
    const [first] = own.ranges;
    return first ? { uri: own.uri, range: own.lines.range(first) } : null;
  }
}
