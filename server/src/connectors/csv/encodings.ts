import { createReadStream, createWriteStream } from 'node:fs';
import type { PipelineOptions, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { closeStream } from '../../files/close-stream.ts';
import { SourceError } from '../source-error.ts';
import { recordsInJson } from './records-in-json.ts';

/** Encoding of a text file, and how DuckDB reads it. */
export interface Encoding {
  /** Canonical name, such as `windows-1252`. */
  readonly name: string;
  /** DuckDB's name if it supports the encoding; otherwise the file is converted to UTF-8 first. */
  readonly native?: 'utf-8' | 'latin-1';
  /** Detected, not configured. */
  readonly guessed: boolean;
}

/**
 * DuckDB's `utf-16` knows no characters beyond U+FFFF, and its `latin-1` rejects the bytes 0x80–0x9F. Other encodings need
 * an extension.
 */
const natives: Readonly<Record<string, 'utf-8' | 'latin-1'>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'latin-1': 'latin-1',
  latin1: 'latin-1',
  'iso-8859-1': 'latin-1',
};

/** The encoding with this name. Throws `source-config` for an unknown name. */
export function namedEncoding(name: string, file: string): Encoding {
  const key = name.trim().toLowerCase().replaceAll('_', '-');
  const native = natives[key];
  if (native) return { name: native, native, guessed: false };
  try {
    return { name: new TextDecoder(key).encoding, guessed: false };
  } catch {
    throw new SourceError('source-config', `${file}: there is no encoding of this name.`, {
      file,
      remedy: 'Set encoding to a name such as utf-8, latin-1, windows-1252, utf-16 or shift_jis.',
    });
  }
}

/** Detects the encoding from the first bytes: byte order mark, else UTF-8 if valid, else Windows-1252. */
export function guessEncoding(sample: Buffer): Encoding {
  if (sample[0] === 0xff && sample[1] === 0xfe) return { name: 'utf-16le', guessed: true };
  if (sample[0] === 0xfe && sample[1] === 0xff) return { name: 'utf-16be', guessed: true };
  if (looksLikeUtf16(sample)) return { name: 'utf-16le', guessed: true };
  return isUtf8(sample) ? { name: 'utf-8', native: 'utf-8', guessed: true } : { name: 'windows-1252', guessed: true };
}

/** The sample as text, without a truncated last character. */
export function decodeSample(sample: Buffer, encoding: Encoding): string {
  return new TextDecoder(decoderLabel(encoding)).decode(sample, { stream: true });
}

/** How to decode the text of a file. */
export interface TextOptions {
  readonly encoding: Encoding;
  readonly gzip: boolean;
  /** The list of records in a JSON file, if that is to be read. */
  readonly records?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes a UTF-8 copy of a file, with its text changed by `change`. Rejects with `file-malformed`, with file and line,
 * for invalid bytes.
 */
export async function writeUtf8Copy(
  path: string,
  copy: string,
  options: TextOptions,
  change: (pieces: AsyncIterable<string>) => AsyncIterable<string> = (pieces) => pieces,
): Promise<void> {
  const text = (chunks: AsyncIterable<Buffer>): AsyncIterable<string> => change(decoded(chunks, path, options));
  const file = createWriteStream(copy);
  try {
    await pipeline(contentOf(path, options), text, file, aborting(options));
  } finally {
    await closeStream(file);
  }
}

/** Passes the text of a file to `take` in pieces. Rejects like `writeUtf8Copy`. */
export async function readText(path: string, options: TextOptions, take: (piece: string) => void): Promise<void> {
  const takeAll = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const piece of decoded(chunks, path, options)) take(piece);
  };
  await pipeline(contentOf(path, options), takeAll, aborting(options));
}

function aborting({ signal }: TextOptions): PipelineOptions {
  return signal === undefined ? {} : { signal };
}

/** The bytes of a file, uncompressed; of a JSON file with `records`, those of its list. */
export function contentOf(
  path: string,
  { gzip, records }: Pick<TextOptions, 'gzip' | 'records'>,
): Readable | AsyncGenerator<Buffer, void, undefined> {
  const bytes = uncompressed(path, gzip);
  return records === undefined ? bytes : recordsInJson(bytes, path, records);
}

function uncompressed(path: string, gzip: boolean): Readable {
  const file = createReadStream(path, { highWaterMark: 1 << 20 });
  if (!gzip) return file;
  const content = file.pipe(createGunzip());
  file.on('error', (error) => content.destroy(error));
  content.on('close', () => file.destroy());
  return content;
}

async function* decoded(
  chunks: AsyncIterable<Buffer>,
  path: string,
  { encoding }: TextOptions,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder(decoderLabel(encoding), { fatal: true });
  let line = 1;
  const decode = (bytes?: Buffer): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (cause) {
      throw new SourceError('file-malformed', `${path}, near line ${line}: bytes that are not ${encoding.name}.`, {
        file: path,
        line,
        remedy: 'Set encoding to the encoding in which the file was saved.',
        remedyOfFile: 'Save the file as UTF-8.',
        cause,
      });
    }
  };
  for await (const chunk of chunks) {
    const text = decode(chunk);
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) line += 1;
    yield text;
  }
  yield decode();
}

/** The label of an encoding for `TextDecoder`. */
function decoderLabel({ name, native }: Encoding): string {
  return native === 'latin-1' ? 'windows-1252' : name;
}

function isUtf8(sample: Buffer): boolean {
  try {
    // Decodes as a stream, so that a truncated last character is accepted.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Without a byte order mark: western text in UTF-16 has a NUL in nearly every second byte and none in the others. */
function looksLikeUtf16(sample: Buffer): boolean {
  const pairs = Math.min(sample.length >> 1, 2000);
  if (pairs < 4) return false;
  let zeros = 0;
  for (let pair = 0; pair < pairs; pair += 1) {
    if (sample[pair * 2] === 0) return false;
    if (sample[pair * 2 + 1] === 0) zeros += 1;
  }
  return zeros > pairs * 0.4;
}
