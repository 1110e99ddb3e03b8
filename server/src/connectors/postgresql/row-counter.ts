/** Follows a CSV stream without decoding it. */
export interface RowCounter {
  /** Takes the next bytes; returns the offset behind the last row that ends in them, or -1 when none does. */
  add(chunk: Buffer): number;
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
  return {
    add(chunk) {
      let rowStart = 0;
      let position = 0;
      let lastRowEnd = -1;
      let nextQuote = chunk.indexOf(quote);
      // Searching for the next byte of interest is native and several times quicker than a loop over all bytes.
      for (;;) {
        const lineBreak = quoted ? -1 : chunk.indexOf(newline, position);
        if (nextQuote >= 0 && (lineBreak < 0 || nextQuote < lineBreak)) {
          quoted = !quoted;
          position = nextQuote + 1;
          nextQuote = chunk.indexOf(quote, position);
        } else if (lineBreak >= 0) {
          rows += 1;
          longest = Math.max(longest, carried + lineBreak + 1 - rowStart);
          carried = 0;
          rowStart = position = lastRowEnd = lineBreak + 1;
        } else break;
      }
      carried += chunk.length - rowStart;
      return lastRowEnd;
    },
    rows: () => rows,
    longestRow: () => Math.max(longest, carried),
  };
}

const quote = 0x22;
const newline = 0x0a;
