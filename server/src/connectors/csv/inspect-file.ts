import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { checkContent } from './check-content.ts';
import { explainError } from './errors.ts';
import { inspectCsv } from './inspect-csv.ts';
import { inspectJson } from './inspect-json.ts';
import type { SourceFile, InspectedFile, InspectionOptions, Findings } from './inspected-file.ts';
import type { PlanColumn } from './plan-types.ts';
import { call } from './reader-call.ts';
import { readSample } from './read-sample.ts';

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
