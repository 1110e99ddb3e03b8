import type { LoadResult } from '../../connectors/connector.ts';
import { codedRelationsTable, otherCorrelationsTable } from '../../graph-schema/storage-tables.ts';
import { declaredColumns } from '../../graph-schema/table-names.ts';
import type { RelationshipPlan } from '../plan-import.ts';
import type { PathPlan } from '../plan-paths.ts';
import type { BuildDialect } from './build-dialect.ts';
import { isNameSql, nameSql } from './code-types.ts';
import { keySql } from './key-sql.ts';
import { placedEventsSql } from './places.ts';
import { type LinkedKeys, placedRowCorrelationsSql, rowCorrelationsSql } from './row-correlations.ts';
import { inParts, rowRanges } from './row-ranges.ts';
import type { GraphShape } from './rows.ts';
import type { StagedElement } from './staged-element.ts';
import type { GraphStatement } from './plan-statement.ts';

/** A relationship with staged pairs of keys. */
export interface StagedRelationship {
  readonly plan: RelationshipPlan;
  readonly loaded: LoadResult;
}

/** A relationship for correlations, whether staged or composed. */
export interface CorrelatingRelationship {
  readonly plan: Pick<RelationshipPlan, 'name' | 'sourceType' | 'targetType' | 'correlate'>;
}

/** All relationships of a graph: staged ones and paths. */
export function correlatingRelationships(
  relationships: readonly StagedRelationship[],
  paths: readonly PathPlan[],
): readonly CorrelatingRelationship[] {
  return [...relationships, ...paths.map((plan) => ({ plan }))];
}

/** Creates `relation`: the distinct pairs of entities of every relationship. */
export function createRelationsSql(
  relationships: readonly StagedRelationship[],
  shape: GraphShape,
): readonly GraphStatement[] {
  const table = `${shape.dialect.graph}.relation`;
  const pairs = pairsOfAllSql(relationships, shape);
  return pairs === undefined
    ? [{ name: 'relation', sql: `CREATE TABLE ${table} (${declaredColumns('relation')})`, table }]
    : relationsOfSql(pairs, shape.dialect);
}

/** Creates `relation` from pairs, sorted. Where the engine has tables behind views, it is a view. */
export function relationsOfSql(pairs: string, dialect: BuildDialect): readonly GraphStatement[] {
  const { graph, storage } = dialect;
  const table = relationsTable(dialect);
  const sql = `CREATE TABLE ${table} AS ${pairs}\n    ORDER BY 1, 2, 3`;
  if (!storage) return [{ name: 'relation', sql, table }];
  return [
    { name: codedRelationsTable, sql, table },
    {
      name: 'relation',
      sql: `CREATE VIEW ${graph}.relation AS SELECT CAST(relationship AS VARCHAR) AS relationship, source_entity_id, target_entity_id FROM ${storage.inViews}.${codedRelationsTable}`,
    },
  ];
}

/** The table with the relations of a graph that has any, as SQL. */
function relationsTable({ graph, storage }: BuildDialect): string {
  return storage ? `${storage.tables}.${codedRelationsTable}` : `${graph}.relation`;
}

/** The pairs of relationships as rows of `relation`; undefined without relationships. */
export function pairsOfAllSql(relationships: readonly StagedRelationship[], shape: GraphShape): string | undefined {
  if (relationships.length === 0) return undefined;
  return pairsOfEachSql(relationships, shape).join('\nUNION ALL\n');
}

/** One query for each relationship: its pairs as rows of `relation`. */
export function pairsOfEachSql(relationships: readonly StagedRelationship[], shape: GraphShape): readonly string[] {
  return relationships.map((relationship) => pairsSql(relationship, shape));
}

function pairsSql(relationship: StagedRelationship, shape: GraphShape): string {
  const { dialect } = shape;
  const { name, sourceType, targetType } = relationship.plan;
  const entity = (side: 'source' | 'target', type: string): string =>
    `JOIN ${dialect.graph}.entity AS ${side} ON ${side}.key = pair.${side}_key AND ${side}.entity_type = ${dialect.literals.quote(type)}`;
  return `SELECT DISTINCT ${nameSql('qualifier', name, dialect)} AS relationship, source.id AS source_entity_id, target.id AS target_entity_id
    FROM (${pairedKeysSql(relationship, shape)}) AS pair
    ${entity('source', sourceType)} ${entity('target', targetType)}`;
}

/** The keys of the pairs of a relationship: `source_key` and `target_key`, both possibly NULL. */
function pairedKeysSql({ plan, loaded }: StagedRelationship, shape: GraphShape): string {
  const { query, table } = plan;
  const key = (names: readonly string[]): string => {
    const columns = names.flatMap((each) => loaded.columns[query.columns.indexOf(each)] ?? []);
    return keySql(columns, shape);
  };
  return `SELECT ${key(query.sourceKey)} AS source_key, ${key(query.targetKey)} AS target_key FROM ${shape.dialect.identifiers.quote(table)}`;
}

