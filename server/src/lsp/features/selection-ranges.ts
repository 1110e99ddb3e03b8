import type { SelectionRange, SelectionRangeParams } from 'vscode-languageserver/node';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';

/** `textDocument/selectionRange` */
export function createSelectionRanges({
  documents,
}: LanguageServer): RequestWork<SelectionRangeParams, SelectionRange[]> {
  return async ({ textDocument, positions }) => {
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
  };
}
