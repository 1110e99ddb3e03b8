import { bitsText } from './cell-value.ts';
import type { ResultColumn } from './result-columns.ts';
import type { DriverValue } from './session.ts';
import { isZeroDate } from './zero-date.ts';

/** Prints rows as CSV for DuckDB: NULL is nothing, an empty text is `""`. */
export interface CsvLines {
  line(row: readonly DriverValue[]): string;
  /** Numbers of zero dates, which become NULL, by the name of their column. */
  readonly zeroDates: ReadonlyMap<string, number>;
}

type Print = (value: Exclude<DriverValue, null>) => string;

export function csvLines(columns: readonly ResultColumn[]): CsvLines {
  const zeroDates = new Map<string, number>();
  const printers = columns.map((column) =>
    printerOf(column, () => zeroDates.set(column.name, (zeroDates.get(column.name) ?? 0) + 1)),
  );
  // With one column, a NULL would be an empty line, which readers skip.
  const end = columns.length === 1 ? ',0\n' : '\n';
  return {
    zeroDates,
    line(row) {
      let line = '';
      for (let index = 0; index < printers.length; index += 1) {
        const value = row[index];
        if (index > 0) line += ',';
        if (value !== null && value !== undefined) line += printers[index]?.(value) ?? '';
      }
      return line + end;
    },
  };
}

function printerOf({ sense, type }: ResultColumn, onZeroDate: () => void): Print {
  switch (sense) {
    case 'integer':
      return type.startsWith('bit') ? bitsText : String;
    case 'number':
      return String;
    case 'binary':
      return (value) =>
        quoted(Buffer.isBuffer(value) ? value.toString('hex') : Buffer.from(String(value)).toString('hex'));
    case 'date':
    case 'timestamp':
      return (value) => {
        const text = String(value);
        if (!isZeroDate(text)) return text;
        onZeroDate();
        return '';
      };
    default:
      return (value) => quoted(Buffer.isBuffer(value) ? value.toString('utf8') : String(value));
  }
}

const special = /[",\n\r]/;

function quoted(text: string): string {
  if (text === '') return '""';
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
