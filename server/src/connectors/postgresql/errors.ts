import { redactSecrets } from '../redact-secrets.ts';
import { SourceError, isSourceError, type SourceErrorCode, type SourceErrorDetails } from '../source-error.ts';
import type { PostgresqlConfig } from './read-settings.ts';
import { positionInCore, type ExecutedSql } from './error-position.ts';
import { connectionErrorMeaning, withoutPassword } from './connection-errors.ts';
import { readDriverError, type ErrorMeaning, type DriverError } from './driver-error.ts';
import { meaningOfSqlState } from './sql-state.ts';

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
