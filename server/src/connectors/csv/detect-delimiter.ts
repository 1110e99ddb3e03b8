import { csvRecords, type CsvRecord } from './csv-records.ts';

/** How a CSV file is split into fields. */
export interface FieldFormat {
  readonly delimiter: string;
  /** Empty for none. */
  readonly quote: string;
  readonly escape: string;
  /** Records and blank lines above the header, such as a report title. */
  readonly skip: number;
  /** Number of fields of most records. */
  readonly fields: number;
}

const delimiters = [',', ';', '\t', '|'] as const;

const firstLineSep = /^\ufeff?"?sep=([^\r\n])"?(?=[\r\n])/i;

/**
 * Detects delimiter and preamble from the start of a file. DuckDB's detection falls back to a single text column, or
 * skips rows, after one ragged row; here such a row stays an error with a position. A first line `sep=;`, as Excel reads
 * and writes it, names the delimiter.
 * @param given `headerRow`: the line of the header, from 1 on
 */
export function detectDelimiter(
  sample: string,
  given: {
    readonly delimiter?: string | undefined;
    readonly quote?: string;
    readonly escape?: string;
    readonly header?: boolean;
    readonly headerRow?: number;
  },
): FieldFormat {
  const quote = given.quote ?? '"';
  const escape = given.escape ?? quote;
  const named = given.delimiter ?? firstLineSep.exec(sample)?.[1];
  const candidates = named === undefined ? delimiters : [named];
  const top = given.headerRow ?? (firstLineSep.test(sample) ? 2 : 1);
  const tried = candidates.map((delimiter) => {
    const records = [...csvRecords(sample, { delimiter, quote }, 200 + top)].filter(({ line }) => line >= top);
    // The last record may be truncated by the sample.
    return { delimiter, ...agreement(records.length > 2 ? records.slice(0, -1) : records), records };
  });
  const best = tried.reduce((left, right) => (right.score > left.score ? right : left));
  const isFirst = given.headerRow !== undefined || given.header === false;
  const header = isFirst ? best.records[0] : headerOf(sample, best);
  return { delimiter: best.delimiter, quote, escape, skip: header?.row ?? top - 1, fields: best.fields };
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

interface Tried {
  readonly records: readonly CsvRecord[];
  readonly delimiter: string;
  readonly fields: number;
}

/** The first record below title lines. These have one value, or, if they contain the delimiter, at most half as many as the table has columns. */
function headerOf(sample: string, tried: Tried): CsvRecord | undefined {
  const { records, fields, delimiter } = tried;
  const few = Math.max(1, fields / 2);
  const first = records.findIndex(({ filled }) => filled > few);
  const header = records[first];
  if (first < 1 || fields < 2 || header?.fields !== fields) return records[0];
  // Programs that write tables pad titles with empty fields. A header may look like that, too.
  const padded = records.slice(0, first).filter((record) => record.fields > few);
  const areTitles = padded.every(({ start, filled }) => filled === 0 || !sample.startsWith(delimiter, start));
  // Of two columns, the second may have no name, unless an empty line stands between.
  const isUnclear = fields === 2 && !padded.some(({ filled }) => filled === 0);
  return padded.length === 0 || (!isUnclear && areTitles && isNames(sample, header, tried)) ? header : records[0];
}

/** Whether each field has a letter. */
function isNames(sample: string, { start, fields }: CsvRecord, { delimiter }: Tried): boolean {
  const line = /^[^\r\n]*/.exec(sample.slice(start))?.[0] ?? '';
  const texts = line.split(delimiter);
  return texts.length === fields && texts.every((text) => /\p{L}/u.test(text));
}
