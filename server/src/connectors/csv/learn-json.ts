import { open } from 'node:fs/promises';
import { fileReadError } from '../file-read-error.ts';
import { type JsonPlace, newPlace } from './json-places.ts';
import { NoJson, scanJson } from './scan-json.ts';

/** What all records of a JSON file are. */
export interface LearntJson {
  readonly root: JsonPlace;
  readonly records: number;
}

/** Bytes of one read; more only for a longer record. */
const pieceSize = 1 << 20;

/** Reads the whole file once. Undefined if it is no JSON; rejects with `file-unreadable` and the like. */
export async function learnJson(
  path: string,
  lines: boolean,
  signal: AbortSignal | undefined,
): Promise<LearntJson | undefined> {
  const root = newPlace();
  const scanner = scanJson(root, !lines);
  const file = await open(path).catch((error: unknown) => {
    throw fileReadError(path, error);
  });
  try {
    let rest = Buffer.alloc(0);
    for (;;) {
      signal?.throwIfAborted();
      // A record that is longer than what was read is read again from its start, with twice as many bytes.
      const piece = Buffer.allocUnsafe(Math.max(pieceSize, rest.length) + rest.length);
      rest.copy(piece);
      const { bytesRead } = await file.read(piece, rest.length, piece.length - rest.length);
      const bytes = piece.subarray(0, rest.length + bytesRead);
      const taken = scanner.add(bytes, bytesRead === 0);
      if (bytesRead === 0) return { root, records: scanner.records };
      rest = bytes.subarray(taken);
    }
  } catch (error) {
    if (error instanceof NoJson) return undefined;
    if (signal?.aborted) throw signal.reason;
    throw fileReadError(path, error);
  } finally {
    await file.close();
  }
}
