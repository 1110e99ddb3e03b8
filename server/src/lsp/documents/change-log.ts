import type { TextDocumentsConfiguration } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { TextChange } from '../../model/text-change.ts';

/** What the last change of each document replaced: the editor says so, and looking for it costs more the longer a text is. */
export interface ChangeLog {
  /** Keeps the documents, and the log with them. */
  readonly documents: TextDocumentsConfiguration<TextDocument>;
  /** What was replaced since a version; undefined when more than one change lies between. */
  since(version: number, document: TextDocument): TextChange | undefined;
  /** When the latest version of a document came, in milliseconds of `performance.now()`; undefined for one just opened. */
  cameAt(uri: string): number | undefined;
  forget(uri: string): void;
}

interface LoggedChange {
  readonly from: number;
  readonly to: number;
  readonly change: TextChange;
}

export function createChangeLog(): ChangeLog {
  const last = new Map<string, LoggedChange>();
  const arrivals = new Map<string, number>();
  return {
    documents: {
      create: (uri, languageId, version, content) => TextDocument.create(uri, languageId, version, content),
      update(document, changes, version) {
        const { uri } = document;
        arrivals.set(uri, performance.now());
        const [only, ...others] = changes;
        last.delete(uri);
        if (only && 'range' in only && others.length === 0) {
          const [start, end] = [document.offsetAt(only.range.start), document.offsetAt(only.range.end)];
          const [from, until] = [Math.min(start, end), Math.max(start, end)];
          const change = { from, until, distance: only.text.length - (until - from) };
          last.set(uri, { from: document.version, to: version, change });
        }
        return TextDocument.update(document, changes, version);
      },
    },
    since(version, { uri, version: now }) {
      const logged = last.get(uri);
      return logged?.from === version && logged.to === now ? logged.change : undefined;
    },
    cameAt: (uri) => arrivals.get(uri),
    forget(uri) {
      last.delete(uri);
      arrivals.delete(uri);
    },
  };
}
