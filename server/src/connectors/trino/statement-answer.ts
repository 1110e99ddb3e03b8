import type { HttpResponse } from '../http/http-client.ts';
import { TransientFailure, retryAfterMs, serverTime } from '../http/transient-failure.ts';
import { unavailableStatuses } from '../http/unavailable-statuses.ts';
import { SourceError } from '../source-error.ts';
import { parseExactly } from './protocol-json.ts';

/** One answer of the statement protocol: https://trino.io/docs/current/develop/client-protocol.html */
export interface StatementAnswer {
  readonly id: string;
  /** Address of the next response; absent in the last one. */
  readonly nextUri?: string;
  readonly columns?: readonly TrinoColumn[];
  readonly data?: readonly TrinoRow[];
  readonly error?: TrinoFailure;
  /** Rows that a statement wrote. */
  readonly updateCount?: number;
}

export interface TrinoColumn {
  readonly name: string;
  /** Such as `timestamp(3) with time zone`. */
  readonly type: string;
}

export type TrinoRow = readonly unknown[];

/** Why a statement failed. */
export interface TrinoFailure {
  readonly message: string;
  /** Such as `COLUMN_NOT_FOUND`. */
  readonly errorName: string;
  readonly errorType: string;
  /** In the text of the statement: 1-based line and column, in characters. */
  readonly errorLocation?: { readonly lineNumber: number; readonly columnNumber: number };
}

/** The request that a response belongs to. */
interface AnsweredRequest {
  readonly host: string;
  /** Whether the request began the statement. */
  readonly isFirst: boolean;
  /** Redacts secrets in texts of the server. */
  readonly redact: (text: string) => string;
}

/** Reads an answer. Throws a `SourceError`, transient where the same request may succeed. */
export function readStatementAnswer(response: HttpResponse, request: AnsweredRequest): StatementAnswer {
  const { status, text } = response;
  const { host } = request;
  if (status !== 200) throw statusFailure(response, request);
  try {
    const answer = parsed(text);
    if (isStatementAnswer(answer)) return answer;
  } catch {
    // Reported below.
  }
  throw notTrino(host);
}

function isStatementAnswer(answer: StatementAnswer | null): answer is StatementAnswer {
  if (typeof answer?.id !== 'string') return false;
  const { nextUri } = answer;
  return nextUri === undefined || (typeof nextUri === 'string' && URL.canParse(nextUri, 'http://host'));
}

/** Columns of scalar types are selected as texts where a number would be rounded. */
function parsed(text: string): StatementAnswer {
  const answer = JSON.parse(text) as StatementAnswer;
  if (!answer?.data || !answer.columns?.some(({ type }) => hasNestedBigint.test(type))) return answer;
  const { data } = parseExactly(text) as Required<StatementAnswer>;
  return { ...answer, data };
}

const hasNestedBigint = /^(array|map|row)\b.*\bbigint\b/is;

function statusFailure(response: HttpResponse, { host, isFirst, redact }: AnsweredRequest): SourceError {
  const { status, headers } = response;
  const said = serverText(redact(response.text));
  const wait = retryAfterMs(headers.get('retry-after'), serverTime(headers));
  if (status === 429 || unavailableStatuses.includes(status)) {
    // Statements only read, and an answer is repeated until the next one is asked for.
    return new TransientFailure(
      'source-unreachable',
      `Trino is not available at ${host} at the moment (status ${status}).`,
      { mayHaveRun: true, retryAfterMs: wait },
      { remedy: 'Try again when the cluster is available.' },
    );
  }
  if (status !== 401 && /Access Denied/.test(said)) {
    return new SourceError('permission-denied', `Trino refuses the session: ${said}`, {
      remedy: 'Correct user and role of the data source, or ask for the right to use them.',
    });
  }
  if (status === 401) {
    return new SourceError('authentication-failed', `Trino at ${host} refuses the login${said && `: ${said}`}`, {
      remedy: 'Correct auth of the data source; an access token may have expired.',
    });
  }
  if (status === 403) {
    return new SourceError('authentication-failed', `Trino at ${host} refuses the request${said && `: ${said}`}`, {
      remedy: 'Passwords need ssl: true. Correct auth and user of the data source.',
    });
  }
  if ((status === 404 || status === 410) && !isFirst) {
    return new SourceError('connection-lost', `Trino at ${host} knows nothing of the statement any more.`, {
      remedy: 'The coordinator was restarted, or the statement was ended there: try again.',
    });
  }
  if (status >= 300 && status < 400) {
    const target = redact(headers.get('location')?.split(/[?#]/)[0] ?? 'nowhere');
    return new SourceError('source-failed', `What answers at ${host} redirects to ${target}.`, {
      remedy: 'Set host, port and ssl of the data source to the address that it leads to.',
    });
  }
  if (status === 400 || status === 500) {
    return new SourceError('source-failed', `Trino refuses the request${said && `: ${said}`}`, {
      remedy: 'Check user, role, sessionProperties and auth of the data source.',
    });
  }
  return notTrino(host);
}

/** Not reported as a source that is down: using kept rows would hide a wrong address or a login page. */
function notTrino(host: string): SourceError {
  return new SourceError('source-failed', `What answers at ${host} is no Trino coordinator.`, {
    remedy: 'Check host, port and ssl of the data source.',
  });
}

/** The first line of an error body, without the class of a Java exception. */
function serverText(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  if (/^\s*</.test(line)) return '';
  return line.replace(/^(?:[\w.$]+(?:Exception|Error): )+/, '').slice(0, 300);
}
