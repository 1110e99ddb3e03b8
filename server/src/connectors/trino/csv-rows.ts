import type { RowCounter } from '../segments/row-counter.ts';
import { textOf } from './cell-value.ts';
import type { ResultColumn } from './result-columns.ts';
import type { TrinoRow } from './statement-answer.ts';
import { plainTime, shortTime } from './time-text.ts';

/** Prints rows of the protocol as CSV for DuckDB: NULL is nothing, an empty text is `""`. */
interface CsvRows {
  /** Complete lines. */
  print(rows: readonly TrinoRow[]): Buffer;
  /** Counts lines as they are printed. */
  readonly counter: RowCounter;
}

export function csvRows(columns: readonly ResultColumn[]): CsvRows {
  const printers = columns.map(printerOf);
  let rows = 0;
  let longestRow = 0;
  return {
    counter: { add: (lines) => lines.length, rows: () => rows, longestRow: () => longestRow },
    print(page) {
      let lines = '';
      for (const row of page) {
        let line = '';
        for (let index = 0; index < printers.length; index += 1) {
          if (index > 0) line += ',';
          const value = row[index];
          if (value !== null && value !== undefined) line += printers[index]?.(value) ?? '';
        }
        // With one column, a NULL would be an empty line, which readers skip.
        lines += printers.length === 1 ? `${line},0\n` : `${line}\n`;
        // A character has at most three bytes for each of its UTF-16 units.
        longestRow = Math.max(longestRow, 3 * line.length + 4);
      }
      rows += page.length;
      return Buffer.from(lines, 'utf8');
    },
  };
}

function printerOf({ sense, columnType }: ResultColumn): (value: unknown) => string {
  switch (sense) {
    case 'boolean':
    case 'integer':
    case 'number':
      return String;
    case 'binary':
      return (value) => quoted(Buffer.from(String(value), 'base64').toString('hex'));
    case 'date':
    case 'timestamp':
      return (value) => plainTime(String(value), (date, clock) => `${date} (BC)${clock}`);
    case 'time':
      return (value) => quoted(shortTime(String(value)));
    default: {
      const print = columnType.print ?? textOf;
      return (value) => quoted(print(value));
    }
  }
}

function quoted(text: string): string {
  return text.includes('"') ? `"${text.replaceAll('"', '""')}"` : `"${text}"`;
}
