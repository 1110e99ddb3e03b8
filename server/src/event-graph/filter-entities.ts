import type { GraphFilter } from '../../../protocol/event-graph.ts';
import { propertiesTable } from '../graph-schema/table-names.ts';

/** SQL condition of a filter on `column`, which holds entity ids; undefined without a filter. */
export function entityCondition({ entityType, from, to, property }: GraphFilter, column: string): string | undefined {
  const conditions = [
    ...(entityType === undefined ? [] : [`SELECT e.id FROM entity AS e WHERE e.entity_type = ${text(entityType)}`]),
    ...(from === undefined && to === undefined ? [] : [inTime(from, to)]),
    ...(property === undefined ? [] : [withValue(property)]),
  ];
  return conditions.length === 0 ? undefined : conditions.map((ids) => `${column} IN (${ids})`).join(' AND ');
}

function inTime(from: string | undefined, to: string | undefined): string {
  const bounds = [
    ...(from === undefined ? [] : [`v.time >= CAST(${text(from)} AS TIMESTAMP)`]),
    ...(to === undefined ? [] : [`v.time < CAST(${text(to)} AS TIMESTAMP)`]),
  ];
  return `SELECT c.entity_id FROM event_entity AS c JOIN event AS v ON v.id = c.event_id WHERE ${bounds.join(' AND ')}`;
}

function withValue({ element, name, value }: { element: number; name: string; value: string }): string {
  return `SELECT c.entity_id FROM event_entity AS c JOIN ${propertiesTable(element)} AS p ON p.event_id = c.event_id
    WHERE CAST(p.${identifier(name)} AS VARCHAR) = ${text(value)}`;
}

/** An SQL string literal. */
export function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** A quoted SQL identifier. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
