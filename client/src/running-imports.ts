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
import type { ImportOutcome, ImportStep } from '../../protocol/import-progress.ts';
import type { ImportRequest } from '../../protocol/import-request.ts';
import type { GraphLanguage } from './language-client.ts';

/** The imports of this window: a limited number in parallel, one per entity graph. */
export interface RunningImports extends Disposable {
  /** An import started, progressed or ended. */
  readonly onDidChange: Event<void>;
  /** By file URI. */
  of(uri: string): RunningImportView | undefined;
  all(): ReadonlyMap<string, RunningImportView>;
  /** Starts an import, or joins a running one. Never rejects for import failures: the summary reports them. */
  run(uri: Uri, request?: ImportRequest): Promise<ImportOutcome>;
  cancel(uri: string): void;
}

interface RunningImport {
  view: RunningImportView;
  startedAt?: number;
  readonly reachedAt: Partial<Record<ImportStep, number>>;
  readonly cancellation: CancellationTokenSource;
  readonly outcome: Promise<ImportOutcome>;
}

export function createRunningImports(language: GraphLanguage): RunningImports {
  const changed = new EventEmitter<void>();
  const running = new Map<string, RunningImport>();
  const turns = createTurns();

  function show(uri: string, view: RunningImportView): void {
    const found = running.get(uri);
    if (found) {
      found.view = view;
      if (view.state === 'running') found.startedAt ??= Date.now();
      if (view.step) found.reachedAt[view.step] ??= Date.now();
    }
    changed.fire();
  }

  async function work(uri: string, { token }: CancellationTokenSource, request: ImportRequest): Promise<ImportOutcome> {
    if (!(await turns.take(token))) return cancelledBefore(l10n.t('Cancelled before it began.'));
    try {
      show(uri, { state: token.isCancellationRequested ? 'cancelling' : 'running' });
      return await language.request('entityGraph/import', { uri, request }, token);
    } catch (error) {
      // The request itself failed: the server stopped, or the request was cancelled before it began.
      const message = error instanceof Error ? error.message : String(error);
      if (token.isCancellationRequested) return cancelledBefore(message);
      return { status: 'lost', error: { code: 'internal-error', message } };
    } finally {
      turns.end();
    }
  }

  const progress = language.onNotification(
    'entityGraph/importProgress',
    ({ uri, progress: { type: _, ...reached } }) => {
      const { view } = running.get(uri) ?? {};
      if (view) show(uri, { ...reached, state: view.state === 'waiting' ? 'running' : view.state });
    },
  );

  return {
    onDidChange: changed.event,
    of(uri) {
      const found = running.get(uri);
      if (!found) return undefined;
      const { view, startedAt, reachedAt } = found;
      return { ...view, reachedAt: { ...reachedAt }, ...(startedAt === undefined ? {} : { startedAt }) };
    },
    all: () => new Map([...running].map(([uri, { view }]) => [uri, view])),
    run(file, request = { kind: 'build' }) {
      const uri = file.toString();
      const already = running.get(uri);
      if (already) return already.outcome;
      const cancellation = new CancellationTokenSource();
      // Registered synchronously, before the work runs past its first await.
      const outcome = work(uri, cancellation, request).finally(() => {
        running.delete(uri);
        cancellation.dispose();
        changed.fire();
      });
      running.set(uri, { view: { state: 'waiting' }, reachedAt: {}, cancellation, outcome });
      changed.fire();
      return outcome;
    },
    cancel(uri) {
      const found = running.get(uri);
      if (!found) return;
      show(uri, { ...found.view, state: 'cancelling' });
      found.cancellation.cancel();
    },
    dispose() {
      progress.dispose();
      turns.dispose();
      for (const { cancellation } of running.values()) cancellation.cancel();
      changed.dispose();
    },
  };
}

/** The setting says how many imports run at once; others wait for their turn. */
function createTurns() {
  const queue: (() => void)[] = [];
  let atWork = 0;

  function startNext(): void {
    const atOnce = workspace.getConfiguration('entityGraph').get('import.atOnce', 2);
    while (atWork < atOnce) {
      const next = queue.shift();
      if (!next) return;
      atWork += 1;
      next();
    }
  }

  // Starts waiting imports when the setting allows more.
  const settings = workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('entityGraph.import.atOnce')) startNext();
  });

  return {
    /** Resolves to true when a slot is free, to false when cancelled before. */
    take(token: CancellationToken): Promise<boolean> {
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
    },
    end(): void {
      atWork -= 1;
      startNext();
    },
    dispose: () => settings.dispose(),
  };
}

function cancelledBefore(message: string): ImportOutcome {
  return { status: 'cancelled before it began', error: { code: 'cancelled', message } };
}
