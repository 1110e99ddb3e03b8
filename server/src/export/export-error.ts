import type { ExportErrorCode } from '../../../protocol/failure-codes.ts';

/** Thrown when a graph cannot be expressed in an export format; the message is shown to the user. */
export class ExportError extends Error {
  constructor(
    readonly code: ExportErrorCode,
    message: string,
    readonly remedy: string,
  ) {
    super(message);
    this.name = 'ExportError';
  }
}
