import ELK, { type ElkNode } from 'elkjs/lib/elk-api.js';
import { t } from '../ui/translate.ts';

/** Runs ELK in a worker, one layout at a time. */
export interface ElkRunner {
  /**
   * Queues behind a running layout; resolves to undefined when a newer graph replaced this one. Rejects with a message
   * for the user, and restarts the worker.
   */
  layout(graph: ElkNode): Promise<ElkNode | undefined>;
}

interface StartedElk {
  layout(graph: ElkNode): Promise<ElkNode>;
  readonly failed: Promise<never>;
  stop(): void;
}

const timeoutMs = 20_000;

/** @param workerUri Address of the script `elk-worker.min.js`; it is loaded at once. */
export function createElkRunner(workerUri: string | undefined): ElkRunner {
  // Loading takes longer than a layout, so it starts before the first graph; the first layout reports a failure.
  let started: Promise<StartedElk> | undefined = startElk(workerUri);
  started.catch(() => undefined);
  let running: Promise<unknown> = Promise.resolve();
  let newest = 0;

  async function run(graph: ElkNode): Promise<ElkNode> {
    started ??= startElk(workerUri);
    try {
      const elk = await started;
      return await within(timeoutMs, [elk.layout(graph), elk.failed]);
    } catch (error) {
      void started.then(
        (elk) => elk.stop(),
        () => undefined,
      );
      started = undefined;
      throw new Error(messageOf(error), { cause: error });
    }
  }

  return {
    async layout(graph) {
      newest += 1;
      const ticket = newest;
      await running.catch(() => undefined);
      if (ticket !== newest) return undefined;
      const result = run(graph);
      running = result;
      return result;
    },
  };
}

async function startElk(workerUri: string | undefined): Promise<StartedElk> {
  if (!workerUri) throw new Error(t('the page does not say where the layout program is'));
  const response = await fetch(workerUri).catch(() => undefined);
  if (!response?.ok) throw new Error(t('the layout program could not be loaded'));
  // Webviews may start workers only from blobs and block `importScripts`, so the script is copied into one.
  const url = URL.createObjectURL(new Blob([await response.text()], { type: 'text/javascript' }));
  const worker = new Worker(url);
  const failed = new Promise<never>((_resolve, reject) => {
    worker.addEventListener('error', (event) =>
      reject(new Error(event.message || t('the layout program did not start'))),
    );
  });
  // A failure between two layouts is reported by the next one.
  failed.catch(() => undefined);
  const elk = new ELK({ workerFactory: () => worker, algorithms: ['layered'] });
  return {
    layout: (graph) => elk.layout(graph),
    failed,
    stop() {
      worker.terminate();
      URL.revokeObjectURL(url);
    },
  };
}

async function within<T>(milliseconds: number, promises: readonly Promise<T>[]): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(t('it took too long'))), milliseconds);
  });
  try {
    return await Promise.race([...promises, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** ELK rejects with plain objects. */
function messageOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string') {
    return error.message;
  }
  return String(error);
}
