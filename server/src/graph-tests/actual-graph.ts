import type { RuleResult } from '../../../protocol/process-rules.ts';

/** A graph as built, for comparison with what a test expects. */
export interface ActualGraph {
  /** In order. */
  readonly events: readonly ActualEvent[];
  /** Activities of the events of each edge. */
  readonly directlyFollows: readonly (readonly [string, string])[];
  readonly relations: readonly ActualRelation[];
  readonly entities: readonly ActualEntity[];
  /** The rules that the test expects something of. */
  readonly rules: readonly RuleResult[];
  /** The named queries that the test expects rows of, by name. */
  readonly queries: ReadonlyMap<string, ActualRows>;
}

/** The rows of a query with their values as texts, or why it has none. */
export type ActualRows = { readonly rows: readonly ActualRow[] } | { readonly error: string };

export type ActualRow = Readonly<Record<string, string | null>>;

export interface ActualEvent {
  readonly activity: string;
  readonly lifecycle: string;
  /** ISO 8601, UTC, with six digits of the second. */
  readonly time: string;
  readonly entity: ActualEntity | undefined;
  /** Empty when no property is expected. */
  readonly properties: Readonly<Record<string, string | null>>;
}

export interface ActualEntity {
  readonly type: string;
  readonly key: string;
}

export interface ActualRelation {
  readonly relationship: string;
  readonly source: ActualEntity;
  readonly target: ActualEntity;
}
