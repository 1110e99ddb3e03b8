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

/** SQL conditions on `id` of the entities and of the events that are judged. */
export interface JudgedAmong {
  readonly entity: string;
  readonly event: string;
  /** The same without temporary tables, for SQL that people run. */
  readonly shownAs?: JudgedAmong;
}

/** The tables of a graph, for the statements of rules. */
export interface JudgedGraphTables {
  /** Dialect of the engine that has the graph. */
  readonly dialect: BuildingDialect;
  /** A table of the graph, as SQL. */
  table(name: string): string;
  readonly properties: readonly PropertyTable[];
  /** Those that SQL may name, also without entities. */
  readonly entityTypes: readonly string[];
  /** Whether events may be correlated with entities other than their own. */
  readonly hasCorrelations: boolean;
  /**
   * A SELECT of columns of another one, and of its `time` as microseconds on a clock that runs in working time only;
   * undefined if times are those of the graph.
   */
  readonly worked?: ((select: string, columns: readonly string[]) => string) | undefined;
  /** SQL of the time up to which the graph has events; undefined if each statement reads it. */
  readonly now?: string;
  /** Default: all are judged. */
  readonly among?: JudgedAmong | undefined;
}
