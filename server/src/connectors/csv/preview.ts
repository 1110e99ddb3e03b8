import type { CompiledQuery } from '../../query/compiled-query.ts';
import { openScratch } from '../../store/duckdb-store.ts';
import { lockDatabase } from '../../store/sandbox.ts';
import type { CellValue, Preview, PreviewOptions, QueryColumn } from '../connector.ts';
import { utcTextReader } from '../postgresql/utc-text.ts';
import { SourceError } from '../source-error.ts';
import { queryColumn } from './column-types.ts';
import { placedError } from './errors.ts';
import type { FileSource } from './file-source.ts';
import { attachFile, createViewSql, neededFiles, readablePaths, wantsFileRow, type AttachedFile } from './views.ts';

const defaultTimeoutMs = 60_000;

/** What stands before the core query in `cappedSql`. */
export const wrapPrefix = 'SELECT * FROM (\n';

/** The statement of a preview: one row more than `limit` tells whether there are more. */
export function cappedSql(query: CompiledQuery, limit: number): string {
  return `${wrapPrefix}${query.sql}\n) AS q LIMIT ${limit + 1}`;
}

/**
 * Runs a query over files in a database of its own, in memory and confined to the query's files. Rejects with a
 * `SourceError`, `statement-timeout` among them.
 */
export async function preview(source: FileSource, query: CompiledQuery, options: PreviewOptions): Promise<Preview> {
  const started = performance.now();
  const timeoutMs = options.timeoutMs ?? source.config.statementTimeoutMs ?? defaultTimeoutMs;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(timedOut(timeoutMs)), timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout.signal]) : timeout.signal;
  try {
    const files = await neededFiles(source, query, signal);
    const attached: AttachedFile[] = [];
    for (const file of files) attached.push(await attachFile(file, source.temporaryFolder, { verify: false, signal }));
    const { columns, rows } = await runConfined(source, attached, query, options.limit, signal);
    return {
      columns,
      rows: inUtc(rows.slice(0, options.limit), columns, source.config.timeZone),
      truncated: rows.length > options.limit,
      durationMs: Math.round(performance.now() - started),
    };
  } finally {
    clearTimeout(timer);
  }
}

async function runConfined(
  source: FileSource,
  attached: readonly AttachedFile[],
  query: CompiledQuery,
  limit: number,
  signal: AbortSignal,
): Promise<{ readonly columns: readonly QueryColumn[]; readonly rows: readonly (readonly CellValue[])[] }> {
  const session = await openScratch({ temporaryFolder: await source.temporaryFolder() });
  const failed = (offset: number) => async (error: unknown) => {
    throw signal.aborted ? signal.reason : await placedError(error, attached, query, offset, source);
  };
  try {
    for (const [index, file] of attached.entries()) {
      await session.run(createViewSql(file, wantsFileRow(query, index)), { signal }).catch(failed(Infinity));
    }
    await lockDatabase(session, { files: readablePaths(attached), folders: [] });
    const described = await session.describe(query.sql).catch(failed(0));
    const { rows } = await session.table(cappedSql(query, limit), { signal }).catch(failed(wrapPrefix.length));
    return { columns: described.map(({ name, type }) => queryColumn(name, type)), rows };
  } finally {
    await session.close();
  }
}

/** Times without zone are shown as the import will read them, in the source's zone. */
export function inUtc(
  rows: readonly (readonly CellValue[])[],
  columns: readonly QueryColumn[],
  timeZone: string,
): readonly (readonly CellValue[])[] {
  const naive = new Set(columns.flatMap((column, index) => (column.zoned === false ? [index] : [])));
  if (naive.size === 0 || timeZone === 'UTC') return rows;
  const toUtc = utcTextReader(timeZone);
  return rows.map((row) =>
    row.map((cell, index) =>
      naive.has(index) && typeof cell === 'string' ? toUtc(cell.replace('T', ' ').replace('Z', '')) : cell,
    ),
  );
}

function timedOut(milliseconds: number): SourceError {
  return new SourceError('statement-timeout', `The query took longer than ${milliseconds / 1000} s and was stopped.`, {
    remedy: 'Filter the rows with where, or set a longer statementTimeout for the data source.',
  });
}
