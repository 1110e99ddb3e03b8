import { SourceError, type SourceErrorCode } from '../../source-error.ts';
import { UnknownTable } from '../../source-writer.ts';
import type { HttpResponse } from '../../http/http-client.ts';
import { RefusedRequest } from '../../http/refused-request.ts';
import { TransientFailure, limitWaitMs, retryAfterMs, serverTime } from '../../http/transient-failure.ts';
import { unavailableStatuses } from '../../http/unavailable-statuses.ts';
import { type RequestedCall, requestedCallText } from './call-platform.ts';
import { remediesFor } from './failure-remedies.ts';

/** A transaction cancelled by the instance for its duration; a smaller one may succeed. */
export class TransactionCancelled extends SourceError {
  constructor(readonly mayHaveRun: boolean) {
    super('statement-timeout', 'The instance cancelled the transaction: it took longer than the instance allows.', {
      remedy: 'Filter by an indexed column, or set a smaller pageSize for the data source.',
    });
  }
}

/** The platform's error object, which may arrive with status 200. */
export interface PlatformError {
  readonly message: string;
  readonly detail: string | undefined;
}

/** Why a response is an error, for a request. */
export function answerFailure(
  answer: HttpResponse,
  error: PlatformError | undefined,
  asked: RequestedCall,
): SourceError {
  const { status, headers, text } = answer;
  if (isCancelled(text)) return new TransactionCancelled(true);
  if (status === 202) {
    return new TransientFailure(
      'source-failed',
      'The instance accepted the request but did not run it: too many requests of one session are waiting.',
      { mayHaveRun: false },
      { remedy: 'Lower concurrency of the data source, or try again later.' },
    );
  }
  if (status === 429) return tooManyRequests(answer, error);
  const isPage = !isJson(headers.get('content-type'));
  if (
    /instance is hibernating|hibernat/i.test(text) ||
    /developer\.servicenow\.com/.test(headers.get('location') ?? '')
  ) {
    return new SourceError('source-unreachable', 'The instance is hibernating.', {
      remedy: 'Wake it up: log in to the developer site and open the instance, then try again.',
    });
  }
  if (status >= 300 && status < 400) {
    return new SourceError(
      'authentication-failed',
      `The instance redirects ${requestedCallText(asked)} to ${redirectTarget(headers.get('location'))}.`,
      {
        remedy:
          'Check instanceUrl and auth: the address must be that of the instance itself, and the login one for its REST interfaces.',
      },
    );
  }
  if (unavailableStatuses.includes(status)) {
    // A gateway timeout: the same request would take as long again.
    if (answer.milliseconds >= longAnswerMs) return new TransactionCancelled(true);
    const wait = retryAfterMs(headers.get('retry-after'), serverTime(headers));
    return new TransientFailure(
      'source-failed',
      `The instance is not available at the moment (status ${status}).`,
      { mayHaveRun: true, retryAfterMs: wait },
      { remedy: 'It may be restarting or being upgraded: try again later.' },
    );
  }
  if (isPage && status < 300) {
    const isLogin = /<form|log ?in|sign ?on|saml/i.test(text);
    return new SourceError(
      isLogin ? 'authentication-failed' : 'source-failed',
      isLogin
        ? `The instance answers ${requestedCallText(asked)} with a login page.`
        : `The instance answers ${requestedCallText(asked)} with a web page instead of JSON.`,
      { remedy: 'Check instanceUrl and auth: REST requests need a login of their own, not one of the browser.' },
    );
  }
  return statusFailure(answer, error, asked);
}

/** A truncated page: incomplete JSON. */
export function truncatedResponse(asked: RequestedCall): TransientFailure {
  return new TransientFailure(
    'connection-lost',
    `The instance ended its answer to ${requestedCallText(asked)} before it was complete.`,
    { mayHaveRun: true },
    { remedy: 'Try again; if it happens again, set a smaller pageSize for the data source.' },
  );
}

/**
 * A complete response of the wrong form. Reads are retried, because instances sometimes omit results that they could
 * not finish.
 * @param found such as `an empty body`
 */
