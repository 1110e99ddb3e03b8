import { type TextOptions, readText } from './encodings.ts';
import type { LineShape } from './line-ends.ts';

const [lineFeed, carriageReturn] = [10, 13];

/** Record separators, and which records are rows. */
export interface RowShape extends LineShape, TextOptions {
  /** Lines above the header. */
  readonly skip: number;
  readonly header: boolean;
}

/** The 1-based line of the n-th row (1-based) of a CSV file; undefined when unreadable or beyond the end. */
export async function lineOfRow(path: string, row: number, shape: RowShape): Promise<number | undefined> {
  const counter = recordCounter(shape, shape.skip, row + (shape.header ? 1 : 0));
  await readText(path, shape, counter.read).catch(() => undefined);
  return counter.line();
}

/** Scans the records of a text up to the n-th, skipping blank lines. */
function recordCounter({ quote, escape }: LineShape, skip: number, wanted: number) {
  const [quoteCode, escapeCode] = [quote.charCodeAt(0), escape.charCodeAt(0)];
  let [line, records, isQuoted, isStart, previous] = [1, 0, false, true, 0];
  let found: number | undefined;
  return {
    line: () => found,
    read(piece: string): void {
      for (let at = 0; at < piece.length && found === undefined; at += 1) {
        const code = piece.charCodeAt(at);
        const isEnd = code === lineFeed || code === carriageReturn;
        // The second character of a CRLF.
        const isSecond = code === lineFeed && previous === carriageReturn;
        if (isEnd && !isSecond) line += 1;
        if (isEnd && !isQuoted) isStart = true;
        else if (isStart) {
          isStart = false;
          records += line > skip ? 1 : 0;
          if (records === wanted) found = line;
        }
        // A doubled quote closes and opens again, with the same effect.
        const isEscaped = isQuoted && escapeCode !== quoteCode && previous === escapeCode;
        if (code === quoteCode && !isEscaped) isQuoted = !isQuoted;
        previous = isEscaped ? 0 : code;
      }
    },
  };
}
