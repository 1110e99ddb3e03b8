import { isUtf8 } from 'node:buffer';
import { SourceError } from '../source-error.ts';
import { charsetOf } from './header-parameters.ts';

/**
 * The text of a response, by the charset of its `Content-Type`, else UTF-8, without a byte order mark. Throws a
 * `SourceError` for bytes that are no text in it, and for an unknown charset: replaced characters would make different
 * keys equal.
 */
export function decodeBody(bytes: Buffer, contentType: string | null, peer: string): string {
  const charset = charsetOf(contentType) ?? 'utf-8';
  if (/^utf-?8$/i.test(charset) && isUtf8(bytes)) return bytes.toString('utf8').replace(/^\uFEFF/, '');
  let decoder;
  try {
    decoder = new TextDecoder(charset, { fatal: true });
  } catch {
    throw new SourceError('source-failed', `${peer} sends text in the charset "${charset}", which is not known.`, {
      remedy: 'Have the service send UTF-8.',
    });
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw new SourceError(
      'source-failed',
      `${peer} sends bytes that are no text in ${charset.toUpperCase()}, so that values could not be told apart.`,
      { remedy: 'Have the service send UTF-8, or name the charset in its header Content-Type.' },
    );
  }
}

/** The same for what holds no data, such as a refusal, of which a few words are shown: what cannot be read is replaced. */
export function decodeMessage(bytes: Buffer, contentType: string | null): string {
  const charset = charsetOf(contentType) ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
