import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Readable, pipeline } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { CheckError } from './check-error.ts';
import { createUtf8Check } from './utf8-check.ts';

/** Handlers of a reader for the parts of an XML file; each may throw. */
export interface XmlEvents {
  open(tag: SaxesTagPlain, line: number): void;
  text?(text: string): void;
  close(): void;
  /** Called after each chunk of the file, to write the findings. */
  flush(): Promise<void>;
}

const pieceBytes = 1 << 18;

/**
 * Reads an XML file piece by piece; one compressed with gzip as well. Entities of a DTD are unknown, so that no text
 * expands. Rejects with `CheckError` at the first mistake, with its line.
 */
export async function readXmlFile(path: string, events: XmlEvents, signal: AbortSignal): Promise<void> {
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    const { line } = parser;
    throw new CheckError('file-malformed', `The file is not well-formed XML: ${error.message}`, { line, cause: error });
  });
  parser.on('opentag', (tag) => events.open(tag, parser.line));
  parser.on('text', (text) => events.text?.(text));
  parser.on('cdata', (text) => events.text?.(text));
  parser.on('closetag', () => events.close());
  const utf8 = createUtf8Check();
  const decoder = new StringDecoder('utf8');
  let bytesBefore = 0;
  const refuse = (what: string, byte: number): never => {
    const { line } = parser;
    throw new CheckError('file-malformed', `${what} (line ${line}, byte ${byte}).`, { line });
  };
  for await (const part of await bytesOf(path, signal)) {
    const chunk = part as Buffer;
    const invalid = utf8.push(chunk);
    parser.write(decoder.write(invalid === undefined ? chunk : chunk.subarray(0, invalid)));
    if (invalid !== undefined) refuse('The file is not written in UTF-8', bytesBefore + invalid + 1);
    bytesBefore += chunk.length;
    await events.flush();
    await setImmediate();
  }
  if (!utf8.isWhole()) refuse('The file ends too early: a character is cut off', bytesBefore);
  parser.close();
  await events.flush();
}

async function bytesOf(path: string, signal: AbortSignal): Promise<Readable> {
  const file = createReadStream(path, { highWaterMark: pieceBytes, signal });
  if (!(await isGzip(path))) return file;
  // An error of either ends the iteration of the last one.
  return pipeline(file, createGunzip({ chunkSize: pieceBytes }), () => undefined);
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  const begin = Buffer.alloc(2);
  await file.read(begin, 0, 2, 0).finally(() => file.close());
  return begin[0] === 0x1f && begin[1] === 0x8b;
}
