import {
  type DocumentSymbol,
  type DocumentSymbolParams,
  type SymbolInformation,
  SymbolKind,
} from 'vscode-languageserver/node';
import type { OutlineSymbol } from '../../language/document-symbols.ts';
import type { LineIndex } from '../../model/line-index.ts';
import type { Steps } from '../../model/steps.ts';
import { computeInSlices } from '../documents/compute-in-slices.ts';
import type { OpenDocument } from '../documents/open-documents.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';

/** `textDocument/documentSymbol` */
export function createDocumentSymbols({
  documents,
  abilities,
}: LanguageServer): RequestWork<DocumentSymbolParams, DocumentSymbol[] | SymbolInformation[]> {
  return async ({ textDocument }, signal) => {
    const { outlineDataSources, outlineEntityGraph } = await import('../../language/document-symbols.ts');
    const { outlineGraphTests } = await import('../../graph-tests/outline-tests.ts');
    const { nestedSymbols, symbolKinds: known } = abilities().forms;
    const symbols = await computeInSlices(documents, textDocument.uri, signal, (document) =>
      toDocumentSymbols(outlineOf(document), document.lines, known),
    );
    return nestedSymbols ? (symbols ?? []) : flatSymbols(symbols ?? [], textDocument.uri);

    function outlineOf(document: OpenDocument): readonly OutlineSymbol[] {
      if (document.kind === 'graph') return outlineEntityGraph(document.parsed);
      return document.kind === 'tests' ? outlineGraphTests(document.parsed) : outlineDataSources(document.parsed);
    }
  };
}

const symbolKinds = {
  element: SymbolKind.Event,
  relationship: SymbolKind.Interface,
  rule: SymbolKind.Boolean,
  group: SymbolKind.Namespace,
  dataSource: SymbolKind.Module,
  test: SymbolKind.Method,
} as const satisfies Record<OutlineSymbol['kind'], SymbolKind>;

/** The kind of a symbol; for clients that do not know it, one that all know. */
export function symbolKindOf(kind: OutlineSymbol['kind'], known: ReadonlySet<number>): SymbolKind {
  const wanted = symbolKinds[kind];
  return known.has(wanted) ? wanted : SymbolKind.Function;
}

/** Converts outline entries one by one. */
export function* toDocumentSymbols(
  symbols: readonly OutlineSymbol[],
  lines: LineIndex,
  known: ReadonlySet<number>,
): Steps<DocumentSymbol[]> {
  const all: DocumentSymbol[] = [];
  for (const symbol of symbols) {
    const children = yield* toDocumentSymbols(symbol.children, lines, known);
    all.push(toDocumentSymbol(symbol, symbolKindOf(symbol.kind, known), children, lines));
    yield;
  }
  return all;
}

function toDocumentSymbol(
  symbol: OutlineSymbol,
  kind: SymbolKind,
  children: DocumentSymbol[],
  lines: LineIndex,
): DocumentSymbol {
  return {
    // The protocol requires names.
    name: symbol.name || '?',
    kind,
    range: lines.range(symbol.range),
    selectionRange: lines.range(symbol.selectionRange),
    children,
    ...(symbol.detail === undefined ? {} : { detail: symbol.detail }),
  };
}

/** The entries without their groups, whose names they carry, for clients without nested symbols. */
function flatSymbols(symbols: readonly DocumentSymbol[], uri: string, containerName = ''): SymbolInformation[] {
  return symbols.flatMap(({ name, kind, selectionRange, children = [] }) =>
    children.length > 0
      ? flatSymbols(children, uri, name)
      : { name, kind, location: { uri, range: selectionRange }, ...(containerName === '' ? {} : { containerName }) },
  );
}
