import type { CookieSession, HttpResponse, HttpClient, HttpStream, RequestBody } from '../../http/http-client.ts';
import { withRetries, type RetryPolicy } from '../../http/with-retries.ts';

/** A request to a REST API of the instance. */
interface PlatformRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path segments below `/api`; each is URL-encoded. */
  readonly path: readonly string[];
  readonly parameters?: URLSearchParams | undefined;
  readonly body?: RequestBody | undefined;
  readonly contentType?: string | undefined;
  readonly accept?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly options?: CallOptions | undefined;
}

/** The request of a response. */
export type RequestedCall = Pick<PlatformRequest, 'method' | 'path'>;

/** Name of a request in messages, such as `GET /api/now/table/incident`. */
export function requestedCallText({ method, path }: RequestedCall): string {
  return `${method} /api/${path.join('/')}`;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly session?: CookieSession | undefined;
  readonly timeoutMs?: number | undefined;
  readonly onWait?: ((milliseconds: number, reason: string) => void) | undefined;
}

/** The JSON body as sent and as shown in previews. */
export function jsonBody(value: unknown): { readonly body: string; readonly contentType: string } {
  return { body: JSON.stringify(value, null, 2), contentType: 'application/json' };
}

/** Sends a request with retries: `read` throws a `TransientFailure` to retry. */
type CallPlatform = <T>(
  request: PlatformRequest,
  read: (answer: HttpResponse, asked: RequestedCall) => T,
) => Promise<T>;

export interface Platform {
  readonly call: CallPlatform;
  /** Like `call`, with the response of a read as a stream; an error response is read to its end. */
  readonly open: <T>(
    request: PlatformRequest & { readonly method: 'GET' },
    read: (answer: HttpResponse | HttpStream, asked: RequestedCall) => Promise<T>,
  ) => Promise<T>;
  /** The segments of `/api/now` with the configured version. */
  readonly now: (...path: readonly string[]) => readonly string[];
  readonly scope: ReadScope;
}

/** Scope of reads. */
interface ReadScope {
  /** Records of all domains, which requires a role. */
  readonly queryNoDomain?: boolean | undefined;
}

interface PlatformOptions extends ReadScope {
  readonly version: string | undefined;
  readonly retryPolicy: RetryPolicy;
}

export function createPlatform(client: HttpClient, { version, retryPolicy, queryNoDomain }: PlatformOptions): Platform {
  const toHttp = (request: PlatformRequest) => {
    const url = requestUrl(client.baseUrl, request);
    const { body, options = {}, accept = 'application/json', contentType } = request;
    const { onWait: _, ...passed } = options;
    return {
      method: request.method,
      url,
      headers: {
        Accept: accept,
        ...(contentType !== undefined && { 'Content-Type': contentType }),
        ...request.headers,
      },
      body,
      ...passed,
    };
  };
  const repeated = <T>({ method, options }: PlatformRequest, attempt: () => Promise<T>): Promise<T> =>
    withRetries(attempt, {
      policy: retryPolicy,
      // A write with an unknown outcome is not repeated, not even PUT and DELETE, because they may trigger scripts.
      idempotent: method === 'GET',
      signal: options?.signal,
      onWait: options?.onWait,
    });
  return {
    call: (request, read) => repeated(request, async () => read(await client.send(toHttp(request)), request)),
    open: (request, read) => repeated(request, async () => read(await client.open(toHttp(request)), request)),
    now: (...path) => ['now', ...(version === undefined ? [] : [version]), ...path],
    scope: { queryNoDomain },
  };
}

/** The address of a request: base address, `/api` and path. */
export function requestUrl(baseUrl: URL, { path, parameters }: Pick<PlatformRequest, 'path' | 'parameters'>): URL {
  const url = new URL(baseUrl.href);
  url.pathname = [url.pathname.replace(/\/+$/, ''), 'api', ...path.map(encodeURIComponent)].join('/');
  url.search = parameters ? parameters.toString() : '';
  return url;
}
