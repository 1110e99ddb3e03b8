import type { ImportErrorCode } from '../../../protocol/failure-codes.ts';
import type { SourceRange } from '../model/source-range.ts';

/** Why an import cannot end well, in the user's terms. */
export class ImportError extends Error {
  constructor(
    readonly code: ImportErrorCode,
    message: string,
    readonly details: {
      /** What to do next, one sentence. */
      readonly remedy?: string;
      /** In the entity graph. */
      readonly range?: SourceRange;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'ImportError';
  }
}
