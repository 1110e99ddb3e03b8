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
    return decodeWhole(decoder, bytes);
  } catch {
    throw new SourceError(
      'source-failed',
      `${peer} sends bytes that are no text in ${charset.toUpperCase()}, so that values could not be told apart.`,
      { remedy: 'Have the service send UTF-8, or name the charset in its header Content-Type.' },
    );
  }
}

/**
 * The text of all bytes of a body. Without `stream`, several versions of Node.js read windows-1252 as Latin-1, in which `€`
 * is a control character (https://github.com/nodejs/node/issues/56542).
 */
export function decodeWhole(decoder: InstanceType<typeof TextDecoder>, bytes: Buffer): string {
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

/** A web page in the place of data, such as a login page. */
export function isWebPage(bytes: Buffer, contentType: string | null): boolean {
  const isNamed = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType ?? '');
  return isNamed || /^\s*<(?:!doctype\s+html|html)\b/i.test(headOf(bytes));
}

/**
 * The text of what holds no data, such as a refusal, of which a few words are shown: in the charset of its header, its
 * mark or its own head, else in UTF-8, else in windows-1252, as browsers read it. Never throws.
 */
export function decodeMessage(bytes: Buffer, contentType: string | null): string {
  const named = [charsetOf(contentType), markedCharset(bytes), charsetInHead.exec(headOf(bytes))?.[1], 'utf-8'];
  for (const charset of named) {
    if (charset === undefined) continue;
    try {
      return decodeWhole(new TextDecoder(charset, { fatal: true }), bytes);
    } catch {
      // Not known, or not the charset of these bytes.
    }
  }
  return decodeWhole(new TextDecoder('windows-1252'), bytes);
}

/** The bytes in which HTML and XML name their charset, as ASCII. */
function headOf(bytes: Buffer): string {
  return bytes.toString('latin1', 0, 1024);
}

const charsetInHead = /<(?:meta\b[^>]*\bcharset|\?xml\b[^>]*\bencoding)\s*=\s*["']?\s*([\w:.-]+)/i;

function markedCharset([first, second]: Buffer): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}
