import { basename } from 'node:path';
import { SourceError } from '../source-error.ts';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { checkContent } from './check-content.ts';
import { explainError } from './errors.ts';
import { inspectCsv } from './inspect-csv.ts';
import { inspectWorkbook } from './inspect-workbook.ts';
import { inspectJson } from './inspect-json.ts';
import { numberedNames } from './format-warnings.ts';
import type { SourceFile, InspectedFile, InspectionOptions, Findings } from './inspected-file.ts';
import type { PlanColumn } from './plan-types.ts';
import { call } from './reader-call.ts';
import { readSample } from './read-sample.ts';

/** Inspects a CSV, JSON or Parquet file, or a table of a workbook: its format, columns and types. Rejects with a `SourceError` that names file and cause. */
export async function inspectFile(file: SourceFile, inspection: InspectionOptions): Promise<InspectedFile> {
  const sample = await readSample(file.path, file.format.gzip, 262_144);
  const { size, modified, changed, inode } = sample;
  const facts = { ...file, size, modified, changed, inode };
  switch (file.format.kind) {
    case 'csv':
      return { ...facts, ...(await inspectCsv(file, sample, inspection)) };
    case 'workbook':
      return { ...facts, ...(await inspectWorkbook(file, inspection)) };
    case 'json':
      checkContent(file.path, sample, false);
      return { ...facts, ...(await inspectJson(file, inspection)) };
    case 'parquet':
      return { ...facts, ...(await inspectParquet(file, inspection)) };
  }
}

async function inspectParquet(file: SourceFile, { session: opening, signal }: InspectionOptions): Promise<Findings> {
  const session = await opening;
  const columns = await describe(session, `SELECT * FROM ${call('read_parquet', file.path, [])}`, file, signal);
  const [count] = await session.query(
    `SELECT sum(num_rows)::BIGINT AS rows FROM ${call('parquet_file_metadata', file.path, [])}`,
  );
  await refuseWideDecimals(session, file, signal);
  const names = await session.query(`SELECT name FROM ${call('parquet_schema', file.path, [])}`, { signal });
  const warnings = numberedNames(basename(file.path), columns, (name) => names.some((row) => row['name'] === name));
  return { plan: { kind: 'parquet', columns }, rowEstimate: Number(count?.['rows'] ?? 0), warnings };
}

/** DuckDB reads decimals of more than 38 digits as other numbers. */
async function refuseWideDecimals(
  session: DuckDbSession,
  { path }: SourceFile,
  signal: AbortSignal | undefined,
): Promise<void> {
  const [wide] = await session.query(
    `SELECT name, CAST(precision AS VARCHAR) AS precision, CAST(scale AS VARCHAR) AS scale FROM ${call('parquet_schema', path, [])} WHERE precision > 38`,
    { signal },
  );
  if (!wide) return;
  throw new SourceError(
    'file-malformed',
    `${basename(path)}: column ${String(wide['name'])} is a DECIMAL(${String(wide['precision'])},${String(wide['scale'])}), and decimals of more than 38 digits cannot be read.`,
    { file: path, remedy: 'Write the column with at most 38 digits, or as text.' },
  );
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
