import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CheckError } from './check-error.ts';

/** The content of a file in pieces; one compressed with gzip is unpacked. Rejects with `CheckError` when that fails. */
export async function* logBytes(path: string, pieceBytes: number, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const packed = await isGzip(path);
  const file = createReadStream(path, { highWaterMark: pieceBytes, ...(signal && { signal }) });
  // An error of either stream ends the iteration of the last one.
  const content = packed ? pipeline(file, createGunzip({ chunkSize: pieceBytes }), () => undefined) : file;
  try {
    for await (const piece of content) yield piece as Buffer;
  } catch (error) {
    if (!/^Z_/.test(String((error as NodeJS.ErrnoException).code))) throw error;
    throw new CheckError('file-malformed', 'The compressed file is cut off or damaged.', { cause: error });
  }
}

/** Up to `length` bytes from the start of the content. */
export async function firstBytes(path: string, length: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let read = 0;
  for await (const piece of logBytes(path, 1 << 16)) {
    pieces.push(piece);
    read += piece.length;
    if (read >= length) break;
  }
  return Buffer.concat(pieces).subarray(0, length);
}

export async function isGzip(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  const begin = Buffer.alloc(2);
  await file.read(begin, 0, 2, 0).finally(() => file.close());
  return begin[0] === 0x1f && begin[1] === 0x8b;
}
