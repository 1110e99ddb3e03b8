import { redactSecrets } from '../redact-secrets.ts';
import { type SourceErrorCode, type SourceErrorDetails, SourceError, isSourceError } from '../source-error.ts';
import type { PostgresqlConfig } from './read-settings.ts';
import { type ExecutedSql, positionInCore } from './error-position.ts';
import { connectionErrorMeaning, withoutPassword } from './connection-errors.ts';
import { type ErrorMeaning, type DriverError, readDriverError } from './driver-error.ts';

/** Converts an error of the driver or the system to a user error; `place` and secrets come from `source`. */
export type ExplainError = (error: unknown, context?: FailureContext) => SourceError;

interface FailureContext {
  /** The failed statement, to map the position to its core SELECT. */
  readonly executed?: ExecutedSql;
  /** True while connecting. */
  readonly connecting?: boolean;
}

/** @param place where the error occurred, for the message */
export function errorExplainer(
  config: PostgresqlConfig,
  secrets: readonly string[],
  place = placeOf(config),
): ExplainError {
  return (error, context = {}) => {
    if (isSourceError(error)) return error;
    const foreign = readDriverError(error);
    const { code, cause, remedy: known } = explain(foreign, config, context);
    const remedy = known ?? foreign.hint;
    const position = context.executed && positionInCore(foreign.position, context.executed);
    const hint = [foreign.detail, foreign.hint].filter((text) => text !== undefined).join(' ');
    const details: SourceErrorDetails = {
      ...(remedy !== undefined && { remedy: redactSecrets(remedy, secrets) }),
      ...(position !== undefined && { position }),
      ...(hint !== '' && { hint: redactSecrets(hint, secrets) }),
    };
    return new SourceError(code, redactSecrets(`${cause} (${place})`, secrets), details);
  };
}

/** `user@host:port/database`, for messages. */
function placeOf(config: PostgresqlConfig): string {
  return `${config.user}@${config.host}:${config.port}/${config.database}`;
}

function explain(error: DriverError, config: PostgresqlConfig, { executed, connecting }: FailureContext): ErrorMeaning {
  const state = error.code;
  if (state === undefined || !/^[0-9A-Z]{5}$/.test(state) || error.severity === undefined) {
    return connectionErrorMeaning(error, config, connecting ?? false);
  }
  if (state === invalidParameterValue && !executed) {
    return {
      code: 'source-config',
      cause: `PostgreSQL does not know the time zone ${config.timeZone} of data source ${config.name}`,
      remedy: 'Set timeZone to an IANA name such as Europe/Berlin.',
    };
  }
  const meaning = meaningOfSqlState(state);
  const code = isMissingFunction(error, executed) ? 'sql-error' : meaning.code;
  if (code === 'authentication-failed' && config.password === undefined) return withoutPassword(config, error.message);
  const remedy = code === meaning.code ? meaning.remedy : 'Correct the function’s name or the types of its arguments.';
  return { code, cause: `${introduction(code)}: ${error.message}`, remedy };
}

/** The time zone is the only session setting with free user input. */
const invalidParameterValue = '22023';

function introduction(code: SourceErrorCode): string {
  return introductions[code] ?? 'PostgreSQL reports an error';
}

const introductions: Partial<Record<SourceErrorCode, string>> = {
  'source-config': 'PostgreSQL refuses the settings of the data source',
  'authentication-failed': 'PostgreSQL refuses the login',
  'connection-lost': 'PostgreSQL ended the connection',
  'source-unreachable': 'PostgreSQL accepts no connection',
  'statement-timeout': 'The statement was cancelled on the server',
};

/** `42883` is a missing operator (incompatible types) or a missing function (wrong name). */
function isMissingFunction(error: DriverError, executed: ExecutedSql | undefined): boolean {
  if (error.code !== '42883' || !executed) return false;
  const position = positionInCore(error.position, executed);
  if (position === undefined) return false;
  const rest = executed.core.slice(position);
  return /^[\p{L}_"]/u.test(rest) && !/^(not|i?like|similar|between|in|is)\b/i.test(rest);
}

/** Explanation of an SQLSTATE. https://www.postgresql.org/docs/current/errcodes-appendix.html */
interface SqlStateMeaning {
  readonly code: SourceErrorCode;
  readonly remedy?: string;
}

/** The explanation of a five-character SQLSTATE: its own, else that of its class, else a general one. */
function meaningOfSqlState(state: string): SqlStateMeaning {
  return states[state] ?? states[state.slice(0, 2)] ?? { code: 'source-failed' };
}

const credentials = 'Check user and password of the data source, and the server’s pg_hba.conf.';
const mistyped = 'Compare values of one type: add a cast, such as column::text, where types differ.';
const unavailable = 'Try again when the server is available.';

const states: Readonly<Record<string, SqlStateMeaning>> = {
  '0A': { code: 'sql-error' },
  P0: { code: 'sql-error' },
  '08': { code: 'connection-lost', remedy: unavailable },
  '22': { code: 'type-mismatch', remedy: 'Correct the value, or filter the rows that hold it.' },
  22012: { code: 'sql-error', remedy: 'Guard the division with NULLIF(divisor, 0).' },
  25006: { code: 'sql-error', remedy: 'Queries may only read: remove the statement that writes.' },
  28: { code: 'authentication-failed', remedy: credentials },
  '2BP01': {
    code: 'source-failed',
    remedy: 'Move objects that are not part of the graph elsewhere, or leave its tables.',
  },
  '3D000': { code: 'source-config', remedy: 'Correct the database of the data source.' },
  '3F000': { code: 'object-missing', remedy: 'Correct the schema’s name.' },
  40: { code: 'source-failed', remedy: 'Try again.' },
  42: { code: 'sql-error', remedy: 'Correct the SQL of the entity graph; Show Query prints all that is executed.' },
  42501: { code: 'permission-denied', remedy: 'Ask the owner of the database to GRANT SELECT on it to this user.' },
  42703: {
    code: 'column-missing',
    remedy: 'Correct the column’s name, or refresh the catalog if the table has changed.',
  },
  42702: { code: 'sql-error', remedy: 'Write the table’s name or alias before the column.' },
  '42P01': { code: 'object-missing', remedy: 'Correct the name, or refresh the catalog if the database has changed.' },
  42804: { code: 'type-mismatch', remedy: mistyped },
  42846: { code: 'type-mismatch', remedy: mistyped },
  42883: { code: 'type-mismatch', remedy: mistyped },
  53: { code: 'source-failed', remedy: 'The server is out of a resource: see its log.' },
  53200: {
    code: 'source-failed',
    remedy: 'The server is out of memory: see its log. If that names max_locks_per_transaction, raise it on all nodes.',
  },
  53300: { code: 'source-unreachable', remedy: 'The server has no free connection: try again later.' },
  '55P03': { code: 'source-failed', remedy: 'Another session holds a lock: try again later.' },
  57014: { code: 'statement-timeout', remedy: 'Narrow the query, or raise statementTimeout of the data source.' },
  '57P01': { code: 'connection-lost', remedy: unavailable },
  '57P02': { code: 'connection-lost', remedy: unavailable },
  '57P03': { code: 'source-unreachable', remedy: unavailable },
  '57P05': { code: 'connection-lost', remedy: unavailable },
  '25P03': { code: 'connection-lost', remedy: 'Raise idle_in_transaction_session_timeout on the server.' },
};