/**
 * Creates `event_entity`: each event with its own entity (`self`), with directly related entities as allowed by
 * `correlate`, and with entities named by its row; each combination of event, entity and qualifier once, and never its
 * own entity twice. Where the engine has tables behind views, it is a view: `event` has the own entities already.
 */
export function createCorrelationsSql(
  relationships: readonly CorrelatingRelationship[],
  linked: readonly LinkedKeys[],
  shape: GraphShape,
): readonly GraphStatement[] {
  const { graph, graphInViews, storage } = shape.dialect;
  if (!storage) {
    const table = `${graph}.event_entity`;
    const sql = `CREATE TABLE ${table} AS ${correlationsSql(relationships, linked, shape)}`;
    return [{ name: 'event_entity', sql, table }];
  }
  const view = `CREATE VIEW ${graph}.event_entity AS ${ownCorrelations(graphInViews, shape)}`;
  if (!mayCorrelateOthers(relationships, linked)) return [{ name: 'event_entity', sql: view }];
  const name = otherCorrelationsTable;
  const table = `${storage.tables}.${name}`;
  return [
    {
      name,
      sql: `CREATE TABLE ${table} AS SELECT event_id, entity_id, qualifier FROM ${correlatedTable}`,
      table,
    },
    {
      name: 'event_entity',
      sql: `${view} UNION ALL SELECT event_id, entity_id, CAST(qualifier AS VARCHAR) FROM ${storage.inViews}.${name}`,
    },
  ];
}

/** The correlations of events with entities that are not their own, with the place and the time of the event. */
export const correlatedTable = 'correlated';

/** Rows whose events are joined at once: more would exceed the memory limit. */
const rowsAtOnce = 4_000_000;

/**
 * Creates `correlated` for an engine with tables behind views; no statements if it would be empty. `event_entity` and
 * `ordered` are built from it: storing the entities of an event takes less time than finding them twice.
 */
export function createCorrelatedSql(
  relationships: readonly CorrelatingRelationship[],
  linked: readonly LinkedKeys[],
  elements: readonly StagedElement[],
  shape: GraphShape,
): readonly GraphStatement[] {
  const related = relatedSql(relationships, shape.dialect);
  const events = placedEventsSql(elements, shape);
  const isOnce = !mayNameTwice(relationships, linked);
  const queries = [
    ...(related === undefined
      ? []
      : [
          `SELECT event.id AS event_id, related.reader AS entity_id, related.relationship AS qualifier, event.place, event.time
    FROM (${related}) AS related JOIN (${events}) AS event ON event.entity_id = related.owner`,
        ]),
    ...elements.flatMap((element) => {
      const own = linked.filter((each) => each.element === element);
      if (own.length === 0) return [];
      const ranges = rowRanges(element.rows, isOnce ? Math.ceil(element.rows / rowsAtOnce) : 1);
      return ranges.map((range) => placedRowCorrelationsSql(element, own, shape, events, range));
    }),
  ];
  const table = { name: correlatedTable, table: correlatedTable };
  const { createStaging } = shape.dialect.build;
  if (isOnce) return inParts(table, queries, (sql) => sql, createStaging);
  return inParts(table, [queries.join('\n    UNION ')], (sql) => `SELECT * FROM (${sql}) AS others`, createStaging);
}

/** Whether an event can be correlated with an entity that is not its own. */
export function mayCorrelateOthers(
  relationships: readonly CorrelatingRelationship[],
  linked: readonly LinkedKeys[],
): boolean {
  return linked.length > 0 || relationships.some(({ plan }) => plan.correlate !== 'none');
}

export function ownCorrelations(graph: string, { dialect, mayLackEntity }: GraphShape): string {
  const hasEntity = mayLackEntity ? ' WHERE entity_id IS NOT NULL' : '';
  return `SELECT id AS event_id, entity_id, ${dialect.literals.text('self')} AS qualifier FROM ${graph}.event${hasEntity}`;
}

/** The rows of `event_entity`, as one query. */
export function correlationsSql(
  relationships: readonly CorrelatingRelationship[],
  linked: readonly LinkedKeys[],
  shape: GraphShape,
): string {
  const own = ownCorrelations(shape.dialect.graph, shape);
  if (!mayCorrelateOthers(relationships, linked)) return own;
  return `${own} UNION ALL\n    ${otherCorrelations(relationships, linked, shape)}`;
}

