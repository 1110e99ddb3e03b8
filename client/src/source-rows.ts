import type { CatalogState } from '../../protocol/catalog-state.ts';
import type { Failure } from '../../protocol/query-results.ts';

/** The rows of the Data Sources view by source, and how reading each source goes. */
export interface SourceRows<Row> {
  /**
   * Call when the list of sources is requested; the returned function takes its rows. VS Code draws the answer to the
   * latest of several requests, whichever comes first: rows of the others are not in the tree, and cannot be drawn again.
   */
  beginList(): (rows: ReadonlyMap<string, Row>) => void;
  /** Notes a new state; returns the row to draw again. */
  change(key: string, state: CatalogState): Row | undefined;
  /** The step of reading a source, or why that failed the last time. */
  stateOf(key: string): { readonly step?: string; readonly error?: Failure };
}

export function createSourceRows<Row>(): SourceRows<Row> {
  let rows: ReadonlyMap<string, Row> = new Map();
  let latest = 0;
  const steps = new Map<string, string>();
  const failures = new Map<string, Failure>();
  return {
    beginList() {
      const request = ++latest;
      // What fails while the list is on its way is newer than the list.
      failures.clear();
      return (listed) => {
        if (request === latest) rows = listed;
      };
    },
    change(key, state) {
      const isNew = (state.kind === 'reading') !== steps.has(key);
      if (state.kind === 'failed') failures.set(key, state.error);
      else if (state.kind === 'known') failures.delete(key);
      if (state.kind === 'reading') steps.set(key, state.step);
      else steps.delete(key);
      return isNew ? rows.get(key) : undefined;
    },
    stateOf(key) {
      const step = steps.get(key);
      const error = failures.get(key);
      return { ...(step === undefined ? {} : { step }), ...(error && { error }) };
    },
  };
}
