import { closeSync, openSync, writeSync } from 'node:fs';
import type { Backlog } from './backlog.ts';
import type { WrittenSegment } from './reader-messages.ts';

/** Writes rows to files of some megabytes. All calls may throw a file system error, or wait until files are read. */
export interface SegmentWriter {
  row(line: string): void;
  /** Writes what is left, and waits until all is read. Returns the number of rows. */
  end(): number;
  /** Closes the open file, after which no row is accepted; idempotent. */
  close(): void;
}

/** Bytes that are written at once. */
const bufferLength = 1024 * 1024;

const lineEnd = 0x0a;

/** Length of the n-th file of rows, from 0. DuckDB loads large files faster, but the first are small so that it starts early. */
const segmentLength = (number: number): number => Math.min(24_000_000, 3_000_000 * 2 ** number);

/** Files that are written and not yet read. */
const mostWaiting = 2;

/** @param prefix the n-th file is called `<prefix><n>.csv` */
export function createSegmentWriter(
  prefix: string,
  backlog: Backlog,
  onWritten: (segment: WrittenSegment) => void,
): SegmentWriter {
  const buffer = Buffer.allocUnsafe(bufferLength);
  let rows = 0;
  let segments = 0;
  let longestRow = 0;
  let buffered = 0;
  let length = 0;
  let file: number | undefined;
  let isClosed = false;
  const path = (): string => `${prefix}${segments + 1}.csv`;
  const write = (bytes: Uint8Array): void => {
    file ??= openSync(path(), 'wx', 0o600);
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    length += bytes.length;
  };
  const flush = (): void => {
    if (buffered > 0) write(buffer.subarray(0, buffered));
    buffered = 0;
  };
  const finish = (): void => {
    flush();
    if (file === undefined) return;
    closeSync(file);
    file = undefined;
    length = 0;
    const segment = { path: path(), rows, longestRow };
    segments += 1;
    backlog.add();
    onWritten(segment);
    backlog.waitBelow(mostWaiting);
  };
  return {
    row(line) {
      if (isClosed) throw new Error('Rows are written by imports only.');
      // A UTF-16 unit has at most three bytes.
      const most = line.length * 3;
      if (buffered + most >= bufferLength) {
        flush();
        if (length >= segmentLength(segments)) finish();
      }
      rows += 1;
      if (most > longestRow) longestRow = most;
      if (most >= bufferLength) return write(Buffer.from(`${line}\n`, 'utf8'));
      buffered += buffer.write(line, buffered);
      buffer[buffered] = lineEnd;
      buffered += 1;
    },
    end() {
      finish();
      backlog.waitBelow(1);
      return rows;
    },
    close() {
      isClosed = true;
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
