/** An invariant of every graph. */
export interface Invariant {
  /** Its description in `check`. */
  readonly holds: string;
  /** A query on a store with one row per violation and a column `example` that identifies it. */
  readonly violations: string;
  /**
   * The variant used by an import before publishing; absent when too expensive, or when the build statements guarantee
   * it.
   */
  readonly atImport: readonly ImportCount[];
}

/** A count by an import, in its own database or inside the source, which must be zero. */
export interface ImportCount {
  /** What is counted, for the failure message. */
  readonly counts: string;
  /** @param wide makes room for the square of the number of rows */
  readonly sql: (graph: string, wide: (number: string) => string) => string;
  /**
   * Whether the query relies on row order, which not every database preserves; false for a slower query that is used only
   * for databases that do not preserve it. Absent for a query for all databases.
   */
  readonly readsRowOrder?: boolean;
  /** The same for a query that also relies on texts being sorted like in the queried database. */
  readonly readsTextOrder?: boolean;
  /** Limits the query to graphs in which some events have no own entity, or to all other graphs. */
  readonly of?: 'events with entity' | 'events without entity';
}

/** Events that are counted with their starts. */
export const ends = "SELECT id FROM event WHERE lifecycle = 'end'";
