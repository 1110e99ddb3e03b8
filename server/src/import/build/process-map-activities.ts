import type { BuildDialect } from './build-dialect.ts';
import { timesOfElement } from './phases.ts';
import { numberedTypes } from './process-map.ts';
import type { StagedElement } from './staged-element.ts';

/**
 * Creates the table `process_map_activity`: the distinct events of each activity by entity type. For types of which an
 * event has at most one entity, the numbers come from `process_map`; for others, from `event` and `event_entity`.
 * @param entityTypes at least one, in any order
 * @param shared the types of which an event can belong to several entities
 * @param lastEventId if defined, counts with a bit for each event; see `bitsFor`
 * @param hasEnds whether the graph may have ends, which are counted with their starts
 */
export function createProcessMapActivitySql(
  entityTypes: readonly string[],
  dialect: BuildDialect,
  shared: ReadonlySet<string> = new Set(entityTypes),
  lastEventId?: number,
  hasEnds = true,
): string {
  const hasShared = entityTypes.some((type) => shared.has(type));
  const counts = [
    ...(entityTypes.every((type) => shared.has(type)) ? [] : [singleSql(dialect, shared)]),
    ...(hasShared
      ? [
          lastEventId === undefined
            ? sharedSql(entityTypes, dialect, shared, hasEnds)
            : sharedBitsSql(entityTypes, dialect, shared, { lastEventId, hasEnds }),
        ]
      : []),
  ];
  return `CREATE TABLE ${dialect.graph}.process_map_activity AS
    ${counts.join('\n    UNION ALL\n    ')} ORDER BY ALL`;
}

/** With fewer events, bits save no time. */
const leastEvents = 500_000;
/** 100 million bits are 12.5 MB, which each thread of DuckDB may need. */
const mostBits = 100_000_000;

/**
 * The last possible event id, if a bit for each event and entity type is cheaper than deduplicating pairs of type and
 * event: there are many events, and their bits fit into memory. Otherwise undefined.
 * @param types number of entity types whose events are counted with bits
 */
export function bitsFor(elements: readonly StagedElement[], types: number): number | undefined {
  const events = elements.reduce((sum, element) => sum + timesOfElement(element).length * element.rows, 0);
  return events >= leastEvents && events * types <= mostBits ? events : undefined;
}

function singleSql({ graph, literals }: BuildDialect, shared: ReadonlySet<string>): string {
  const others = [...shared].map((type) => literals.quote(type)).join(', ');
  const where = others === '' ? '' : ` WHERE entity_type NOT IN (${others})`;
  return `SELECT entity_type, target_activity AS activity, target_lifecycle AS lifecycle, CAST(sum(steps) AS BIGINT) AS events
    FROM ${graph}.process_map${where} GROUP BY ALL`;
}

/** Marks the events of each type, then reads the activities of those that are marked. */
function sharedBitsSql(
  entityTypes: readonly string[],
  dialect: BuildDialect,
  shared: ReadonlySet<string>,
  { lastEventId, hasEnds }: { readonly lastEventId: number; readonly hasEnds: boolean },
): string {
  const { graph } = dialect;
  const { names, numberOf, numbersOf } = numberedTypes(entityTypes, dialect);
  return `SELECT ${names}[type] AS entity_type, activity, lifecycle, count(*) AS events FROM (
      SELECT type, bitstring_agg(event_id, 1, ${lastEventId}) AS bits
      FROM (SELECT ${numberOf('entity_id')} AS type, event_id FROM ${graph}.event_entity) AS belonging
      WHERE type IN (${numbersOf(shared).join(', ')}) GROUP BY type
    ) AS marked CROSS JOIN ${graph}.event AS event WHERE get_bit(bits, CAST(event.id - 1 AS INTEGER)) = 1${hasEnds ? " AND lifecycle <> 'end'" : ''}
    GROUP BY type, activity, lifecycle`;
}

/** Deduplicates events of other entities only: each event has one entity of its own. */
function sharedSql(
  entityTypes: readonly string[],
  dialect: BuildDialect,
  shared: ReadonlySet<string>,
  hasEnds: boolean,
): string {
  const { graph } = dialect;
  const { names, numberOf, numbersOf } = numberedTypes(entityTypes, dialect);
  const type = numberOf('entity_id');
  const noEnd = hasEnds ? "lifecycle <> 'end'" : undefined;
  const isShared = entityTypes.every((each) => shared.has(each))
    ? undefined
    : `type IN (${numbersOf(shared).join(', ')})`;
  const where = (...conditions: readonly (string | undefined)[]): string =>
    ` WHERE ${conditions.filter((each) => each !== undefined).join(' AND ')}`;
  return `SELECT ${names}[type] AS entity_type, activity, lifecycle, count(*) AS events FROM (
      SELECT ${type} AS type, activity, lifecycle FROM ${graph}.event${where('entity_id IS NOT NULL', noEnd, isShared)}
      UNION ALL
      SELECT other.type, event.activity, event.lifecycle
      FROM (SELECT DISTINCT ${type} AS type, event_id FROM ${graph}.event_entity${where("qualifier <> 'self'", isShared)}) AS other
        JOIN ${graph}.event AS event ON event.id = other.event_id
     ${where(noEnd && `event.${noEnd}`, `${numberOf('event.entity_id')} IS DISTINCT FROM other.type`)}
    ) AS belonging GROUP BY type, activity, lifecycle`;
}
