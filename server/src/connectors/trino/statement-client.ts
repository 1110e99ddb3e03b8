import type { HttpClient } from '../http/http-client.ts';
import { isTransientFailure } from '../http/transient-failure.ts';
import { reportWait, withRetries, type RetryPolicy } from '../http/with-retries.ts';
import { SourceError, isSourceError } from '../source-error.ts';
import { readStatementAnswer, type StatementAnswer, type TrinoColumn, type TrinoRow } from './statement-answer.ts';

/** Some rows of a result, in its order. */
export interface StatementPage {
  readonly columns: readonly TrinoColumn[];
  readonly rows: readonly TrinoRow[];
}

interface StatementOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly retryPolicy: RetryPolicy;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((message: string) => void) | undefined;
  /** Called with the headers of each answer. */
  readonly onHeaders?: ((headers: { get(name: string): string | null }) => void) | undefined;
  /** The statement may write, so it is not sent again after it may have run. */
  readonly mayWrite?: boolean;
  /** Called with the number of rows that a statement wrote. */
  readonly onUpdateCount?: (count: number) => void;
  /** Redacts secrets in texts of the server. */
  readonly redact: (text: string) => string;
  /** Turns the failure of a statement into an error. */
  readonly failure: (failure: NonNullable<StatementAnswer['error']>) => Error;
}

/**
 * Runs a statement and yields its result page by page. At most one page is requested in advance, so the server waits
 * for a slow reader. A reader that ends early, fails or is cancelled ends the statement on the server. Rejects with the
 * error of `failure`, a `SourceError`, or the signal's reason.
 */
export async function* runStatement(
  http: HttpClient,
  sql: string,
  options: StatementOptions,
): AsyncGenerator<StatementPage, void, void> {
  const { headers, retryPolicy, signal, onProgress } = options;
  const ended = new AbortController();
  const either = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
  const ask = (method: string, path: string, body?: string): Promise<StatementAnswer> =>
    withRetries(
      async () => {
        const url = addressOf(path, http.baseUrl);
        const response = await http.send({ method, url, headers, body, signal: either }).catch((error: unknown) => {
          // Before anything was answered, a wrong address is likelier than a restart: people should not wait.
          throw method === 'POST' ? ofFirstRequest(error) : error;
        });
        const answer = readStatementAnswer(response, {
          host: http.baseUrl.host,
          isFirst: method === 'POST',
          redact: options.redact,
        });
        options.onHeaders?.(response.headers);
        return answer;
      },
      // Sending a reading statement twice only costs time.
      {
        policy: retryPolicy,
        idempotent: method !== 'POST' || options.mayWrite !== true,
        signal: either,
        onWait: reportWait(onProgress),
      },
    );

  let open: string | undefined;
  try {
    let answer = await ask('POST', '/v1/statement', sql);
    let columns: readonly TrinoColumn[] = [];
    for (;;) {
      open = pathOf(answer.nextUri, http.baseUrl);
      if (answer.error) throw options.failure(answer.error);
      const following = open === undefined ? undefined : ask('GET', open);
      // It may fail before it is awaited, while the current page is used.
      following?.catch(() => undefined);
      if (answer.updateCount !== undefined) options.onUpdateCount?.(answer.updateCount);
      columns = answer.columns ?? columns;
      const rows = answer.data ?? [];
      if (rows.length > 0 || answer.columns) yield { columns, rows };
      if (following === undefined) return;
      answer = await following;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    ended.abort(new Error('The statement has ended.'));
    if (open !== undefined) await cancel(http, open, headers);
  }
}

function ofFirstRequest(error: unknown): unknown {
  if (!isSourceError(error)) return error;
  if (isTransientFailure(error) && error.code === 'source-unreachable') {
    return new SourceError(error.code, error.message, error.details);
  }
  if (error.code !== 'source-failed' || error.details.remedy !== undefined) return error;
  // A failure without a remedy usually comes from a port with another protocol.
  const remedy = 'Check host, port and ssl of the data source.';
  return new SourceError('source-unreachable', error.message, { ...error.details, remedy });
}

/**
 * The address without its origin: behind a proxy the server may name itself by another one, and credentials go to the
 * configured host only.
 */
function pathOf(uri: string | undefined, base: URL): string | undefined {
  if (uri === undefined) return undefined;
  const { pathname, search } = new URL(uri, base);
  return pathname + search;
}

/** A path may begin with two slashes, behind which a relative address would have another host. */
function addressOf(path: string, base: URL): URL {
  return new URL(base.origin + path);
}

/** Best effort: never rejects. The server ends an abandoned statement by itself after some minutes. */
async function cancel(http: HttpClient, path: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const url = addressOf(path, http.baseUrl);
  await http.send({ method: 'DELETE', url, headers, timeoutMs: 5_000 }).catch(() => undefined);
}
