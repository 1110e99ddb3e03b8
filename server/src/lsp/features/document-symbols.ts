import { type DocumentSymbol, type DocumentSymbolParams, SymbolKind } from 'vscode-languageserver/node';
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
}: LanguageServer): RequestWork<DocumentSymbolParams, DocumentSymbol[]> {
  return async ({ textDocument }, signal) => {
    const { outlineDataSources, outlineEntityGraph } = await import('../../language/document-symbols.ts');
    const { outlineGraphTests } = await import('../../graph-tests/outline-tests.ts');
    const symbols = await computeInSlices(documents, textDocument.uri, signal, (document) =>
      toDocumentSymbols(outlineOf(document), document.lines),
    );
    return symbols ?? [];

    function outlineOf(document: OpenDocument): readonly OutlineSymbol[] {
      if (document.kind === 'graph') return outlineEntityGraph(document.parsed);
      return document.kind === 'tests' ? outlineGraphTests(document.parsed) : outlineDataSources(document.parsed);
    }
  };
}

export const symbolKinds = {
  element: SymbolKind.Event,
  relationship: SymbolKind.Interface,
  rule: SymbolKind.Boolean,
  group: SymbolKind.Namespace,
  dataSource: SymbolKind.Module,
  test: SymbolKind.Method,
} as const satisfies Record<OutlineSymbol['kind'], SymbolKind>;

/** Converts outline entries one by one. */
export function* toDocumentSymbols(symbols: readonly OutlineSymbol[], lines: LineIndex): Steps<DocumentSymbol[]> {
  const all: DocumentSymbol[] = [];
  for (const symbol of symbols) {
    const children = yield* toDocumentSymbols(symbol.children, lines);
    all.push(toDocumentSymbol(symbol, children, lines));
    yield;
  }
  return all;
}

function toDocumentSymbol(symbol: OutlineSymbol, children: DocumentSymbol[], lines: LineIndex): DocumentSymbol {
  return {
    // The protocol requires names.
    name: symbol.name || '?',
    kind: symbolKinds[symbol.kind],
    range: lines.range(symbol.range),
    selectionRange: lines.range(symbol.selectionRange),
    children,
    ...(symbol.detail === undefined ? {} : { detail: symbol.detail }),
  };
}
