import type { DiagnosisStep } from '../../../../protocol/diagnosis.ts';
import type { OperationOptions } from '../connector.ts';
import type { MysqlConfig } from './read-settings.ts';
import type { ExplainError } from './errors.ts';
import { serverPreviewTimeoutMs } from '../preview-timeout.ts';
import { type Server, serverName } from './server.ts';
import { openSession } from './session.ts';

/** Diagnosis of user, server version and encryption. Rejects with a `SourceError`. */
export async function diagnose(
  config: MysqlConfig,
  explain: ExplainError,
  { signal }: OperationOptions,
): Promise<readonly DiagnosisStep[]> {
  const session = await openSession(config, explain, { signal, statementTimeoutMs: serverPreviewTimeoutMs(config) });
  try {
    const [cipher] = await session.rows<{ readonly Value: string }>(
      `SHOW SESSION STATUS LIKE 'Ssl_cipher'`,
      [],
      signal,
    );
    const grants = await session.rows<Readonly<Record<string, string>>>('SHOW GRANTS', [], signal);
    return [
      credentials(
        config,
        grants.flatMap((row) => Object.values(row)),
      ),
      version(session.server),
      encryption(config, (cipher?.Value ?? '') !== ''),
    ];
  } finally {
    await session.close();
  }
}

function credentials({ user, databases }: MysqlConfig, grants: readonly string[]): DiagnosisStep {
  const name = 'Credentials';
  const message = `${user} may connect to ${databases.join(', ')}.`;
  const mayWrite = grants.some((grant) =>
    /^GRANT .*\b(ALL PRIVILEGES|INSERT|UPDATE|DELETE|FILE|SUPER)\b.* ON /i.test(grant),
  );
  return mayWrite
    ? {
        name,
        state: 'warning',
        message: `${message} It may do more than read.`,
        remedy: 'A user with SELECT on these databases is enough, and safer.',
      }
    : { name, state: 'ok', message };
}

/** Oldest versions with the required features: https://mariadb.com/kb/en/invisible-columns/ and MySQL 8.0. */
function version(server: Server): DiagnosisStep {
  const [major = 0, minor = 0] = server.version.split('.').map(Number);
  const isOld = server.isMariadb ? major < 10 || (major === 10 && minor < 5) : major < 8;
  const name = 'Version';
  return isOld
    ? { name, state: 'warning', message: `${serverName(server)} is older than what this is made for.` }
    : { name, state: 'ok', message: `${serverName(server)}.` };
}

function encryption({ host, tls: { mode } }: MysqlConfig, isEncrypted: boolean): DiagnosisStep {
  const name = 'Encryption';
  if (host.startsWith('/')) return { name, state: 'ok', message: 'The connection is a socket of this machine.' };
  if (!isEncrypted) {
    return {
      name,
      state: 'warning',
      message: 'The connection is not encrypted.',
      remedy: 'Across a network, set ssl: { mode: verify-full } if the server offers it.',
    };
  }
  const isVerified = mode === 'verify-full' || mode === 'verify-ca';
  return {
    name,
    state: 'ok',
    message: isVerified
      ? 'The connection is encrypted, and the certificate of the server is checked.'
      : 'The connection is encrypted; the certificate of the server is not checked (ssl.mode).',
  };
}
