import type { TypeProposal } from '../../../protocol/query-results.ts';
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

/**
 * An error about one data source, whose name begins the message.
 * @param said the mistake, such as `path must be given.`
 */
export function errorOfSource(
  name: string,
  code: SourceErrorCode,
  said: string,
  details: SourceErrorDetails,
): SourceError {
  return new SourceError(code, `Data source ${name}: ${said}`, { ...details, said });
}

/** By name: a program may load this module as ESM and as CommonJS, which gives two classes. */
export function isSourceError(error: unknown): error is SourceError {
  return error instanceof Error && error.name === 'SourceError';
}

export interface SourceErrorDetails {
  /** The message after the name of the data source, if it begins with the name. */
  readonly said?: string;
  /** Remedy, one sentence. */
  readonly remedy?: string | undefined;
  /** Remedy for a file outside any data source, if `remedy` mentions settings. */
  readonly remedyOfFile?: string;
  /** UTF-16 offset into the `sql` of the failed query, if the engine reports one. */
  readonly position?: number | undefined;
  /** UTF-16 length of the faulty text at the position; default: the word there. */
  readonly length?: number | undefined;
  /** Hint or detail text of the engine. */
  readonly hint?: string;
  /** For files: types with which the value would be read. */
  readonly proposedType?: TypeProposal | undefined;
  /** For files: absolute path and 1-based line. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  /** HTTP status of the answer that is the reason. */
  readonly status?: number;
  readonly cause?: unknown | undefined;
}
