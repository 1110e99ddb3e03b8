import type { EntityHit, EntityTimeline, EntityValues, ValueChange } from '../../../protocol/event-graph.ts';
import { type EntityFilter, entityCondition } from '../analysis/filter-entities.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { judgedGraphTables } from '../process-rules/judged-graph-tables.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { isoTime } from './iso-time.ts';
import { historySql, valuesTables } from './value-history.ts';

const maxHits = 50;
const maxEvents = 1000;
const maxRelated = 200;

interface EntitySearch {
  readonly search: string;
  readonly entityType?: string | undefined;
  readonly filter?: EntityFilter;
}

/**
 * Entities whose key contains a text, exact matches first, then those with a property that has had a value with it; without
 * a text, those with the most events.
 */
export async function findEntities(
  store: StoreReader,
  wanted: EntitySearch,
  options: StatementOptions,
): Promise<readonly EntityHit[]> {
  const byKey = await findByKey(store, wanted, options);
  if (wanted.search === '' || byKey.length >= maxHits) return byKey;
  const known = new Set(byKey.map(({ id }) => id));
  const byValue = (await findByValue(store, wanted, options)).filter(({ id }) => !known.has(id));
  return [...byKey, ...byValue].slice(0, maxHits);
}

/** Entities one of whose texts contains another: at first where it is the whole text. */
async function findByValue(
  store: StoreReader,
  { search, entityType, filter = {} }: EntitySearch,
  options: StatementOptions,
): Promise<readonly EntityHit[]> {
  const wanted = `lower(${duckdb.literals.quote(search)})`;
  const { properties: tables } = await judgedGraphTables(store, options);
  const sources = tables.flatMap(({ name, isOfEvents, properties, types }) =>
    properties.flatMap((property, index) => {
      if (types[index] !== 'VARCHAR') return [];
      const value = `p.${duckdb.identifiers.quote(property)}`;
      const owner = isOfEvents ? 'v.entity_id' : 'p.entity_id';
      const from = isOfEvents ? `${name} AS p JOIN event AS v ON v.id = p.event_id` : `${name} AS p`;
      return `SELECT ${owner} AS id, ${duckdb.literals.quote(property)} AS property, ${value} AS value FROM ${from} WHERE contains(lower(${value}), ${wanted})`;
    }),
  );
  if (sources.length === 0) return [];
  const condition = entityCondition(filter, 'id');
  const conditions = [
    ...(condition === undefined ? [] : [condition]),
    ...(entityType === undefined ? [] : [`entity_type = ${duckdb.literals.quote(entityType)}`]),
  ];
  const rows = await store.query(
    `WITH value AS (\n${sources.join('\nUNION ALL ')}\n), found AS (
       SELECT e.id, e.entity_type, e.key, min_by(value.property, length(value.value)) AS property, min_by(value.value, length(value.value)) AS value
       FROM value JOIN (SELECT * FROM entity${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}) AS e ON e.id = value.id
       GROUP BY ALL ORDER BY length(min_by(value.value, length(value.value))), e.key LIMIT ${maxHits})
     SELECT f.*, (SELECT count(DISTINCT c.event_id) FROM event_entity AS c WHERE c.entity_id = f.id) AS events
     FROM found AS f ORDER BY length(f.value), f.key`,
    options,
  );
  return rows.map((row) => ({
    ...toHit(row),
    found: { property: String(row['property']), value: String(row['value']) },
  }));
}