export function unexpectedResponse(asked: RequestedCall, found: string): TransientFailure {
  return new TransientFailure(
    'source-failed',
    `The instance answers ${requestedCallText(asked)} with ${found}.`,
    { mayHaveRun: true },
    { remedy: 'Check instanceUrl, and whether a gateway before the instance changes its answers; then try again.' },
  );
}

export function isCancelled(text: string): boolean {
  return /Transaction cancell?ed|maximum execution time exceeded/i.test(text);
}

export function isJson(contentType: string | null): boolean {
  return /^(?:application|text)\/(?:[\w.+-]*\+)?json\b/i.test(contentType ?? '');
}

/**
 * Servers that are down respond sooner; the shortest quota of an instance is a minute, and load balancers wait for
 * five.
 */
const longAnswerMs = 55_000;

function tooManyRequests({ headers }: HttpResponse, error: PlatformError | undefined): TransientFailure {
  const wait = limitWaitMs(headers, serverTime(headers));
  const isRule = headers.get('x-ratelimit-rule') !== null || headers.get('x-ratelimit-limit') !== null;
  const said = error?.detail ?? error?.message;
  return new TransientFailure(
    'source-failed',
    isRule || said !== undefined
      ? `The instance limits how often it may be called: ${said ?? 'rate limit exceeded'}.`
      : 'The instance is busy: all its workers for REST requests are taken.',
    { mayHaveRun: false, retryAfterMs: wait },
    { remedy: 'Lower concurrency of the data source, or ask for a higher rate limit.' },
  );
}

function statusFailure(
  { status, headers }: HttpResponse,
  error: PlatformError | undefined,
  asked: RequestedCall,
): SourceError {
  const said = error ? [error.message, error.detail].filter(Boolean).join(': ') : `status ${status}`;
  const table = /^Invalid table (\S+)/.exec(error?.message ?? '')?.[1];
  if (table !== undefined) {
    return new UnknownTable('object-missing', `The instance has no table ${table}.`, {
      remedy: remediesFor(asked).unknownTable,
    });
  }
  const [code, message, remedy] = meaningOf(status, said, asked, headers.get('x-mfa_token') !== null);
  const details = { remedy, status };
  if (!isRefusal(status, asked)) return new SourceError(code, message, details);
  return new RefusedRequest(code, asked.method === 'GET' ? message : `${message} Nothing was changed.`, details);
}

/** A 403 response to an insert may mean that the new record is not readable. */
function isRefusal(status: number, { method }: RequestedCall): boolean {
  if (status === 403) return method !== 'POST';
  return status >= 400 && status < 500 && ![408, 499].includes(status);
}

function meaningOf(
  status: number,
  said: string,
  asked: RequestedCall,
  wantsSecondFactor: boolean,
): readonly [code: SourceErrorCode, message: string, remedy: string] {
  switch (status) {
    case 401:
      return [
        'authentication-failed',
        `The instance refuses the login: ${said}.`,
        wantsSecondFactor
          ? 'The user has to prove a second factor, which a program cannot: use OAuth 2.0 or a client certificate, or a user without it.'
          : 'Check auth of the data source; the user needs to be active and allowed to use the REST interfaces.',
      ];
    case 403:
      return [
        'permission-denied',
        `The instance refuses ${requestedCallText(asked)}: ${said}.`,
        remediesFor(asked).refused,
      ];
    case 404:
      return [
        'object-missing',
        `The instance finds nothing for ${requestedCallText(asked)}: ${said}.`,
        remediesFor(asked).missing,
      ];
    default:
      return [
        'source-failed',
        `The instance answers ${requestedCallText(asked)} with an error: ${said}.`,
        /^Requested URI does not represent any resource/.test(said)
          ? remediesFor(asked).unknownPath
          : 'Check the request with the REST API explorer of the instance.',
      ];
  }
}

/** Only the target of a redirect: its parameters may be sensitive. */
function redirectTarget(location: string | null): string {
  return location?.split(/[?#]/)[0] ?? 'nowhere';
}
