import type { PostgresqlConfig } from './read-settings.ts';
import type { ErrorMeaning, DriverError } from './driver-error.ts';

/** Explains errors of the driver, of TLS or of the system, but not of the server. */
export function connectionErrorMeaning(
  error: DriverError,
  config: PostgresqlConfig,
  connecting: boolean,
): ErrorMeaning {
  const row = systemErrors.find(
    ({ codes, message }) => codes?.includes(error.code ?? '') || message?.test(error.message),
  );
  if (row) return row.explain(error, config);
  if (isTlsCode(error.code)) return tlsFailed(error, config);
  if (/^SASL: .*password/.test(error.message)) return withoutPassword(config, error.message);
  if (isConnectionLoss(error)) {
    return connecting
      ? unreachable('the server closed the connection', config)
      : {
          code: 'connection-lost',
          cause: `The connection to PostgreSQL was lost: ${error.message || error.code}`,
          remedy: 'Check the server and the network, then try again.',
        };
  }
  if (connecting)
    return unreachable(`what answers there is no PostgreSQL server (${error.message || error.code})`, config);
  return { code: 'source-failed', cause: `Reading from PostgreSQL failed: ${error.message || error.code}` };
}

/** The login failed because no password is configured. */
export function withoutPassword(config: PostgresqlConfig, said: string): ErrorMeaning {
  return {
    code: 'authentication-failed',
    cause: `PostgreSQL refuses the login: ${said}`,
    remedy: `Data source ${config.name} has no password: add password: "\${secret:${config.name}}".`,
  };
}

interface SystemErrorRow {
  readonly codes?: readonly string[];
  readonly message?: RegExp;
  readonly explain: (error: DriverError, config: PostgresqlConfig) => ErrorMeaning;
}

const systemErrors: readonly SystemErrorRow[] = [
  { codes: ['ECONNREFUSED'], explain: (_, config) => unreachable('nothing accepts connections there', config) },
  { codes: ['ENOTFOUND', 'EAI_AGAIN'], explain: (_, config) => unreachable('the host name is unknown', config) },
  { codes: ['ENOENT', 'EACCES'], explain: (error, config) => unreachable(error.message, config) },
  {
    codes: ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'EADDRNOTAVAIL'],
    message: /^timeout expired$/,
    explain: (_, config) => unreachable('it does not answer', config),
  },
  {
    codes: ['ENOSPC', 'EDQUOT', 'EFBIG'],
    message: /no space left on device/i,
    explain: () => ({
      code: 'disk-full',
      cause: 'The disk is full: the rows of PostgreSQL could not be written to the temporary folder of the import',
      remedy: 'Free some space on the disk of the workspace, then import again.',
    }),
  },
  {
    message: /^The server does not support SSL connections$/,
    explain: (_, { tls: { mode, isDefault }, host }) => ({
      code: 'tls-failed',
      cause: isDefault
        ? `The server offers no TLS, without which nothing is sent to ${host}: it is another machine`
        : `The server does not offer TLS, which ssl.mode ${mode} asks for`,
      remedy:
        'Turn TLS on at the server. Set ssl: { mode: prefer } only if everybody on the way there may read the password and the rows.',
    }),
  },
];

function unreachable(why: string, config: PostgresqlConfig): ErrorMeaning {
  return {
    code: 'source-unreachable',
    cause: `PostgreSQL cannot be reached at ${config.host}:${config.port}: ${why}`,
    remedy: 'Check host and port of the data source, the network, and that the server is running.',
  };
}

function isTlsCode(code: string | undefined): boolean {
  return code !== undefined && /^ERR_(TLS|SSL|OSSL)|CERT|^UNABLE_TO_|^EPROTO$/.test(code);
}

function tlsFailed(error: DriverError, config: PostgresqlConfig): ErrorMeaning {
  const wrongName = error.code === 'ERR_TLS_CERT_ALTNAME_INVALID';
  return {
    code: 'tls-failed',
    cause: `The TLS connection could not be trusted or set up (ssl.mode ${config.tls.mode}): ${error.message}`,
    remedy: wrongName
      ? 'Use the host name that the server’s certificate is issued for, or ssl.mode verify-ca.'
      : 'Set ssl.ca to the authority that issued the server’s certificate.',
  };
}

function isConnectionLoss(error: DriverError): boolean {
  return (
    ['ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(error.code ?? '') ||
    /^Connection terminated|not queryable/.test(error.message)
  );
}
