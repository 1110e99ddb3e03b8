import { createWriteStream } from 'node:fs';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SourceError } from '../source-error.ts';
import { countRows } from './row-counter.ts';
import { readForeignError } from './foreign-error.ts';

export interface CopiedFile {
  readonly rows: number;
  /** Bytes. */
  readonly longestRow: number;
}

/**
 * Writes a stream of CSV to `path` as it comes, no faster than the disk takes it. Errors of the stream pass through; those
 * of the file are `SourceError`s (`disk-full`, else `source-failed`).
 */
export async function copyToFile(
  rows: Readable,
  path: string,
  onRows: ((rowsSoFar: number) => void) | undefined,
): Promise<CopiedFile> {
  const counter = countRows();
  let reported = 0;
  const counting = new Transform({
    readableHighWaterMark: bufferSize,
    transform(chunk: Buffer, _encoding, done) {
      counter.add(chunk);
      if (onRows && counter.rows() - reported >= rowsBetweenReports) onRows((reported = counter.rows()));
      done(null, chunk);
    },
  });
  const file = createWriteStream(path, { highWaterMark: bufferSize, mode: 0o600 });
  let fileError: unknown;
  file.once('error', (error) => (fileError = error));
  try {
    await pipeline(rows, counting, file);
  } catch (error) {
    throw fileError === undefined || fileError !== error ? error : fileFailure(error, path);
  }
  onRows?.(counter.rows());
  return { rows: counter.rows(), longestRow: counter.longestRow() };
}

const bufferSize = 1 << 20;
const rowsBetweenReports = 10_000;

function fileFailure(error: unknown, path: string): SourceError {
  const { code, message } = readForeignError(error);
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? diskFull(path, error)
    : new SourceError('source-failed', `The rows could not be written to the temporary file ${path}: ${message}.`, {
        remedy: 'Make sure that the folder of the data sources file can be written to.',
        file: path,
        cause: error,
      });
}

/** The disk of the temporary folder has no space left. */
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
