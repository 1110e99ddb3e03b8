import type { SourceErrorCode } from '../../../protocol/failure-codes.ts';

export type { SourceErrorCode } from '../../../protocol/failure-codes.ts';

/** Why a source could not be read, in a form that every surface can present. */
export class SourceError extends Error {
  /** @param message names cause and place; never contains a secret. */
  constructor(
    readonly code: SourceErrorCode,
    message: string,
    readonly details: SourceErrorDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'SourceError';
  }
}

/**
 * An error about one data source, whose name begins the message.
 * @param said what is wrong, such as `path must be given.`
 */
export function errorOfSource(
  name: string,
  code: SourceErrorCode,
  said: string,
  details: SourceErrorDetails,
): SourceError {
  return new SourceError(code, `Data source ${name}: ${said}`, { ...details, said });
}

/** By its name: a program may load this module twice, as ESM and as CommonJS, and then has two classes. */
export function isSourceError(error: unknown): error is SourceError {
  return error instanceof Error && error.name === 'SourceError';
}

export interface SourceErrorDetails {
  /** The message as it goes on behind the name of the data source, if it begins with that. */
  readonly said?: string;
  /** What to do next, one sentence. */
  readonly remedy?: string;
  /** UTF-16 offset into the `sql` of the query that failed, where the engine gave one. */
  readonly position?: number;
  /** The engine's own hint or detail text. */
  readonly hint?: string;
  /** For files: absolute path and 1-based line. */
  readonly file?: string;
  readonly line?: number;
  readonly cause?: unknown;
}
