import type { StoreReader } from '../store/duckdb-store.ts';

/** Writes a finished graph in one format into an existing, empty folder. */
export interface ExportFormat {
  /** Default name of a single-file format; without it, the user chooses a folder. */
  readonly singleFile?: string;
  /** Spreadsheets also read this format, so texts can be guarded against evaluation as formulas. */
  readonly guardsFormulas?: true;
  /** Whether the format has cases: the entities of one type, named by `entityType`. */
  readonly hasCases?: true;
  /** Whether times end with `Z`, or with `+00:00` where `utcOffset` is set. */
  readonly hasUtcSuffix?: true;
  /** Writes the files; returns their names. Rejects with `DuckDbError` or with the signal's reason. */
  write(store: StoreReader, folder: string, signal: AbortSignal, options?: WriteOptions): Promise<readonly string[]>;
}

export interface WriteOptions {
  /** Guards formulas, if supported. */
  readonly guardFormulas?: boolean | undefined;
  /** Writes `+00:00` instead of `Z` after times, if supported. */
  readonly utcOffset?: boolean | undefined;
  /** For formats with cases: the entity type of the cases. Default: the only entity type of the graph. */
  readonly entityType?: string | undefined;
  /** Called with a sentence about each thing that the format cannot hold as the graph has it. */
  readonly onNote?: ((note: string) => void) | undefined;
}
