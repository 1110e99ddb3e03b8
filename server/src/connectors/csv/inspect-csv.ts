import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { SourceError, isSourceError } from '../source-error.ts';
import { checkContent } from './check-content.ts';
import type { FileOptions } from './read-settings.ts';
import { type RecordShape, csvRecords } from './csv-records.ts';
import { type FieldFormat, detectDelimiter } from './detect-delimiter.ts';
import { type Encoding, decodeSample, guessEncoding, namedEncoding } from './encodings.ts';
import { withFields } from './fields-by-case.ts';
import { advice, digitsProposal, digitsWarning, formatWarnings, numberedNames } from './format-warnings.ts';
import type { Findings, InspectionOptions, SourceFile } from './inspected-file.ts';
import { type LineShape, textWithOneLineEnd } from './line-ends.ts';
import { hasMixedLineEnds } from './mixed-line-ends.ts';
import type { CsvPlan } from './plan-types.ts';
import { plainUtf8 } from './read-plan.ts';
import type { FileSample } from './read-sample.ts';
import { sniffColumns, sniffedRowsOf } from './sniff-columns.ts';

/** Inspects a CSV file: its encoding, how it is split into fields, then its columns. Rejects with a `SourceError` that names file and cause. */
export async function inspectCsv(
  file: SourceFile,
  sample: FileSample,
  inspection: InspectionOptions,
): Promise<Findings> {
  const { session, signal } = inspection;
  const options =
    inspection.options.headerRow === undefined ? inspection.options : { header: true, ...inspection.options };
  const written =
    options.encoding === undefined ? guessEncoding(sample.bytes) : namedEncoding(options.encoding, file.path);
  checkContent(file.path, sample, written.name.startsWith('utf-16'));
  const text = decodeSample(sample.bytes, written);
  refuseHeaderRow(file.path, text, sample.whole, options);
  const delimiter = options.delimiter ?? file.format.delimiter;
  const format = detectDelimiter(text, { ...options, delimiter });
  const encoding = isMisread(sample.bytes, text, format) ? { name: written.name, guessed: written.guessed } : written;
  const shape = {
    kind: 'csv',
    encoding,
    gzip: file.format.gzip,
    delimiter: format.delimiter,
    quote: format.quote,
    escape: format.escape,
    skip: format.skip,
    nullValues: options.nullValues ?? [],
    decimal: options.decimal,
  } as const;
  const sniff = (isMixed: boolean): Promise<CsvPlan> => {
    const beginning = { text, whole: sample.whole, mended: isMixed ? shape : undefined };
    return withReadableBeginning(file, beginning, encoding, inspection, async (readFrom) => {
      const sampleRows = sniffedRowsOf(inspection.parts ?? 1);
      return sniffColumns(
        { session: await session, path: file.path, readFrom, options, sampleRows, signal },
        // The copy of the sample is uncompressed.
        readFrom === file.path ? shape : { ...shape, ...plainUtf8 },
        format.fields,
      );
    });
  };
  const sniffing = sniff(false).catch(async (error: unknown): Promise<CsvPlan> => {
    if (!(await hasMixedLineEnds(file.path, shape, error, signal))) throw longerThanHeader(file, text, format, error);
    return { ...(await sniff(true)), mixedLineEnds: true };
  });
  const [sniffed, records] = await Promise.all([sniffing, countRecords(text, shape)]);
  const columns = sniffed.header
    ? withFields(sniffed.columns, (column) => headerOf(text, format).includes(column))
    : sniffed.columns;
  const plan = { ...sniffed, columns, encoding, gzip: file.format.gzip };
  return {
    plan,
    rowEstimate: estimateRows(records, text, sample, plan),
    ...csvWarnings(file, text, format, plan, options),
  };
}

/** Throws `file-malformed` for a header behind the last line. */
function refuseHeaderRow(path: string, text: string, isWhole: boolean, { headerRow = 1 }: FileOptions): void {
  const lines = text.replace(/[\r\n]+$/, '').split(/\r\n|\r|\n/).length;
  if (!isWhole || headerRow <= lines) return;
  throw new SourceError('file-malformed', `${path}: headerRow is ${headerRow}, and the last line is ${lines}.`, {
    file: path,
    remedy: 'Let headerRow be the number of the line with the names of columns, or leave it out.',
  });
}

/** DuckDB overlooks the quote behind a byte order mark: of such a field only a copy without the mark is read as it is. */
function isMisread(bytes: Buffer, text: string, { quote, delimiter }: FieldFormat): boolean {
  if (quote === '' || !bytes.subarray(0, 3).equals(byteOrderMark) || !text.startsWith(quote)) return false;
  const end = text.indexOf(quote, 1);
  const field = end < 0 ? text : text.slice(1, end);
  return text[end + 1] === quote || [delimiter, '\n', '\r'].some((each) => field.includes(each));
}

const byteOrderMark = Buffer.from('\ufeff');

/** The error with the line of the first record that is longer than the header, or of a header that is too long, where DuckDB names no line. */
function longerThanHeader(
  { path }: SourceFile,
  text: string,
  { delimiter, quote, skip, fields: most }: FieldFormat,
  error: unknown,
): unknown {
  if (!isSourceError(error) || error.code !== 'file-malformed' || error.details.line !== undefined) return error;
  let header: number | undefined;
  for (const { fields, line, row } of csvRecords(text, { delimiter, quote })) {
    if (row < skip) continue;
    if (header === undefined && fields > most) {
      const said = `${basename(path)}, line ${line}: expected ${most} columns, as most lines have, found ${fields}.`;
      const remedy = `If it stands above the names of the columns, let headerRow of ${basename(path)} be their line; else correct the line.`;
      return new SourceError('file-malformed', said, {
        file: path,
        line,
        remedy,
        remedyOfFile: 'Correct the line.',
        cause: error,
      });
    }
    header ??= fields;
    if (fields <= header) continue;
    const said = `${basename(path)}, line ${line}: expected ${header} columns, as the header has them, found ${fields}.`;
    const remedy = `Name all columns in the header; if it is complete, set delimiter or quote for ${basename(path)}, and headerRow if the header is another line.`;
    return new SourceError('file-malformed', said, {
      file: path,
      line,
      remedy,
      remedyOfFile: 'Name all columns in the header.',
      cause: error,
    });
  }
  return error;
}

