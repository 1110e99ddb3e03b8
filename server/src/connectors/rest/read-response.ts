import { parseAnswer } from '../endpoints/parse-answer.ts';
import type { HttpResponse } from '../http/http-client.ts';
import { TransientFailure, isLimitReached, limitWaitMs, retryAfterMs, serverTime } from '../http/transient-failure.ts';
import { unavailableStatuses } from '../http/unavailable-statuses.ts';
import { SourceError, type SourceErrorCode } from '../source-error.ts';

/**
 * Parses a response of JSON, or of lines of JSON; null for one without content (204). Throws a `SourceError` for
 * anything else; `what` describes the request, such as `GET /orders`.
 */
export function readJsonResponse(answer: HttpResponse, what: string): unknown {
  const { status, text } = answer;
  if (status < 200 || status >= 300) throw statusFailure(answer, what);
  if (status === 204) return null;
  try {
    return parseAnswer(text, answer.headers.get('content-type'));
  } catch (error) {
    if (/^\s*</.test(text)) {
      throw new SourceError('source-failed', `The service answers ${what} with a web page instead of JSON.`, {
        remedy: 'Check baseUrl and path, and whether the service needs auth.',
      });
    }
    const { message: reason } = error as Error;
    const isCut = text.trim() !== '' && endsEarly(text, reason);
    throw new TransientFailure(
      isCut ? 'connection-lost' : 'source-failed',
      text.trim() === ''
        ? `The service answers ${what} with an empty body.`
        : `The answer to ${what} is no ${isCut ? 'whole ' : ''}JSON: ${reason}.`,
      { mayHaveRun: true },
      { remedy: 'Check that the endpoint answers with JSON, then try again.' },
    );
  }
}

/** Whether a text is truncated JSON, by the parser's message. */
function endsEarly(text: string, reason: string): boolean {
  const position = Number(/at position (\d+)$/.exec(reason)?.[1] ?? NaN);
  return /^Un(?:expected end|terminated)/.test(reason) || position >= text.trimEnd().length;
}

/** Explains an error status; transient if a retry may help. */
export function statusFailure({ status, headers, text }: HttpResponse, what: string): SourceError {
  const wait = retryAfterMs(headers.get('retry-after'), serverTime(headers));
  const after = wait === undefined ? {} : { retryAfterMs: wait };
  // Some services use the status of missing permissions for rate limits.
  if (status === 429 || (status === 403 && (wait !== undefined || isLimitReached(headers)))) {
    const reset = limitWaitMs(headers, serverTime(headers));
    return new TransientFailure('source-failed', `The service limits how often it may be called (status ${status}).`, {
      mayHaveRun: false,
      retryAfterMs: reset,
    });
  }
  // Services answer 500 when overloaded.
  if (status === 500 || unavailableStatuses.includes(status)) {
    const message = `The service is not available at the moment (status ${status}).`;
    return new TransientFailure('source-failed', message, { mayHaveRun: true, ...after });
  }
  if (status >= 300 && status < 400) {
    const target = headers.get('location')?.split(/[?#]/)[0] ?? 'nowhere';
    return new SourceError('source-failed', `The service redirects ${what} to ${target}.`, {
      remedy: 'Configure the address that it leads to: credentials are never sent across a redirect.',
    });
  }
  const said = /^\s*</.test(text) || text.trim() === '' ? '' : `: ${text.trim().slice(0, 200)}`;
  const [code, verb, remedy] = meanings[status] ?? meanings[400] ?? unexplained;
  return new SourceError(code, `The service ${verb} ${what} (status ${status})${said}`, { remedy, status });
}

type Meaning = readonly [code: SourceErrorCode, verb: string, remedy: string];

const unexplained: Meaning = ['source-failed', 'refuses', 'Check path and parameters of the endpoint.'];

const meanings: Readonly<Record<number, Meaning>> = {
  400: unexplained,
  401: ['authentication-failed', 'refuses the login for', 'Check auth of the data source.'],
  403: ['permission-denied', 'does not allow', 'Give the user, or the key, the right to read the endpoint.'],
  404: ['object-missing', 'finds nothing for', 'Check baseUrl and path of the endpoint.'],
};
