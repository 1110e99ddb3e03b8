import { SourceError, isSourceError } from '../source-error.ts';
import { TransientFailure } from './transient-failure.ts';

/** Codes of our own for what a proxy says instead of connecting. */
export const proxyCodes = { login: 'PROXY_LOGIN', refused: 'PROXY_REFUSED' } as const;

/** What an error of the network, of TLS or of node-fetch means. */
export function transportFailure(error: unknown, peer: string, baseUrl: URL): unknown {
  if (isSourceError(error) || !(error instanceof Error)) return error;
  const code = codeOf(error);
  const reason = unreachableReasons.find(([codes]) => codes.includes(code))?.[1];
  if (reason !== undefined) {
    const message = `${peer} cannot be reached at ${baseUrl.host}: ${reason}.`;
    const details = { remedy: 'Check the address of the data source and the network.', cause: error };
    // A name that does not exist will not exist in a second either.
    if (code === 'ENOTFOUND') return new SourceError('source-unreachable', message, details);
    return new TransientFailure('source-unreachable', message, { mayHaveRun: false }, details);
  }
  if (code === proxyCodes.login || code === proxyCodes.refused) return proxyFailure(code, error);
  if (refusedCertificate.test(code)) return certificateFailure(code, baseUrl, error);
  if (/^ERR_(?:TLS|SSL|OSSL)|CERT|^UNABLE_TO_|^EPROTO$/.test(code)) {
    return new SourceError('tls-failed', `The TLS connection to ${baseUrl.host} failed: ${tlsReason(error)}.`, {
      remedy: /CERT|UNABLE_TO_/.test(code)
        ? 'Name the authority that issued the server’s certificate as ca, or use the host name of the certificate.'
        : 'Check that the address speaks HTTPS and that certificate, key and passphrase belong together.',
      cause: error,
    });
  }
  if (code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR' || lossCodes.includes(code)) {
    return new TransientFailure(
      'connection-lost',
      `The connection to ${baseUrl.host} was lost before the answer was complete.`,
      { mayHaveRun: true },
      { remedy: 'Check the network, then try again.', cause: error },
    );
  }
  return new SourceError('source-failed', `Calling ${baseUrl.host} failed: ${error.message}.`, { cause: error });
}

/** What a server says of the certificate that it was given, or of none, as its last word before it hangs up. */
const refusedCertificate = /_ALERT_(?:\w*CERTIFICATE\w*|UNKNOWN_CA)$/;

function certificateFailure(code: string, { host }: URL, error: Error): SourceError {
  const isMissing = code.endsWith('_CERTIFICATE_REQUIRED');
  return new SourceError(
    'tls-failed',
    isMissing
      ? `${host} wants a client certificate, and was given none.`
      : `${host} refuses the client certificate: ${tlsReason(error)}.`,
    {
      remedy: isMissing
        ? 'Log in by it: auth with kind: mtls, and cert and key, or pfx.'
        : 'Check that the certificate of auth has not expired, and that the server knows its authority.',
      cause: error,
    },
  );
}

/** OpenSSL tells its reason among places in its own code. */
function tlsReason({ message }: Error): string {
  return /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] ?? message;
}

function proxyFailure(code: string, error: Error): SourceError {
  const message = `${/(The proxy .*)$/.exec(error.message)?.[1] ?? error.message}.`;
  return code === proxyCodes.login
    ? new SourceError('authentication-failed', message, {
        remedy:
          'Write user and password into proxy of the data source, the password as ${secret:NAME}, or set http.proxyAuthorization.',
      })
    : new SourceError('source-unreachable', message, {
        remedy: 'Check proxy, and whether it lets this address through.',
      });
}

const unreachableReasons: readonly (readonly [codes: readonly string[], reason: string])[] = [
  [['ECONNREFUSED'], 'nothing accepts connections there'],
  [['ENOTFOUND'], 'the host name is unknown'],
  [['EAI_AGAIN'], 'the host name cannot be looked up at the moment'],
  [['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'EADDRNOTAVAIL'], 'it does not answer'],
];

const lossCodes = ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE', 'HPE_INVALID_EOF_STATE'];

/** Node-fetch wraps the error of the system; its code may stand on either. */
function codeOf(error: Error): string {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const { code, erroredSysCall } = each as { readonly code?: unknown; readonly erroredSysCall?: unknown };
    if (typeof code === 'string' && (code !== 'ERR_FETCH' || erroredSysCall === undefined)) return code;
  }
  return /premature close/i.test(error.message) ? 'ERR_STREAM_PREMATURE_CLOSE' : '';
}
