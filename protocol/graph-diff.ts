import type { GraphChanges } from './graph-changes.ts';

/** Differences between an import and the previous one. */
export interface GraphDiff {
  readonly before: DiffedRun;
  readonly after: DiffedRun;
  /** Row counts of all tables, in store order. */
  readonly tables: readonly CountChange[];
  /** Activities with different counts, by name. */
  readonly activities: readonly CountChange[];
  readonly entities: readonly EntityChange[];
  readonly relations: readonly CountChange[];
  readonly schema: readonly SchemaChange[];
  /** What differs in detail: single events, their times and values, links, variants and rules. */
  readonly changes: GraphChanges;
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

export interface CountChange {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/** Number of entities of one type that exist in one run only, with some of their keys. */
export interface EntityChange {
  readonly entityType: string;
  readonly before: number;
  readonly after: number;
  readonly added: number;
  readonly removed: number;
  readonly addedKeys: readonly string[];
  readonly removedKeys: readonly string[];
}

/** A property of an element that was added, removed, or changed its type. */
export interface SchemaChange {
  readonly element: string;
  readonly property: string;
  /** Type in the store; absent when missing. */
  readonly before?: string;
  readonly after?: string;
}
