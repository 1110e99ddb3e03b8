import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import { isDiskFull } from '../../files/file-error.ts';
import { SourceError } from '../source-error.ts';

/** A file of lines, filled before the database loads it. */
export interface SegmentFile {
  readonly path: string;
  /** Length in characters. */
  readonly length: number;
  /** Length of the longest line in characters. */
  readonly longest: number;
  readonly records: number;
  /** Writes lines with their line endings. Rejects with `disk-full` or `source-failed`. */
  write(lines: readonly string[], records: number): Promise<void>;
  /** Resolves when everything is flushed. */
  end(): Promise<void>;
  /** Closes and deletes it; never rejects. */
  remove(): Promise<void>;
}

export function openSegmentFile(path: string): SegmentFile {
  const stream = createWriteStream(path);
  let failure: Error | undefined;
  stream.on('error', (error: NodeJS.ErrnoException) => (failure = writeFailure(error, dirname(path))));
  // A stream that failed earlier emits no further event, so its end is awaited from the start.
  const ended = finished(stream).catch(() => undefined);
  const state = { length: 0, longest: 0, records: 0 };
  return {
    path,
    get length() {
      return state.length;
    },
    get longest() {
      return state.longest;
    },
    get records() {
      return state.records;
    },
    async write(lines, records) {
      for (const line of lines) {
        state.longest = Math.max(state.longest, line.length);
        state.length += line.length;
      }
      state.records += records;
      const isRoom = stream.write(lines.length === 1 ? lines[0] : lines.join(''));
      if (!isRoom) await Promise.race([once(stream, 'drain').catch(() => undefined), ended]);
      if (failure) throw failure;
    },
    async end() {
      stream.end();
      await finished(stream).catch((error: unknown) => {
        throw failure ?? error;
      });
    },
    async remove() {
      if (!stream.closed) {
        stream.destroy();
        await finished(stream).catch(() => undefined);
      }
      await unlink(path).catch(() => undefined);
    },
  };
}

function writeFailure(error: NodeJS.ErrnoException, folder: string): SourceError {
  if (isDiskFull(error)) {
    return new SourceError(
      'disk-full',
      `The disk is full, or files on it may not grow any further: fetched records could not be written in ${folder}.`,
      { remedy: 'Make space on the disk that holds this folder, then try again.', cause: error },
    );
  }
  return new SourceError('source-failed', `Fetched records could not be written in ${folder}: ${error.message}.`, {
    remedy: 'Make sure that this folder can be written to, then try again.',
    cause: error,
  });
}
