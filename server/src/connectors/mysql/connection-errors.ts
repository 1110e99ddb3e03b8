import type { MysqlConfig } from './read-settings.ts';
import type { ErrorMeaning } from './error-meaning.ts';
import type { DriverError } from './driver-error.ts';

/** Explains errors of the driver, of TLS or of the system, but not of the server. */
export function connectionErrorMeaning(error: DriverError, config: MysqlConfig, connecting: boolean): ErrorMeaning {
  const { code = '', message } = error;
  if (code === 'ECONNREFUSED') return unreachable('nothing accepts connections there', config);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return unreachable('the host name is unknown', config);
  if (code === 'ENOENT' || code === 'EACCES') return unreachable(message, config);
  if (['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'EADDRNOTAVAIL'].includes(code)) {
    return unreachable('it does not answer, or is a server of another kind', config);
  }
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT') return noTls(config);
  if (/^HANDSHAKE_SSL|^ERR_(TLS|SSL|OSSL)|CERT|^UNABLE_TO_|^EPROTO$|SELF_SIGNED/.test(code))
    return tlsFailed(error, config);
  if (/AUTH_SWITCH|auth.*plugin/i.test(`${code} ${message}`)) {
    return {
      code: 'authentication-failed',
      cause: `The server asks for a login that is not supported: ${message}`,
      remedy: 'Use a user with a password (caching_sha2_password, mysql_native_password or ed25519).',
    };
  }
  if (
    ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'PROTOCOL_CONNECTION_LOST'].includes(code) ||
    /closed state/.test(message)
  ) {
    return connecting
      ? unreachable('it closed the connection', config)
      : {
          code: 'connection-lost',
          cause: `The connection to the server was lost: ${message || code}`,
          remedy: 'Check the server and the network, then try again.',
        };
  }
  if (connecting) return unreachable(`what answers there is no MySQL or MariaDB server (${message || code})`, config);
  return { code: 'source-failed', cause: `Reading from the server failed: ${message || code}` };
}

function unreachable(why: string, { host, port }: MysqlConfig): ErrorMeaning {
  const place = host.startsWith('/') ? host : `${host}:${port}`;
  return {
    code: 'source-unreachable',
    cause: `MySQL cannot be reached at ${place}: ${why}`,
    remedy: 'Check host and port of the data source, the network, and that the server is running.',
  };
}

function noTls({ tls: { mode, isDefault }, host }: MysqlConfig): ErrorMeaning {
  return {
    code: 'tls-failed',
    cause: isDefault
      ? `The server offers no TLS, without which nothing is sent to ${host}: it is another machine`
      : `The server does not offer TLS, which ssl.mode ${mode} asks for`,
    remedy:
      'Turn TLS on at the server. Set ssl: { mode: prefer } only if everybody on the way there may read the password and the rows.',
  };
}

function tlsFailed({ message }: DriverError, { tls: { mode } }: MysqlConfig): ErrorMeaning {
  const isWrongName = /altname|Hostname\/IP/i.test(message);
  return {
    code: 'tls-failed',
    cause: `The TLS connection could not be trusted or set up (ssl.mode ${mode}): ${message}`,
    remedy: isWrongName
      ? 'Use the host name that the server’s certificate is issued for, or ssl.mode verify-ca.'
      : 'Set ssl.ca to the authority that issued the server’s certificate.',
  };
}
