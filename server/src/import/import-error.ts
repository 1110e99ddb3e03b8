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
