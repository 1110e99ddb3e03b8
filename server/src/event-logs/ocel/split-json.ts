import { CheckError } from '../check-error.ts';
import { type JsonKind, createJsonTokens } from './json-tokens.ts';
import { createUtf8Check } from '../utf8-check.ts';

/** A position in a file; both numbers are 1-based. */
export interface Place {
  readonly line: number;
  readonly byte: number;
}

/** Events of reading one large JSON object, in file order. */
interface JsonParts {
  /** A key of the top-level object. */
  member(key: string, kind: JsonKind, place: Place): void;
  /** A duplicate key within a nested object. */
  keyAgain(key: string, place: Place): void;
  /** An object in a list, on one line: line breaks are white space in JSON, as strings cannot contain them. */
  object(key: string, text: Buffer): void;
  /** Another value in a list. */
  other(key: string, kind: JsonKind, place: Place): void;
}

/** Reads one large JSON object strictly by RFC 8259, and yields the objects in its lists one by one. */
interface JsonSplitter {
  /** Reads the next bytes, which may be modified. Throws `CheckError` at the first invalid byte. */
  push(chunk: Buffer): void;
  /** Throws `CheckError` when the text is incomplete. */
  end(): { readonly hasByteOrderMark: boolean };
}

/** Nesting depth of list items. */
const itemDepth = 2;
const byteOrderMark = [0xef, 0xbb, 0xbf];

export function createJsonSplitter(parts: JsonParts): JsonSplitter {
  const utf8 = createUtf8Check();
  let key = '';
  let isList = false;
  const keys = createKeyNotes();
  let chunk: Buffer = Buffer.alloc(0);
  let bytesBefore = 0;
  let markBytes = 0;
  /** Parts of the current key and object from earlier chunks. */
  let keyParts: Buffer[] = [];
  let objectParts: Buffer[] = [];
  /** Offset at which they continue in this chunk; -1 for none. */
  let keyStart = -1;
  let objectStart = -1;

  const tokens = createJsonTokens({
    fail(what, index) {
      throw malformed(what, placeOf(index));
    },
    keyBegins(_depth, index) {
      keyStart = index;
    },
    keyEnds(depth, index) {
      const text = joined(keyParts, chunk.subarray(keyStart, index + 1)).toString('utf8');
      const ended = text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1);
      keyParts = [];
      keyStart = -1;
      if (depth === 1) key = ended;
      else if (keys.isThere(depth, ended)) parts.keyAgain(ended, placeOf(index));
    },
    valueBegins(depth, kind, index) {
      if (kind === 'an object') keys.begin(depth + 1);
      if (depth > itemDepth) return;
      if (depth === 0 && kind !== 'an object') {
        throw malformed(`The file is not a JSON object, but ${kind}`, placeOf(index));
      }
      if (depth === 1) {
        isList = kind === 'a list';
        parts.member(key, kind, placeOf(index));
      } else if (depth === itemDepth && isList) {
        if (kind === 'an object') objectStart = index;
        else parts.other(key, kind, placeOf(index));
      }
    },
    containerEnds(depth, index) {
      if (depth !== itemDepth || objectStart < 0) return;
      parts.object(key, joined(objectParts, chunk.subarray(objectStart, index + 1)));
      objectParts = [];
      objectStart = -1;
    },
  });

  function placeOf(index: number): Place {
    return { line: tokens.line(), byte: bytesBefore + index + 1 };
  }

  /** Number of bytes of the chunk that belong to a byte order mark at the start of the file. */
  function markIn(next: Buffer): number {
    let index = 0;
    while (markBytes === bytesBefore + index && markBytes < 3 && next[index] === byteOrderMark[markBytes]) {
      markBytes += 1;
      index += 1;
    }
    return index;
  }

  return {
    push(next) {
      chunk = next;
      const invalid = utf8.push(chunk);
      tokens.push(chunk, markIn(chunk), invalid ?? chunk.length);
      if (invalid !== undefined) throw malformed('The file is not written in UTF-8', placeOf(invalid));
      // Copies, because the reader reuses its buffer.
      if (keyStart >= 0) keyParts.push(Buffer.from(chunk.subarray(keyStart)));
      if (objectStart >= 0) objectParts.push(Buffer.from(chunk.subarray(objectStart)));
      keyStart = Math.min(keyStart, 0);
      objectStart = Math.min(objectStart, 0);
      bytesBefore += chunk.length;
      chunk = Buffer.alloc(0);
    },
    end() {
      const what = utf8.isWhole() ? tokens.end() : 'The file ends too early: a character is cut off';
      if (what !== undefined) throw malformed(what, placeOf(0));
      return { hasByteOrderMark: markBytes === byteOrderMark.length };
    },
  };
}

function joined(earlier: readonly Buffer[], rest: Buffer): Buffer {
  return earlier.length === 0 ? rest : Buffer.concat([...earlier, rest]);
}

/** Tracks the keys of open objects by depth. */
function createKeyNotes() {
  const open: Set<string>[] = [];
  return {
    begin(depth: number): void {
      (open[depth] ??= new Set()).clear();
    },
    /** Records a key, and returns whether the object at this depth already had it. */
    isThere(depth: number, key: string): boolean {
      const keys = open[depth] as Set<string>;
      if (keys.has(key)) return true;
      // Objects of other tools may have any number of keys.
      if (keys.size < manyKeys) keys.add(key);
      return false;
    },
  };
}

/** Maximum number of compared keys. */
export const manyKeys = 10_000;

function malformed(what: string, { line, byte }: Place): CheckError {
  return new CheckError('file-malformed', `${what} (line ${line}, byte ${byte}).`, { line });
}
