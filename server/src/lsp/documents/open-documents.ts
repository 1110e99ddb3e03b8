import { type Connection, TextDocuments } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type EntryCache, createEntryCache } from '../../language/checks/entry-cache.ts';
import type { GraphTests } from '../../graph-tests/graph-tests.ts';
import { parseGraphTests } from '../../graph-tests/parse-graph-tests.ts';
import { type GraphParser, createGraphParser, maxWhileTyping } from '../../model/graph-parser.ts';
import { type LineIndex, createLineIndex } from '../../model/line-index.ts';
import { type ParsedDataSources, parseDataSources } from '../../model/parse-data-sources.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import { tooLargeCode } from '../../model/yaml-text.ts';
import { sourcesFileNames } from '../../project/find-sources.ts';
import { isEntityFile, isTestFile } from '../../project/list-entity-files.ts';
import { createChangeLog } from './change-log.ts';
import { type ProblemsPriority, createProblemsPriority } from './problems-priority.ts';
import { fileNameOfUri, pathOfUri } from '../file-uri.ts';
import { createSlicedParsing } from './sliced-parsing.ts';

/** An open document of our languages, parsed or not. */
interface OpenFile {
  readonly kind: 'graph' | 'sources' | 'tests';
  readonly uri: string;
  /** Absent for an unsaved document. */
  readonly path?: string | undefined;
  readonly version: number;
  readonly text: string;
}

interface DocumentBase extends OpenFile {
  /** Its first version. */
  readonly isNew: boolean;
  /** Time of arrival by `performance.now()`. */
  readonly cameAt: number;
  readonly lines: LineIndex;
}

export interface OpenGraph extends DocumentBase {
  readonly kind: 'graph';
  /** Valid until the next version is parsed: unchanged entries are moved, not parsed again. */
  readonly parsed: ParsedEntityGraph;
  /** Cached results of unchanged entries. */
  readonly memo: EntryCache;
}

export interface OpenSources extends DocumentBase {
  readonly kind: 'sources';
  readonly parsed: ParsedDataSources;
}

/** Tests with given rows. */
export interface OpenTests extends DocumentBase {
  readonly kind: 'tests';
  readonly parsed: GraphTests;
}

export type OpenDocument = OpenGraph | OpenSources | OpenTests;

/**
 * The open documents of our languages, each version parsed once. A large one is parsed in time slices; until then it is
 * not available.
 */
export interface OpenDocuments {
  /** Also undefined while it is being parsed. */
  get(uri: string): OpenDocument | undefined;
  /** All parsed documents of our languages. */
  all(): readonly OpenDocument[];
  /** All open documents of our languages. */
  files(): readonly OpenFile[];
  /** The text of an open document by path. */
  textOf(path: string): string | undefined;
  /** An open graph by path, once parsed; undefined if a part of it is too large to be parsed while typing. */
  graphAt(path: string): Promise<OpenGraph | undefined>;
  isOpen(uri: string): boolean;
  isBeingRead(uri: string): boolean;
  /** The latest version once parsed; undefined when the document was closed. */
  whenRead(uri: string): Promise<OpenDocument | undefined>;
  /** Lets other answers wait for the problems after a keystroke. */
  readonly problemsPriority: ProblemsPriority;
  /** Called after a document was opened or changed, and parsed. */
  onChanged(listener: (document: OpenDocument) => void): void;
  onClosed(listener: (uri: string, kind: OpenDocument['kind']) => void): void;
}

/** The open entity graph with this URI; undefined when it is not open, not parsed, or something else. */
export function openGraph(documents: Pick<OpenDocuments, 'get'>, uri: string): OpenGraph | undefined {
  const document = documents.get(uri);
  return document?.kind === 'graph' ? document : undefined;
}

