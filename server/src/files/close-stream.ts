import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';

/**
 * Destroys a stream, and resolves when it has closed; never rejects. Node's `pipeline` rejects before the streams that it
 * destroys have closed: a file of theirs may still be open, or even be created.
 */
export async function closeStream(stream: Writable): Promise<void> {
  stream.destroy();
  await finished(stream).catch(() => undefined);
}
