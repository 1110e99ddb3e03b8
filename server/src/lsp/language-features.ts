import {
  type CompletionItem,
  type CompletionParams,
  type DocumentSymbol,
  type DocumentSymbolParams,
  type Hover,
  type HoverParams,
  MarkupKind,
} from 'vscode-languageserver/node';
import type { LanguageServer } from './language-server.ts';
import type { RequestWork } from './request-guard.ts';
import { toCompletionItem, toDocumentSymbol } from './to-lsp.ts';

/** What LSP itself asks for; the answers come from the pure functions of `language/`. */
export interface LanguageFeatures {
  readonly completion: RequestWork<CompletionParams, CompletionItem[]>;
  readonly hover: RequestWork<HoverParams, Hover | null>;
  readonly documentSymbols: RequestWork<DocumentSymbolParams, DocumentSymbol[]>;
}

export function createLanguageFeatures({ documents, contexts }: LanguageServer): LanguageFeatures {
  return {
    async completion({ textDocument, position }) {
      const { completeDataSources, completeEntityGraph } = await import('../language/complete.ts');
      const document = documents.get(textDocument.uri);
      if (!document) return [];
      const offset = document.lines.offset(position);
      const proposals =
        document.kind === 'graph'
          ? completeEntityGraph({ parsed: document.parsed, ...contexts.of(document) }, offset)
          : completeDataSources({ parsed: document.parsed }, offset);
      return proposals.map((proposal) => toCompletionItem(proposal, document.lines));
    },
    async hover({ textDocument, position }) {
      const { hoverDataSources, hoverEntityGraph } = await import('../language/hover.ts');
      const document = documents.get(textDocument.uri);
      if (!document) return null;
      const offset = document.lines.offset(position);
      const hover =
        document.kind === 'graph'
          ? hoverEntityGraph({ parsed: document.parsed, ...contexts.of(document) }, offset)
          : hoverDataSources({ parsed: document.parsed }, offset);
      if (!hover) return null;
      return {
        contents: { kind: MarkupKind.Markdown, value: hover.markdown },
        range: document.lines.range(hover.range),
      };
    },
    async documentSymbols({ textDocument }) {
      const document = documents.get(textDocument.uri);
      if (!document) return [];
      const { outlineDataSources, outlineEntityGraph } = await import('../language/outline.ts');
      const symbols =
        document.kind === 'graph' ? outlineEntityGraph(document.parsed) : outlineDataSources(document.parsed);
      return symbols.map((symbol) => toDocumentSymbol(symbol, document.lines));
    },
  };
}
