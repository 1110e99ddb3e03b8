import type { DiagnosisStep } from '../../../../protocol/diagnosis.ts';
import type { OperationOptions } from '../connector.ts';
import type { PostgresqlConfig } from './read-settings.ts';
import type { ExplainError } from './errors.ts';
import { serverPreviewTimeoutMs } from '../preview-timeout.ts';
import { openSession } from './session.ts';

interface ServerRow {
  readonly version: string;
  readonly encrypted: boolean | null;
  readonly superuser: boolean;
}

/** Oldest supported and tested version. */
const oldestVersion = 130_000;

/** Diagnosis of user, server version and encryption. Rejects with a `SourceError`. */
export async function diagnose(
  config: PostgresqlConfig,
  explain: ExplainError,
  { signal }: OperationOptions,
): Promise<readonly DiagnosisStep[]> {
  const session = await openSession(config, explain, { signal, statementTimeoutMs: serverPreviewTimeoutMs(config) });
  try {
    const [row] = await session.rows<ServerRow & { number: string }>(
      `SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number,
  (SELECT s.ssl FROM pg_catalog.pg_stat_ssl AS s WHERE s.pid = pg_backend_pid()) AS encrypted,
  (SELECT r.rolsuper FROM pg_catalog.pg_roles AS r WHERE r.rolname = current_user) AS superuser`,
      [],
      signal,
    );
    if (!row) return [];
    return [
      credentials(config, row),
      version(row.version, Number(row.number)),
      ...(row.encrypted === null ? [] : [encryption(config, row.encrypted)]),
    ];
  } finally {
    await session.close();
  }
}

function credentials({ user, database }: PostgresqlConfig, { superuser }: ServerRow): DiagnosisStep {
  const name = 'Credentials';
  const message = `${user} may connect to the database ${database}.`;
  return superuser
    ? {
        name,
        state: 'warning',
        message: `${message} It is a superuser.`,
        remedy: 'A role that may only read is enough, and safer.',
      }
    : { name, state: 'ok', message };
}

function version(text: string, number: number): DiagnosisStep {
  return number >= oldestVersion
    ? { name: 'Version', state: 'ok', message: `PostgreSQL ${text}.` }
    : {
        name: 'Version',
        state: 'warning',
        message: `PostgreSQL ${text}, or a server that says so, is older than what this is tested with.`,
      };
}

function encryption({ tls: { mode } }: PostgresqlConfig, encrypted: boolean): DiagnosisStep {
  const name = 'Encryption';
  if (!encrypted) {
    return {
      name,
      state: 'warning',
      message: 'The connection is not encrypted.',
      remedy: 'Across a network, set ssl: { mode: verify-full } if the server offers it.',
    };
  }
  const verified = mode === 'verify-full' || mode === 'verify-ca';
  return {
    name,
    state: 'ok',
    message: verified
      ? 'The connection is encrypted, and the certificate of the server is checked.'
      : 'The connection is encrypted; the certificate of the server is not checked (ssl.mode).',
  };
}
