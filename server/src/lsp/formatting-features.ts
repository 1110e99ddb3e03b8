import type {
  DocumentFormattingParams,
  DocumentOnTypeFormattingParams,
  DocumentRangeFormattingParams,
  TextEdit as LspTextEdit,
} from 'vscode-languageserver/node';
import type { TextEdit } from '../model/edits/text-edit.ts';
import type { LanguageServer } from './language-server.ts';
import type { OpenDocument } from './open-documents.ts';
import type { RequestWork } from './request-guard.ts';

/** One look for our files; the answers come from the pure functions of `language/`. */
export interface FormattingFeatures {
  readonly document: RequestWork<DocumentFormattingParams, LspTextEdit[]>;
  readonly range: RequestWork<DocumentRangeFormattingParams, LspTextEdit[]>;
  readonly onType: RequestWork<DocumentOnTypeFormattingParams, LspTextEdit[]>;
}

export function createFormattingFeatures({ documents }: LanguageServer): FormattingFeatures {
  return {
    async document({ textDocument }) {
      const { formatDocument } = await import('../language/format-document.ts');
      const document = documents.get(textDocument.uri);
      return document ? toLsp(document, formatDocument(document.text)) : [];
    },
    async range({ textDocument, range }) {
      const { formatRange } = await import('../language/format-document.ts');
      const document = documents.get(textDocument.uri);
      if (!document) return [];
      // Whole lines: half a line has no look.
      const start = document.lines.offset({ line: range.start.line, character: 0 });
      const last = range.end.character === 0 && range.end.line > range.start.line ? range.end.line : range.end.line + 1;
      const end = document.lines.offset({ line: last, character: 0 });
      return toLsp(document, formatRange(document.text, { start, end }));
    },
    async onType({ textDocument, position }) {
      const { indentNewLine } = await import('../language/format-document.ts');
      const document = documents.get(textDocument.uri);
      const edit = document && indentNewLine(document.text, document.lines.offset({ ...position, character: 0 }));
      return document && edit ? toLsp(document, [edit]) : [];
    },
  };
}

function toLsp({ lines }: OpenDocument, edits: readonly TextEdit[]): LspTextEdit[] {
  return edits.map(({ range, newText }) => ({ range: lines.range(range), newText }));
}
