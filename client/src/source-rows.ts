import type { CatalogState } from '../../protocol/catalog-state.ts';
import type { Failure } from '../../protocol/query-results.ts';

/** The rows of the Data Sources view by source, and how reading each source goes. */
interface SourceRows<Row> {
  /**
   * Call when the list of sources is requested; the returned function takes its rows. VS Code draws the answer to the
   * latest of several requests, whichever comes first: rows of the others are not in the tree, and cannot be drawn again.
   * Past failures are forgotten, unless the list is only to be drawn again.
   */
  beginList(options?: { readonly isDrawnAgain: boolean }): (rows: ReadonlyMap<string, Row>) => void;
  /** Notes a new state; returns the row to draw again. */
  change(key: string, state: CatalogState): Row | undefined;
  /** The state of a row that is drawn now: the step of reading its source, or why the last read failed. */
  draw(key: string): { readonly step?: string; readonly error?: Failure };
  /**
   * Whether a row shows an outdated state of reading its source. A row may also be outdated if the read began while VS
   * Code was drawing the list: VS Code then requests the row, but may not show it.
   */
  isOutdated(): boolean;
}

/** Longer than VS Code takes to draw a list, also on a busy machine. */
const drawingListMs = 10_000;

/** @param now milliseconds of a clock */
export function createSourceRows<Row>(now = (): number => performance.now()): SourceRows<Row> {
  let rows: ReadonlyMap<string, Row> = new Map();
  let latest = 0;
  /** When VS Code has drawn the latest list, at the latest. */
  let isListDrawnAt = Infinity;
  /** Sources that are being read, which VS Code may not show yet. */
  const mayBeUnseen = new Set<string>();
  const steps = new Map<string, string>();
  const failures = new Map<string, Failure>();
  /** Whether rows said, when they were drawn, that their sources were being read. */
  const drawn = new Map<string, boolean>();
  return {
    beginList({ isDrawnAgain } = { isDrawnAgain: false }) {
      const request = ++latest;
      isListDrawnAt = Infinity;
      mayBeUnseen.clear();
      // A failure that arrives before the list is newer than the list.
      if (!isDrawnAgain) failures.clear();
      return (listed) => {
        if (request !== latest) return;
        rows = listed;
        isListDrawnAt = now() + drawingListMs;
        for (const key of drawn.keys()) if (!listed.has(key)) drawn.delete(key);
      };
    },
    change(key, state) {
      const isNew = (state.kind === 'reading') !== steps.has(key);
      if (state.kind === 'failed') failures.set(key, state.error);
      else if (state.kind === 'known') failures.delete(key);
      if (state.kind === 'reading') {
        steps.set(key, state.step);
        if (isNew && rows.has(key) && now() < isListDrawnAt) mayBeUnseen.add(key);
      } else {
        steps.delete(key);
        mayBeUnseen.delete(key);
      }
      return isNew ? rows.get(key) : undefined;
    },
    draw(key) {
      const step = steps.get(key);
      drawn.set(key, step !== undefined);
      const error = failures.get(key);
      return { ...(step === undefined ? {} : { step }), ...(error && { error }) };
    },
    isOutdated: () => mayBeUnseen.size > 0 || [...drawn].some(([key, isReading]) => isReading !== steps.has(key)),
  };
}
