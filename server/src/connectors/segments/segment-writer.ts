import { open, rm, type FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { isDiskFull } from '../../files/file-error.ts';
import { SourceError } from '../source-error.ts';
import { countRows, type RowCounter } from './row-counter.ts';

/** A temporary file of complete CSV rows. */
export interface Segment {
  readonly path: string;
  /** Length of the longest row so far in bytes, an upper bound for this segment. */
  readonly longestRow: number;
}

interface SegmentOptions {
  /** Path of the n-th file, 1-based. */
  readonly pathOf: (number: number) => string;
  /**
   * Loads a finished file, which is then deleted. Called for one file at a time, while the next file is being written.
   */
  readonly take: (segment: Segment) => Promise<void>;
  readonly onRows: ((rowsSoFar: number) => void) | undefined;
  /** Row counter of the producer; default: rows are counted in the bytes. */
  readonly counter?: RowCounter;
}

/**
 * Splits a CSV stream into files of some megabytes: sending and loading run in parallel, with at most three files on
 * disk. Finishes when all files are loaded. File errors are `SourceError`s (`disk-full`, else `source-failed`), those
 * of `take` pass through.
 */
export function segmentWriter({ pathOf, take, onRows, counter = countRows() }: SegmentOptions): Writable {
  let segments = 0;
  let file: FileHandle | undefined;
  let bytes = 0;
  // Segments are loaded in order; `previous` and `latest` are the promises of the last two.
  let previous: Promise<void> = Promise.resolve();
  let latest: Promise<void> = Promise.resolve();

  const append = async (buffers: readonly Buffer[]): Promise<void> => {
    if (buffers.length === 0) return;
    const path = pathOf(segments + 1);
    try {
      file ??= await open(path, 'w', 0o600);
      bytes += await writeAll(file, buffers);
    } catch (error) {
      throw fileFailure(error, path);
    }
  };
  const finishSegment = async (): Promise<void> => {
    if (!file) return;
    const segment: Segment = { path: pathOf(++segments), longestRow: counter.longestRow() };
    const written = file;
    file = undefined;
    bytes = 0;
    await written.close();
    await previous.catch(async (error: unknown) => {
      await rm(segment.path, { force: true });
      throw error;
    });
    previous = latest;
    latest = latest.then(() => take(segment)).finally(() => rm(segment.path, { force: true }));
    // Awaited later: until then its failure must not count as unhandled.
    latest.catch(() => undefined);
  };
  const write = async (chunks: readonly Buffer[]): Promise<void> => {
    let pending: Buffer[] = [];
    let size = bytes;
    for (const chunk of chunks) {
      const rowEnd = counter.add(chunk);
      size += chunk.length;
      if (size >= segmentSize(segments) && rowEnd >= 0) {
        await append([...pending, chunk.subarray(0, rowEnd)]);
        await finishSegment();
        pending = rowEnd < chunk.length ? [chunk.subarray(rowEnd)] : [];
        size = chunk.length - rowEnd;
      } else pending.push(chunk);
    }
    await append(pending);
    onRows?.(counter.rows());
  };

  // A stream may be destroyed during a write that is about to open a file.
  let working: Promise<void> = Promise.resolve();
  const begin = (work: Promise<void>, done: (error?: Error | null) => void): void => {
    working = work.catch(() => undefined);
    work.then(() => done(), done);
  };

  return new Writable({
    highWaterMark: 1 << 20,
    write: (chunk: Buffer, _encoding, done) => begin(write([chunk]), done),
    writev: (chunks, done) => begin(write(chunks.map(({ chunk }) => chunk as Buffer)), done),
    final: (done) =>
      begin(
        finishSegment().then(() => latest),
        done,
      ),
    destroy(error, done) {
      const clean = async (): Promise<void> => {
        await working;
        await latest.catch(() => undefined);
        await file?.close();
        await rm(pathOf(segments + 1), { force: true });
      };
      clean().then(
        () => done(error),
        () => done(error),
      );
    },
  });
}

/** Resolves to the number of bytes. */
async function writeAll(file: FileHandle, buffers: readonly Buffer[]): Promise<number> {
  const size = buffers.reduce((total, buffer) => total + buffer.length, 0);
  const { bytesWritten } = await file.writev(buffers);
  // A nearly full disk accepts a part; writing the rest gives its error.
  let rest = Buffer.concat(size > bytesWritten ? buffers : []).subarray(bytesWritten);
  while (rest.length > 0) rest = rest.subarray((await file.write(rest)).bytesWritten);
  return size;
}

/**
 * Size of the segment at a position. DuckDB loads only larger ones in parallel, but the first are small, so that
 * loading starts early on the idle core.
 */
function segmentSize(before: number): number {
  return Math.min(48_000_000, 6_000_000 * 2 ** before);
}

function fileFailure(error: unknown, path: string): SourceError {
  const message = error instanceof Error ? error.message : String(error);
  return isDiskFull(error)
    ? diskFull(path, error)
    : new SourceError('source-failed', `The rows could not be written to the temporary file ${path}: ${message}.`, {
        remedy: 'Make sure that the folder of the data sources file can be written to.',
        file: path,
        cause: error,
      });
}

/** The disk of the temporary folder is full. */
export function diskFull(path: string, cause: unknown): SourceError {
  return new SourceError(
    'disk-full',
    `The disk is full: the rows could not be written to the temporary file ${path}.`,
    {
      remedy: 'Free some space on that disk, then import again.',
      file: path,
      cause,
    },
  );
}
