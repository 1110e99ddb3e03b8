import type { Agent } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import fetch, { type Response } from 'node-fetch';
import { SourceError } from '../source-error.ts';
import { AnswerTooLarge, largestAnswer } from './answer-too-large.ts';
import type { Authorizer } from './authorizer.ts';
import { plainProxyOf } from './proxy-agent.ts';
import { plainProxyFailure } from './proxy-failure.ts';
import type { RequestPace } from './request-pace.ts';
import { transportFailure } from './transport-failure.ts';
import { watchedBody } from './watched-body.ts';

export interface HttpClientOptions {
  /** The one address that requests and credentials go to: its origin is binding, its path is put before theirs. */
  readonly baseUrl: URL;
  /** What messages call the other side, such as `The instance`. */
  readonly peer: string;
  readonly authorizer: Authorizer;
  readonly agent: Agent;
  /** Milliseconds for one request, its body included. */
  readonly requestTimeoutMs: number;
  /** Waits before each request; none when not given. */
  readonly pace?: RequestPace;
}

/** What is sent; a stream is opened anew for each attempt, as one that was sent is gone. */
export type RequestBody = string | Buffer | (() => Readable);

export interface HttpRequest {
  readonly method: string;
  /** Absolute; of another origin than the configured one it is refused. */
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  readonly signal?: AbortSignal | undefined;
  /** Requests that share one share the cookies of a session, which servers run one at a time. */
  readonly session?: CookieSession;
  readonly timeoutMs?: number;
}

/** An answer of any status, read to its end. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
  /** Bytes of the body. */
  readonly size: number;
  /** From the request to the end of the answer. */
  readonly milliseconds: number;
}

export interface HttpStream {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: NodeJS.ReadableStream;
}

export interface AnswerHeaders {
  get(name: string): string | null;
}

/** Cookies of one worker. They are credentials: they live in memory and go to the configured host only. */
export interface CookieSession {
  readonly cookies: Map<string, string>;
}

export interface HttpClient {
  readonly baseUrl: URL;
  readonly peer: string;
  /**
   * Sends one request, again when the login had to be renewed. Redirects are not followed, whatever they lead to. Rejects
   * with a `SourceError` when no whole answer came, or with the signal's reason.
   */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /**
   * As `send`, for large bodies of good answers: the timeout holds until the answer begins, and then for each piece of it. The
   * stream ends with a `SourceError` when the connection breaks or nothing more comes, or with the signal's reason.
   */
  open(request: HttpRequest): Promise<HttpAnswer | HttpStream>;
  /** Closes idle connections. */
  close(): void;
}

/** Of one request: a token may be revoked between its renewal and the request that it was renewed for. */
const mostRenewals = 2;

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { baseUrl, peer, authorizer, agent } = options;

  /** Calls `use` with the answer of a request whose login is good, as far as that can be had. */
  async function authorized<T>(
    request: HttpRequest,
    use: (response: Response, sentAt: number) => Promise<T>,
  ): Promise<T> {
    if (request.url.origin !== baseUrl.origin) throw foreignAddress(peer, request.url, baseUrl);
    const { signal } = request;
    signal?.throwIfAborted();
    for (let renewals = 0; ; renewals += 1) {
      const login = await authorizer.headers(signal);
      await options.pace?.(signal);
      const body = typeof request.body === 'function' ? request.body() : request.body;
      const sentAt = performance.now();
      try {
        const response = await exchange(request, body, login, agent);
        const refusal = plainProxyFailure(plainProxyOf(agent), response);
        if (refusal) {
          response.body?.resume();
          throw refusal;
        }
        const isRefused = response.status === 401 && renewals < mostRenewals;
        if (!isRefused || !(await authorizer.renew(login, signal))) return await use(response, sentAt);
        response.body?.resume();
      } finally {
        // Whoever answers early does not want the rest.
        if (body instanceof Readable) body.destroy();
      }
    }
  }

  /** Runs `work` under the request's timeout and turns what the network throws into words. */
  async function timed<T>(request: HttpRequest, work: (request: HttpRequest) => Promise<T>): Promise<T> {
    const timeoutMs = request.timeoutMs ?? options.requestTimeoutMs;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(timedOut(peer, timeoutMs)), timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout.signal]) : timeout.signal;
    try {
      return await work({ ...request, signal });
    } catch (error) {
      if (!request.signal?.aborted && timeout.signal.aborted) throw timeout.signal.reason;
      throw explained(error, request.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  const readAll = (response: Response, sentAt: number): Promise<HttpAnswer> => readWhole(response, sentAt, peer);

  function explained(error: unknown, signal: AbortSignal | undefined): unknown {
    return signal?.aborted ? signal.reason : transportFailure(error, peer, baseUrl);
  }

  return {
    baseUrl,
    peer,
    send: (request) => timed(request, (limited) => authorized(limited, readAll)),
    open: (request) =>
      timed(request, (limited) =>
        authorized(limited, async (response, sentAt) => {
          if (!response.ok || !response.body) return readAll(response, sentAt);
          const body = watchedBody(response.body, {
            peer,
            idleTimeoutMs: request.timeoutMs ?? options.requestTimeoutMs,
            explain: (error) => explained(error, request.signal),
          });
          return { status: response.status, headers: response.headers, body };
        }),
      ),
    close: () => agent.destroy(),
  };
}

async function exchange(
  request: HttpRequest,
  body: string | Buffer | Readable | undefined,
  login: Readonly<Record<string, string>>,
  agent: Agent,
): Promise<Response> {
  const { session, signal } = request;
  const cookie = [...(session?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(request.url.href, {
    method: request.method,
    headers: { ...request.headers, ...(cookie && { Cookie: cookie }), ...login },
    redirect: 'manual',
    agent,
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  });
  for (const line of response.headers.raw()['set-cookie'] ?? []) {
    const [, name, value] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
    if (session && name !== undefined) session.cookies.set(name.trim(), value ?? '');
  }
  return response;
}

/** Rejects with `AnswerTooLarge`, and closes the connection, when there is more than can be held. */
async function readWhole(response: Response, sentAt: number, peer: string): Promise<HttpAnswer> {
  const { status, headers, body } = response;
  const chunks: Buffer[] = [];
  let size = 0;
  body?.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > largestAnswer) (body as Readable).destroy(new AnswerTooLarge(peer, largestAnswer));
    else chunks.push(chunk);
  });
  if (body) await finished(body);
  const bytes = Buffer.concat(chunks);
  const milliseconds = performance.now() - sentAt;
  // Some services put a mark of their encoding in front, which is no part of the text.
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  return { status, headers, text, size, milliseconds };
}

function foreignAddress(peer: string, url: URL, baseUrl: URL): SourceError {
  return new SourceError(
    'source-failed',
    `${peer} leads to another host: ${url.origin} instead of ${baseUrl.origin}.`,
    {
      remedy: 'Credentials are sent to the configured host only: configure the address that the data is served from.',
    },
  );
}

/** Not worth another try as it is: what took too long once will again. */
function timedOut(peer: string, milliseconds: number): SourceError {
  return new SourceError('statement-timeout', `${peer} did not answer within ${milliseconds / 1000} s.`, {
    remedy: 'Filter the rows with where, ask for smaller pages, or set a longer timeouts.request.',
  });
}
