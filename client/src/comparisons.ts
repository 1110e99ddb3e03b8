import {
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

export function createComparisons(language: GraphLanguage, onError: (error: unknown) => void): Comparisons {
  const running = new Map<string, CancellationTokenSource>();
  const made = new Map<string, MadeComparison & { readonly text: string | undefined }>();
  const changes = new EventEmitter<Uri>();

  /** A newer comparison of the same file replaces a running one. */
  async function compare(uri: Uri, comparison: Comparison): Promise<Outcome<TextComparison>> {
    const key = uri.toString();
    running.get(key)?.cancel();
    const own = new CancellationTokenSource();
    running.set(key, own);
    const text = textOf(uri);
    try {
      const outcome = await progressWhenSlow(language, l10n.t('Comparing {0}', fileName(uri)), (token, report) => {
        token.onCancellationRequested(() => own.cancel());
        const params = { uri: key, ...comparison };
        return reportedRequest(language, 'entityGraph/compareTexts', params, { token: own.token, report });
      });
      if (outcome.ok && running.get(key) === own) {
        const isOutdated = text !== textOf(uri);
        made.set(key, { base: comparison.base, comparison: outcome.value, text, isOutdated });
        tell(uri);
      }
      return outcome;
    } finally {
      if (running.get(key) === own) running.delete(key);
      own.dispose();
    }
  }

  async function stop(uri: Uri): Promise<void> {
    const key = uri.toString();
    forget(uri);
    await language.request('entityGraph/stopComparing', { uri: key });
  }

  function forget(uri: Uri): void {
    const key = uri.toString();
    running.get(key)?.cancel();
    running.delete(key);
    if (made.delete(key)) tell(uri);
  }

  function tell(uri: Uri): void {
    changes.fire(uri);
    void commands.executeCommand('setContext', 'entityGraph.comparing', made.size > 0);
  }

  /** Reads no data source that is not a file. */
  function compareAgain({ uri }: TextDocument): void {
    const known = made.get(uri.toString());
    if (known) compare(uri, { base: known.base, reads: false }).catch(onError);
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
    // Of one that is not dirty, the file has changed on the disk.
    if (!document.isDirty) compareAgain(document);
  });
  const closed = workspace.onDidCloseTextDocument(({ uri }) => forget(uri));

  return {
    compare,
    of: (uri) => made.get(uri.toString()),
    stop,
    onDidChange: changes.event,
    dispose() {
      for (const each of running.values()) each.cancel();
      for (const each of [saved, changed, closed, changes]) each.dispose();
    },
  };
}

function textOf(uri: Uri): string | undefined {
  return workspace.textDocuments.find((document) => document.uri.toString() === uri.toString())?.getText();
}
