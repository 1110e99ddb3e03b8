import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { SourceError } from '../source-error.ts';
import { ResponseTooLarge } from './response-too-large.ts';

/**
 * The content of a body that is a gzip file, such as `orders.json.gz`; any other body unchanged. Rejects with a
 * `SourceError` for a damaged or truncated file, and with `ResponseTooLarge` above the limit.
 */
export async function gunzipBody(body: Buffer, peer: string, most: number): Promise<Buffer> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body;
  try {
    return await promisify(gunzip)(body, { maxOutputLength: most });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new ResponseTooLarge(peer, most);
    throw new SourceError('connection-lost', `${peer} sends a gzip file that cannot be read to its end.`, {
      remedy: 'Try again; if it happens again, correct the file at the service.',
      cause: error,
    });
  }
}
