import { type InlayHint, InlayHintKind, type InlayHintParams } from 'vscode-languageserver/node';
import type { Hint } from '../../language/inlay-hints.ts';
import { openGraph } from '../documents/open-documents.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';
import { lastImport } from './last-import.ts';

/** `textDocument/inlayHint` */
export function createInlayHints({
  documents,
  contexts,
  knownSettings,
}: LanguageServer): RequestWork<InlayHintParams, InlayHint[]> {
  return async ({ textDocument, range }) => {
    const { columnTypeHints, entityCountHints } = await import('../../language/inlay-hints.ts');
    if (!documents.isOpen(textDocument.uri)) return [];
    const { showColumnTypes, showEntityCounts } = await knownSettings.of(textDocument.uri);
    const document = openGraph(documents, textDocument.uri);
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
          position: document.lines.position(offset),
          label,
          paddingLeft: true,
          ...more,
        }));
    return [
      ...(showColumnTypes && catalog ? shown(columnTypeHints(graph, catalog), { kind: InlayHintKind.Type }) : []),
      ...(counts ? shown(entityCountHints(graph, counts), { tooltip: 'In the last import' }) : []),
    ];
  };
}
