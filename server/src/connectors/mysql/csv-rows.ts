import { isUtf8 } from 'node:buffer';
import type { RowCounter } from '../segments/row-counter.ts';
import type { ResultColumn } from './result-columns.ts';
import { isZeroDate } from './zero-date.ts';

/**
 * Prints rows of the text protocol as CSV for DuckDB: NULL is nothing, an empty text is `""`. Bytes are copied without
 * JavaScript values, which would take several times as long as reading the socket.
 */
interface CsvRows {
  /** Prints the row that starts at this offset and has at most `length` bytes. */
  add(bytes: Buffer, start: number, length: number): void;
  /** Whether there is enough for one write. */
  isFull(): boolean;
  /** Complete lines since the last call. */
  take(): Buffer;
  /** Counts lines as they are printed. */
  readonly counter: RowCounter;
  /** Numbers of zero dates, which become NULL, by the name of their column. */
  readonly zeroDates: ReadonlyMap<string, number>;
}

type Form = 'digits' | 'text' | 'time' | 'hexadecimal' | 'bits';

/** Bytes that are written at once. */
const chunkSize = 256 * 1024;

export function csvRows(columns: readonly ResultColumn[]): CsvRows {
  const forms = columns.map(formOf);
  const zeroDates = new Map<string, number>();
  let chunk = Buffer.allocUnsafe(chunkSize);
  let used = 0;
  let rows = 0;
  let longestRow = 0;

  /** A value takes at most two bytes for each byte, quotes and a comma; BIT takes 20 digits. */
  const makeRoom = (length: number): void => {
    const needed = used + 2 * length + 24 * columns.length + 4;
    if (needed <= chunk.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * chunk.length));
    chunk.copy(larger, 0, 0, used);
    chunk = larger;
  };

  const countZeroDate = (name: string): void => {
    zeroDates.set(name, (zeroDates.get(name) ?? 0) + 1);
  };

  return {
    zeroDates,
    counter: { add: (lines) => lines.length, rows: () => rows, longestRow: () => longestRow },
    isFull: () => used >= chunkSize,
    take() {
      const lines = chunk.subarray(0, used);
      chunk = Buffer.allocUnsafe(chunkSize + 64 * 1024);
      used = 0;
      // DuckDB refuses a file with invalid UTF-8, which old servers let in.
      return isUtf8(lines) ? lines : Buffer.from(lines.toString('utf8'), 'utf8');
    },
    add(bytes, start, length) {
      makeRoom(length);
      const line = used;
      let at = start;
      for (let index = 0; index < forms.length; index += 1) {
        if (index > 0) chunk[used++] = comma;
        const first = bytes[at++] ?? isNull;
        if (first === isNull) continue;
        let size = first;
        if (first > isNull) {
          const width = first === 0xfc ? 2 : first === 0xfd ? 3 : 6;
          size = bytes.readUIntLE(at, width);
          at += first === 0xfe ? 8 : width;
        }
        const end = at + size;
        switch (forms[index]) {
          case 'text':
            used = copyQuoted(bytes, at, end, chunk, used);
            break;
          case 'hexadecimal':
            chunk[used++] = quote;
            used += chunk.write(bytes.toString('hex', at, end), used, 'latin1');
            chunk[used++] = quote;
            break;
          case 'bits':
            used += chunk.write(String(BigInt(`0x${bytes.toString('hex', at, end) || '0'}`)), used, 'latin1');
            break;
          case 'time':
            if (isZeroDate(bytes, at)) countZeroDate(columns[index]?.name ?? '');
            else used = copy(bytes, at, end, chunk, used);
            break;
          default:
            used = copy(bytes, at, end, chunk, used);
        }
        at = end;
      }
      // With one column, a NULL would be an empty line, which readers skip.
      if (forms.length === 1) {
        chunk[used++] = comma;
        chunk[used++] = zero;
      }
      chunk[used++] = newline;
      rows += 1;
      if (used - line > longestRow) longestRow = used - line;
    },
  };
}

function formOf({ sense, type }: ResultColumn): Form {
  if (sense === 'integer') return type.startsWith('bit') ? 'bits' : 'digits';
  if (sense === 'number') return 'digits';
  if (sense === 'date' || sense === 'timestamp') return 'time';
  return sense === 'binary' ? 'hexadecimal' : 'text';
}

const comma = 0x2c;
const newline = 0x0a;
const quote = 0x22;
const zero = 0x30;
/** The length of NULL; larger ones announce a length of several bytes. */
const isNull = 0xfb;

/** From here on, a native copy is faster than a loop. */
const long = 64;

/** Returns the end of the copy. */
function copy(from: Buffer, start: number, end: number, to: Buffer, offset: number): number {
  if (end - start > long) return offset + from.copy(to, offset, start, end);
  let used = offset;
  for (let at = start; at < end; at += 1) to[used++] = from[at] ?? 0;
  return used;
}

/** Copies a text in quotes, and quotes in it twice. Returns the end of the copy. */
function copyQuoted(from: Buffer, start: number, end: number, to: Buffer, offset: number): number {
  let used = offset;
  to[used++] = quote;
  if (end - start > long) {
    const text = from.subarray(start, end);
    let copied = 0;
    for (let found = text.indexOf(quote); found >= 0; found = text.indexOf(quote, copied)) {
      used += text.copy(to, used, copied, found + 1);
      to[used++] = quote;
      copied = found + 1;
    }
    used += text.copy(to, used, copied);
  } else {
    for (let at = start; at < end; at += 1) {
      const byte = from[at] ?? 0;
      if (byte === quote) to[used++] = quote;
      to[used++] = byte;
    }
  }
  to[used++] = quote;
  return used;
}
