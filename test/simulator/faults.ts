import type { ServerResponse } from 'node:http';
import type { SimulatedAnswer } from './http-answer.ts';
import { failure } from './http-answer.ts';

/** Faults of a request. */
export type Fault =
  | { readonly kind: 'truncated'; readonly variant: 'parseable' | 'malformed' | 'text' }
  | { readonly kind: 'cut-json' | 'accepted-empty' | 'login-page' | 'cut-socket' | 'never-answers' | 'endless' }
  /** A hibernating developer instance answers with status 200, unless another one is given. */
  | { readonly kind: 'hibernating'; readonly status?: 503 }
  | { readonly kind: 'rate-limit'; readonly retryAfter: number }
  | { readonly kind: 'semaphore' | 'cancelled' | 'unauthenticated' | 'second-factor' }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'redirect'; readonly location: string }
  /** Another body, verbatim, and perhaps another type. */
  | { readonly kind: 'answer'; readonly body: string; readonly contentType?: string }
  /** Another body, and no header with a count. */
  | { readonly kind: 'uncounted'; readonly body: string }
  /** A file without metadata, and one that ends early without notice. */
  | { readonly kind: 'no-metadata' | 'short-file' }
  /** The body arrives piece by piece. */
  | { readonly kind: 'slow'; readonly milliseconds: number };

const cancelled = 'Transaction cancelled: maximum execution time exceeded';
const hibernatingPage = '<html><body><h1>Your instance is hibernating</h1></body></html>';
const loginPage = '<html><head><title>Log in | ServiceNow</title></head><body><form></form></body></html>';
const html = { 'Content-Type': 'text/html;charset=UTF-8' };

/** The response that a fault makes of `answer`; undefined for faults of the socket. */
export function faultyAnswer(fault: Fault, answer: SimulatedAnswer): SimulatedAnswer | undefined {
  switch (fault.kind) {
    case 'truncated':
      return { ...answer, status: 200, body: truncated(fault.variant, answer) };
    case 'cut-json':
      return { ...answer, body: JSON.stringify(answer.body).slice(0, -20) };
    case 'accepted-empty':
      return { status: 202 };
    case 'hibernating':
      return { status: fault.status ?? 200, headers: html, body: hibernatingPage };
    case 'login-page':
      return { status: 200, headers: html, body: loginPage };
    case 'rate-limit':
      return {
        ...failure(429, 'Rate limit exceeded', 'Rate limit of 100 requests per hour for Table API exceeded'),
        headers: {
          'X-RateLimit-Limit': '100',
          'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1000) + fault.retryAfter),
          'X-RateLimit-Rule': 'b'.repeat(32),
          'Retry-After': String(fault.retryAfter),
        },
      };
    case 'semaphore':
      return { status: 429, body: '' };
    case 'cancelled':
      return failure(500, cancelled, `${cancelled}. Check logs for error trace`);
    case 'unauthenticated':
      return unauthenticated();
    case 'second-factor':
      return { ...unauthenticated(), headers: { 'X-MFA_TOKEN': 'invalid' } };
    case 'status':
      return { status: fault.status, headers: html, body: `<html><body>${fault.status}</body></html>` };
    case 'answer':
      return {
        ...answer,
        ...(fault.contentType !== undefined && { headers: { 'Content-Type': fault.contentType } }),
        body: fault.body,
      };
    case 'uncounted':
      return { status: 200, body: fault.body };
    case 'no-metadata':
      return { ...answer, headers: { 'Content-Type': 'text/plain' } };
    case 'short-file':
      return { ...answer, body: Buffer.isBuffer(answer.body) ? answer.body.subarray(0, -5) : '' };
    case 'redirect':
      return { status: 302, headers: { Location: fault.location } };
    default:
      return undefined;
  }
}

export function unauthenticated(): SimulatedAnswer {
  return {
    ...failure(401, 'User Not Authenticated', 'Required to provide Auth information'),
    headers: { 'WWW-Authenticate': 'BASIC realm="Service-now"' },
  };
}

/** Ends or delays the connection, for faults of the socket. */
export function breakSocket(fault: Fault, response: ServerResponse): void {
  if (fault.kind !== 'cut-socket') return;
  response.writeHead(200, { 'Content-Type': 'application/json;charset=UTF-8' });
  response.write('{"result":[{"sys_id":"');
  setImmediate(() => response.destroy());
}

/** A 200 whose rows end where the transaction was cancelled, in the forms seen in practice. */
function truncated(variant: 'parseable' | 'malformed' | 'text', answer: SimulatedAnswer): object | string {
  const result = (answer.body as { readonly result?: unknown } | undefined)?.result;
  const rows: readonly unknown[] = Array.isArray(result) ? result.slice(0, 1) : [];
  const error = { message: cancelled, detail: `${cancelled}. Check logs for error trace` };
  if (variant === 'parseable') return { result: rows, error, status: 'failure' };
  const written = JSON.stringify({ result: rows, error, status: 'failure' });
  if (variant === 'malformed') return written.replace('],"error"', ',\n }"" ],"error"');
  return { result: [...rows, 'null'], error, status: 'failure' };
}
