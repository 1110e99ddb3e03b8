import {
  type CancellationToken,
  CancellationTokenSource,
  type Disposable,
  type Event,
  EventEmitter,
  type Uri,
  l10n,
  workspace,
} from 'vscode';
import type { RunningImportView } from '../../protocol/entities-table.ts';
import type { ImportSummary } from '../../protocol/import-progress.ts';
import type { ImportRequest } from '../../protocol/import-request.ts';
import type { Failure } from '../../protocol/query-results.ts';
import type { GraphLanguage } from './language-client.ts';

/** The imports of this window: a few side by side, the others wait; one for each entity graph. */
export interface RunningImports extends Disposable {
  /** Something began, moved on or ended. */
  readonly onDidChange: Event<void>;
  /** By address of the file. */
  of(uri: string): RunningImportView | undefined;
  all(): ReadonlyMap<string, RunningImportView>;
  /** Starts an import, or joins the one that runs already. Never rejects for what an import may run into: the summary says it. */
  run(uri: Uri, request?: ImportRequest): Promise<ImportSummary>;
  cancel(uri: string): void;
}

interface RunningImport {
  view: RunningImportView;
  readonly cancellation: CancellationTokenSource;
  readonly summary: Promise<ImportSummary>;
}

export function createRunningImports(language: GraphLanguage): RunningImports {
  const changed = new EventEmitter<void>();
  const running = new Map<string, RunningImport>();
  const queue: (() => void)[] = [];
  let atWork = 0;

  /** Resolves with true when there is room for one more, with false when it is cancelled before. */
  function turn(token: CancellationToken): Promise<boolean> {
    return new Promise((resolve) => {
      const start = (): void => resolve(true);
      queue.push(start);
      token.onCancellationRequested(() => {
        const place = queue.indexOf(start);
        if (place >= 0) queue.splice(place, 1);
        resolve(false);
      });
      startNext();
    });
  }

  function startNext(): void {
    const atOnce = workspace.getConfiguration('entityGraph').get('import.atOnce', 2);
    while (atWork < atOnce) {
      const next = queue.shift();
      if (!next) return;
      atWork += 1;
      next();
    }
  }

  function show(uri: string, view: RunningImportView): void {
    const found = running.get(uri);
    if (found) found.view = view;
    changed.fire();
  }

  async function work(uri: string, { token }: CancellationTokenSource, request: ImportRequest): Promise<ImportSummary> {
    if (!(await turn(token))) return withoutStart({ code: 'cancelled', message: l10n.t('Cancelled before it began.') });
    try {
      show(uri, { state: token.isCancellationRequested ? 'cancelling' : 'running' });
      return await language.request('entityGraph/import', { uri, request }, token);
    } catch (error) {
      // The language server itself could not answer: it was stopped, or the request was cancelled before it began.
      const message = error instanceof Error ? error.message : String(error);
      return withoutStart({ code: token.isCancellationRequested ? 'cancelled' : 'internal-error', message });
    } finally {
      atWork -= 1;
      startNext();
    }
  }

  const progress = language.onNotification(
    'entityGraph/importProgress',
    ({ uri, progress: { type: _, ...reached } }) => {
      const { view } = running.get(uri) ?? {};
      if (view) show(uri, { ...reached, state: view.state === 'waiting' ? 'running' : view.state });
    },
  );

  // What waits begins as soon as the setting lets it.
  const settings = workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('entityGraph.import.atOnce')) startNext();
  });

  return {
    onDidChange: changed.event,
    of: (uri) => running.get(uri)?.view,
    all: () => new Map([...running].map(([uri, { view }]) => [uri, view])),
    run(file, request = { kind: 'build' }) {
      const uri = file.toString();
      const already = running.get(uri);
      if (already) return already.summary;
      const cancellation = new CancellationTokenSource();
      // The entry is there before the work looks for it: its first await comes first.
      const summary = work(uri, cancellation, request).finally(() => {
        running.delete(uri);
        cancellation.dispose();
        changed.fire();
      });
      running.set(uri, { view: { state: 'waiting' }, cancellation, summary });
      changed.fire();
      return summary;
    },
    cancel(uri) {
      const found = running.get(uri);
      if (!found) return;
      show(uri, { ...found.view, state: 'cancelling' });
      found.cancellation.cancel();
    },
    dispose() {
      progress.dispose();
      settings.dispose();
      for (const { cancellation } of running.values()) cancellation.cancel();
      changed.dispose();
    },
  };
}

/** The summary of an import that read nothing. */
function withoutStart(error: Failure): ImportSummary {
  return {
    type: 'summary',
    status: error.code === 'cancelled' ? 'cancelled' : 'failed',
    elements: [],
    entities: [],
    relationships: [],
    totals: { events: 0, entities: 0, correlations: 0, relations: 0, directlyFollows: 0 },
    warnings: [],
    durationMs: 0,
    error,
  };
}
