import {
  type CancellationToken,
  CancellationTokenSource,
  type Disposable,
  type Event,
  EventEmitter,
  type TextDocument,
  type Uri,
  commands,
  l10n,
  workspace,
} from 'vscode';
import type { TextComparison } from '../../protocol/compared-canvas.ts';
import type { Outcome } from '../../protocol/query-results.ts';
import { fileName } from './import-messages.ts';
import type { GraphLanguage } from './language-client.ts';
import { progressWhenSlow } from './progress-when-slow.ts';
import { reportedRequest } from './reported-request.ts';

/**
 * Comparisons of open entity graphs with other texts. Each is made again when its file is saved or changes on disk, until it is
 * stopped; what fails then is said by its code lens, which names an earlier text.
 */
export interface Comparisons extends Disposable {
  compare(uri: Uri, comparison: Comparison): Promise<Outcome<TextComparison>>;
  of(uri: Uri): MadeComparison | undefined;
  stop(uri: Uri): Promise<void>;
  /** A comparison was made or stopped, or its text is another one now. */
  readonly onDidChange: Event<Uri>;
}

export interface Comparison {
  /** `last`, a commit, or a path. */
  readonly base: string;
  /** Whether data sources that are not files may be contacted. */
  readonly reads: boolean;
}

export interface MadeComparison {
  readonly base: string;
  readonly comparison: TextComparison;
  /** Whether the text has changed since. */
  readonly isOutdated: boolean;
}

interface RunningComparison {
  readonly source: CancellationTokenSource;
  readonly comparison: Comparison;
  readonly text: string | undefined;
}

/** VS Code tells of the first edit of a file before it says that the file is modified. */
const modifiedAfterMs = 100;

export function createComparisons(language: GraphLanguage, onError: (error: unknown) => void): Comparisons {
  const running = new Map<string, RunningComparison>();
  const made = new Map<string, MadeComparison & { readonly text: string | undefined }>();
  const changes = new EventEmitter<Uri>();

  /** A newer comparison of the same file replaces a running one. */
  async function compare(uri: Uri, comparison: Comparison): Promise<Outcome<TextComparison>> {
    const key = uri.toString();
    running.get(key)?.source.cancel();
    const source = new CancellationTokenSource();
    const text = textOf(uri);
    const own = { source, comparison, text };
    running.set(key, own);
    try {
      const outcome = await progressWhenSlow(language, l10n.t('Comparing {0}', fileName(uri)), (token, report) => {
        token.onCancellationRequested(() => source.cancel());
        const params = { uri: key, ...comparison };
        const asked = reportedRequest(language, 'entityGraph/compareTexts', params, { token: source.token, report });
        // The server answers when its process has ended; nobody waits for that.
        return Promise.race([asked, cancelled(source.token)]);
      });
      if (outcome.ok && running.get(key) === own) {
        const isOutdated = text !== textOf(uri);
        made.set(key, { base: comparison.base, comparison: outcome.value, text, isOutdated });
        tell(uri);
      }
      return outcome;
    } finally {
      if (running.get(key) === own) running.delete(key);
      source.dispose();
    }
  }

  async function stop(uri: Uri): Promise<void> {
    const key = uri.toString();
    forget(uri);
    await language.request('entityGraph/stopComparing', { uri: key });
  }

  function forget(uri: Uri): void {
    const key = uri.toString();
    running.get(key)?.source.cancel();
    running.delete(key);
    if (made.delete(key)) tell(uri);
  }

  function tell(uri: Uri): void {
    changes.fire(uri);
    void commands.executeCommand('setContext', 'entityGraph.comparing', made.size > 0);
  }

  /** Reads no data source that is not a file, unless that is allowed for the comparison that runs and is replaced. */
  function compareAgain({ uri }: TextDocument): void {
    const known = made.get(uri.toString());
    const latest = running.get(uri.toString())?.comparison;
    if (known) compare(uri, latest ?? { base: known.base, reads: false }).catch(onError);
  }

  /** Of a document that is not modified, the file has changed on the disk. */
  function compareIfOnDisk(document: TextDocument): void {
    const key = document.uri.toString();
    const compared = (running.get(key) ?? made.get(key))?.text;
    if (!document.isDirty && compared !== document.getText()) compareAgain(document);
  }

  const saved = workspace.onDidSaveTextDocument(compareAgain);
  const changed = workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    const known = made.get(document.uri.toString());
    if (contentChanges.length === 0 || !known) return;
    const isOutdated = known.text !== document.getText();
    if (isOutdated !== known.isOutdated) {
      made.set(document.uri.toString(), { ...known, isOutdated });
      changes.fire(document.uri);
    }
    if (!document.isDirty) setTimeout(() => compareIfOnDisk(document), modifiedAfterMs);
  });
  const closed = workspace.onDidCloseTextDocument(({ uri }) => forget(uri));

  return {
    compare,
    of: (uri) => made.get(uri.toString()),
    stop,
    onDidChange: changes.event,
    dispose() {
      made.clear();
      for (const { source } of running.values()) source.cancel();
      for (const each of [saved, changed, closed, changes]) each.dispose();
    },
  };
}

function cancelled(token: CancellationToken): Promise<Outcome<never>> {
  const error = { code: 'cancelled', message: l10n.t('Cancelled.') } as const;
  return new Promise((resolve) => token.onCancellationRequested(() => resolve({ ok: false, error })));
}

function textOf(uri: Uri): string | undefined {
  return workspace.textDocuments.find((document) => document.uri.toString() === uri.toString())?.getText();
}
