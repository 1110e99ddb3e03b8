import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { RowCounter } from './row-counter.ts';
import { segmentWriter } from './segment-writer.ts';
import { type StagingTarget, createStagedTable, dropStagedTable, stageSegment } from './stage-segment.ts';

interface CsvLoad {
  /** Path prefix of the temporary files. */
  readonly filePrefix: string;
  readonly onRows: ((rowsSoFar: number) => void) | undefined;
  /** Counts the rows that are written. */
  readonly counter: RowCounter;
  /** Writes all rows. After a `write` that returns false it waits for `drained`, which also rejects when loading fails. */
  readonly write: (writer: Writable, drained: () => Promise<void>) => Promise<void>;
}

/** Creates a staged table from rows in CSV, which DuckDB loads meanwhile. Without the table when it rejects. */
export async function loadCsv(target: StagingTarget, { filePrefix, onRows, counter, write }: CsvLoad): Promise<void> {
  await createStagedTable(target);
  const writer = segmentWriter({
    pathOf: (number) => `${filePrefix}${number}.csv`,
    take: (segment) => stageSegment(target, segment),
    onRows,
    counter,
  });
  // Listened to from the start: a failure may come while rows are read.
  const written = finished(writer);
  written.catch(() => undefined);
  try {
    await write(writer, () => Promise.race([once(writer, 'drain').then(() => undefined), written]));
    writer.end();
    await written;
  } catch (error) {
    writer.destroy();
    await written.catch(() => undefined);
    await dropStagedTable(target);
    throw error;
  }
}
