import type { CheckErrorCode } from '../../../protocol/failure-codes.ts';

/** A file that cannot be checked; the message is shown to the user. */
export class CheckError extends Error {
  constructor(
    readonly code: CheckErrorCode,
    message: string,
    readonly details: { readonly remedy?: string; readonly line?: number; readonly cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'CheckError';
  }
}