/** Tracks the client's documents with incremental changes. */
// eslint-disable-next-line max-lines-per-function -- Documents, their parsers and what is announced of them change together with each text.
export function createOpenDocuments(connection: Connection, log: (message: string) => void): OpenDocuments {
  const changes = createChangeLog();
  const documents = new TextDocuments(changes.documents);
  const read = new Map<string, OpenDocument>();
  /** Documents that have been announced. */
  const told = new Set<string>();
  const parsers = new Map<string, { readonly parser: GraphParser; readonly memo: EntryCache }>();
  const listeners: ((document: OpenDocument) => void)[] = [];
  const readings = createSlicedParsing((uri) => tellChanged(uri), log);

  function readDocument(document: TextDocument): OpenDocument | undefined {
    const { uri, version } = document;
    if (readings.isRunning(uri)) return undefined;
    const known = read.get(uri);
    if (known?.version === version) return known;
    const file = fileOf(document);
    if (!file) return undefined;
    // Applying a change is part of the latency.
    const cameAt = changes.cameAt(uri) ?? performance.now();
    const { text } = file;
    // Only the part that changed since the parsed version is parsed again.
    const change = known && changes.since(known.version, document);
    const lines = createLineIndex(text, known && change && { index: known.lines, change });
    const base = { ...file, isNew: !told.has(uri), cameAt, lines };
    if (base.kind === 'sources') return keep({ ...base, kind: 'sources', parsed: parseDataSources(text) });
    if (base.kind === 'tests') return keep({ ...base, kind: 'tests', parsed: parseGraphTests(text) });
    const { parser, memo } = parsers.get(uri) ?? {
      parser: createGraphParser(maxWhileTyping),
      memo: createEntryCache(),
    };
    parsers.set(uri, { parser, memo });
    readings.read(uri, parser.reading(text, change), text.length, (parsed) =>
      keep({ ...base, kind: 'graph', parsed, memo }),
    );
    // It may have been parsed synchronously.
    const now = read.get(uri);
    return now?.version === version ? now : undefined;
  }

  function keep(document: OpenDocument): OpenDocument {
    read.set(document.uri, document);
    return document;
  }

  const get = (uri: string): OpenDocument | undefined => {
    const document = documents.get(uri);
    return document && readDocument(document);
  };

  /** A document being parsed is announced when it is ready. */
  function tellChanged(uri: string): void {
    const changed = get(uri);
    if (!changed) return;
    told.add(uri);
    for (const listener of listeners) listener(changed);
  }

  async function whenRead(uri: string): Promise<OpenDocument | undefined> {
    for (;;) {
      const document = get(uri);
      if (document || !readings.isRunning(uri)) return document;
      await readings.ended(uri);
    }
  }

  const files = (): readonly OpenFile[] => documents.all().flatMap((document) => fileOf(document) ?? []);
  documents.onDidChangeContent(({ document }) => tellChanged(document.uri));
  documents.listen(connection);
  return {
    get,
    all: () => documents.all().flatMap((document) => readDocument(document) ?? []),
    files,
    textOf: (path) => files().find((file) => file.path === path)?.text,
    async graphAt(path) {
      const file = files().find((each) => each.path === path);
      const document = file && (await whenRead(file.uri));
      if (document?.kind !== 'graph') return undefined;
      return document.parsed.problems.some(({ code }) => code === tooLargeCode) ? undefined : document;
    },
    isOpen: (uri) => documents.get(uri) !== undefined,
    isBeingRead: (uri) => readings.isRunning(uri),
    whenRead,
    problemsPriority: createProblemsPriority(),
    onChanged: (listener) => void listeners.push(listener),
    onClosed(listener) {
      documents.onDidClose(({ document }) => {
        read.delete(document.uri);
        told.delete(document.uri);
        readings.forget(document.uri);
        changes.forget(document.uri);
        parsers.delete(document.uri);
        const kind = kindOf(document);
        if (kind) listener(document.uri, kind);
      });
    },
  };
}

function fileOf(document: TextDocument): OpenFile | undefined {
  const kind = kindOf(document);
  if (kind === undefined) return undefined;
  const { uri, version } = document;
  return { kind, uri, version, text: document.getText(), path: pathOfUri(uri) };
}

/** Editors may use the language id YAML or JSON: then the file name decides. */
function kindOf({ languageId, uri }: TextDocument): OpenDocument['kind'] | undefined {
  if (languageId === 'entity-graph') return 'graph';
  if (languageId === 'entity-sources') return 'sources';
  if (languageId === 'entity-tests') return 'tests';
  const name = fileNameOfUri(uri);
  if ((sourcesFileNames as readonly string[]).includes(name)) return 'sources';
  if (isTestFile(name)) return 'tests';
  return isEntityFile(name) ? 'graph' : undefined;
}