/** The correlations of events with entities that are not their own. */
function otherCorrelations(
  relationships: readonly CorrelatingRelationship[],
  linked: readonly LinkedKeys[],
  shape: GraphShape,
): string {
  const { dialect } = shape;
  const related = relatedSql(relationships, dialect);
  const others = [
    ...(related === undefined
      ? []
      : [
          `SELECT event.id, related.reader, related.relationship
    FROM (${related}) AS related JOIN ${dialect.graph}.event AS event ON event.entity_id = related.owner`,
        ]),
    ...linked.map((each) => rowCorrelationsSql(each, shape)),
  ];
  if (!mayNameTwice(relationships, linked)) return others.join(' UNION ALL\n    ');
  return `SELECT * FROM (${others.join('\n    UNION ')}) AS others`;
}

/** Whether an event could be correlated with one entity twice under one qualifier, so that deduplication is needed. */
export function mayNameTwice(
  relationships: readonly CorrelatingRelationship[],
  linked: readonly LinkedKeys[],
): boolean {
  const names = new Set(relationships.map(({ plan }) => plan.name));
  const reasons = linked.map(({ element, correlation: { plan } }) =>
    JSON.stringify([element.plan.number, plan.entityType, plan.qualifier]),
  );
  return (
    new Set(reasons).size < reasons.length || linked.some(({ correlation }) => names.has(correlation.plan.qualifier))
  );
}

/** The table with the rows of `relatedOfEachSql`, where these are stored. */
export const relatedTable = 'related';

/**
 * The correlations of events with related entities, from `relatedTable`. @param events SQL of the events that have an
 * entity
 */
export function relatedEventsSql(relationships: readonly CorrelatingRelationship[], events: string): string {
  const distinct = mayRelateTwice(relationships) ? 'DISTINCT ' : '';
  return `SELECT event.id AS event_id, related.reader AS entity_id, related.relationship AS qualifier
    FROM (SELECT ${distinct}relationship, owner, reader FROM ${relatedTable}) AS related JOIN ${events} AS event ON event.entity_id = related.owner`;
}

/** Whose events are correlated with which related entity, and the qualifier; undefined without such relationships. */
function relatedSql(relationships: readonly CorrelatingRelationship[], dialect: BuildDialect): string | undefined {
  const directions = relatedOfEachSql(relationships, dialect);
  const union = mayRelateTwice(relationships) ? 'UNION' : 'UNION ALL';
  return directions.length === 0 ? undefined : directions.join(`\n${union}\n`);
}

/**
 * One query for each relationship and direction: `relationship`, `owner` (the entity of the events) and `reader` (the
 * related entity).
 */
export function relatedOfEachSql(
  relationships: readonly CorrelatingRelationship[],
  dialect: BuildDialect,
): readonly string[] {
  return relationships.flatMap(({ plan }) => {
    const where = `${isNameSql('relationship', 'qualifier', plan.name, dialect)} AND source_entity_id <> target_entity_id`;
    const ways = [];
    if (plan.correlate === 'both' || plan.correlate === 'source') ways.push(['source', 'target']);
    if (plan.correlate === 'both' || plan.correlate === 'target') ways.push(['target', 'source']);
    return ways.map(
      ([owner, reader]) =>
        `SELECT relationship, ${owner}_entity_id AS owner, ${reader}_entity_id AS reader FROM ${relationsTable(dialect)} WHERE ${where}`,
    );
  });
}

/**
 * Whether the same events can reach an entity twice under one relationship name: by pairs in both directions, or
 * because two relationships share the name.
 */
export function mayRelateTwice(relationships: readonly CorrelatingRelationship[]): boolean {
  const names = new Set(relationships.map(({ plan }) => plan.name));
  return (
    names.size < relationships.length ||
    relationships.some(({ plan }) => plan.correlate === 'both' && plan.sourceType === plan.targetType)
  );
}

/** Whether an event can be correlated with one entity by several qualifiers. */
export function mayCorrelateTwice(
  relationships: readonly CorrelatingRelationship[],
  elements: readonly StagedElement[],
): boolean {
  const related = relationships.filter(({ plan }) => plan.correlate !== 'none').length;
  if (related > 1) return true;
  return elements.some(({ correlations }) => {
    const types = new Set(correlations.map(({ plan }) => plan.entityType));
    return types.size < correlations.length || (related > 0 && correlations.length > 0);
  });
}

/** The entity types of which an event can belong to several entities. */
export function sharedEntityTypes(
  relationships: readonly CorrelatingRelationship[],
  elements: readonly StagedElement[],
): ReadonlySet<string> {
  const shared = new Set<string>();
  for (const { plan } of relationships) {
    if (plan.correlate === 'both' || plan.correlate === 'source') shared.add(plan.targetType);
    if (plan.correlate === 'both' || plan.correlate === 'target') shared.add(plan.sourceType);
  }
  for (const { plan, correlations } of elements) {
    const seen = new Set(plan.ownEntity ? [plan.entityType] : []);
    for (const { entityType, list } of correlations.map((each) => each.plan)) {
      if (list || seen.has(entityType)) shared.add(entityType);
      seen.add(entityType);
    }
  }
  return shared;
}
