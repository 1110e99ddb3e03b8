import { quoteIdentifier, quoteLiteral } from '../../query/quote.ts';
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
}

/** The statement that creates the empty table. */
export function stagedTableSql({ table, columns }: Pick<StagingTarget, 'table' | 'columns'>): string {
  const definitions = columns.map(({ stagedAs, stagedType }) => `${stagedAs} ${stagedType}`);
  return `CREATE TABLE ${quoteIdentifier(table)} (${definitions.join(', ')})`;
}

/** The statement that loads a segment. */
export function segmentSql(
  { table, columns }: Pick<StagingTarget, 'table' | 'columns'>,
  { path, longestRow }: Pick<Segment, 'path' | 'longestRow'>,
): string {
  const decimals = columns.map(({ stagedAs, stagedType }) => decimalOfText(stagedAs, stagedType));
  const types = columns.map(
    ({ stagedAs, stagedType }, index) => `'${stagedAs}': '${decimals[index] === undefined ? stagedType : 'VARCHAR'}'`,
  );
  if (columns.length === 1) types.push(`'c0': 'INTEGER'`);
  const options = [
    `auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', new_line = '\\n'`,
    `nullstr = '', allow_quoted_nulls = false`,
    ...(longestRow > defaultMaxLineSize ? [`max_line_size = ${longestRow + 1}`] : []),
    `columns = {${types.join(', ')}}`,
  ];
  const values = columns.map(({ stagedAs }, index) => decimals[index] ?? stagedAs).join(', ');
  return `INSERT INTO ${quoteIdentifier(table)} SELECT ${values} FROM read_csv(${quoteLiteral(path, 'duckdb')}, ${options.join(', ')})`;
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
export async function dropStagedTable({ staging, table }: StagingTarget): Promise<void> {
  // The original failure matters more.
  await staging.run(`DROP TABLE IF EXISTS ${quoteIdentifier(table)}`).catch(() => undefined);
}

async function run({ staging, table, signal }: StagingTarget, sql: string, path = table): Promise<void> {
  try {
    await staging.run(sql, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    if (isDiskFull(error)) throw diskFull(path, error);
    throw new SourceError(
      'source-failed',
      `The rows could not be staged in DuckDB: ${message.split('\n', 1)[0] ?? ''}`,
      {
        cause: error,
      },
    );
  }
}