async function findByKey(
  store: StoreReader,
  { search, entityType, filter = {} }: EntitySearch,
  options: StatementOptions,
): Promise<readonly EntityHit[]> {
  const condition = entityCondition(filter, 'id');
  const conditions = [
    ...(condition === undefined ? [] : [condition]),
    ...(search === '' ? [] : [`contains(lower(key), lower(${duckdb.literals.quote(search)}))`]),
    ...(entityType === undefined ? [] : [`entity_type = ${duckdb.literals.quote(entityType)}`]),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  // Without a text, events are counted first; with a text, only the events of the matches.
  const rows = await store.query(
    search === ''
      ? `SELECT e.id, e.entity_type, e.key, n.n AS events FROM (
           SELECT entity_id, count(DISTINCT event_id) AS n FROM event_entity WHERE entity_id IN (SELECT id FROM entity ${where})
           GROUP BY 1 ORDER BY n DESC, entity_id LIMIT ${maxHits}) AS n JOIN entity AS e ON e.id = n.entity_id ORDER BY n.n DESC, e.id`
      : `WITH found AS (SELECT id, entity_type, key FROM entity ${where}
           ORDER BY lower(key) = lower(${duckdb.literals.quote(search)}) DESC, length(key), key LIMIT ${maxHits})
         SELECT f.id, f.entity_type, f.key, (SELECT count(DISTINCT c.event_id) FROM event_entity AS c WHERE c.entity_id = f.id) AS events
         FROM found AS f ORDER BY lower(f.key) = lower(${duckdb.literals.quote(search)}) DESC, length(f.key), f.key`,
    options,
  );
  return rows.map(toHit);
}

/** The events of an entity and its related entities, in order. Undefined for an unknown entity. */
export async function readTimeline(
  store: StoreReader,
  id: number,
  options: StatementOptions,
): Promise<EntityTimeline | undefined> {
  const entity = Math.trunc(id);
  const [found] = await store.query(
    `SELECT id, entity_type, key, (SELECT count(DISTINCT c.event_id) FROM event_entity AS c WHERE c.entity_id = e.id) AS events FROM entity AS e WHERE id = ${entity}`,
    options,
  );
  if (!found) return undefined;
  const events = await store.query(
    `SELECT v.id AS event_id, CAST(v.time AS VARCHAR) AS time, v.activity, v.lifecycle, c.qualifier, o.id, o.entity_type, o.key
     FROM (SELECT event_id, entity_id, string_agg(qualifier, ', ' ORDER BY qualifier) AS qualifier FROM event_entity
       WHERE entity_id = ${entity} GROUP BY 1, 2) AS c JOIN event AS v ON v.id = c.event_id LEFT JOIN entity AS o ON o.id = v.entity_id
     WHERE c.entity_id = ${entity} ORDER BY v.id LIMIT ${maxEvents + 1}`,
    options,
  );
  const related = await store.query(
    `SELECT o.id, o.entity_type, o.key, r.relationship FROM (
       SELECT target_entity_id AS id, relationship FROM relation WHERE source_entity_id = ${entity}
       UNION SELECT source_entity_id AS id, relationship FROM relation WHERE target_entity_id = ${entity}) AS r
     JOIN entity AS o ON o.id = r.id ORDER BY r.relationship, o.entity_type, o.key LIMIT ${maxRelated}`,
    options,
  );
  return {
    entity: toHit(found),
    truncated: events.length > maxEvents,
    values: await readValues(store, entity, events.length > maxEvents ? lastShown(events) : undefined, options),
    events: events.slice(0, maxEvents).map((row) => ({
      id: Number(row['event_id']),
      time: isoTime(row['time']) ?? '',
      activity: String(row['activity']),
      lifecycle: String(row['lifecycle']),
      qualifier: String(row['qualifier']),
      ...(row['id'] !== null && {
        entity: { id: Number(row['id']), entityType: String(row['entity_type']), key: String(row['key']) },
      }),
    })),
    related: related.map((row) => ({
      id: Number(row['id']),
      entityType: String(row['entity_type']),
      key: String(row['key']),
      relationship: String(row['relationship']),
    })),
  };
}

function lastShown(events: readonly Readonly<Record<string, unknown>>[]): number {
  return Number(events.slice(0, maxEvents).at(-1)?.['event_id'] ?? 0);
}

function toHit(row: Readonly<Record<string, unknown>>): EntityHit {
  return {
    id: Number(row['id']),
    entityType: String(row['entity_type']),
    key: String(row['key']),
    events: Number(row['events']),
  };
}

/** A page can show no more in a readable way, and the SQL has one column for each. */
const maxProperties = 200;

/** The values of an entity over time. @param lastEvent values of later events, and later values, are left out */
async function readValues(
  store: StoreReader,
  entity: number,
  lastEvent: number | undefined,
  options: StatementOptions,
): Promise<EntityValues> {
  const tables = await valuesTables(store, entity, options);
  const names = [...new Set(tables.flatMap(({ properties }) => [...properties.keys()]))].slice(0, maxProperties);
  if (names.length === 0) return { properties: [], changes: [] };
  const shown = names.flatMap((_, index) =>
    ['old', 'new'].map((side) => `CAST(${side}_${index + 1} AS VARCHAR) AS ${side}_${index + 1}`),
  );
  const different = names.map(
    (_, index) => `old_${index + 1} IS DISTINCT FROM new_${index + 1} AS differs_${index + 1}`,
  );
  const rows = await store.query(
    `SELECT event_id, CASE WHEN event_id IS NULL THEN CAST(time AS VARCHAR) END AS since, ${[...shown, ...different].join(', ')} FROM (\n${historySql(tables, names, { entity, lastEvent })}\n) AS history ORDER BY time NULLS FIRST, event_id`,
    options,
  );
  const changes = rows.flatMap((row) => {
    const since = isoTime(row['since']);
    return names.flatMap((property, index): ValueChange[] => {
      if (row[`differs_${index + 1}`] !== true) return [];
      const [before, after] = [row[`old_${index + 1}`], row[`new_${index + 1}`]];
      return [
        {
          property,
          after: String(after),
          event: row['event_id'] === null ? undefined : Number(row['event_id']),
          time: since,
          before: before === null || before === undefined ? undefined : String(before),
        },
      ];
    });
  });
  return {
    properties: names.map((name) => ({ name, changes: changes.filter(({ property }) => property === name).length })),
    changes,
  };
}
