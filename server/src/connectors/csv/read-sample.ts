import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { fileReadError } from '../file-read-error.ts';
import { SourceError } from '../source-error.ts';

/** The start of a file. */
export interface FileSample {
  /** Decompressed bytes. */
  readonly bytes: Buffer;
  /** Whether the sample is the whole file. */
  readonly whole: boolean;
  /** Size on disk in bytes. */
  readonly size: number;
  /** Decompressed size of the whole file; estimated for large compressed files. */
  readonly contentSize: number;
  /** Modification time in milliseconds since 1970. */
  readonly modified: number;
  /** Status change time (ctime), which cannot be set. */
  readonly changed: number;
  readonly inode: number;
}

/** Reads the first `length` decompressed bytes. Rejects with `file-missing`, `file-unreadable` or `file-malformed`. */
export async function readSample(path: string, gzip: boolean, length: number): Promise<FileSample> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw notAFile(path);
    // An empty file is no gzip stream, and says so itself.
    const { bytes, whole } =
      gzip && stats.size > 0 ? await readCompressed(path, length) : await readPlain(path, length);
    const contentSize = whole ? bytes.length : gzip ? await statedSize(path, stats.size) : stats.size;
    return {
      bytes,
      whole,
      size: stats.size,
      contentSize,
      modified: stats.mtimeMs,
      changed: stats.ctimeMs,
      inode: stats.ino,
    };
  } catch (error) {
    throw fileReadError(path, error);
  }
}

/**
 * Reads a compressed file to its checksum at the end. Rejects with `file-malformed` when it is truncated or damaged.
 */
export async function verifyCompressed(path: string, signal: AbortSignal | undefined): Promise<void> {
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    await pipeline([createReadStream(path), createGunzip(), sink], signal === undefined ? {} : { signal });
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw fileReadError(path, error);
  }
}

function notAFile(path: string): SourceError {
  return new SourceError('file-unreadable', `${path} is a folder, not a file.`, {
    file: path,
    remedy: `To read all files in it, set path to a glob such as ${path}/*.csv.`,
    remedyOfFile: 'Name a file of records: CSV, TSV, JSON, Parquet or an Excel workbook.',
  });
}

async function readPlain(path: string, length: number): Promise<{ bytes: Buffer; whole: boolean }> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await file.read(buffer, filled, length - filled, filled);
      if (bytesRead === 0) return { bytes: buffer.subarray(0, filled), whole: true };
      filled += bytesRead;
    }
    return { bytes: buffer, whole: false };
  } finally {
    await file.close();
  }
}

async function readCompressed(path: string, length: number): Promise<{ bytes: Buffer; whole: boolean }> {
  const chunks: Buffer[] = [];
  let filled = 0;
  const file = createReadStream(path);
  const content = file.pipe(createGunzip());
  file.on('error', (error) => content.destroy(error));
  for await (const chunk of content as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    filled += chunk.length;
    if (filled >= length) {
      file.destroy();
      return { bytes: Buffer.concat(chunks).subarray(0, length), whole: false };
    }
  }
  return { bytes: Buffer.concat(chunks), whole: true };
}

/** gzip stores the size modulo 4 GB; larger content is estimated as five times the compressed size. */
async function statedSize(path: string, size: number): Promise<number> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, Math.max(size - 4, 0));
    const stated = buffer.readUInt32LE(0);
    return stated > size ? stated : size * 5;
  } finally {
    await file.close();
  }
}
