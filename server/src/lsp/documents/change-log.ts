import type { TextDocumentsConfiguration } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { TextChange } from '../../model/text-change.ts';

/**
 * The replaced range of each document's last change, as sent by the client; computing it would be slow for long texts.
 */
interface ChangeLog {
  /** Wraps the documents to record changes. */
  readonly documents: TextDocumentsConfiguration<TextDocument>;
  /** The change since a version; undefined for more than one change. */
  since(version: number, document: TextDocument): TextChange | undefined;
  /** Time of the latest version by `performance.now()`; undefined for a newly opened document. */
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
