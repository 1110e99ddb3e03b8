import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';

/** Events of reading an XML part. Names have no namespace prefixes. */
export interface XmlEvents {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
  /** Called after each piece, so that findings can be written. */
  flush?(): Promise<void>;
}

const maxDepth = 100;
/** Maximum number of characters of one text. Excel allows 32,767 in a cell. */
const longestText = 16_777_216;

/** Reads an XML part in UTF-8 or UTF-16. Rejects with an error that names the mistake, also for a DTD, so that no text expands. */
export async function readXml(
  bytes: AsyncIterable<Buffer>,
  events: XmlEvents,
  signal: AbortSignal | undefined,
): Promise<void> {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  let depth = 0;
  let pending = 0;
  parser.on('error', (error) => {
    throw new Error(`its XML is not well-formed (${error.message})`, { cause: error });
  });
  parser.on('doctype', () => {
    throw new Error('its XML has a document type, which workbooks do not have');
  });
  parser.on('opentag', (tag) => {
    pending = 0;
    depth += 1;
    if (depth > maxDepth) throw new Error(`its XML has more than ${maxDepth} elements inside each other`);
    events.open(localName(tag.name), tag.attributes);
  });
  if (events.text) {
    const onText = events.text.bind(events);
    parser.on('text', onText);
    parser.on('cdata', onText);
  }
  parser.on('closetag', (tag) => {
    pending = 0;
    depth -= 1;
    events.close?.(localName(tag.name));
  });
  let decoder: TextDecoder | undefined;
  for await (const piece of bytes) {
    signal?.throwIfAborted();
    decoder ??= decoderOf(piece);
    const text = decode(decoder, piece);
    pending += text.length;
    if (pending > longestText) throw new Error(`a text has more than ${longestText} characters`);
    parser.write(text);
    await events.flush?.();
  }
  parser.write(decode(decoder ?? new TextDecoder(), undefined));
  parser.close();
  await events.flush?.();
}

function decoderOf(first: Buffer): TextDecoder {
  const [one, two] = first;
  const isLittle = (one === 0xff && two === 0xfe) || (one === 0x3c && two === 0);
  const isBig = (one === 0xfe && two === 0xff) || (one === 0 && two === 0x3c);
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8', { fatal: true });
}

function decode(decoder: TextDecoder, piece: Buffer | undefined): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined });
  } catch (cause) {
    throw new Error('its XML holds bytes that are not in its encoding', { cause });
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The attribute of that name in any namespace. */
export function attribute(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  const plain = attributes[name];
  if (plain !== undefined) return plain;
  const found = Object.keys(attributes).find((each) => localName(each) === name);
  return found === undefined ? undefined : attributes[found];
}
