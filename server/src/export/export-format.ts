import type { StoreReader } from '../store/duckdb-store.ts';

/** Writes a finished graph in one format into an existing, empty folder. */
export interface ExportFormat {
  /** Default name of a single-file format; without it, the user chooses a folder. */
  readonly singleFile?: string;
  /** Spreadsheets also read this format, so texts can be guarded against evaluation as formulas. */
  readonly guardsFormulas?: true;
  /** Its cases are the entities of one type, which `entityType` names. */
  readonly hasCases?: true;
  /** Writes the files; returns their names. Rejects with `DuckDbError` or with the signal's reason. */
  write(store: StoreReader, folder: string, signal: AbortSignal, options?: WriteOptions): Promise<readonly string[]>;
}

export interface WriteOptions {
  /** Guards formulas, if supported. */
  readonly guardFormulas?: boolean | undefined;
  /** Where the format has cases: the type of entities that they are. The only one of the graph when not given. */
  readonly entityType?: string | undefined;
}
