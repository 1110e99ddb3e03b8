import type { Catalog } from '../../catalog/catalog.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { OperationOptions, Pull } from '../connector.ts';

/** A value that somebody wrote, without a type. */
export interface WrittenValue {
  readonly kind: 'text' | 'number' | 'boolean' | 'json' | 'null';
  readonly text: string;
}

/** Rows of a data object, in order: values by column. */
export interface GivenRows {
  readonly dataObject: string;
  readonly rows: readonly ReadonlyMap<string, WrittenValue>[];
}

/** The rows of one data source, of which an import is made in place of those of the source. */
export interface GivenData {
  readonly catalog: Catalog;
  /** Data objects without rows are empty. */
  readonly objects: readonly GivenRows[];
  /** Of times without zone. */
  readonly timeZone: string;
}

/** The rows of a data object do not fit its columns. */
export class GivenRowsError extends Error {
  constructor(
    readonly dataObject: string,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'GivenRowsError';
  }
}

/** By name: a program may load this module as ESM and as CommonJS, which gives two classes. */
export function isGivenRowsError(error: unknown): error is GivenRowsError {
  return error instanceof Error && error.name === 'GivenRowsError';
}

/**
 * Runs the queries of a source kind on given rows. One is opened for many imports, as starting an engine may take
 * longer than they do.
 */
export interface GivenRowsEngine {
  /**
   * The pull of one import; its rows are gone when it is closed. It and its loads reject with `GivenRowsError` for rows
   * that do not fit, else like the pulls of the kind.
   */
  openPull(data: GivenData, staging: StagingDatabase, options: OperationOptions): Promise<Pull>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** @param temporaryFolder exists until the engine is closed. */
export type OpenGivenRows = (temporaryFolder: string) => Promise<GivenRowsEngine>;
