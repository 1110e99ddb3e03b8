import { type Connection, TextDocuments } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type EntryMemo, createEntryMemo } from '../language/checks/entry-memo.ts';
import { type GraphParser, createGraphParser } from '../model/graph-parser.ts';
import { type LineIndex, createLineIndex } from '../model/line-index.ts';
import type { TextChange } from '../model/text-change.ts';
import { type ParsedDataSources, parseDataSources } from '../model/parse-data-sources.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';
import { sourcesFileNames } from '../project/find-sources.ts';
import { createChangeLog } from './change-log.ts';
import { fileNameOfUri, pathOfUri } from './file-uri.ts';

interface DocumentBase {
  readonly uri: string;
  /** Absent for a document that is not on disk. */
  readonly path?: string;
  readonly version: number;
  readonly text: string;
  /** No version of it was read before. */
  readonly isNew: boolean;
  /** When it came, in milliseconds of `performance.now()`. */
  readonly cameAt: number;
  readonly lines: LineIndex;
}

export interface OpenGraph extends DocumentBase {
  readonly kind: 'graph';
  /** To be used before the next version of the document is read: entries that stay are moved, not read again. */
  readonly parsed: ParsedEntityGraph;
  /** What was found in entries that have not changed since. */
  readonly memo: EntryMemo;
}

export interface OpenSources extends DocumentBase {
  readonly kind: 'sources';
  readonly parsed: ParsedDataSources;
}

export type OpenDocument = OpenGraph | OpenSources;

/** The documents of the editor that are ours, each version parsed once. */
export interface OpenDocuments {
  get(uri: string): OpenDocument | undefined;
  /** All open documents that are ours. */
  all(): readonly OpenDocument[];
  /** The text of an open document by its path. */
  textOf(path: string): string | undefined;
  /** After a document was opened or changed. */
  onChanged(listener: (document: OpenDocument) => void): void;
  onClosed(listener: (uri: string, kind: OpenDocument['kind']) => void): void;
}

/** Follows the editor's documents; text arrives as increments. */
export function createOpenDocuments(connection: Connection): OpenDocuments {
  const changes = createChangeLog();
  const documents = new TextDocuments(changes.documents);
  const read = new Map<string, OpenDocument>();
  const parsers = new Map<string, { readonly parser: GraphParser; readonly memo: EntryMemo }>();

  function parseGraph(uri: string, text: string, change: TextChange | undefined): Pick<OpenGraph, 'parsed' | 'memo'> {
    const kept = parsers.get(uri) ?? { parser: createGraphParser(), memo: createEntryMemo() };
    parsers.set(uri, kept);
    return { parsed: kept.parser.parse(text, change), memo: kept.memo };
  }

  function readDocument(document: TextDocument): OpenDocument | undefined {
    const known = read.get(document.uri);
    if (known?.version === document.version) return known;
    const kind = kindOf(document);
    if (kind === undefined) return undefined;
    // Taking a change over is part of what its author waits for.
    const cameAt = changes.cameAt(document.uri) ?? performance.now();
    const text = document.getText();
    const path = pathOfUri(document.uri);
    // What changed since a version that was read tells what need not be read again.
    const change = known && changes.since(known.version, document);
    const base = {
      uri: document.uri,
      version: document.version,
      text,
      isNew: !known,
      cameAt,
      lines: createLineIndex(text, known && change && { index: known.lines, change }),
      ...(path === undefined ? {} : { path }),
    };
    const parsed: OpenDocument =
      kind === 'graph'
        ? { ...base, kind, ...parseGraph(document.uri, text, change) }
        : { ...base, kind, parsed: parseDataSources(text) };
    read.set(document.uri, parsed);
    return parsed;
  }

  const all = (): readonly OpenDocument[] => documents.all().flatMap((document) => readDocument(document) ?? []);
  documents.listen(connection);
  return {
    get(uri) {
      const document = documents.get(uri);
      return document && readDocument(document);
    },
    all,
    textOf: (path) => all().find((document) => document.path === path)?.text,
    onChanged(listener) {
      documents.onDidChangeContent(({ document }) => {
        const changed = readDocument(document);
        if (changed) listener(changed);
      });
    },
    onClosed(listener) {
      documents.onDidClose(({ document }) => {
        read.delete(document.uri);
        changes.forget(document.uri);
        parsers.delete(document.uri);
        const kind = kindOf(document);
        if (kind) listener(document.uri, kind);
      });
    },
  };
}

/** Other editors may call our files plain YAML or JSON: then the file name decides. */
function kindOf({ languageId, uri }: TextDocument): OpenDocument['kind'] | undefined {
  if (languageId === 'entity-graph') return 'graph';
  if (languageId === 'entity-sources') return 'sources';
  const name = fileNameOfUri(uri);
  if ((sourcesFileNames as readonly string[]).includes(name)) return 'sources';
  return /\.entity\.(ya?ml|json)$/i.test(name) ? 'graph' : undefined;
}