/** Known facts about a file. */
interface Beginning {
  readonly text: string;
  /** The sample is the whole file. */
  readonly whole: boolean;
  /** Field format, for files with mixed line endings. */
  readonly mended?: LineShape | undefined;
}

/** Passes `read` a path that DuckDB can read: the file, or a temporary UTF-8 copy of its sample. */
async function withReadableBeginning<T>(
  file: SourceFile,
  { text, whole, mended }: Beginning,
  encoding: Encoding,
  inspection: InspectionOptions,
  read: (path: string) => Promise<T>,
): Promise<T> {
  if (encoding.native !== undefined && !mended) return read(file.path);
  const copy = join(await inspection.temporaryFolder(), `beginning-${randomUUID()}.csv`);
  try {
    const lines = whole ? text : text.slice(0, text.lastIndexOf('\n') + 1);
    await writeFile(copy, mended ? textWithOneLineEnd(lines, mended) : lines);
    return await read(copy);
  } finally {
    await rm(copy, { force: true });
  }
}

/** What the decoder makes of bytes to which windows-1252 assigns no character. */
const unassigned = /[\u0081\u008d\u008f\u0090\u009d]/;

/** @param text the sample */
function csvWarnings(
  file: SourceFile,
  text: string,
  format: FieldFormat,
  plan: CsvPlan,
  options: FileOptions,
): Pick<Findings, 'warnings' | 'proposedTypes'> {
  const name = basename(file.path);
  const warnings: string[] = [];
  if (plan.encoding.guessed && plan.encoding.name === 'windows-1252') {
    const gap = unassigned.test(text) ? ', in which some of its bytes are no characters' : '';
    warnings.push(
      `${name} is not UTF-8 and is read as windows-1252${gap}${advice(options, 'encoding', 'letters look wrong')}.`,
    );
  }
  const first = csvRecords(text, format, 1).next();
  if (options.headerRow === undefined && !first.done && first.value.row < format.skip) {
    const above = format.skip === 1 ? 'line stands' : `${format.skip} lines stand`;
    const out = format.skip === 1 ? 'is' : 'are';
    warnings.push(`${name}: the first ${above} above the header and ${out} left out.`);
  }
  if (options.headerRow === undefined && plan.header)
    warnings.push(...titleInsteadOfHeader(name, text, format, options));
  const proposedTypes = plan.columns
    .filter(({ keepsDigits }) => keepsDigits)
    .map((column) => digitsProposal(name, column, digitsWarning(name, column, options)));
  return {
    warnings: [
      ...warnings,
      ...proposedTypes.map(({ message }) => message),
      ...formatWarnings(file.path, plan, options),
      ...numberedNames(name, plan.columns),
    ],
    ...(proposedTypes.length > 0 && { proposedTypes }),
  };
}

/** A title may have as many fields as the table; an empty line below it says so. */
function titleInsteadOfHeader(
  name: string,
  text: string,
  format: FieldFormat,
  options: FileOptions,
): readonly string[] {
  const [header, ...below] = [...csvRecords(text, format, format.skip + 12)].filter(({ row }) => row >= format.skip);
  const next = below.find(({ filled }) => filled > 0);
  if (!header || !next || (below[0] === next && next.row === header.row + 1)) return [];
  const remedy = advice(options, `headerRow: ${next.line}`, `line ${next.line} is the header`);
  return [`${name}: line ${header.line} is taken for the header, though an empty line follows${remedy}.`];
}

/** The text of the header. */
function headerOf(text: string, { delimiter, quote, skip }: FieldFormat): string {
  let start: number | undefined;
  for (const record of csvRecords(text, { delimiter, quote })) {
    if (start !== undefined) return text.slice(start, record.start);
    if (record.row >= skip) start = record.start;
  }
  return text.slice(start ?? 0);
}

interface CountedRecords {
  readonly records: number;
  /** Offset of the first character of the last record. */
  readonly last: number;
}

/** Records that are counted before DuckDB gets a turn: a millisecond or less. */
const recordsAtOnce = 500;

/** Counts in slices, so that DuckDB's statements for the columns can start meanwhile. */
async function countRecords(text: string, shape: RecordShape & Pick<CsvPlan, 'skip'>): Promise<CountedRecords> {
  let records = 0;
  let last = 0;
  for (const record of csvRecords(text, shape)) {
    if (record.row >= shape.skip) records += 1;
    last = record.start;
    if (records % recordsAtOnce === 0) await setImmediate();
  }
  return { records, last };
}

/** Exact for a complete sample, else estimated from the mean record length. */
function estimateRows({ records, last }: CountedRecords, text: string, sample: FileSample, plan: CsvPlan): number {
  const header = plan.header ? 1 : 0;
  if (sample.whole || records < 2) return Math.max(records - header, 0);
  const bytesPerRecord = ((last / text.length) * sample.bytes.length) / (records - 1);
  return Math.max(Math.round(sample.contentSize / bytesPerRecord) - header, 0);
}
