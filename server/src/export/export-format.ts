import type { StoreReader } from '../store/duckdb-store.ts';

/** Writes a finished graph in one form into a folder that exists and is empty. */
export interface ExportFormat {
  /** It writes one file, which gets the name that the user gives, such as this one; without, the user names a folder. */
  readonly singleFile?: string;
  /** It is read by spreadsheets too, which run texts as formulas: it can be asked to guard them. */
  readonly guardsFormulas?: true;
  /** Its cases are the entities of one type, which `entityType` names. */
  readonly hasCases?: true;
  /** Writes the files; returns their names. Rejects with `DuckDbError` or with the signal's reason. */
  write(store: StoreReader, folder: string, signal: AbortSignal, options?: WriteOptions): Promise<readonly string[]>;
}

export interface WriteOptions {
  /** Where the format guards formulas: does so. */
  readonly guardFormulas?: boolean;
  /** Where the format has cases: the type of entities that they are. The only one of the graph when not given. */
  readonly entityType?: string | undefined;
}
