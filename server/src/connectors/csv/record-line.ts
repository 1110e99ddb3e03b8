import { type TextOptions, readText } from './encodings.ts';
import type { LineShape } from './line-ends.ts';

const [lineFeed, carriageReturn] = [10, 13];

/** How records are told from each other, and which of them are rows. */
export interface RowShape extends LineShape, TextOptions {
  /** Lines above the header. */
  readonly skip: number;
  readonly header: boolean;
}

/** The 1-based line of a CSV file on which its n-th row starts (from 1); undefined when the file cannot be read or has fewer rows. */
export async function lineOfRow(path: string, row: number, shape: RowShape): Promise<number | undefined> {
  const counter = recordCounter(shape, shape.skip, row + (shape.header ? 1 : 0));
  await readText(path, shape, counter.read).catch(() => undefined);
  return counter.line();
}

/** Follows the records of a text, of which blank lines are none, to the n-th one. */
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
        // The second half of a line end.
        const isSecond = code === lineFeed && previous === carriageReturn;
        if (isEnd && !isSecond) line += 1;
        if (isEnd && !isQuoted) isStart = true;
        else if (isStart) {
          isStart = false;
          records += line > skip ? 1 : 0;
          if (records === wanted) found = line;
        }
        // A quote written twice closes and opens again, which comes to the same.
        const isEscaped = isQuoted && escapeCode !== quoteCode && previous === escapeCode;
        if (code === quoteCode && !isEscaped) isQuoted = !isQuoted;
        previous = isEscaped ? 0 : code;
      }
    },
  };
}
