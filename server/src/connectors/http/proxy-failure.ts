import { SourceError } from '../source-error.ts';
import { TransientFailure } from './transient-failure.ts';

/** Failures of proxies, identified by error code and message, which is all that node-fetch passes on. */
const codes = {
  login: 'PROXY_LOGIN',
  refused: 'PROXY_REFUSED',
  unreachable: 'PROXY_UNREACHABLE',
  tls: 'PROXY_TLS',
} as const;

/** The proxy answered CONNECT with a status other than 200. */
export function refusedByProxy(host: string, status: number): Error {
  return status === 407
    ? failure(codes.login, `The proxy ${host} wants a login`)
    : failure(codes.refused, `The proxy ${host} does not connect to the data source (status ${status})`);
}

/** The connection to the proxy failed, or its certificate is not trusted. */
export function proxyConnectionError(host: string, error: Error): Error {
  const { code = '' } = error as NodeJS.ErrnoException;
  const reason = unreachableReason(code);
  if (reason !== undefined) return failure(codes.unreachable, `The proxy ${host} cannot be reached: ${reason}`);
  if (isTlsCode(code)) return failure(codes.tls, `The TLS connection to the proxy ${host} failed: ${error.message}`);
  // When a proxy closes the connection without an answer, the error of https-proxy-agent has no code.
  if (code === '') return failure(codes.unreachable, `The proxy ${host} ended the connection before it answered`);
  return error;
}

/** Explains a proxy failure; undefined for other errors. `reason` is the error message. */
export function proxyFailure(code: string, reason: string, cause?: unknown): SourceError | undefined {
  const message = `${reason}.`;
  switch (code) {
    case codes.login:
      return new SourceError('authentication-failed', message, {
        remedy:
          'Write user and password into proxy of the data source, the password as ${secret:NAME}, or set http.proxyAuthorization.',
        cause,
      });
    case codes.refused:
      return new SourceError('source-unreachable', message, {
        remedy: 'Check proxy, and whether it lets this address through.',
        cause,
      });
    case codes.unreachable: {
      const details = { remedy: 'Check proxy of the data source, or that of the editor or the environment.', cause };
      return new TransientFailure('source-unreachable', message, { mayHaveRun: false }, details);
    }
    case codes.tls:
      return new SourceError('tls-failed', message, {
        remedy: 'Check that the proxy speaks HTTPS, and name the authority that issued its certificate as ca.',
        cause,
      });
    default:
      return undefined;
  }
}

/**
 * A response of the proxy instead of the server to a plain HTTP request; undefined for a response of the server.
 * @param proxy host of the forwarding proxy; undefined if unknown.
 */
export function plainProxyFailure(
  proxy: string | undefined,
  { status, headers }: { readonly status: number; readonly headers: { get(name: string): string | null } },
): SourceError | undefined {
  if (status === 407) return proxyFailure(codes.login, `The proxy ${proxy ?? 'on the way'} wants a login`);
  if (proxy === undefined || status < 400) return undefined;
  const isOwn = headers.get('x-squid-error') !== null || /;\s*error\s*=/i.test(headers.get('proxy-status') ?? '');
  if (!isOwn) return undefined;
  const reason = `The proxy ${proxy} does not connect to the data source (status ${status})`;
  const refused = proxyFailure(codes.refused, reason);
  if (!refused || !gatewayStatuses.includes(status)) return refused;
  const { code, message, details } = refused;
  return new TransientFailure(code, message, { mayHaveRun: status === 504 }, details);
}

/**
 * Statuses of a proxy that cannot reach the server. Other statuses of a proxy, such as 408, are about the client's
 * request, which would fail again.
 */
const gatewayStatuses: readonly number[] = [502, 503, 504];

/** Explains a connection failure by its system error code; undefined for other errors. */
export function unreachableReason(code: string): string | undefined {
  return unreachableReasons.find(([known]) => known.includes(code))?.[1];
}

const unreachableReasons: readonly (readonly [codes: readonly string[], reason: string])[] = [
  [['ECONNREFUSED'], 'nothing accepts connections there'],
  [['ENOTFOUND'], 'the host name is unknown'],
  [['EAI_AGAIN'], 'the host name cannot be looked up at the moment'],
  [['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'EADDRNOTAVAIL'], 'it does not answer'],
];

/** Whether an error is a TLS error. */
export function isTlsCode(code: string): boolean {
  return /^ERR_(?:TLS|SSL|OSSL)|CERT|^UNABLE_TO_|^EPROTO$/.test(code);
}

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
