import { fileReadError } from '../file-read-error.ts';
import { contentOf } from './encodings.ts';
import type { JsonPlace } from './json-places.ts';
import { type JsonScanner, NoJson, scanJson } from './scan-json.ts';

/** Bytes of one read; more only for a longer record. */
const pieceSize = 1 << 20;

/**
 * Reads the whole file once, and adds what its records are to `root`. Resolves to undefined if it is no
 * JSON; rejects with `file-unreadable` and the like.
 */
export async function learnJson(
  path: string,
  content: { readonly lines: boolean; readonly gzip: boolean; readonly records: string | undefined },
  root: JsonPlace,
  signal: AbortSignal | undefined,
): Promise<Pick<JsonScanner, 'records' | 'hasByteOrderMark'> | undefined> {
  const scanner = scanJson(root, !content.lines);
  try {
    let rest: Buffer = Buffer.alloc(0);
    let pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of contentOf(path, content) as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      pieces.push(piece);
      size += piece.length;
      // A record that does not fit into the buffer is read again from its start, with a buffer of twice the size.
      if (size < Math.max(pieceSize, rest.length)) continue;
      const bytes = Buffer.concat([rest, ...pieces]);
      rest = bytes.subarray(scanner.add(bytes, false));
      [pieces, size] = [[], 0];
    }
    scanner.add(Buffer.concat([rest, ...pieces]), true);
    return scanner;
  } catch (error) {
    if (error instanceof NoJson) return undefined;
    if (signal?.aborted) throw signal.reason;
    throw fileReadError(path, error);
  }
}
