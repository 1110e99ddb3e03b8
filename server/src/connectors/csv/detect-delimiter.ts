import { csvRecords, type CsvRecord } from './csv-records.ts';

/** How a CSV file is split into fields. */
export interface FieldFormat {
  readonly delimiter: string;
  /** Empty for none. */
  readonly quote: string;
  readonly escape: string;
  /** Lines above the header, such as a report title. */
  readonly skip: number;
  /** Number of fields of most records. */
  readonly fields: number;
}

const delimiters = [',', ';', '\t', '|'] as const;

/**
 * Detects delimiter and preamble from the start of a file. DuckDB's detection falls back to a single text column, or
 * skips rows, after one ragged row; here such a row stays an error with a position. A first line `sep=;`, as Excel reads
 * and writes it, names the delimiter.
 */
export function detectDelimiter(
  sample: string,
  given: {
    readonly delimiter?: string | undefined;
    readonly quote?: string;
    readonly escape?: string;
    readonly header?: boolean;
  },
): FieldFormat {
  const quote = given.quote ?? '"';
  const escape = given.escape ?? quote;
  const named = /^\ufeff?"?sep=([^\r\n])"?(?:\r\n|\r|\n)/i.exec(sample);
  if (named?.[1] !== undefined) {
    const format = detectDelimiter(sample.slice(named[0].length), { ...given, delimiter: given.delimiter ?? named[1] });
    return { ...format, skip: format.skip + 1 };
  }
  const candidates = given.delimiter === undefined ? delimiters : [given.delimiter];
  const tried = candidates.map((delimiter) => {
    const records = [...csvRecords(sample, { delimiter, quote }, 200)];
    // The last record may be truncated by the sample.
    return { delimiter, ...agreement(records.length > 2 ? records.slice(0, -1) : records), records };
  });
  const best = tried.reduce((left, right) => (right.score > left.score ? right : left));
  const skip = given.header === false ? 0 : preambleLines(best.records, best.fields);
  return { delimiter: best.delimiter, quote, escape, skip, fields: best.fields };
}

/** The most common number of fields above one, and the share of records with it. */
function agreement(records: readonly CsvRecord[]): { readonly fields: number; readonly score: number } {
  const counts = new Map<number, number>();
  for (const { fields } of records) counts.set(fields, (counts.get(fields) ?? 0) + 1);
  let fields = 1;
  let share = 0;
  for (const [candidate, count] of counts) {
    if (candidate > 1 && count / records.length > share) [fields, share] = [candidate, count / records.length];
  }
  return { fields, score: share + Math.min(fields, 100) / 1000 - (fields === 1 ? 1 : 0) };
}

/** Title lines have one field, or, if a title contains the delimiter, at most half of the fields of the table. */
function preambleLines(records: readonly CsvRecord[], fields: number): number {
  if (fields < 2) return 0;
  const first = records.findIndex((record) => record.fields > Math.max(1, fields / 2));
  const header = records[first];
  return first > 0 && header?.fields === fields ? header.line - 1 : 0;
}
