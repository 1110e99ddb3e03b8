import type { BuildingDialect } from '../dialects/dialect.ts';

/** A table of a graph with values of its properties. */
export interface PropertyTable {
  readonly name: string;
  /** True for values of events; false for those of entities without events. */
  readonly isOfEvents: boolean;
  readonly properties: readonly string[];
  /** The type of each property, as the engine calls it. */
  readonly types: readonly string[];
}

/** The tables of a graph, for the statements of rules. */
export interface JudgedGraphTables {
  /** Dialect of the engine that has the graph. */
  readonly dialect: BuildingDialect;
  /** A table of the graph, as SQL. */
  table(name: string): string;
  readonly properties: readonly PropertyTable[];
  /** Whether events may be correlated with entities other than their own. */
  readonly hasCorrelations: boolean;
  /** SQL of the time up to which the graph has events; undefined if each statement reads it. */
  readonly now?: string;
}
