import type { HttpClient } from '../http/http-client.ts';
import { defaultRetryPolicy } from '../http/with-retries.ts';
import { executed, type ExecutedSql } from './error-position.ts';
import type { ExplainFailure } from './errors.ts';
import type { TrinoConfig } from './read-settings.ts';
import { sessionHeaders } from './session-headers.ts';
import type { TrinoColumn, TrinoRow } from './statement-answer.ts';
import { runStatement, type StatementPage } from './statement-client.ts';
import type { OperationOptions } from '../connector.ts';
import { SourceError } from '../source-error.ts';

/** Statements of one session. Their errors are `SourceError`s. */
export interface Session {
  /** The result of a statement, page by page; ending the iteration ends the statement. */
  pages(
    statement: ExecutedSql,
    options: OperationOptions & { readonly mayWrite?: boolean },
  ): AsyncGenerator<StatementPage, void, void>;
  /** The result columns of a statement that has a result. */
  columnsOf(statement: ExecutedSql, options: OperationOptions): Promise<readonly TrinoColumn[]>;
  /**
   * Runs a statement that may write: it is sent once. Resolves to the number of rows that it wrote, if it says so.
   * `onFailure` is called when the server says that it failed: after any other error it may still be running there.
   */
  run(
    statement: ExecutedSql,
    options: OperationOptions & { readonly onFailure?: () => void },
  ): Promise<number | undefined>;
  /** All rows of a trusted statement. */
  rows(sql: string, options: OperationOptions): Promise<readonly TrinoRow[]>;
}

/** A session whose statements belong to one transaction. */
export interface TransactionSession extends Session {
  /** Ends the transaction; idempotent, never rejects. */
  end(): Promise<void>;
}

export interface SessionSettings {
  readonly http: HttpClient;
  readonly config: TrinoConfig;
  readonly explain: ExplainFailure;
  readonly redact: (text: string) => string;
  readonly statementTimeoutMs: number | undefined;
  /** Catalog and schema of unqualified names; default: those of the settings. */
  readonly place?: { readonly catalog: string; readonly schema: string };
  /** Names without catalog are nowhere. */
  readonly hasNoPlace?: true;
}

export function openSession(settings: SessionSettings): Session {
  const { config, place, statementTimeoutMs } = settings;
  const placed = place ? { ...config, catalog: place.catalog, schemas: [place.schema] } : config;
  return sessionWith(settings, sessionHeaders(placed, statementTimeoutMs));
}

/** The statement that begins the transaction of an import. */
export const beginPull = 'START TRANSACTION READ ONLY';

/**
 * A session in a read-only transaction, in which each Iceberg table is read at one snapshot. The server ends an idle
 * transaction after five minutes, so it is kept in use while other sources are read.
 */
export async function openTransaction(
  settings: SessionSettings,
  options: OperationOptions,
): Promise<TransactionSession> {
  const { http, config, explain, redact, statementTimeoutMs, hasNoPlace } = settings;
  const headers = sessionHeaders(
    hasNoPlace ? { ...config, catalog: undefined, schemas: [] } : config,
    statementTimeoutMs,
  );
  let id: string | null = null;
  const begin = runStatement(http, beginPull, {
    headers: { ...headers, [transactionHeader]: 'NONE' },
    retryPolicy: defaultRetryPolicy,
    ...options,
    onHeaders: (answered) => (id = answered.get('X-Trino-Started-Transaction-Id') ?? id),
    redact,
    failure: (failure) => explain(failure),
  });
  for await (const page of begin) void page;
  if (id === null) throw noTransaction(http.baseUrl.host);
  const session = sessionWith(settings, { ...headers, [transactionHeader]: id });
  const ending = new AbortController();
  let running = 0;
  let last = Promise.resolve();
  const stayAwake = setInterval(() => {
    if (running > 0) return;
    const signal = AbortSignal.any([AbortSignal.timeout(awakeMs), ending.signal]);
    last = session.rows('SELECT 1', { signal }).then(
      () => undefined,
      () => undefined,
    );
  }, awakeMs);
  stayAwake.unref();
  let ended: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    clearInterval(stayAwake);
    ending.abort(new Error('The transaction ends.'));
    await last;
    const signal = AbortSignal.timeout(5_000);
    await session.rows('ROLLBACK', { signal }).catch(() => undefined);
  };
  async function* counted(statement: ExecutedSql, given: OperationOptions): ReturnType<Session['pages']> {
    running += 1;
    try {
      // Statements of a transaction run one after another.
      await last;
      yield* session.pages(statement, given);
    } finally {
      running -= 1;
    }
  }
  return {
    ...session,
    pages: counted,
    columnsOf: (statement, given) => firstColumns(counted(statement, given)),
    end: () => (ended ??= end()),
  };
}

const transactionHeader = 'X-Trino-Transaction-Id';
const awakeMs = 60_000;

function noTransaction(host: string): SourceError {
  return new SourceError('source-failed', `Trino at ${host} did not say which transaction it began.`, {
    remedy: 'Let proxies before the coordinator pass headers whose names begin with X-Trino.',
  });
}

function sessionWith({ http, explain, redact }: SessionSettings, headers: Readonly<Record<string, string>>): Session {
  const pages: Session['pages'] = (statement, options) =>
    runStatement(http, statement.text, {
      headers,
      retryPolicy: defaultRetryPolicy,
      ...options,
      redact,
      failure: (failure) => explain(failure, statement),
    });
  return {
    pages,
    columnsOf: (statement, options) => firstColumns(pages(statement, options)),
    async run(statement, { onFailure, ...options }) {
      let written: number | undefined;
      const all = runStatement(http, statement.text, {
        headers,
        retryPolicy: defaultRetryPolicy,
        ...options,
        mayWrite: true,
        redact,
        failure(failure) {
          onFailure?.();
          return explain(failure, statement);
        },
        onUpdateCount: (count) => (written = count),
      });
      for await (const page of all) void page;
      return written;
    },
    async rows(sql, options) {
      const rows: TrinoRow[] = [];
      for await (const page of pages(executed(sql), options)) for (const row of page.rows) rows.push(row);
      return rows;
    },
  };
}

async function firstColumns(pages: AsyncIterable<StatementPage>): Promise<readonly TrinoColumn[]> {
  let found: readonly TrinoColumn[] = [];
  for await (const { columns } of pages) found = columns;
  return found;
}
