import { redactSecrets } from '../redact-secrets.ts';
import { SourceError, isSourceError, type SourceErrorDetails } from '../source-error.ts';
import type { MysqlConfig } from './read-settings.ts';
import { connectionErrorMeaning } from './connection-errors.ts';
import { positionOf, type ExecutedSql } from './error-position.ts';
import { type ErrorMeaning, serverErrorMeaning } from './error-meaning.ts';
import { type DriverError, readDriverError } from './driver-error.ts';

/** Converts an error of the driver or the system to a user error; place and secrets come from the source. */
export type ExplainError = (error: unknown, context?: FailureContext) => SourceError;

interface FailureContext {
  /** The failed statement, to find the place in its core SELECT. */
  readonly executed?: ExecutedSql;
  /** True while connecting. */
  readonly connecting?: boolean;
}

export function errorExplainer(config: MysqlConfig, secrets: readonly string[]): ExplainError {
  const place = placeOf(config);
  return (error, { executed, connecting = false } = {}) => {
    if (isSourceError(error)) return error;
    const foreign = readDriverError(error);
    const { code, cause, remedy } = meaningOf(foreign, config, connecting);
    const found = executed && foreign.number !== undefined ? positionOf(foreign.message, executed) : undefined;
    const details: SourceErrorDetails = {
      ...(remedy !== undefined && { remedy: redactSecrets(remedy, secrets) }),
      ...found,
    };
    return new SourceError(code, redactSecrets(`${cause} (${place})`, secrets), details);
  };
}

/** `user@host:port/database`, for messages. */
function placeOf({ user, host, port, databases }: MysqlConfig): string {
  return `${user}@${host.startsWith('/') ? host : `${host}:${port}`}/${databases[0] ?? ''}`;
}

function meaningOf(error: DriverError, config: MysqlConfig, connecting: boolean): ErrorMeaning {
  return error.number === undefined
    ? connectionErrorMeaning(error, config, connecting)
    : serverErrorMeaning(error.number, error.message, config);
}
