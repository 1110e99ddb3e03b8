import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type DocumentLink,
  type DocumentLinkParams,
  type InlayHint,
  InlayHintKind,
  type InlayHintParams,
  type LinkedEditingRangeParams,
  type LinkedEditingRanges,
  type SelectionRange,
  type SelectionRangeParams,
  type SemanticTokens,
  SemanticTokensBuilder,
  type SemanticTokensParams,
} from 'vscode-languageserver/node';
import { type LineIndex, createLineIndex } from '../../model/line-index.ts';
import type { Steps } from '../../model/steps.ts';
import type { Hint } from '../../language/inlay-hints.ts';
import { type SemanticToken, type TokenMemo, semanticTokenTypes } from '../../language/semantic-tokens.ts';
import { answerInTurns } from '../documents/answer-in-turns.ts';
import type { LanguageServer } from '../language-server.ts';
import { lastImport } from './last-import.ts';
import type { OpenGraph } from '../documents/open-documents.ts';
import type { RequestWork } from '../request-guard.ts';

/** What helps to read a file; the answers come from the pure functions of `language/`. */
export interface ReadingFeatures {
  readonly links: RequestWork<DocumentLinkParams, DocumentLink[]>;
  readonly selections: RequestWork<SelectionRangeParams, SelectionRange[]>;
  readonly tokens: RequestWork<SemanticTokensParams, SemanticTokens>;
  readonly inlayHints: RequestWork<InlayHintParams, InlayHint[]>;
  readonly linkedEditing: RequestWork<LinkedEditingRangeParams, LinkedEditingRanges | null>;
}

/** The types of tokens in the order in which they are numbered. */
export const semanticTokensLegend = { tokenTypes: [...semanticTokenTypes], tokenModifiers: [] };

export function createReadingFeatures({ documents, contexts, settings }: LanguageServer): ReadingFeatures {
  const graphOf = (uri: string): OpenGraph | undefined => {
    const document = documents.get(uri);
    return document?.kind === 'graph' ? document : undefined;
  };

  /** From the name of the data source to the line of its file that configures it. */
  function sourceLink(graph: OpenGraph): DocumentLink[] {
    const { dataSource } = graph.parsed.graph;
    const found = contexts.sourceOf(graph);
    if (!dataSource || !found) return [];
    const { path, text } = found.sourcesFile;
    const { line, character } = createLineIndex(text).position(found.source.name.range.start);
    // Editors count lines and columns of an address from 1; those that know no places open the file.
    const target = `${pathToFileURL(path).href}#L${line + 1},${character + 1}`;
    return [{ range: graph.lines.range(dataSource.range), target, tooltip: 'Go to its settings' }];
  }

  const tokenMemo: TokenMemo = new WeakMap();

  return {
    async links({ textDocument }, signal) {
      const { findingLinks } = await import('../../language/document-links.ts');
      const opened = documents.get(textDocument.uri);
      if (opened?.kind === 'graph') await contexts.searched(opened);
      // The text may be newer once the sources file has been found.
      const links = await answerInTurns(documents, textDocument.uri, signal, function* (document) {
        const folder = document.path === undefined ? undefined : dirname(document.path);
        const written = (yield* findingLinks(document.parsed.yaml)).flatMap(({ range, target }) => {
          const shown = { range: document.lines.range(range) };
          if (target.kind === 'url') return { ...shown, target: target.value };
          // What looks like a path in an entity graph is a column.
          return folder === undefined || document.kind === 'graph'
            ? []
            : { ...shown, target: pathToFileURL(resolve(folder, target.value)).href };
        });
        return document.kind === 'graph' ? [...sourceLink(document), ...written] : written;
      });
      return links ?? [];
    },
    async selections({ textDocument, positions }) {
      const { selectionRanges } = await import('../../language/selection-ranges.ts');
      const document = documents.get(textDocument.uri);
      if (!document) return [];
      return positions.flatMap((position) => {
        const ranges = selectionRanges(document.parsed.yaml, document.lines.offset(position));
        const nested = ranges.reduce<SelectionRange | undefined>(
          (parent, range) => ({ range: document.lines.range(range), ...(parent ? { parent } : {}) }),
          undefined,
        );
        return nested ?? [];
      });
    },
    async tokens({ textDocument }, signal) {
      const { findingTokens } = await import('../../language/semantic-tokens.ts');
      const { sourceTokens } = await import('../../language/source-tokens.ts');
      const tokens = await answerInTurns(documents, textDocument.uri, signal, function* (document) {
        const found =
          document.kind === 'graph' ? yield* findingTokens(document.parsed, tokenMemo) : sourceTokens(document.parsed);
        return yield* toTokens(found, document.lines);
      });
      return tokens ?? new SemanticTokensBuilder().build();
    },
    async inlayHints({ textDocument, range }) {
      const { columnTypeHints, entityCountHints } = await import('../../language/inlay-hints.ts');
      const { showColumnTypes, showEntityCounts } = await settings(textDocument.uri);
      const document = graphOf(textDocument.uri);
      if (!document || !(showColumnTypes || showEntityCounts)) return [];
      const { isCurrent, counts } = showEntityCounts
        ? await lastImport(document, documents, contexts)
        : { isCurrent: true, counts: undefined };
      if (!isCurrent) return [];
      const { graph } = document.parsed;
      const { catalog } = contexts.of(document);
      const [start, end] = [document.lines.offset(range.start), document.lines.offset(range.end)];
      const shown = (hints: readonly Hint[], more: Pick<InlayHint, 'kind' | 'tooltip'>): readonly InlayHint[] =>
        hints
          .filter(({ offset }) => start <= offset && offset <= end)
          .map(({ offset, label }) => ({
            ...{ position: document.lines.position(offset), label, paddingLeft: true },
            ...more,
          }));
      return [
        ...(showColumnTypes && catalog ? shown(columnTypeHints(graph, catalog), { kind: InlayHintKind.Type }) : []),
        ...(counts ? shown(entityCountHints(graph, counts), { tooltip: 'In the last import' }) : []),
      ];
    },
    async linkedEditing({ textDocument, position }) {
      const { linkedNames } = await import('../../language/names.ts');
      const document = graphOf(textDocument.uri);
      const alike = document && linkedNames(document.parsed.graph, document.text, document.lines.offset(position));
      return document && alike ? { ranges: alike.map((range) => document.lines.range(range)) } : null;
    },
  };
}

/** How many tokens are placed at once. */
const tokensOfStep = 500;

function* toTokens(tokens: readonly SemanticToken[], lines: LineIndex): Steps<SemanticTokens> {
  const builder = new SemanticTokensBuilder();
  for (const [index, { range, type }] of tokens.entries()) {
    if (index % tokensOfStep === tokensOfStep - 1) yield;
    const { start, end } = lines.range(range);
    // The protocol has no tokens over several lines.
    if (start.line !== end.line) continue;
    builder.push(start.line, start.character, end.character - start.character, semanticTokenTypes.indexOf(type), 0);
  }
  return builder.build();
}
