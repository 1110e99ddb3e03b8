import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { checkContent } from './check-content.ts';
import type { FileOptions } from './read-settings.ts';
import { explainError } from './errors.ts';
import { inspectCsv } from './inspect-csv.ts';
import { asTexts, correctedTypes, inFormat } from './corrected-types.ts';
import { withDeclaredTypes } from './declared-types.ts';
import type { SourceFile, InspectedFile, InspectionOptions, Findings } from './inspected-file.ts';
import type { PlanColumn } from './plan-types.ts';
import { call, formatOptions, readerSql } from './read-plan.ts';
import { readSample, type FileSample } from './read-sample.ts';
import { sniffedRows } from './sniff-columns.ts';

/** Inspects a CSV, JSON or Parquet file: its format, columns and types. Rejects with a `SourceError` that names file and cause. */
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

async function inspectJson(
  file: SourceFile,
  sample: FileSample,
  { session: opening, options, signal }: InspectionOptions,
): Promise<Findings> {
  const session = await opening;
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
  const columns = (await withDeclaredTypes(corrected, wishes)).map((column) => inFormat(column, plan));
  const lines = file.format.lines ? sample.bytes.toString('latin1').split('\n').length - (sample.whole ? 1 : 0) : 0;
  return {
    plan: { ...plan, columns },
    rowEstimate: lines > 0 ? Math.round((lines * sample.contentSize) / sample.bytes.length) : undefined,
    warnings: [],
  };
}

async function inspectParquet(file: SourceFile, { session: opening, signal }: InspectionOptions): Promise<Findings> {
  const session = await opening;
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
    const rows = await session.query(`DESCRIBE ${sql}`, { signal });
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
