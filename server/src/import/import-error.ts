import type { ImportErrorCode } from '../../../protocol/failure-codes.ts';
import type { BrokenGuard } from '../../../protocol/query-results.ts';
import type { SourceRange } from '../model/source-range.ts';

/** Why an import failed, in user terms. */
export class ImportError extends Error {
  constructor(
    readonly code: ImportErrorCode,
    message: string,
    readonly details: {
      /** Remedy, one sentence. */
      readonly remedy?: string;
      /** Position in the entity graph. */
      readonly range?: SourceRange | undefined;
      readonly guards?: readonly BrokenGuard[];
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'ImportError';
  }
}
