import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { SourceError } from '../source-error.ts';

/** A file that records go to, line by line, before the database takes them in. */
export interface SegmentFile {
  readonly path: string;
  /** Characters so far. */
  readonly length: number;
  /** Characters of the longest line. */
  readonly longest: number;
  readonly records: number;
  /** Lines with their ends. Rejects with `disk-full` or `source-failed`. */
  write(lines: readonly string[], records: number): Promise<void>;
  /** Resolves when all is on its way to the disk. */
  end(): Promise<void>;
  /** Closes and removes it; never rejects. */
  remove(): Promise<void>;
}

export function openSegmentFile(path: string): SegmentFile {
  const stream = createWriteStream(path);
  let failure: Error | undefined;
  stream.on('error', (error: NodeJS.ErrnoException) => (failure = writeFailure(error)));
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
      if (!isRoom) await once(stream, 'drain').catch(() => undefined);
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

function writeFailure(error: NodeJS.ErrnoException): SourceError {
  const isFull = error.code === 'ENOSPC' || error.code === 'EDQUOT';
  return new SourceError(
    isFull ? 'disk-full' : 'source-failed',
    isFull
      ? 'The disk is full: fetched records could not be kept.'
      : `Fetched records could not be kept: ${error.message}.`,
    { ...(isFull && { remedy: 'Free some space on the disk of the workspace, then import again.' }), cause: error },
  );
}
