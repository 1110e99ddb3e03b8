import { csvRecords, type CsvRecord } from './csv-records.ts';

/** How the lines of a CSV file are cut into fields. */
export interface CsvDialect {
  readonly delimiter: string;
  /** Empty for none. */
  readonly quote: string;
  readonly escape: string;
  /** Lines above the header, such as a report's title. */
  readonly skip: number;
  /** Fields of most records. */
  readonly fields: number;
}

const delimiters = [',', ';', '\t', '|'] as const;

/**
 * Detects delimiter and preamble from the beginning of a file. DuckDB can do that too, but one ragged row makes it fall
 * back to a single column of text, or skip all that precedes the row; here such a row stays a fault that can be named.
 */
export function detectDialect(
  sample: string,
  given: { readonly delimiter?: string; readonly quote?: string; readonly escape?: string; readonly header?: boolean },
): CsvDialect {
  const quote = given.quote ?? '"';
  const escape = given.escape ?? quote;
  const candidates = given.delimiter === undefined ? delimiters : [given.delimiter];
  const tried = candidates.map((delimiter) => {
    const records = [...csvRecords(sample, { delimiter, quote }, 200)];
    // The last one may be cut off by the end of the sample.
    return { delimiter, ...agreement(records.length > 2 ? records.slice(0, -1) : records), records };
  });
  const best = tried.reduce((left, right) => (right.score > left.score ? right : left));
  const skip = given.header === false ? 0 : preambleLines(best.records, best.fields);
  return { delimiter: best.delimiter, quote, escape, skip, fields: best.fields };
}

/** The most common number of fields, and how well the records agree on it; one field alone is no agreement. */
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

/** Titles are lines of one field above a table of several. */
function preambleLines(records: readonly CsvRecord[], fields: number): number {
  if (fields < 2) return 0;
  const first = records.findIndex((record) => record.fields > 1);
  const header = records[first];
  return first > 0 && header?.fields === fields ? header.line - 1 : 0;
}
