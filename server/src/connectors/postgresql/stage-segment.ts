import type { StagingDatabase } from '../../store/staging-database.ts';
import type { StagedColumn } from '../connector.ts';
import { SourceError } from '../source-error.ts';
import { diskFull, type Segment } from './segment-writer.ts';

/** Creates the table, still empty, that `stageSegment` fills. Rejects with a `SourceError` or with the signal's reason. */
export async function createStagedTable(target: StagingTarget): Promise<void> {
  const { staging, table, signal } = target;
  await runOn(staging, stagedTableSql(target), signal).catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : stagingFailure(error, table);
  });
}

/** The statement of `createStagedTable`. */
export function stagedTableSql({ table, columns }: Pick<StagingTarget, 'table' | 'columns'>): string {
  const definitions = columns.map((column) => `${column.stagedAs} ${column.stagedType}`);
  return `CREATE TABLE ${quoteIdentifier(table)} (${definitions.join(', ')})`;
}

/** Appends a file that `COPY` wrote. Rejects with a `SourceError` or with the signal's reason. */
export async function stageSegment(target: StagingTarget, segment: Segment): Promise<void> {
  const { staging, columns, signal } = target;
  const load = (eras: boolean): Promise<unknown> => runOn(staging, segmentSql(target, segment, eras), signal);
  try {
    // Years before Christ are so rare that the common path does not pay for them.
    await load(false).catch((error: unknown) => {
      if (signal?.aborted || !isConversion(error) || !columns.some(hasEra)) throw error;
      return load(true);
    });
  } catch (error) {
    throw signal?.aborted ? signal.reason : stagingFailure(error, segment.path);
  }
}

/** Removes what a failed load has left. */
export async function dropStagedTable({ staging, table }: StagingTarget): Promise<void> {
  // Why the load failed matters more than why this does.
  await staging.run(`DROP TABLE IF EXISTS ${quoteIdentifier(table)}`).catch(() => undefined);
}

export interface StagingTarget {
  readonly staging: StagingDatabase;
  readonly table: string;
  readonly columns: readonly StagedColumn[];
  readonly signal: AbortSignal | undefined;
}

function runOn(staging: StagingDatabase, sql: string, signal: AbortSignal | undefined): Promise<unknown> {
  return staging.run(sql, signal === undefined ? {} : { signal });
}

function stagingFailure(error: unknown, path: string): SourceError {
  const message = error instanceof Error ? error.message : String(error);
  if (/no space left on device|not enough space on the disk/i.test(message)) return diskFull(path, error);
  return new SourceError(
    'source-failed',
    `The rows of PostgreSQL could not be staged in DuckDB: ${firstLine(message)}`,
    {
      cause: error,
    },
  );
}

/** The statement of `stageSegment`. @param eras times may be before Christ. */
export function segmentSql(
  { table, columns }: Pick<StagingTarget, 'table' | 'columns'>,
  segment: Pick<Segment, 'path' | 'longestRow'>,
  eras: boolean,
): string {
  const asText = (column: StagedColumn): boolean => eras && hasEra(column);
  const selected = columns.map((column) => (asText(column) ? withEra(column) : column.stagedAs));
  const types = columns.map((column) => `'${column.stagedAs}': '${asText(column) ? 'VARCHAR' : column.stagedType}'`);
  if (columns.length === 1) types.push(`'c0': 'INTEGER'`);
  const options = [
    `auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', new_line = '\\n'`,
    // PostgreSQL writes NULL as nothing and an empty text as "".
    `nullstr = '', allow_quoted_nulls = false`,
    ...(segment.longestRow > defaultMaxLineSize ? [`max_line_size = ${segment.longestRow + 1}`] : []),
    `columns = {${types.join(', ')}}`,
  ];
  const rows = `SELECT ${selected.join(', ')} FROM read_csv(${quoteText(segment.path)}, ${options.join(', ')})`;
  return `INSERT INTO ${quoteIdentifier(table)} ${rows}`;
}

/** DuckDB's own default, in bytes. */
const defaultMaxLineSize = 2_000_000;

function hasEra(column: StagedColumn): boolean {
  return column.stagedType === 'TIMESTAMP' || column.stagedType === 'DATE';
}

/** `0044-03-15 12:00:00 BC` of PostgreSQL is `0044-03-15 (BC) 12:00:00` in DuckDB. */
function withEra({ stagedAs, stagedType }: StagedColumn): string {
  const moved = `regexp_replace(${stagedAs}, '^([^ ]+)(.*) BC$', '\\1 (BC)\\2')`;
  return `CAST(CASE WHEN ends_with(${stagedAs}, ' BC') THEN ${moved} ELSE ${stagedAs} END AS ${stagedType}) AS ${stagedAs}`;
}

function isConversion(error: unknown): boolean {
  return error instanceof Error && /conver|could not parse/i.test(error.message);
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? message;
}

function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
