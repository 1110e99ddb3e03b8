/** A part of a graph: the first rows of each element, events from a time on (ISO 8601, UTC). */
export interface ImportSlice {
  readonly sample?: number;
  readonly since?: string;
}

/** Builds the graph of an entity graph, or a slice of it. */
export interface BuildRequest extends ImportSlice {
  readonly kind: 'build';
  /** Reads everything, also rows that cannot have changed since the import before. */
  readonly isFull?: boolean;
}

/** What the engine is asked to do: `fetch` copies the graph that the last import has built inside its source to this machine. */
export type ImportRequest = BuildRequest | { readonly kind: 'fetch' };
