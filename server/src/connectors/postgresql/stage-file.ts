import type { StagingDatabase } from '../../store/staging-database.ts';
import type { StagedColumn } from '../connector.ts';
import { SourceError } from '../source-error.ts';
import { diskFull, type CopiedFile } from './copy-to-file.ts';

/** Creates `table` in DuckDB from the CSV that `COPY` wrote. Rejects with a `SourceError` or with the signal's reason. */
export async function stageFile(
  staging: StagingDatabase,
  table: string,
  path: string,
  columns: readonly StagedColumn[],
  copied: CopiedFile,
  signal: AbortSignal | undefined,
): Promise<void> {
  const options = signal === undefined ? {} : { signal };
  const load = (eras: boolean): Promise<void> =>
    staging.run(loadStatement(table, path, columns, copied, eras), options);
  try {
    // Years before Christ are so rare that the common path does not pay for them.
    await load(false).catch((error: unknown) => {
      if (signal?.aborted || !isConversion(error) || !columns.some(hasEra)) throw error;
      return load(true);
    });
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const message = error instanceof Error ? error.message : String(error);
    if (/no space left on device|ENOSPC/i.test(message)) throw diskFull(path, error);
    throw new SourceError(
      'source-failed',
      `The rows of PostgreSQL could not be staged in DuckDB: ${firstLine(message)}`,
      {
        cause: error,
      },
    );
  }
}

function loadStatement(
  table: string,
  path: string,
  columns: readonly StagedColumn[],
  copied: CopiedFile,
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
    ...(copied.longestRow > defaultMaxLineSize ? [`max_line_size = ${copied.longestRow + 1}`] : []),
    `columns = {${types.join(', ')}}`,
  ];
  return `CREATE TABLE ${quoteIdentifier(table)} AS SELECT ${selected.join(', ')} FROM read_csv(${quoteText(path)}, ${options.join(', ')})`;
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
