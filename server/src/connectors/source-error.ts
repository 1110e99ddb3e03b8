/** Why a source could not be read, for all user interfaces. */
export class SourceError extends Error {
  /** @param message names cause and position; never contains a secret. */
  constructor(
    readonly code: SourceErrorCode,
    message: string,
    readonly details: SourceErrorDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'SourceError';
  }
}

/** By name: a program may load this module as ESM and as CommonJS, which gives two classes. */
export function isSourceError(error: unknown): error is SourceError {
  return error instanceof Error && error.name === 'SourceError';
}

export type SourceErrorCode =
  | 'source-config'
  | 'secret-missing'
  | 'secret-not-allowed'
  | 'environment-variable-missing'
  | 'source-unreachable'
  | 'authentication-failed'
  | 'tls-failed'
  | 'permission-denied'
  | 'object-missing'
  | 'column-missing'
  | 'type-mismatch'
  | 'sql-error'
  | 'statement-timeout'
  | 'connection-lost'
  | 'file-missing'
  | 'file-unreadable'
  | 'file-malformed'
  | 'source-empty'
  | 'source-incomplete'
  | 'outcome-unknown'
  | 'disk-full'
  | 'source-failed';

export interface SourceErrorDetails {
  /** Remedy, one sentence. */
  readonly remedy?: string;
  /** UTF-16 offset into the `sql` of the failed query, if the engine reports one. */
  readonly position?: number;
  /** Hint or detail text of the engine. */
  readonly hint?: string;
  /** For files: absolute path and 1-based line. */
  readonly file?: string;
  readonly line?: number;
  readonly cause?: unknown;
}
