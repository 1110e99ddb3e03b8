import { StringDecoder } from 'node:string_decoder';
import { CheckError } from './check-error.ts';
import { createUtf8Check } from './utf8-check.ts';

/** Decodes the bytes of an XML file. */
interface XmlDecoder {
  /** The text of the next bytes and, at the first invalid byte, its index and the mistake. */
  push(chunk: Buffer): { readonly text: string; readonly wrong?: string; readonly index?: number };
  /** What is wrong when the file ends here. */
  end(): string | undefined;
}

/**
 * The decoder for the encoding that a file has by its first bytes, or declares. Throws `CheckError` for an unknown one.
 */
export function createXmlDecoder(begin: Buffer): XmlDecoder {
  const name = encodingOf(begin);
  if (/^(utf-?8|(us-)?ascii)$/i.test(name)) return utf8Decoder();
  const decoder = namedDecoder(name);
  const wrong = `The file is not written in ${name}`;
  return {
    push(chunk) {
      try {
        return { text: decoder.decode(chunk, { stream: true }) };
      } catch {
        return { text: '', wrong };
      }
    },
    end() {
      try {
        decoder.decode();
        return undefined;
      } catch {
        return cutOff;
      }
    },
  };
}

function namedDecoder(name: string) {
  try {
    return new TextDecoder(name, { fatal: true });
  } catch (cause) {
    const message = `The file declares the encoding ${name}, which is unknown.`;
    throw new CheckError('file-malformed', message, { remedy: 'Save the file as UTF-8.', line: 1, cause });
  }
}

const cutOff = 'The file ends too early: a character is cut off';

function utf8Decoder(): XmlDecoder {
  const utf8 = createUtf8Check();
  const decoder = new StringDecoder('utf8');
  return {
    push(chunk) {
      const index = utf8.push(chunk);
      const text = decoder.write(index === undefined ? chunk : chunk.subarray(0, index));
      return index === undefined ? { text } : { text, wrong: 'The file is not written in UTF-8', index };
    },
    end: () => (utf8.isWhole() ? undefined : cutOff),
  };
}

/** https://www.w3.org/TR/xml/#sec-guessing */
function encodingOf(begin: Buffer): string {
  const text = begin.toString('latin1');
  if (text.startsWith('\xff\xfe') || text.startsWith('<\0')) return 'utf-16le';
  if (text.startsWith('\xfe\xff') || text.startsWith('\0<')) return 'utf-16be';
  const declared = /^(?:\xef\xbb\xbf)?<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)["']/.exec(text)?.[1];
  // A declaration that can be read byte by byte is not in UTF-16, whatever it says.
  return declared === undefined || text.startsWith('\xef') || /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}
