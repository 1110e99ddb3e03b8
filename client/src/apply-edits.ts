import { Range, type TextDocument, Uri, WorkspaceEdit, l10n, workspace } from 'vscode';
import type { IntentEdits } from '../../protocol/canvas-intents.ts';
import type { Failure, Outcome } from '../../protocol/query-results.ts';

/** Maximum number of retries when the document changes meanwhile. */
const attempts = 5;

const movedOn = (): Failure => ({
  code: 'document-changed',
  message: l10n.t('The file is being changed at the same time. Try again in a moment.'),
});

const readOnly = (): Failure => ({
  code: 'document-read-only',
  message: l10n.t('The editor did not apply the change. Check that the file is writable.'),
});

/** Applies edits to documents, one after another per document, each as one undo step. */
export interface EditWriter {
  /** @param ask gives edits for the version that the server has then. */
  write(
    document: TextDocument,
    ask: () => Promise<Outcome<IntentEdits>>,
  ): Promise<Outcome<{ readonly select?: string }>>;
}

export function createEditWriter(): EditWriter {
  const queues = new Map<string, Promise<unknown>>();
  return {
    write(document, ask) {
      const key = document.uri.toString();
      const work = (queues.get(key) ?? Promise.resolve()).then(() => writeNow(document, ask));
      const rest = work.catch(() => undefined);
      queues.set(key, rest);
      void rest.then(() => queues.get(key) === rest && queues.delete(key));
      return work;
    },
  };
}

/** Edits are valid for one version; for a newer document version they are requested again. */
async function writeNow(
  document: TextDocument,
  ask: () => Promise<Outcome<IntentEdits>>,
): Promise<Outcome<{ readonly select?: string }>> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const outcome = await ask();
    if (!outcome.ok) return outcome;
    const { version, edits, select, others = [] } = outcome.value;
    if (version !== document.version) continue;
    const done = { ok: true, value: select === undefined ? {} : { select } } as const;
    if (edits.length === 0) return done;
    const change = new WorkspaceEdit();
    for (const each of [
      { uri: document.uri, edits },
      ...others.map((other) => ({ ...other, uri: Uri.parse(other.uri) })),
    ])
      for (const { range, newText } of each.edits) {
        const { start, end } = range;
        change.replace(each.uri, new Range(start.line, start.character, end.line, end.character), newText);
      }
    // As after a rename in the text, other files are saved if the user has set so.
    const isRefactoring = others.length > 0;
    return (await workspace.applyEdit(change, { isRefactoring })) ? done : { ok: false, error: readOnly() };
  }
  return { ok: false, error: movedOn() };
}
