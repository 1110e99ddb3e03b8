import { quoteIdentifier, embeddedLiteral } from '../../query/quote.ts';
import { isDiskFull } from '../../store/duckdb-store.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { StagedColumn } from '../connector.ts';
import { SourceError } from '../source-error.ts';
import { decimalOfText } from './decimal-of-text.ts';
import { diskFull, type Segment } from './segment-writer.ts';

/** A staging table loaded from segments. */
export interface StagingTarget {
  readonly staging: StagingDatabase;
  readonly table: string;
  readonly columns: readonly StagedColumn[];
  readonly signal: AbortSignal | undefined;
  /** Texts are not compressed: that takes about as long as parsing the rows. */
  readonly hasPlainTexts?: true;
}

/** The statement that creates the empty table. */
export function stagedTableSql({
  table,
  columns,
  hasPlainTexts,
}: Pick<StagingTarget, 'table' | 'columns' | 'hasPlainTexts'>): string {
  const texts = hasPlainTexts ? 'VARCHAR USING COMPRESSION uncompressed' : 'VARCHAR';
  const definitions = columns.map(
    ({ stagedAs: name, stagedType: type }) => `${name} ${type === 'VARCHAR' ? texts : type}`,
  );
  return `CREATE TABLE ${quoteIdentifier(table)} (${definitions.join(', ')})`;
}

/** The statement that loads a segment. */
export function segmentSql(
  { table, columns }: Pick<StagingTarget, 'table' | 'columns'>,
  segment: Pick<Segment, 'path' | 'longestRow'>,
): string {
  const decimals = columns.map(({ stagedAs, stagedType }) => decimalOfText(stagedAs, stagedType));
  const values = columns.map(({ stagedAs }, index) => decimals[index] ?? stagedAs).join(', ');
  const asText = (_: StagedColumn, index: number): boolean => decimals[index] !== undefined;
  return `INSERT INTO ${quoteIdentifier(table)} SELECT ${values} FROM ${readSql(columns, segment, asText)}`;
}

/** SQL of the rows of a segment. NULL is written as nothing and an empty text as "". @param asText columns to read as texts. */
export function readSql(
  columns: readonly StagedColumn[],
  segment: Pick<Segment, 'path' | 'longestRow'>,
  asText: (column: StagedColumn, index: number) => boolean,
): string {
  const types = columns.map(
    (column, index) => `'${column.stagedAs}': '${asText(column, index) ? 'VARCHAR' : column.stagedType}'`,
  );
  if (columns.length === 1) types.push(`'c0': 'INTEGER'`);
  return readRowsSql(types, segment, '');
}

/** SQL of the rows of a file. @param types of its columns, as DuckDB's map has them. */
export function readRowsSql(
  types: readonly string[],
  { path, longestRow }: Pick<Segment, 'path' | 'longestRow'>,
  nullText: string,
): string {
  const options = [
    `auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', new_line = '\\n'`,
    `nullstr = '${nullText}', allow_quoted_nulls = false`,
    ...(longestRow > defaultMaxLineSize ? [`max_line_size = ${longestRow + 1}`] : []),
    `columns = {${types.join(', ')}}`,
  ];
  return `read_csv(${embeddedLiteral(path)}, ${options.join(', ')})`;
}

/** DuckDB's default in bytes. */
const defaultMaxLineSize = 2_000_000;

/** Creates the empty table. Rejects with a `SourceError` or with the signal's reason. */
export function createStagedTable(target: StagingTarget): Promise<void> {
  return run(target, stagedTableSql(target));
}

/** Loads a segment. Rejects with a `SourceError` or with the signal's reason. */
export function stageSegment(target: StagingTarget, segment: Segment): Promise<void> {
  return run(target, segmentSql(target, segment), segment.path);
}

/** Deletes the rows of a failed load. */
export async function dropStagedTable({ staging, table }: Pick<StagingTarget, 'staging' | 'table'>): Promise<void> {
  // The original failure matters more.
  await staging.run(`DROP TABLE IF EXISTS ${quoteIdentifier(table)}`).catch(() => undefined);
}

async function run({ staging, table, signal }: StagingTarget, sql: string, path = table): Promise<void> {
  try {
    await staging.run(sql, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw stagingFailure(error, path);
  }
}

/** Tells why rows could not be staged. */
export function stagingFailure(error: unknown, path: string): SourceError {
  const message = error instanceof Error ? error.message : String(error);
  if (isDiskFull(error)) return diskFull(path, error);
  const said = `The rows could not be staged in DuckDB: ${message.split('\n', 1)[0] ?? ''}`;
  return new SourceError('source-failed', said, { cause: error });
}
