import type { DuckdbConfig } from './read-settings.ts';

/** A configured database file. */
export interface DuckdbSource {
  readonly config: DuckdbConfig;
  /** Its path; rejects with a `SourceError` for a file that cannot be one. The store of a graph changes with each import. */
  readonly findDatabase: () => Promise<string>;
}
