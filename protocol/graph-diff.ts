import type { ChangedRows, GraphChanges } from './graph-changes.ts';

/** Differences between an import and the previous one. */
export interface GraphDiff {
  readonly before: DiffedRun;
  readonly after: DiffedRun;
  readonly schema: readonly SchemaChange[];
  /** What differs: single events, their times and values, links, variants and rules. */
  readonly changes: GraphChanges;
  /** On request: rows behind the numbers. */
  readonly rows?: readonly ChangedRows[];
  /** False when the two graphs are equal: all rows of all tables, and the types of properties. */
  readonly changed: boolean;
}

export interface DiffedRun {
  /** Absolute path of the store. */
  readonly store: string;
  readonly run: string;
  /** ISO 8601, UTC. */
  readonly started: string;
  /** Set for a slice, which cannot be compared with a whole graph. */
  readonly slice: boolean;
  /** SHA-256 of the entity graph's text, hexadecimal. */
  readonly configHash: string;
}

/** A property of an element that was added, removed, or changed its type. */
export interface SchemaChange {
  readonly element: string;
  readonly property: string;
  /** Type in the store; absent when missing. */
  readonly before?: string;
  readonly after?: string;
  /** Rules and measures that depend on it, in words such as `rule Paid in time`. */
  readonly usedBy?: readonly string[];
}
