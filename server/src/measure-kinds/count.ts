import type { MeasuredCount } from '../model/measure.ts';
import { eventTable } from '../rule-kinds/event-tables.ts';
import { directionMistake, relatedTable } from '../rule-kinds/relationship.ts';
import type { JudgedSubject } from '../rule-kinds/rule-kind.ts';
import type { MeasureKind, MeasuredSql } from './measure-kind.ts';

/** The number of events of an entity, or of its related entities. */
export const count: MeasureKind<'count'> = {
  isTime: false,
  mistakes({ count: { range, activity: counted, relationship, repeats, direction, of } }, activity, graph) {
    if (counted && relationship)
      return [
        { range: relationship.range, message: 'Either events or related entities are counted. Remove one of both.' },
      ];
    if (relationship && repeats)
      return [{ range, message: '"repeats" counts events, so it does not go with "relationship". Remove it.' }];
    if (of && activity === undefined)
      return [{ range: of.range, message: 'A measured entity is the one whose events count. Remove of.' }];
    return relationship ? directionMistake(relationship, direction, graph) : [];
  },
  text({ count: { activity, relationship, repeats } }) {
    if (relationship) return `number of "${relationship.value}"`;
    const what = activity ? activity.value : 'events';
    return repeats ? `${what} beyond the first` : `number of ${what}`;
  },
  of: ({ count: { of } }) => of?.value,
  measure: ({ count: counted }, subject) =>
    counted.relationship
      ? numbers([relatedTable(counted.relationship.value, counted.direction, subject.graph)], 'related')
      : eventsOfEntity(counted, subject),
};

function eventsOfEntity({ activity, lifecycle, repeats }: MeasuredCount, { graph }: JudgedSubject): MeasuredSql {
  const events = eventTable('counted_event', activity?.value, lifecycle, graph);
  const of = activity ? 'entity' : 'entity, activity';
  // Repetitions are those of each activity.
  const counted = repeats
    ? `counted AS (SELECT entity, sum(number - 1) AS number FROM (SELECT ${of}, count(*) AS number FROM counted_event GROUP BY ${of}) AS of_activity GROUP BY entity)`
    : 'counted AS (SELECT entity, count(*) AS number FROM counted_event GROUP BY entity)';
  return numbers([events, counted], 'counted');
}

/** @param table with `entity` and `number`: entities without a row have none */
function numbers(tables: readonly string[], table: string): MeasuredSql {
  const number = `CASE WHEN member.entity IS NOT NULL THEN coalesce(${table}.number, 0) END`;
  return {
    tables,
    select: `SELECT member.entity, member.event, ${number} AS value FROM member LEFT JOIN ${table} ON ${table}.entity = member.entity`,
  };
}
