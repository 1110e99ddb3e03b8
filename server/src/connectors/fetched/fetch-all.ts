import type { FetchedTable } from './fetched-table.ts';
import type { Cells, JsonPage, JsonShape, ReadOptions, RecordSource } from './record-source.ts';
import type { FetchTarget } from './load-segment.ts';

/** Shared dependencies of fetching. */
export interface FetchWork {
  readonly source: RecordSource;
  readonly target: FetchTarget;
  readonly signal: AbortSignal | undefined;
  readonly onWarning: (warning: string) => void;
  readonly onRows: ((rowsSoFar: number) => void) | undefined;
  readonly onProgress?: ((message: string) => void) | undefined;
  /** Location of the row cache. */
  readonly stateFolder: string | undefined;
  readonly since?: string | undefined;
  /** Reads everything, and updates the row cache. */
  readonly isFull?: boolean | undefined;
}

export interface Fetching {
  /** All records are in the table. */
  readonly arrived: Promise<void>;
  /** The source has completed its checks. */
  readonly done: Promise<void>;
}

/** The source is contacted before the table exists. */
export function fetchAll(
  work: FetchWork,
  table: Promise<FetchedTable>,
  read: (options: ReadOptions) => AsyncIterable<readonly Cells[]>,
  shape?: JsonShape,
): Fetching {
  const { signal, onRows } = work;
  let rows = 0;
  const takeJson = async (page: JsonPage): Promise<void> => {
    if (shape) await (await table).addJson(page, shape, signal);
    onRows?.((rows += page.records));
  };
  let onLast: (flushed: Promise<void>) => void = () => undefined;
  const last = new Promise<void>((resolve) => (onLast = resolve));
  const fetch = async (): Promise<void> => {
    const flush = async (): Promise<void> => (await table).flush(signal);
    const options = { ...optionsOf(work), ...(shape && { takeJson }), onLast: () => onLast(flush()) };
    for await (const batch of read(options)) {
      signal?.throwIfAborted();
      await (await table).add(batch, signal);
      onRows?.((rows += batch.length));
    }
    await flush();
  };
  const done = fetch();
  const arrived = Promise.race([last, done]);
  // Some await the end only, which also rejects.
  arrived.catch(() => undefined);
  return { arrived, done };
}

export function optionsOf({ signal, since, onWarning, onProgress }: FetchWork): ReadOptions {
  return {
    purpose: 'import',
    onWarning,
    onProgress,
    signal,
    since,
  };
}
