import type { ActivityCondition, GraphFilter, PathCondition, VariantCondition } from '../../../protocol/event-graph.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { millisecondsSql } from '../graph-schema/duration-classes.ts';
import { propertiesTable } from '../graph-schema/table-names.ts';
import { eventPlaceSql, noEnd } from './event-place.ts';
import { pathsSql } from './variant-sql.ts';

const { identifiers, literals } = duckdb;

/** A filter whose conditions on values are SELECTs of ids of entities: `readFilter` makes it of a `GraphFilter`. */
export interface EntityFilter extends Omit<GraphFilter, 'where' | 'values'> {
  readonly where?: undefined;
  readonly values?: undefined;
  readonly selected?: readonly string[] | undefined;
  /** A SELECT of exactly the ids of its entities. Other conditions than that on the type are absent then. */
  readonly chosen?: string | undefined;
}

/** A filter of entities of one type. */
export interface ReadTypeFilter extends EntityFilter {
  readonly entityType: string;
}

/** The condition that a filter makes on `column`, which holds ids of entities; undefined when every entity is meant. */
export function entityCondition(filter: EntityFilter, column: string): string | undefined {
  if (filter.chosen !== undefined) return `${column} IN (${filter.chosen})`;
  const { entityType, from, to, property, rule, variant, throughput } = filter;
  const { activities = [], paths = [], related = [], selected = [] } = filter;
  const chosen = [
    ...(entityType === undefined
      ? []
      : [`SELECT e.id FROM entity AS e WHERE e.entity_type = ${literals.quote(entityType)}`]),
    ...(from === undefined && to === undefined ? [] : [inTime(from, to)]),
    ...(property === undefined ? [] : [withValue(property)]),
    ...(rule === undefined ? [] : [breaking(rule.number)]),
    ...(variant === undefined ? [] : [ofVariant(variant, entityType)]),
    ...paths.map(takingPath),
    ...(throughput === undefined ? [] : [lasting(throughput)]),
    ...(related.length === 0 ? [] : [relatedTo(related)]),
    ...selected,
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
export function eventCondition(filter: EntityFilter, column: string): string | undefined {
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
  return `SELECT c.entity_id FROM event_entity AS c JOIN event AS v ON v.id = c.event_id WHERE ${noEnd('v')} AND ${eventPlaceSql('v', { lifecycle })} = ${literals.quote(activity)}`;
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

/** Event ids are chronological, so the first event of an activity has the smallest id. */
function takingPath({ source, target, follows, lifecycle = false, ...limits }: PathCondition): string {
  const isAt = (event: string, activity: string): string =>
    `${noEnd(event)} AND ${eventPlaceSql(event, { lifecycle })} = ${literals.quote(activity)}`;
  if (follows === 'directly') {
    const conditions = [isAt('s', source), isAt('t', target), ...limitsSql('s.time', 't.time', limits)];
    return `SELECT df.entity_id FROM directly_follows AS df JOIN event AS s ON s.id = df.source_event_id JOIN event AS t ON t.id = df.target_event_id
    WHERE ${conditions.join(' AND ')}`;
  }
  const having = limitsSql('s.time', 'min(t.time)', limits);
  return `SELECT s.entity_id FROM (
      SELECT c.entity_id, min(v.id) AS id, min(v.time) AS time FROM event_entity AS c JOIN event AS v ON v.id = c.event_id
      WHERE ${noEnd('v')} AND ${isAt('v', source)} GROUP BY c.entity_id
    ) AS s JOIN event_entity AS c ON c.entity_id = s.entity_id JOIN event AS t ON t.id = c.event_id
    WHERE ${noEnd('t')} AND ${isAt('t', target)} AND t.id > s.id GROUP BY s.entity_id, s.time${having.length === 0 ? '' : ` HAVING ${having.join(' AND ')}`}`;
}

function lasting(limits: DurationLimits): string {
  const conditions = limitsSql('min(v.time)', 'max(v.time)', limits);
  return `SELECT c.entity_id FROM event_entity AS c JOIN event AS v ON v.id = c.event_id
    GROUP BY c.entity_id${conditions.length === 0 ? '' : ` HAVING ${conditions.join(' AND ')}`}`;
}

/** In milliseconds. */
interface DurationLimits {
  readonly slower?: number | undefined;
  readonly faster?: number | undefined;
}

function limitsSql(from: string, to: string, { slower, faster }: DurationLimits): readonly string[] {
  const duration = millisecondsSql(from, to);
  return [
    ...(slower === undefined ? [] : [`${duration} > ${Number(slower)}`]),
    ...(faster === undefined ? [] : [`${duration} < ${Number(faster)}`]),
  ];
}

function relatedTo(entities: readonly number[]): string {
  const ids = entities.map(Math.trunc).join(', ');
  return `SELECT r.source_entity_id FROM relation AS r WHERE r.target_entity_id IN (${ids})
    UNION SELECT r.target_entity_id FROM relation AS r WHERE r.source_entity_id IN (${ids})`;
}
