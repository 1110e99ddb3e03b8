import type { ExportErrorCode } from '../../../protocol/failure-codes.ts';

/** A graph that a form cannot say, in the user's words. */
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
