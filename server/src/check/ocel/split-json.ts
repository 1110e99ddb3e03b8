import { CheckError } from '../check-error.ts';

/** Takes the objects out of the arrays of one large JSON object, however large the arrays are. */
export interface JsonSplitter {
  /** Reads the next bytes; they may be changed. Throws `CheckError`. */
  push(chunk: Buffer): void;
  /** Throws `CheckError` when the text ends too early. Returns the keys of the large object. */
  end(): readonly string[];
}

const [quote, backslash, newline, carriageReturn, space] = [0x22, 0x5c, 0x0a, 0x0d, 0x20];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The objects are inside an array, which is the value of a key. */
const objectDepth = 3;

/**
 * @param onObject is given each object on one line, with the key of its array. Line breaks are white space in JSON, as
 * strings cannot contain them.
 */
export function createJsonSplitter(onObject: (key: string, text: Buffer) => void): JsonSplitter {
  const keys: string[] = [];
  let depth = 0;
  let line = 1;
  let inString = false;
  let escaped = false;
  let begun: Buffer[] = [];
  let key: Buffer[] | undefined;
  let afterKey = false;

  function push(chunk: Buffer): void {
    let start = depth >= objectDepth ? 0 : -1;
    let keyStart = key ? 0 : -1;
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) {
          inString = false;
          if (key) {
            key.push(chunk.subarray(keyStart, index + 1));
            keys.push(readKey(key, line));
            key = undefined;
            afterKey = true;
          }
        } else if (byte === newline) throw malformed('A text is not closed', line);
        continue;
      }
      switch (byte) {
        case quote:
          inString = true;
          if (depth === 1 && !afterKey) {
            key = [];
            keyStart = index;
          }
          break;
        case newline:
          line += 1;
          chunk[index] = space;
          break;
        case carriageReturn:
          chunk[index] = space;
          break;
        case 0x2c: // A comma between two keys.
          if (depth === 1) afterKey = false;
          break;
        case openBrace:
        case openBracket:
          if (depth === 0 && byte !== openBrace) throw malformed('The file is no JSON object', line);
          depth += 1;
          if (depth === objectDepth) start = index;
          break;
        case closeBrace:
        case closeBracket:
          depth -= 1;
          if (depth < 0) throw malformed('There is one closing bracket too many', line);
          if (depth === objectDepth - 1 && start >= 0) {
            begun.push(chunk.subarray(start, index + 1));
            onObject(keys.at(-1) ?? '', begun.length === 1 ? (begun[0] as Buffer) : Buffer.concat(begun));
            begun = [];
            start = -1;
          }
          break;
        default:
          if (depth === 0 && byte !== space && byte !== 0x09 && byte !== undefined && !byteOrderMark.has(byte)) {
            throw malformed('The file is no JSON', line);
          }
      }
    }
    // The reader uses its buffer again: what is kept is copied.
    if (start >= 0) begun.push(Buffer.from(chunk.subarray(start)));
    if (key) key.push(Buffer.from(chunk.subarray(keyStart)));
  }

  return {
    push,
    end() {
      if (depth !== 0 || inString || keys.length === 0) throw malformed('The file ends too early', line);
      return keys;
    },
  };
}

const byteOrderMark = new Set([0xef, 0xbb, 0xbf]);

function readKey(parts: readonly Buffer[], line: number): string {
  try {
    return String(JSON.parse(Buffer.concat(parts).toString('utf8')));
  } catch {
    throw malformed('A key is no JSON text', line);
  }
}

function malformed(what: string, line: number): CheckError {
  return new CheckError('file-malformed', `${what} (line ${line}).`, { line });
}
