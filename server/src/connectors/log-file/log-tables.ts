import type { DataObject } from '../../catalog/catalog.ts';
import type { DraftModel } from '../../draft/draft-model.ts';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import type { LogFileConfig } from './log-file-settings.ts';

/** A log that was read into a database: its data objects, and the graph that it is. */
export interface LogContent {
  readonly tables: readonly LogTable[];
  readonly warnings: readonly string[];
  /** The whole graph of the log; its data objects are the tables. */
  readonly graph: DraftModel;
}

export interface LogTable {
  readonly object: DataObject;
  /** A query of its rows in the order of the file, with the columns of the data object in order. */
  readonly sql: string;
}

/** Reads a file into an empty database, through temporary files in `folder`. Rejects with `CheckError` or `SourceError`. */
export type LogLoader = (
  config: LogFileConfig,
  database: DuckDbSession,
  folder: string,
  signal: AbortSignal,
) => Promise<LogContent>;
