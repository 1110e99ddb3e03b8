import { SourceError, isSourceError } from '../source-error.ts';
import { isTlsCode, proxyFailure, unreachableReason } from './proxy-failure.ts';
import { TransientFailure } from './transient-failure.ts';

/** Explains an error of the network, of TLS or of node-fetch. */
export function transportFailure(error: unknown, peer: string, baseUrl: URL): unknown {
  if (isSourceError(error) || !(error instanceof Error)) return error;
  const code = codeOf(error);
  const reason = unreachableReason(code);
  if (reason !== undefined) {
    const message = `${peer} cannot be reached at ${baseUrl.host}: ${reason}.`;
    const details = { remedy: 'Check the address of the data source and the network.', cause: error };
    // An unknown host name is not retried.
    if (code === 'ENOTFOUND') return new SourceError('source-unreachable', message, details);
    return new TransientFailure('source-unreachable', message, { mayHaveRun: false }, details);
  }
  const ofProxy = proxyFailure(code, reasonOf(error), error);
  if (ofProxy) return ofProxy;
  if (refusedCertificate.test(code)) return certificateFailure(code, baseUrl, error);
  if (isTlsCode(code)) {
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
  return new SourceError('source-failed', `Calling ${baseUrl.host} failed: ${reasonOf(error)}.`, { cause: error });
}

/** TLS alerts by which a server rejects a client certificate, or its absence. */
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

/** OpenSSL messages contain source positions. */
function tlsReason(error: Error): string {
  return /:SSL routines:[^:]*:([^:]+):/.exec(error.message)?.[1] ?? reasonOf(error);
}

/** The message of an error without the request's address, whose parameters may be secret. */
function reasonOf({ message }: Error): string {
  const reason = message.replace(/^request to \S+ failed, reason: /, '');
  const withoutPaths = reason.replace(/\b(https?:\/\/[^/?#\s]*)\S*/g, '$1');
  return withoutPaths.replace(/\.$/, '');
}

const lossCodes = ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE', 'HPE_INVALID_EOF_STATE'];

/** Node-fetch wraps the system error; either may have the code. */
function codeOf(error: Error): string {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const { code, erroredSysCall } = each as { readonly code?: unknown; readonly erroredSysCall?: unknown };
    if (typeof code === 'string' && (code !== 'ERR_FETCH' || erroredSysCall === undefined)) return code;
  }
  return /premature close/i.test(error.message) ? 'ERR_STREAM_PREMATURE_CLOSE' : '';
}
