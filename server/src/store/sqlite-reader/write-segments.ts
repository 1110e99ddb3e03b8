import { closeSync, openSync, writeSync } from 'node:fs';
import type { Backlog } from './backlog.ts';
import type { WrittenSegment } from './reader-messages.ts';

/** Writes rows to files of some megabytes. All calls may throw a file system error, or wait until files are read. */
interface SegmentWriter {
  /** @param line a JSON array without line ends between its items */
  row(line: string): void;
  /** Writes the last segment, and waits until all segments are read. Returns the number of rows. */
  end(): number;
  /** Closes the open file, after which no row is accepted; idempotent. */
  close(): void;
}

const bufferLength = 1024 * 1024;

/** Characters that are written at once; one has at most three bytes. */
const textLength = Math.floor(bufferLength / 3);

/** Length of the n-th file of rows, from 0. DuckDB loads large files faster, but the first are small so that it starts early. */
const segmentLength = (number: number): number => Math.min(24_000_000, 3_000_000 * 2 ** number);

/** Files that are written and not yet read. */
const mostWaiting = 2;

/** @param prefix the n-th file is called `<prefix><n>.csv` */
export function createSegmentWriter(
  prefix: string,
  backlog: Backlog,
  onWritten: (segment: WrittenSegment) => void,
): SegmentWriter {
  const buffer = Buffer.allocUnsafe(bufferLength);
  /** Lines that are not written yet: many at once take less time. */
  let text = '';
  let rows = 0;
  let segments = 0;
  let longestRow = 0;
  let length = 0;
  let file: number | undefined;
  let isClosed = false;
  const path = (): string => `${prefix}${segments + 1}.csv`;
  const bytesOf = (csv: string): Uint8Array =>
    csv.length > textLength ? Buffer.from(csv, 'utf8') : buffer.subarray(0, buffer.write(csv));
  const flush = (): void => {
    if (text === '') return;
    const bytes = bytesOf(csvOfJson(text));
    text = '';
    file ??= openSync(path(), 'wx', 0o600);
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    length += bytes.length;
  };
  const finish = (): void => {
    flush();
    if (file === undefined) return;
    closeSync(file);
    file = undefined;
    length = 0;
    const segment = { path: path(), rows, longestRow };
    segments += 1;
    backlog.add();
    onWritten(segment);
    backlog.waitBelow(mostWaiting);
  };
  return {
    row(line) {
      if (isClosed) throw new Error('Rows are written by imports only.');
      if (text.length + line.length >= textLength) {
        flush();
        if (length >= segmentLength(segments)) finish();
      }
      rows += 1;
      const most = line.length * 3;
      if (most > longestRow) longestRow = most;
      text += line + '\n';
    },
    end() {
      finish();
      backlog.waitBelow(1);
      return rows;
    },
    close() {
      isClosed = true;
      text = '';
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

/** Replaces the escapes of JSON strings by CSV quoting; the longest line does not become longer. */
function csvOfJson(json: string): string {
  let csv = '';
  let at = 0;
  for (let escape = json.indexOf('\\'); escape !== -1; escape = json.indexOf('\\', at)) {
    csv += json.slice(at, escape);
    const letter = json.charAt(escape + 1);
    if (letter === 'u') {
      csv += String.fromCharCode(Number.parseInt(json.slice(escape + 2, escape + 6), 16));
      at = escape + 6;
    } else {
      csv += unescaped[letter] ?? letter;
      at = escape + 2;
    }
  }
  return at === 0 ? json : csv + json.slice(at);
}

const unescaped: Readonly<Record<string, string>> = {
  '"': '""',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
