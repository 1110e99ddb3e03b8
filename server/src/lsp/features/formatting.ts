import type {
  DocumentFormattingParams,
  DocumentOnTypeFormattingParams,
  DocumentRangeFormattingParams,
  TextEdit as LspTextEdit,
} from 'vscode-languageserver/node';
import { unreadable } from '../../model/edits/edited-text.ts';
import type { EditOutcome, VerifiedEdits } from '../../model/edits/verified-edits.ts';
import type { LanguageServer } from '../language-server.ts';
import type { OpenDocument } from '../documents/open-documents.ts';
import type { RequestWork } from '../request-guard.ts';
import { createTimeSlices } from '../../project/time-slices.ts';
import { stillBeingRead } from '../documents/answers-while-parsing.ts';

/** `textDocument/formatting`, `rangeFormatting` and `onTypeFormatting` */
interface Formatting {
  readonly document: RequestWork<DocumentFormattingParams, LspTextEdit[]>;
  readonly range: RequestWork<DocumentRangeFormattingParams, LspTextEdit[]>;
  readonly onType: RequestWork<DocumentOnTypeFormattingParams, LspTextEdit[]>;
}

export function createFormatting({ documents, tell }: LanguageServer): Formatting {
  /** An unreadable text is not formatted; diagnostics explain why. */
  function toLsp(document: OpenDocument, outcome: EditOutcome): LspTextEdit[] {
    if ('edits' in outcome) return toLspEdits(document, outcome.edits);
    if (outcome.refusal !== unreadable) tell(outcome.refusal);
    return [];
  }

  function isTooEarly(uri: string): boolean {
    const isBeingRead = documents.isBeingRead(uri);
    if (isBeingRead) tell(stillBeingRead(uri).message);
    return isBeingRead;
  }

  return {
    async document({ textDocument }, signal) {
      if (isTooEarly(textDocument.uri)) return [];
      const { formatting } = await import('../../language/formatting/format-document.ts');
      const document = documents.get(textDocument.uri);
      if (!document) return [];
      const work = formatting(document.parsed.yaml);
      const slices = createTimeSlices();
      for (;;) {
        const { done, value } = work.next();
        if (done) return toLsp(document, value);
        await slices.pause();
        signal.throwIfAborted();
        // Further typing triggers formatting again.
        if (documents.get(textDocument.uri) !== document) return [];
      }
    },
    async range({ textDocument, range }) {
      if (isTooEarly(textDocument.uri)) return [];
      const { formatRange } = await import('../../language/formatting/format-range.ts');
      const document = documents.get(textDocument.uri);
      if (!document) return [];
      // Extended to whole lines.
      const start = document.lines.offset({ line: range.start.line, character: 0 });
      const last = range.end.character === 0 && range.end.line > range.start.line ? range.end.line : range.end.line + 1;
      const end = document.lines.offset({ line: last, character: 0 });
      return toLsp(document, formatRange(document.parsed.yaml, { start, end }));
    },
    async onType({ textDocument, position }) {
      const { indentNewLine } = await import('../../language/formatting/indent-new-line.ts');
      const document = documents.get(textDocument.uri);
      if (!document) return [];
      const lineStart = document.lines.offset({ ...position, character: 0 });
      return toLspEdits(document, indentNewLine(document.parsed.yaml, lineStart));
    },
  };
}

function toLspEdits({ lines }: OpenDocument, edits: VerifiedEdits): LspTextEdit[] {
  return edits.map(({ range, newText }) => ({ range: lines.range(range), newText }));
}
