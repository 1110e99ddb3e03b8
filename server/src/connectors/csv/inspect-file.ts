import { basename } from 'node:path';
import { SourceError } from '../source-error.ts';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { checkJsonContent, emptyFile } from './check-content.ts';
import { explainError } from './errors.ts';
import { inspectCsv } from './inspect-csv.ts';
import { inspectWorkbook } from './inspect-workbook.ts';
import { inspectJson } from './inspect-json.ts';
import { withFields } from './fields-by-case.ts';
import { numberedNames } from './format-warnings.ts';
import type { SourceFile, InspectedFile, InspectionOptions, Findings } from './inspected-file.ts';
import type { PlanColumn } from './plan-types.ts';
import { call } from './reader-call.ts';
import { readSample } from './read-sample.ts';
import { wideDecimals } from './wide-decimals-copy.ts';

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
      checkJsonContent(file.path, sample);
      return { ...facts, ...(await inspectJson(file, inspection)) };
    case 'parquet':
      if (size === 0) throw emptyFile(file.path, 'is empty');
      return { ...facts, ...(await inspectParquet(file, inspection)) };
  }
}

async function inspectParquet(file: SourceFile, { session: opening, signal }: InspectionOptions): Promise<Findings> {
  const session = await opening;
  const stored = await describe(session, `SELECT * FROM ${call('read_parquet', file.path, [])}`, file, signal);
  const numbered = await withWideDecimals(stored, session, file, signal);
  const [count] = await session.query(
    `SELECT sum(num_rows)::BIGINT AS rows FROM ${call('parquet_file_metadata', file.path, [])}`,
  );
  const elements = await session.query(
    `SELECT name, logical_type LIKE 'TimeType(%NANOS=Nano%' AS is_fine FROM ${call('parquet_schema', file.path, [])}`,
    { signal },
  );
  const written = new Set(elements.map((row) => row['name']));
  const columns = withFields(numbered, (each) => written.has(each));
  const name = basename(file.path);
  const warnings = [
    ...numberedNames(name, columns),
    ...columns
      .filter(({ wideScale }) => wideScale !== undefined)
      .map((column) => `${name}: the numbers of ${column.name} have more digits than a DECIMAL keeps, and are texts.`),
    ...elements
      .filter((row) => row['is_fine'] === true)
      .map(
        (row) =>
          `${name}: ${row['name']} has times of day in nanoseconds, whose digits below microseconds are cut off.`,
      ),
  ];
  return { plan: { kind: 'parquet', columns }, rowEstimate: Number(count?.['rows'] ?? 0), warnings };
}

/** DuckDB reads decimals of more than 38 digits as other numbers: they are texts, made of their bytes. */
async function withWideDecimals(
  columns: readonly PlanColumn[],
  session: DuckDbSession,
  { path }: SourceFile,
  signal: AbortSignal | undefined,
): Promise<readonly PlanColumn[]> {
  const [wide] = await session.query(
    `SELECT name, CAST(precision AS VARCHAR) AS precision, CAST(scale AS VARCHAR) AS scale FROM ${call('parquet_schema', path, [])} WHERE precision > 38`,
    { signal },
  );
  if (!wide) return columns;
  const decimals = await wideDecimals(path);
  const isReadable = decimals.every(({ column, precision }) => column !== undefined && precision <= mostDigits);
  if (isReadable) {
    return columns.map((column, index) => {
      const decimal = decimals.find((each) => each.column === index);
      return decimal ? { name: column.name, type: 'VARCHAR', wideScale: decimal.scale } : column;
    });
  }
  throw new SourceError(
    'file-malformed',
    `${basename(path)}: column ${String(wide['name'])} is a DECIMAL(${String(wide['precision'])},${String(wide['scale'])}), and decimals of more than 38 digits cannot be read inside of objects and lists, or with more than ${mostDigits} digits.`,
    { file: path, remedy: 'Write the column with at most 38 digits, or as text.' },
  );
}

/** Digits of a decimal of 256 bits. */
const mostDigits = 76;

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
