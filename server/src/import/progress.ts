import type { ImportProgress, ImportStep } from '../../../protocol/import-progress.ts';

/** Reports the progress of an import. */
export interface ProgressReporter {
  /** The current phase. */
  readonly step: ImportStep;
  /** Milliseconds spent in each phase. */
  durations(): Readonly<Record<string, number>>;
  /** @param share completed share of the phase, 0 to 1. */
  report(step: ImportStep, message: string, share?: number, rows?: number): void;
  /** The graph is taking its place. */
  reportPublication(): void;
  /** Drops a report that waits. No report follows. */
  end(): void;
}

/** Start of each phase as a share of the import; measured on the samples and the million-row benchmark. */
const begins: Readonly<Record<ImportStep, number>> = {
  'schema discovery': 0,
  validation: 0.04,
  'data pull': 0.05,
  'graph build': 0.55,
  'post-load checks': 0.93,
  'Import Done': 1,
};

const order = Object.keys(begins) as readonly ImportStep[];

/** The phases of many short statements, whose reports nobody could read one by one. */
const quick: readonly ImportStep[] = ['graph build', 'post-load checks'];

/** Time between two reports of a quick phase, in milliseconds. */
const visibleMs = 100;

/**
 * Passes reports on: a new phase at once, and of the short statements of a build the latest one every 100 ms.
 */
export function createProgress(onProgress: (progress: ImportProgress) => void): ProgressReporter {
  const spent = new Map<string, number>();
  let step: ImportStep = 'schema discovery';
  let since = performance.now();
  let waiting: ImportProgress | undefined;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(timer);
    timer = undefined;
    waiting = undefined;
  };
  const send = (progress: ImportProgress): void => {
    end();
    onProgress(progress);
    if (!quick.includes(progress.step)) return;
    timer = setTimeout(() => {
      if (waiting) send(waiting);
      else timer = undefined;
    }, visibleMs);
    timer.unref();
  };
  const report = (
    next: ImportStep,
    message: string,
    share: number,
    more: Pick<ImportProgress, 'rows' | 'isPublishing'>,
  ): void => {
    const isNewPhase = next !== step;
    if (isNewPhase) {
      const now = performance.now();
      spent.set(step, (spent.get(step) ?? 0) + now - since);
      since = now;
      step = next;
    }
    const from = begins[next];
    const until = begins[order[order.indexOf(next) + 1] ?? 'Import Done'];
    const fraction = from + (until - from) * Math.min(1, Math.max(0, share));
    const progress: ImportProgress = { type: 'progress', step: next, message, fraction, ...more };
    if (timer && !isNewPhase && more.isPublishing !== true) waiting = progress;
    else send(progress);
  };
  return {
    get step() {
      return step;
    },
    durations() {
      const running = performance.now() - since;
      const all = new Map(spent).set(step, (spent.get(step) ?? 0) + running);
      return Object.fromEntries([...all].map(([name, milliseconds]) => [name, Math.round(milliseconds)]));
    },
    report: (next, message, share = 0, rows) => report(next, message, share, { rows }),
    reportPublication: () => report('post-load checks', 'Putting the graph in its place', 0.9, { isPublishing: true }),
    end,
  };
}
