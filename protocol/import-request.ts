/** A slice of a graph: the first rows of each element, or events since a time (ISO 8601, UTC). */
export interface ImportSlice {
  readonly sample?: number;
  readonly since?: string;
}

/** The rows of each element that a sample reads unless the user says otherwise. */
export const sampleRows = 1000;

/** Builds the graph of an entity graph, or a slice of it. */
export interface BuildRequest extends ImportSlice {
  readonly kind: 'build';
  /** Ignores the row cache and reads everything. */
  readonly isFull?: boolean | undefined;
  /**
   * Builds from the rows kept for a data source that cannot be reached, instead of failing (`--sources-down keep`);
   * ignored for a slice.
   */
  readonly usesKeptRows?: boolean | undefined;
}

/** A job of the engine. `fetch` copies the graph that the last import built inside its source to this machine. */
export type ImportRequest = BuildRequest | { readonly kind: 'fetch' };
