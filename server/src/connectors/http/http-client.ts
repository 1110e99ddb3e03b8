import type { Agent } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import fetch, { type Response } from 'node-fetch';
import { SourceError } from '../source-error.ts';
import { ResponseTooLarge, maxResponseBytes } from './response-too-large.ts';
import type { Authorizer } from './authorizer.ts';
import { decodeBody, decodeMessage, isWebPage } from './decode-body.ts';
import { gunzipBody } from './gunzip-body.ts';
import { plainProxyOf } from './proxy-agent.ts';
import { plainProxyFailure } from './proxy-failure.ts';
import type { RateLimit } from './rate-limit.ts';
import { transportFailure } from './transport-failure.ts';

interface HttpClientOptions {
  /** The only address that requests and credentials go to: its origin is fixed, its path is a prefix. */
  readonly baseUrl: URL;
  /** Name of the server in messages, such as `The instance`. */
  readonly peer: string;
  readonly authorizer: Authorizer;
  readonly agent: Agent;
  /** Timeout of one request with its body, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** Rate limit before each request; none by default. */
  readonly pace?: RateLimit;
}

/** The body; a stream is opened again for each attempt. */
export type RequestBody = string | Buffer | (() => Readable);

export interface HttpRequest {
  readonly method: string;
  /** Absolute; rejected if its origin differs from the configured one. */
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: RequestBody | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Requests with the same value share session cookies; servers serialise the requests of a session. */
  readonly session?: CookieSession | undefined;
  readonly timeoutMs?: number | undefined;
}

/** A complete response of any status. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
  /** Body size in bytes. */
  readonly size: number;
  /** From the request to the end of the response. */
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

/** Session cookies of one worker. They are credentials: kept in memory, sent to the configured host only. */
export interface CookieSession {
  readonly cookies: Map<string, string>;
}

export interface HttpClient {
  readonly baseUrl: URL;
  readonly peer: string;
  /**
   * Sends one request, again after renewing the login. Does not follow redirects. Rejects with a `SourceError` without
   * a complete response, or with the signal's reason.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
  /**
   * Like `send`, for large bodies of successful responses: the timeout applies until the response begins, and then to
   * each chunk. The stream fails with a `SourceError` when the connection breaks or stalls, or with the signal's
   * reason.
   */
  open(request: HttpRequest): Promise<HttpResponse | HttpStream>;
  /** Closes idle connections. */
  close(): void;
}

/** Per request: a token may be revoked between its renewal and the request. */
const maxRenewals = 2;

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { baseUrl, peer, authorizer, agent } = options;

  /** Calls `use` with the response of an authenticated request. */
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
        const isRefused = response.status === 401 && renewals < maxRenewals;
        if (!isRefused || !(await authorizer.renew(login, signal))) return await use(response, sentAt);
        response.body?.resume();
      } finally {
        // After an early response the rest of the body is not needed.
        if (body instanceof Readable) body.destroy();
      }
    }
  }

  /** Runs `work` with the request timeout, and explains network errors. */
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

  const readAll = (response: Response, sentAt: number): Promise<HttpResponse> => readWhole(response, sentAt, peer);

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

/** Rejects with `ResponseTooLarge` above the limit, and closes the connection. */
async function readWhole(response: Response, sentAt: number, peer: string): Promise<HttpResponse> {
  const { status, headers, body } = response;
  const chunks: Buffer[] = [];
  let size = 0;
  body?.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxResponseBytes) (body as Readable).destroy(new ResponseTooLarge(peer, maxResponseBytes));
    else chunks.push(chunk);
  });
  if (body) await finished(body);
  const sent = Buffer.concat(chunks);
  const bytes = response.ok ? await gunzipBody(sent, peer, maxResponseBytes) : sent;
  const milliseconds = performance.now() - sentAt;
  const contentType = headers.get('content-type');
  const isData = response.ok && !isWebPage(bytes, contentType);
  const text = isData ? decodeBody(bytes, contentType, peer) : decodeMessage(bytes, contentType);
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

/** Not retried: it would time out again. */
function timedOut(peer: string, milliseconds: number): SourceError {
  return new SourceError('statement-timeout', `${peer} did not answer within ${milliseconds / 1000} s.`, {
    remedy: 'Filter the rows with where, ask for smaller pages, or set a longer timeouts.request.',
  });
}

interface WatchedBodyOptions {
  readonly peer: string;
  /** Stall timeout of the body in milliseconds. */
  readonly idleTimeoutMs: number;
  /** Explains an error of the body. */
  readonly explain: (error: unknown) => unknown;
}

/**
 * A response body without a total timeout: it fails when no data arrives for a while. A slow reader does not count as a
 * stall. Closing it early closes the connection.
 */
function watchedBody(body: NodeJS.ReadableStream, options: WatchedBodyOptions): Readable {
  const { peer, idleTimeoutMs, explain } = options;
  const source = body as Readable;
  const pieces = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return new Readable({
    read() {
      // The timer runs only while a read waits for the server.
      const timer = setTimeout(() => source.destroy(stopped(peer, idleTimeoutMs)), idleTimeoutMs);
      pieces
        .next()
        .finally(() => clearTimeout(timer))
        .then(
          ({ done, value }) => this.push(done ? null : value),
          (error: unknown) => this.destroy(explain(error) as Error),
        );
    },
    destroy(error, done) {
      source.destroy();
      done(error);
    },
  });
}

function stopped(peer: string, milliseconds: number): SourceError {
  return new SourceError('connection-lost', `${peer} stopped sending: nothing came for ${milliseconds / 1000} s.`, {
    remedy: 'Check the network, then try again, or set a longer timeouts.request.',
  });
}
