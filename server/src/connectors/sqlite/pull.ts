import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { LoadOptions, LoadResult, OperationOptions, Pull, StagedColumn } from '../connector.ts';
import type { SqliteConfig } from './read-settings.ts';
import { queryFailure } from './errors.ts';
import { queryColumn } from './preview.ts';
import { SourceError } from '../source-error.ts';
import {
  rowsStatement,
  openSession,
  resultColumns,
  textsStatement,
  type ResultColumn,
  type Session,
} from './session.ts';
import { dropStagedTable } from '../segments/stage-segment.ts';
import { createTable, loadSegment, type StagingTarget } from './stage-segment.ts';

/**
 * Opens one read transaction, in which all queries of an import see the same state, also while another program writes
 * (WAL). SQLite prints the rows in a process of its own; DuckDB reads the files meanwhile.
 */
export async function openPull(
  config: SqliteConfig,
  staging: StagingDatabase,
  { signal }: OperationOptions,
): Promise<Pull> {
  const session = await openSession(config, signal);
  let loads = 0;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(query: CompiledQuery, stop: AbortSignal | undefined, work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work).catch((error: unknown) => {
      stop?.throwIfAborted();
      throw queryFailure(error, query, config.path);
    });
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    columnsOf: (query, { signal: stop }) =>
      inTurn(query, stop, async () => (await resultColumns(session, query, stop)).map(stagedColumn)),
    load: (query, table, options) =>
      inTurn(query, options.signal, () => {
        const prefix = join(
          staging.temporaryFolder,
          `sqlite-${process.pid}-${encodeURIComponent(config.name)}-${++loads}-`,
        );
        return load(session, { query, table, staging, prefix }, options);
      }),
    async close() {
      session.reader.close();
      await last;
    },
  };
}

interface LoadTarget {
  readonly query: CompiledQuery;
  readonly table: string;
  readonly staging: StagingDatabase;
  /** Path prefix of the temporary files. */
  readonly prefix: string;
}

async function load(
  session: Session,
  { query, table, staging, prefix }: LoadTarget,
  { signal, onRows, sample }: LoadOptions,
): Promise<LoadResult> {
  const columns = await resultColumns(session, query, signal);
  let target: StagingTarget = { staging, table, columns, signal, warnings: [] };
  await createTable(target);
  try {
    const textsSql = textsStatement(query, columns, sample);
    const { rows, invalidText } = await session.reader.stream(
      { sql: rowsStatement(query, columns, sample), prefix, textsSql },
      async (segment) => {
        target = await loadSegment(target, segment);
        await rm(segment.path, { force: true });
        onRows?.(segment.rows);
      },
      signal,
    );
    if (invalidText) throw notUtf8(columns[invalidText.column]?.name ?? '', invalidText.text);
    return { sourceRows: rows, columns: target.columns.map(stagedColumn), warnings: target.warnings };
  } catch (error) {
    await dropStagedTable(target);
    throw error;
  }
}

/** Different texts would become one. */
function notUtf8(column: string, text: string): SourceError {
  return new SourceError(
    'type-mismatch',
    `${column} has a text whose bytes are not UTF-8: "${text.slice(0, 80)}", with \ufffd in their place.`,
    { remedy: 'Correct the text in the file, or exclude such rows with where.' },
  );
}

function stagedColumn(column: ResultColumn, index: number): StagedColumn {
  return { ...queryColumn(column), stagedAs: `c${index + 1}`, stagedType: column.stagedType };
}
