import type { SourceErrorCode } from '../../../protocol/failure-codes.ts';

export type { SourceErrorCode } from '../../../protocol/failure-codes.ts';

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
