import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CompiledQuery, ObjectRead } from '../../query/compiled-query.ts';
import type { CappedRows } from '../../store/capped-rows.ts';
import { openScratch, type DuckDbSession } from '../../store/duckdb-store.ts';
import { lockDatabase } from '../../store/sandbox.ts';
import type { CastFailure, Preview, PreviewOptions, QueryColumn } from '../connector.ts';
import { queryColumn } from '../embedded/column-types.ts';
import { cappedSql, lenientSql, type TryCast, withCastFailures } from '../embedded/preview-sql.ts';
import { inUtc } from '../embedded/times-in-utc.ts';
import { withPreviewTimeout } from '../preview-timeout.ts';
import { tryCastSql } from './cast-sql.ts';
import { openPartialFetch } from './partial-fetch.ts';
import { describeQuery } from './pull.ts';
import { placedQueryError, readFinder, redactTrace } from './query-objects.ts';
import type { RecordSource } from './record-source.ts';

/**
 * Runs a query on fetched records in an in-memory database. Of the leading data object only as many records are fetched
 * as the preview needs, and of related ones only matching records; tables joined by SQL are fetched completely.
 */
export function previewFetched(source: RecordSource, query: CompiledQuery, options: PreviewOptions): Promise<Preview> {
  return withPreviewTimeout(options, source.statementTimeoutMs, (signal) => run(source, query, options, signal));
}

async function run(
  source: RecordSource,
  query: CompiledQuery,
  options: PreviewOptions,
  signal: AbortSignal,
): Promise<Preview> {
  const started = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'entity-graph-'));
  const session = await openScratch({ temporaryFolder: folder });
  try {
    const reads = await readFinder(source)(query, { signal });
    await lockDatabase(session, { files: [], folders: [folder] });
    const types = options.keepCastFailures ? await describeQuery(query, reads, source) : undefined;
    const warnings = new Set<string>();
    const onWarning = (warning: string): void => void warnings.add(warning);
    const { columns, rows, castFailures, ...end } = await fill(
      { source, query, session, folder, signal, limit: options.limit, types, onWarning },
      reads,
    );
    return {
      columns,
      rows: inUtc(rows, columns, query, source.timeZone),
      ...end,
      durationMs: Math.round(performance.now() - started),
      ...(warnings.size > 0 && { warnings: [...warnings] }),
      ...(castFailures.length > 0 && { castFailures }),
    };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw redactTrace(error, source);
  } finally {
    await session.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Work {
  readonly source: RecordSource;
  readonly query: CompiledQuery;
  readonly session: DuckDbSession;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly limit: number;
  /** Columns of the query, when texts that do not fit their column type are to be kept. */
  readonly types?: readonly QueryColumn[] | undefined;
  readonly onWarning: (warning: string) => void;
}

interface Answer extends CappedRows {
  readonly columns: readonly QueryColumn[];
  readonly castFailures: readonly CastFailure[];
}

/** Fetches more records until the preview is full. */
async function fill(
  { source, query, session, folder, signal, limit, types, onWarning }: Work,
  reads: readonly ObjectRead[],
): Promise<Answer> {
  const target = {
    run: session.run.bind(session),
    query: session.query.bind(session),
    temporaryFolder: folder,
  };
  const sql = types ? lenientSql(query, types.map(tryCast), limit) : cappedSql(query, limit);
  let wanted = limit + 1;
  const fetch = await openPartialFetch(
    { source, target, signal, wanted, asText: types !== undefined, onWarning },
    reads,
  );
  try {
    for (;;) {
      const isEnd = await fetch.more(wanted);
      const { columns: _, ...first } = await session.firstRows(sql, limit, { signal }).catch(async (error: unknown) => {
        throw placedQueryError(error, source, query, sql.indexOf(query.sql));
      });
      if (isEnd || first.truncated) {
        if (types) return { ...first, columns: types, ...withCastFailures(first.rows, types.length) };
        // Types of the core query, before the cap changes them.
        const described = await session.describe(query.sql);
        return { ...first, columns: described.map(({ name, type }) => queryColumn(name, type)), castFailures: [] };
      }
      wanted *= 8;
    }
  } finally {
    await fetch.close();
  }
}

function tryCast({ type }: QueryColumn): TryCast {
  return type === 'VARCHAR' ? undefined : (text) => tryCastSql(text, type);
}
