/** A file that cannot be checked; the message is shown to the user. */
export class CheckError extends Error {
  constructor(
    readonly code: 'file-malformed' | 'unknown-form',
    message: string,
    readonly details: { readonly remedy?: string; readonly line?: number; readonly cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'CheckError';
  }
}
