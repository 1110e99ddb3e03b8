import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { checkContent } from './check-content.ts';
import type { FileOptions } from './config.ts';
import { csvRecords } from './csv-records.ts';
import { detectDialect, type CsvDialect } from './detect-dialect.ts';
import { decodeSample, guessEncoding, namedEncoding, type Encoding } from './encodings.ts';
import { explainError } from './errors.ts';
import type { FileFormat } from './file-format.ts';
import { call, formatOptions, type CsvPlan, type PlanColumn, type ReadPlan } from './read-plan.ts';
import { readSample, type FileSample } from './read-sample.ts';
import { sniffCsv, sniffedRows } from './sniff-csv.ts';

/** A file of a source as its name tells. */
export interface SourceFile {
  /** The data object's name. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly format: FileFormat;
}

/** A file that has been looked into. */
export interface InspectedFile extends SourceFile {
  readonly plan: ReadPlan;
  /** Bytes on disk. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** The same of anything about the file, which nobody can set back. */
  readonly changed: number;
  readonly inode: number;
  readonly rowEstimate?: number;
  readonly warnings: readonly string[];
}

export interface InspectionOptions {
  readonly session: DuckDbSession;
  readonly options: FileOptions;
  /** Folder for a UTF-8 copy of the beginning of a file. */
  readonly temporaryFolder: () => Promise<string>;
  readonly signal?: AbortSignal;
}

/** Looks into a file: encoding, dialect, columns and types. Rejects with a `SourceError` that names file and cause. */
export async function inspectFile(file: SourceFile, inspection: InspectionOptions): Promise<InspectedFile> {
  const sample = await readSample(file.path, file.format.gzip, 262_144);
  const { size, modified, changed, inode } = sample;
  const facts = { ...file, size, modified, changed, inode };
  switch (file.format.kind) {
    case 'csv':
      return { ...facts, ...(await inspectCsv(file, sample, inspection)) };
    case 'json':
      checkContent(file.path, sample, false);
      return { ...facts, ...(await inspectJson(file, sample, inspection)) };
    case 'parquet':
      return { ...facts, ...(await inspectParquet(file, inspection)) };
  }
}

type Findings = Pick<InspectedFile, 'plan' | 'rowEstimate' | 'warnings'>;

async function inspectCsv(file: SourceFile, sample: FileSample, inspection: InspectionOptions): Promise<Findings> {
  const { options, session, signal } = inspection;
  const encoding =
    options.encoding === undefined ? guessEncoding(sample.bytes) : namedEncoding(options.encoding, file.path);
  checkContent(file.path, sample, encoding.name.startsWith('utf-16'));
  const text = decodeSample(sample.bytes, encoding);
  const delimiter = options.delimiter ?? file.format.delimiter;
  const dialect = detectDialect(text, { ...options, ...(delimiter !== undefined && { delimiter }) });
  const shape = {
    kind: 'csv',
    encoding,
    gzip: file.format.gzip,
    delimiter: dialect.delimiter,
    quote: dialect.quote,
    escape: dialect.escape,
    skip: dialect.skip,
    nullValues: options.nullValues ?? [],
    ...(options.decimal !== undefined && { decimal: options.decimal }),
  } as const;
  const plan = await withReadableBeginning(file, text, sample.whole, encoding, inspection, (readFrom) =>
    sniffCsv(
      { session, path: file.path, readFrom, options, signal },
      // The copy of the beginning is plain text.
      readFrom === file.path ? shape : { ...shape, gzip: false },
      dialect.fields,
    ),
  );
  return {
    plan: { ...plan, gzip: file.format.gzip },
    rowEstimate: estimateRows(text, sample, plan),
    warnings: csvWarnings(file, dialect, plan, options),
  };
}

/** Gives `read` a path that DuckDB can read: the file itself, or a UTF-8 copy of its beginning that is removed afterwards. */
async function withReadableBeginning<T>(
  file: SourceFile,
  text: string,
  whole: boolean,
  encoding: Encoding,
  inspection: InspectionOptions,
  read: (path: string) => Promise<T>,
): Promise<T> {
  if (encoding.native !== undefined) return read(file.path);
  const copy = join(await inspection.temporaryFolder(), `beginning of ${file.name}.csv`);
  try {
    await writeFile(copy, whole ? text : text.slice(0, text.lastIndexOf('\n') + 1));
    return await read(copy);
  } finally {
    await rm(copy, { force: true });
  }
}

function csvWarnings(file: SourceFile, dialect: CsvDialect, plan: CsvPlan, options: FileOptions): readonly string[] {
  const name = basename(file.path);
  const warnings: string[] = [];
  if (plan.encoding.guessed && plan.encoding.name === 'windows-1252') {
    warnings.push(`${name} is not UTF-8 and is read as windows-1252; set encoding if letters look wrong.`);
  }
  if (dialect.skip > 0) {
    warnings.push(`${name}: the first ${dialect.skip} lines stand above the header and are left out.`);
  }
  const guessedFormats = [
    ['dateFormat', options.dateFormat ?? plan.dateFormat, options.dateFormat],
    ['timestampFormat', options.timestampFormat ?? plan.timestampFormat, options.timestampFormat],
  ] as const;
  for (const [setting, format, given] of guessedFormats) {
    if (given === undefined && format !== undefined && !format.startsWith('%Y')) {
      warnings.push(`${name}: dates are read as ${format}; set ${setting} if that is wrong.`);
    }
  }
  return warnings;
}

async function inspectJson(
  file: SourceFile,
  sample: FileSample,
  { session, options, signal }: InspectionOptions,
): Promise<Findings> {
  const reader = call('read_json', file.path, [
    `format = '${file.format.lines ? 'newline_delimited' : 'auto'}'`,
    `sample_size = ${sniffedRows}`,
    ...formatOptions(options),
  ]);
  const sniffed = await describe(session, `SELECT * FROM ${reader}`, file, signal);
  const columns = sniffed.map(({ name, type }) => ({ name, type: options.types?.[name] ?? type }));
  const lines = file.format.lines ? sample.bytes.toString('latin1').split('\n').length - (sample.whole ? 1 : 0) : 0;
  return {
    plan: { kind: 'json', lines: file.format.lines, ...pickFormats(options), columns },
    ...(lines > 0 && { rowEstimate: Math.round((lines * sample.contentSize) / sample.bytes.length) }),
    warnings: [],
  };
}

async function inspectParquet(file: SourceFile, { session, signal }: InspectionOptions): Promise<Findings> {
  const columns = await describe(session, `SELECT * FROM ${call('read_parquet', file.path, [])}`, file, signal);
  const [count] = await session.query(
    `SELECT sum(num_rows)::BIGINT AS rows FROM ${call('parquet_file_metadata', file.path, [])}`,
  );
  return { plan: { kind: 'parquet', columns }, rowEstimate: Number(count?.['rows'] ?? 0), warnings: [] };
}

async function describe(
  session: DuckDbSession,
  sql: string,
  file: SourceFile,
  signal: AbortSignal | undefined,
): Promise<readonly PlanColumn[]> {
  try {
    const rows = await session.query(`DESCRIBE ${sql}`, { ...(signal && { signal }) });
    return rows.map((row) => ({ name: String(row['column_name']), type: String(row['column_type']) }));
  } catch (error) {
    if (signal?.aborted) throw error;
    throw await explainError(error, { files: [{ path: file.path, readFrom: file.path }] });
  }
}

function pickFormats({
  dateFormat,
  timestampFormat,
}: FileOptions): Pick<FileOptions, 'dateFormat' | 'timestampFormat'> {
  return { ...(dateFormat !== undefined && { dateFormat }), ...(timestampFormat !== undefined && { timestampFormat }) };
}

/** Exact when the sample is the whole file, else from the mean length of the sampled records. */
function estimateRows(text: string, sample: FileSample, plan: CsvPlan): number {
  let records = 0;
  let last = 0;
  for (const record of csvRecords(text, plan)) {
    records += 1;
    last = record.start;
  }
  const header = plan.header ? 1 : 0;
  if (sample.whole || records < 2) return Math.max(records - header, 0);
  const bytesPerRecord = ((last / text.length) * sample.bytes.length) / (records - 1);
  return Math.max(Math.round(sample.contentSize / bytesPerRecord) - header, 0);
}
