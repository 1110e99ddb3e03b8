import type { EventDistribution, PropertyDistribution } from '../../../protocol/event-graph.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { propertiesTable } from '../graph-schema/table-names.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { type EntityFilter, eventCondition } from '../analysis/filter-entities.ts';
import { noEnd, noEndId } from '../analysis/event-place.ts';
import { unitOfParts } from '../analysis/time-parts.ts';
import { isoTime } from './iso-time.ts';
import { whereSql } from './map-query.ts';

const maxValues = 25;

/** The events of the entities of a filter by activity, and over time in the smallest unit that makes few enough bars. */
export async function readEventDistribution(
  store: StoreReader,
  filter: EntityFilter,
  options: StatementOptions,
): Promise<EventDistribution> {
  const condition = eventCondition(filter, 'id');
  const where = whereSql(noEnd('event'), condition);
  const activities = await store.query(
    `SELECT activity AS name, count(*) AS n, epoch(min(time)) AS first, epoch(max(time)) AS last FROM event ${where} GROUP BY 1 ORDER BY 2 DESC, 1`,
    options,
  );
  const times = (name: 'first' | 'last'): readonly number[] =>
    activities.flatMap((row) => (row[name] === null ? [] : [Number(row[name])]));
  const unit = unitOfParts(activities.length === 0 ? 0 : Math.max(...times('last')) - Math.min(...times('first')));
  const rows = await store.query(
    `SELECT CAST(date_trunc('${unit}', time) AS VARCHAR) AS start, count(*) AS n FROM event ${where} GROUP BY 1 ORDER BY 1`,
    options,
  );
  return {
    activities: activities.map((row) => ({ name: String(row['name']), events: Number(row['n']) })),
    unit,
    buckets: rows.map((row) => ({ start: isoTime(row['start']) ?? '', events: Number(row['n']) })),
  };
}

/** The most frequent values of a property at the events of the entities of a filter. Undefined when there is no such property. */
export async function readPropertyDistribution(
  store: StoreReader,
  { element, property, filter }: { readonly element: number; readonly property: string; readonly filter: EntityFilter },
  options: StatementOptions,
): Promise<PropertyDistribution | undefined> {
  const table = propertiesTable(element);
  const [column] = await store.query(
    `SELECT column_name FROM duckdb_columns() WHERE table_name = '${table}' AND column_name = ${duckdb.literals.quote(property)}`,
    options,
  );
  if (!column) return undefined;
  const condition = eventCondition(filter, 'event_id');
  const from = `${table} ${whereSql(noEndId('event_id'), condition)}`;
  const rows = await store.query(
    `SELECT CAST(${duckdb.identifiers.quote(property)} AS VARCHAR) AS value, count(*) AS n FROM ${from} GROUP BY 1 ORDER BY n DESC, value LIMIT ${maxValues}`,
    options,
  );
  const [all] = await store.query(
    `SELECT count(DISTINCT CAST(${duckdb.identifiers.quote(property)} AS VARCHAR)) + CAST(count(*) FILTER (${duckdb.identifiers.quote(property)} IS NULL) > 0 AS INTEGER) AS vals, count(*) AS n FROM ${from}`,
    options,
  );
  const values = rows.map((row) => ({
    value: row['value'] === null ? null : String(row['value']),
    events: Number(row['n']),
  }));
  const listed = values.reduce((sum, { events }) => sum + events, 0);
  return {
    values,
    others: { values: Number(all?.['vals']) - values.length, events: Number(all?.['n']) - listed },
  };
}
