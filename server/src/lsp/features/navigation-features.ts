import {
  type DefinitionParams,
  type DocumentHighlight,
  type DocumentHighlightParams,
  LSPErrorCodes,
  type Location,
  type PrepareRenameParams,
  type PrepareRenameResult,
  type ReferenceParams,
  type RenameParams,
  ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { NamedThing } from '../../language/names.ts';
import type { Located } from '../../model/source-range.ts';
import { readSourcesFile } from '../../project/open-project.ts';
import { dataSourcePlaces, placesInSources } from './data-source-places.ts';
import { toWorkspaceEdit } from './editing-features.ts';
import type { LanguageServer } from '../language-server.ts';
import type { OpenDocument, OpenGraph } from '../documents/open-documents.ts';
import type { RequestWork } from '../request-guard.ts';

/** From names to where they get their meaning and where they are used, and other names for them. */
export interface NavigationFeatures {
  readonly definition: RequestWork<DefinitionParams, Location | null>;
  readonly references: RequestWork<ReferenceParams, Location[]>;
  readonly highlights: RequestWork<DocumentHighlightParams, DocumentHighlight[]>;
  readonly prepareRename: RequestWork<PrepareRenameParams, PrepareRenameResult | null>;
  readonly rename: RequestWork<RenameParams, WorkspaceEdit | ResponseError<void>>;
}

export function createNavigationFeatures(server: LanguageServer, folders: () => readonly string[]): NavigationFeatures {
  const { documents, contexts } = server;

  async function named({ textDocument, position }: DefinitionParams): Promise<Named | undefined> {
    const { nameAt } = await import('../../language/names.ts');
    const document = documents.get(textDocument.uri);
    if (document?.kind !== 'graph') return undefined;
    const thing = nameAt(document.parsed.graph, document.lines.offset(position));
    return thing && { document, thing };
  }

  return {
    async definition(params) {
      const source = await sourceName(params);
      if (source) return sourceLocation(source);
      const found = await named(params);
      if (!found) return null;
      const { document, thing } = found;
      return thing.definition ? { uri: document.uri, range: document.lines.range(thing.definition) } : null;
    },
    async references(params, signal) {
      const source = await sourceName(params);
      if (source) return sourceReferences(source, params.context.includeDeclaration, signal);
      const found = await named(params);
      if (!found) return [];
      const { document, thing } = found;
      const { includeDeclaration } = params.context;
      return thing.places
        .filter(({ start }) => includeDeclaration || start !== thing.definition?.start)
        .map((range) => ({ uri: document.uri, range: document.lines.range(range) }));
    },
    async highlights(params) {
      const document = documents.get(params.textDocument.uri);
      if (document?.kind === 'sources') {
        const source = await sourceName(params);
        return source ? [{ range: source.range }] : [];
      }
      const found = await named(params);
      return found ? found.thing.places.map((range) => ({ range: found.document.lines.range(range) })) : [];
    },
    async prepareRename(params) {
      const source = await sourceName(params);
      if (source) return { range: source.range, placeholder: source.name };
      const found = await named(params);
      if (found?.thing.kind !== 'activity' && found?.thing.kind !== 'entityType') return null;
      return { range: found.document.lines.range(found.thing.range), placeholder: found.thing.name };
    },
    async rename(params) {
      const { renameActivity } = await import('../../language/names.ts');
      const source = await sourceName(params);
      if (source) {
        const { renameDataSource } = await import('./rename-data-source.ts');
        const renamed = await renameDataSource(server, folders(), source.sourcesPath, source.name, params.newName);
        return 'refusal' in renamed ? refusal(renamed.refusal) : renamed.edit;
      }
      const found = await named(params);
      if (!found) return refusal('There is no name here that can be changed.');
      const { document, thing } = found;
      const result = renameActivity(document.parsed, thing, params.newName);
      return 'refusal' in result ? refusal(result.refusal) : toWorkspaceEdit(document, result.edits);
    },
  };

  /** The data source that is named at a position: in its file, or in a graph that reads it. */
  async function sourceName({ textDocument, position }: PrepareRenameParams): Promise<NamedSource | undefined> {
    const document = documents.get(textDocument.uri);
    if (document?.path === undefined) return undefined;
    const offset = document.lines.offset(position);
    const isHere = ({ range }: Located<string>): boolean => range.start <= offset && offset <= range.end;
    if (document.kind === 'sources') {
      const source = document.parsed.sources.sources.find(({ name }) => isHere(name));
      return source && namedSource(source.name, document.path, document);
    }
    // The text may be newer once the sources file has been found.
    await contexts.searched(document);
    const newest = documents.get(textDocument.uri);
    if (newest?.kind !== 'graph') return undefined;
    const { dataSource } = newest.parsed.graph;
    const found = contexts.sourceOf(newest);
    return dataSource && found && isHere(dataSource)
      ? namedSource(dataSource, found.sourcesFile.path, newest)
      : undefined;
  }

  async function sourceLocation({ sourcesPath, name }: NamedSource): Promise<Location | null> {
    const own = placesInSources(server, await readSourcesFile(sourcesPath, server.project), name);
    const [first] = own.ranges;
    return first ? { uri: own.uri, range: own.lines.range(first) } : null;
  }

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

/** A data source as it is named at the cursor. */
interface NamedSource {
  readonly name: string;
  readonly range: Location['range'];
  readonly sourcesPath: string;
}

function namedSource({ value, range }: Located<string>, sourcesPath: string, { lines }: OpenDocument): NamedSource {
  return { name: value, range: lines.range(range), sourcesPath };
}

interface Named {
  readonly document: OpenGraph;
  readonly thing: NamedThing;
}

function refusal(message: string): ResponseError<void> {
  return new ResponseError<void>(LSPErrorCodes.RequestFailed, message);
}
