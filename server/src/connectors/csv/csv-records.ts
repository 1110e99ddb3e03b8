/** A record of a CSV text: its number of fields and its 1-based physical line. */
export interface CsvRecord {
  readonly fields: number;
  /** Number of fields with a text. */
  readonly filled: number;
  readonly line: number;
  /** Number of records and blank lines before it: how DuckDB counts what it leaves out. */
  readonly row: number;
  /** Offset of the record's first character. */
  readonly start: number;
}

export interface RecordShape {
  readonly delimiter: string;
  /** Empty for none. */
  readonly quote: string;
}

/** The records of a text, at most `limit`; blank lines are skipped. A truncated last record counts too. */
export function* csvRecords(text: string, shape: RecordShape, limit = Infinity): Generator<CsvRecord> {
  let line = 1;
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let given = 0;
  let row = 0;
  while (at < text.length && given < limit) {
    const start = at;
    const startLine = line;
    let fields = 1;
    let filled = 0;
    let fieldStart = at;
    let quoted = false;
    for (; at < text.length; at += 1) {
      const character = text[at];
      if (quoted) {
        if (character === '\n') line += 1;
        else if (character === shape.quote && text[at + 1] === shape.quote) at += 1;
        else if (character === shape.quote) quoted = false;
        continue;
      }
      if (character === shape.quote && shape.quote !== '' && at === fieldStart) quoted = true;
      else if (character === '\n' || character === '\r') break;
      else if (text.startsWith(shape.delimiter, at)) {
        fields += 1;
        if (at > fieldStart) filled += 1;
        at += shape.delimiter.length - 1;
        fieldStart = at + 1;
      }
    }
    const blank = at === start;
    if (at > fieldStart) filled += 1;
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
    at += 1;
    line += 1;
    row += 1;
    if (blank) continue;
    given += 1;
    yield { fields, filled, line: startLine, row: row - 1, start };
  }
}
