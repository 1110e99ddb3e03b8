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

export type ImportErrorCode =
  | 'type-mismatch'
  | 'unknown-time-zone'
  | 'check-failed'
  | 'import-running'
  | 'no-write-permission'
  | 'disk-full'
  | 'out-of-memory'
  | 'engine-unsupported'
  | 'schema-missing'
  | 'graph-not-in-source'
  | 'build-failed';
