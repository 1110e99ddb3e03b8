import type { MapMeasure } from '../../../protocol/event-graph.ts';
import type { EntityFilter } from '../analysis/filter-entities.ts';
import { duckdb } from '../dialects/duckdb.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';

/** The requested map. */
export interface MapView {
  readonly filter: EntityFilter;
  /** Separates start and change events of an activity. */
  readonly lifecycle: boolean;
  /** Measure of a map of all types. */
  readonly measure: MapMeasure;
}

export interface MapQuery {
  readonly store: StoreReader;
  readonly view: MapView;
  readonly options: StatementOptions;
}

export type Row = Readonly<Record<string, unknown>>;

/** `WHERE`, if there are conditions. */
export function whereSql(...conditions: readonly (string | undefined)[]): string {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? '' : `WHERE ${given.join(' AND ')}`;
}

/** Condition that a row of a table with entity types belongs to the map. */
export function typeCondition({ filter }: MapView): string | undefined {
  return filter.entityType === undefined ? undefined : `entity_type = ${duckdb.literals.quote(filter.entityType)}`;
}

/**
 * The SQL aggregate that a map counts over rows of `directly_follows`: on the map of one type, all rows. @param rows
 * qualifier of the columns, such as `df.`
 */
export function stepsCountSql({ filter, measure }: MapView, rows: string): string {
  const counts: Readonly<Record<MapMeasure, string>> = {
    events: `count(DISTINCT (${rows}source_event_id, ${rows}target_event_id))`,
    objects: `count(DISTINCT ${rows}entity_id)`,
    pairs: 'count(*)',
  };
  return filter.entityType === undefined ? counts[measure] : counts.pairs;
}
