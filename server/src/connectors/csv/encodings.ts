import { createReadStream, createWriteStream } from 'node:fs';
import type { PipelineOptions, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { SourceError } from '../source-error.ts';

/** How a text file is encoded, and how DuckDB gets to read it. */
export interface Encoding {
  /** Canonical name, such as `windows-1252`. */
  readonly name: string;
  /** DuckDB's own name when it reads the encoding itself; otherwise a UTF-8 copy is made first. */
  readonly native?: 'utf-8' | 'latin-1' | 'utf-16';
  /** Found by looking at the bytes, not said by anybody. */
  readonly guessed: boolean;
}

/** DuckDB's `utf-16` is little-endian, its `latin-1` refuses the bytes 0x80–0x9F. Other encodings need an extension. */
const natives: Readonly<Record<string, 'utf-8' | 'latin-1' | 'utf-16'>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'latin-1': 'latin-1',
  latin1: 'latin-1',
  'iso-8859-1': 'latin-1',
  'utf-16': 'utf-16',
  'utf-16le': 'utf-16',
};

/** The encoding of that name. Throws `source-config` for a name that nobody knows. */
export function namedEncoding(name: string, file: string): Encoding {
  const key = name.trim().toLowerCase().replaceAll('_', '-');
  const native = natives[key];
  if (native) return { name: native, native, guessed: false };
  try {
    return { name: new TextDecoder(key).encoding, guessed: false };
  } catch {
    throw new SourceError('source-config', `${file}: there is no encoding named ${name}.`, {
      file,
      remedy: 'Set encoding to a name such as utf-8, latin-1, windows-1252, utf-16 or shift_jis.',
    });
  }
}

/** The encoding that the first bytes of a file suggest: a byte order mark, else UTF-8 if they are that, else Windows' own. */
export function guessEncoding(sample: Buffer): Encoding {
  if (sample[0] === 0xff && sample[1] === 0xfe) return { name: 'utf-16', native: 'utf-16', guessed: true };
  if (sample[0] === 0xfe && sample[1] === 0xff) return { name: 'utf-16be', guessed: true };
  if (looksLikeUtf16(sample)) return { name: 'utf-16', native: 'utf-16', guessed: true };
  return isUtf8(sample) ? { name: 'utf-8', native: 'utf-8', guessed: true } : { name: 'windows-1252', guessed: true };
}

/** The sample as text; what is cut in half at its end is left out. */
export function decodeSample(sample: Buffer, encoding: Encoding): string {
  return new TextDecoder(decoderLabel(encoding)).decode(sample, { stream: true });
}

/** How the text of a file is read. */
export interface TextOptions {
  readonly encoding: Encoding;
  readonly gzip: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes a UTF-8 copy of a file, its text changed by `change`. Rejects with `file-malformed`, file and line, for bytes that the encoding
 * does not have.
 */
export async function writeUtf8Copy(
  path: string,
  copy: string,
  options: TextOptions,
  change: (pieces: AsyncIterable<string>) => AsyncIterable<string> = (pieces) => pieces,
): Promise<void> {
  const text = (chunks: AsyncIterable<Buffer>): AsyncIterable<string> => change(decoded(chunks, path, options));
  await pipeline(contentOf(path, options), text, createWriteStream(copy), aborting(options));
}

/** Gives `take` the text of a file piece by piece. Rejects as `writeUtf8Copy`. */
export async function readText(path: string, options: TextOptions, take: (piece: string) => void): Promise<void> {
  const takeAll = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const piece of decoded(chunks, path, options)) take(piece);
  };
  await pipeline(contentOf(path, options), takeAll, aborting(options));
}

function aborting({ signal }: TextOptions): PipelineOptions {
  return signal === undefined ? {} : { signal };
}

function contentOf(path: string, { gzip }: TextOptions): Readable {
  const file = createReadStream(path);
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

/** The name by which a `TextDecoder` knows an encoding. */
function decoderLabel({ name, native }: Encoding): string {
  if (native === 'utf-16') return 'utf-16le';
  return native === 'latin-1' ? 'windows-1252' : name;
}

function isUtf8(sample: Buffer): boolean {
  try {
    // As a stream, a character cut at the end of the sample is no fault.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Without a mark: western text in UTF-16 has a NUL in nearly every second byte and none in the others. */
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
