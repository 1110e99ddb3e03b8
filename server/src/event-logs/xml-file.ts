import { setImmediate } from 'node:timers/promises';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { CheckError } from './check-error.ts';
import { firstBytes, logBytes } from './log-bytes.ts';
import { createXmlDecoder } from './xml-decoder.ts';

/** Handlers of a reader for the parts of an XML file; each may throw. */
interface XmlEvents {
  open(tag: SaxesTagPlain, line: number): void;
  text?(text: string): void;
  close(): void;
  /** Called after each chunk of the file, to write the findings. */
  flush(): Promise<void>;
}

const pieceBytes = 1 << 18;
/** The declaration of the encoding is in these. */
const beginBytes = 1024;
/** Elements inside each other: a file of open elements would fill the memory. */
const maxDepth = 1000;

/**
 * Reads an XML file piece by piece, in the encoding that it declares; one compressed with gzip as well. Entities of a DTD are unknown, so that no text
 * expands. Rejects with `CheckError` at the first mistake, with its line.
 */
export async function readXmlFile(path: string, events: XmlEvents, signal: AbortSignal): Promise<void> {
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    const { line } = parser;
    throw new CheckError('file-malformed', `The file is not well-formed XML: ${error.message}`, { line, cause: error });
  });
  let depth = 0;
  parser.on('opentag', (tag) => {
    const { line } = parser;
    depth += 1;
    if (depth > maxDepth) {
      throw new CheckError('file-malformed', `More than ${maxDepth} elements are inside each other.`, { line });
    }
    events.open(tag, line);
  });
  parser.on('text', (text) => events.text?.(text));
  parser.on('cdata', (text) => events.text?.(text));
  parser.on('closetag', () => {
    depth -= 1;
    events.close();
  });
  const decoder = createXmlDecoder(await firstBytes(path, beginBytes));
  let bytesBefore = 0;
  const refuse = (what: string, byte: number | undefined): never => {
    const { line } = parser;
    const place = byte === undefined ? `near line ${line}` : `line ${line}, byte ${byte}`;
    throw new CheckError('file-malformed', `${what} (${place}).`, { line });
  };
  for await (const chunk of logBytes(path, pieceBytes, signal)) {
    const { text, wrong, index } = decoder.push(chunk);
    parser.write(text);
    if (wrong !== undefined) refuse(wrong, index === undefined ? undefined : bytesBefore + index + 1);
    bytesBefore += chunk.length;
    await events.flush();
    await setImmediate();
  }
  const missing = decoder.end();
  if (missing !== undefined) refuse(missing, bytesBefore);
  parser.close();
  await events.flush();
}
