import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { checkContent } from './check-content.ts';
import type { FileOptions } from './config.ts';
import { explainError } from './errors.ts';
import type { FileFormat } from './file-format.ts';
import { inspectCsv } from './inspect-csv.ts';
import { asTexts, correctedTypes, inFormat } from './corrected-types.ts';
import { withWishes } from './declared-types.ts';
import { call, formatOptions, readerSql, type PlanColumn, type ReadPlan } from './read-plan.ts';
import { readSample, type FileSample } from './read-sample.ts';
import { sniffedRows } from './sniff-csv.ts';

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

/** What is found out by looking into a file, whatever its format. */
export type Findings = Pick<InspectedFile, 'plan' | 'rowEstimate' | 'warnings'>;

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
  const plan = { kind: 'json', lines: file.format.lines, ...pickFormats(options), columns: sniffed } as const;
  const texts = readerSql({ ...plan, columns: asTexts(sniffed) }, file.path);
  const { path } = file;
  const corrected = await correctedTypes(session, texts, plan, signal).catch(async (error: unknown) => {
    if (signal?.aborted) throw error;
    throw await explainError(error, { files: [{ path, readFrom: path }] });
  });
  const wishes = { session, options, signal, path, readFrom: path, reader: 'read_json' } as const;
  const columns = (await withWishes(corrected, wishes)).map((column) => inFormat(column, plan));
  const lines = file.format.lines ? sample.bytes.toString('latin1').split('\n').length - (sample.whole ? 1 : 0) : 0;
  return {
    plan: { ...plan, columns },
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
