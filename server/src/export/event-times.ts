import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { ExportError } from './export-error.ts';
import { isWritable } from './writable-time.ts';

/**
 * Rejects with an `ExportError` when an event has a time out of range. Properties may be omitted, but events may not.
 */
export async function assertEventTimes(store: StoreReader, options: StatementOptions): Promise<void> {
  const [found] = await store.query(
    `SELECT count(*) AS n, min_by(element, id) AS element, CAST(min_by(time, id) AS VARCHAR) AS time
     FROM event WHERE NOT (${isWritable('time')})`,
    options,
  );
  const count = Number(found?.['n'] ?? 0);
  if (count === 0) return;
  const events = count === 1 ? '1 event is' : `${count} events are`;
  throw new ExportError(
    'time-out-of-range',
    `${events} outside the years 1 to 9999, which this form cannot say: the first is of ${String(found?.['element'])}, ${String(found?.['time'])}.`,
    'Leave these rows out with "where" and import again, or export as Parquet or CSV.',
  );
}
