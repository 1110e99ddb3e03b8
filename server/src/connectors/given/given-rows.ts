import type { StagingDatabase } from '../../store/staging-database.ts';
import type { OperationOptions, Pull } from '../connector.ts';
import type { GivenData } from './given-data.ts';

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

/** Thrown when queries cannot run on given rows here, although the graph has no mistake. */
export class CannotRunError extends Error {
  /** @param message with a remedy */
  constructor(message: string) {
    super(message);
    this.name = 'CannotRunError';
  }
}

/** By name, like `isGivenRowsError`. */
export function isCannotRunError(error: unknown): error is CannotRunError {
  return error instanceof Error && error.name === 'CannotRunError';
}

/**
 * Runs the queries of a source kind on given rows. One engine serves many imports, because starting it may take longer
 * than an import.
 */
export interface GivenRowsEngine {
  /**
   * The pull of one import; its rows are gone when it is closed. It and its loads reject with `GivenRowsError` for rows
   * that do not fit, `CannotRunError` for queries that cannot be run here, else like the pulls of the kind.
   */
  openPull(data: GivenData, staging: StagingDatabase, options: OperationOptions): Promise<Pull>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** @param temporaryFolder exists until the engine is closed. */
export type OpenGivenRows = (temporaryFolder: string) => Promise<GivenRowsEngine>;
