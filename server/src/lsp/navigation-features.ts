import { pathToFileURL } from 'node:url';
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
import type { NamedThing } from '../language/names.ts';
import { type LineIndex, createLineIndex } from '../model/line-index.ts';
import type { Located } from '../model/source-range.ts';
import { toWorkspaceEdit } from './editing-features.ts';
import type { LanguageServer } from './language-server.ts';
import type { OpenGraph } from './open-documents.ts';
import type { RequestWork } from './request-guard.ts';

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
    const { nameAt } = await import('../language/names.ts');
    const document = documents.get(textDocument.uri);
    if (document?.kind !== 'graph') return undefined;
    const thing = nameAt(document.parsed.graph, document.lines.offset(position));
    return thing && { document, thing };
  }

  return {
    async definition(params) {
      const found = await named(params);
      if (!found) return null;
      const { document, thing } = found;
      if (thing.definition) return { uri: document.uri, range: document.lines.range(thing.definition) };
      return thing.kind === 'dataSource' ? sourceLocation(document) : null;
    },
    async references(params) {
      const found = await named(params);
      if (!found) return [];
      const { document, thing } = found;
      const { includeDeclaration } = params.context;
      return thing.places
        .filter(({ start }) => includeDeclaration || start !== thing.definition?.start)
        .map((range) => ({ uri: document.uri, range: document.lines.range(range) }));
    },
    async highlights(params) {
      const found = await named(params);
      return found ? found.thing.places.map((range) => ({ range: found.document.lines.range(range) })) : [];
    },
    async prepareRename(params) {
      const source = await sourceName(params);
      if (source) return source.here;
      const found = await named(params);
      if (found?.thing.kind !== 'activity') return null;
      return { range: found.document.lines.range(found.thing.range), placeholder: found.thing.name };
    },
    async rename(params) {
      const { renameActivity } = await import('../language/names.ts');
      const source = await sourceName(params);
      if (source) {
        const { renameDataSource } = await import('./rename-data-source.ts');
        const renamed = await renameDataSource(server, folders(), source.sourcesFile, source.name, params.newName);
        return 'refusal' in renamed ? refusal(renamed.refusal) : renamed.edit;
      }
      const found = await named(params);
      if (!found) return refusal('There is no name of an activity here.');
      const { document, thing } = found;
      const result = renameActivity(document.parsed.graph, document.text, thing, params.newName);
      return 'refusal' in result ? refusal(result.refusal) : toWorkspaceEdit(document, result.edits);
    },
  };

  /** The data source that is named at a position: in its file, or in a graph that reads it. */
  async function sourceName({ textDocument, position }: PrepareRenameParams): Promise<NamedSource | undefined> {
    const document = documents.get(textDocument.uri);
    if (!document) return undefined;
    const offset = document.lines.offset(position);
    if (document.kind === 'sources') {
      const { path, parsed, lines } = document;
      const source = parsed.sources.sources.find(({ name: { range } }) => range.start <= offset && offset <= range.end);
      if (!source || path === undefined) return undefined;
      return { ...nameOf(source.name, lines), sourcesFile: path };
    }
    const { dataSource } = document.parsed.graph;
    const found = contexts.sourceOf(document);
    if (!dataSource || !found || offset < dataSource.range.start || offset > dataSource.range.end) return undefined;
    return { ...nameOf(dataSource, document.lines), sourcesFile: found.sourcesFile.path };
  }

  /** The sources file may have changed since it was read; it is then read again, and asked for again. */
  function sourceLocation(document: OpenGraph): Location | null {
    const found = contexts.sourceOf(document);
    if (!found) return null;
    const { path, text } = found.sourcesFile;
    return { uri: pathToFileURL(path).href, range: createLineIndex(text).range(found.source.name.range) };
  }
}

interface NamedSource {
  readonly name: string;
  readonly here: PrepareRenameResult;
  readonly sourcesFile: string;
}

function nameOf({ value, range }: Located<string>, lines: LineIndex): Omit<NamedSource, 'sourcesFile'> {
  return { name: value, here: { range: lines.range(range), placeholder: value } };
}

interface Named {
  readonly document: OpenGraph;
  readonly thing: NamedThing;
}

function refusal(message: string): ResponseError<void> {
  return new ResponseError<void>(LSPErrorCodes.RequestFailed, message);
}
