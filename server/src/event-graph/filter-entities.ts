import type { ActivityCondition, GraphFilter, VariantCondition } from '../../../protocol/event-graph.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { propertiesTable } from '../graph-schema/table-names.ts';
import { eventPlaceSql } from './map-query.ts';
import { pathsSql } from './variant-sql.ts';

const { identifiers, literals } = duckdb;

/** The condition that a filter makes on `column`, which holds ids of entities; undefined when every entity is meant. */
export function entityCondition(
  { entityType, from, to, property, rule, activities = [], variant }: GraphFilter,
  column: string,
): string | undefined {
  const chosen = [
    ...(entityType === undefined
      ? []
      : [`SELECT e.id FROM entity AS e WHERE e.entity_type = ${literals.quote(entityType)}`]),
    ...(from === undefined && to === undefined ? [] : [inTime(from, to)]),
    ...(property === undefined ? [] : [withValue(property)]),
    ...(rule === undefined ? [] : [breaking(rule.number)]),
    ...(variant === undefined ? [] : [ofVariant(variant, entityType)]),
  ];
  const conditions = [
    ...chosen.map((ids) => `${column} IN (${ids})`),
    ...activities.map((each) => `${column} ${each.occurs ? 'IN' : 'NOT IN'} (${withActivity(each)})`),
  ];
  return conditions.length === 0 ? undefined : conditions.join(' AND ');
}

/**
 * The SQL condition of a filter on `column`, which holds ids of events: the event belongs to a selected entity.
 * Undefined if the filter selects every entity.
 */
export function eventCondition(filter: GraphFilter, column: string): string | undefined {
  const condition = entityCondition(filter, 'ee.entity_id');
  return condition && `${column} IN (SELECT ee.event_id FROM event_entity AS ee WHERE ${condition})`;
}

function inTime(from: string | undefined, to: string | undefined): string {
  const bounds = [
    ...(from === undefined ? [] : [`v.time >= CAST(${literals.quote(from)} AS TIMESTAMP)`]),
    ...(to === undefined ? [] : [`v.time < CAST(${literals.quote(to)} AS TIMESTAMP)`]),
  ];
  return `SELECT c.entity_id FROM event_entity AS c JOIN event AS v ON v.id = c.event_id WHERE ${bounds.join(' AND ')}`;
}

function withValue({ element, name, value }: { element: number; name: string; value: string }): string {
  return `SELECT c.entity_id FROM event_entity AS c JOIN ${propertiesTable(element)} AS p ON p.event_id = c.event_id
    WHERE CAST(p.${identifiers.quote(name)} AS VARCHAR) = ${literals.quote(value)}`;
}

function withActivity({ activity, lifecycle = false }: ActivityCondition): string {
  return `SELECT c.entity_id FROM event_entity AS c JOIN event AS v ON v.id = c.event_id WHERE ${eventPlaceSql('v', { lifecycle })} = ${literals.quote(activity)}`;
}

/** Only entities of the type are put in order. */
function ofVariant({ id, lifecycle = false }: VariantCondition, entityType: string | undefined): string {
  const isOfType =
    entityType === undefined
      ? ''
      : `WHERE ee.entity_id IN (SELECT e.id FROM entity AS e WHERE e.entity_type = ${literals.quote(entityType)})`;
  return `SELECT p.entity_id FROM (${pathsSql({ lifecycle }, isOfType)}) AS p WHERE p.id = ${literals.quote(id)}`;
}

function breaking(rule: number): string {
  return `SELECT b.entity_id FROM rule_violation AS b WHERE b.rule = ${Math.trunc(rule)} AND b.entity_id IS NOT NULL`;
}
