import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';

/** The store of a graph. */
export interface OpenStore {
  readonly store: StoreReader;
  readonly options: StatementOptions;
}
