/** Follows a CSV stream without decoding it. */
export interface RowCounter {
  add(chunk: Buffer): void;
  /** Rows that have ended so far; a line break inside quotes ends none. */
  rows(): number;
  /** Bytes of the longest row so far. */
  longestRow(): number;
}

/** Counts rows in chunks of CSV whose quote is `"`, doubled inside quotes; line breaks are `\n`. */
export function countRows(): RowCounter {
  let rows = 0;
  let longest = 0;
  let quoted = false;
  // Bytes of the running row that lie in earlier chunks.
  let carried = 0;
  const rowEnd = (bytes: number): void => {
    rows += 1;
    if (bytes > longest) longest = bytes;
    carried = 0;
  };
  return {
    add(chunk) {
      let rowStart = 0;
      let position = 0;
      let nextQuote = chunk.indexOf(quote);
      // Searching for the next byte of interest is native and several times quicker than a loop over all bytes.
      for (;;) {
        if (quoted) {
          if (nextQuote < 0) break;
          quoted = false;
          position = nextQuote + 1;
          nextQuote = chunk.indexOf(quote, position);
          continue;
        }
        const lineBreak = chunk.indexOf(newline, position);
        if (nextQuote >= 0 && (lineBreak < 0 || nextQuote < lineBreak)) {
          quoted = true;
          position = nextQuote + 1;
          nextQuote = chunk.indexOf(quote, position);
          continue;
        }
        if (lineBreak < 0) break;
        rowEnd(carried + lineBreak + 1 - rowStart);
        rowStart = position = lineBreak + 1;
      }
      carried += chunk.length - rowStart;
    },
    rows: () => rows,
    longestRow: () => Math.max(longest, carried),
  };
}

const quote = 0x22;
const newline = 0x0a;
