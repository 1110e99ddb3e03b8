import type { RangeSql } from '../../../dialects/standard/build-sql.ts';
import {
  type CorrelatingRelationship,
  correlationsSql,
  mayNameTwice,
  ownCorrelations,
  relatedEventsSql,
  relatedOfEachSql,
  relatedTable,
} from '../correlations.ts';
import { type LinkedKeys, rowCorrelationsSql } from '../row-correlations.ts';
import type { GraphShape } from '../rows.ts';
import { type FilledTable, inGroups } from './filled-table.ts';

/**
 * The tables up to `event_entity`, for an engine that limits the joins of a statement. One statement fills it where
 * relationships and row correlations are few; many are staged first, so that each combination is there once.
 */
export function correlationsInGroups(
  relationships: readonly CorrelatingRelationship[],
  linked: readonly LinkedKeys[],
  shape: GraphShape,
  ranges: RangeSql,
): readonly FilledTable[] {
  const { graph } = shape.dialect;
  const table = { name: 'event_entity', title: 'Correlations' };
  const related = relatedOfEachSql(relationships, shape.dialect);
  if (related.length + linked.length <= ranges.selectsAtOnce) {
    return [{ ...table, selects: [correlationsSql(relationships, linked, shape)] }];
  }
  const others = [
    ...(related.length === 0 ? [] : [relatedEventsSql(relationships, `${graph}.event`)]),
    ...linked.map((each) => rowCorrelationsSql(each, shape)),
  ];
  const own = ownCorrelations(graph, shape);
  const isRepeated = mayNameTwice(relationships, linked);
  return [
    ...(related.length === 0
      ? []
      : [{ name: relatedTable, title: 'Entities that read events of others', selects: inGroups(related, ranges) }]),
    ...(isRepeated
      ? [{ name: 'other_correlations', title: 'Events of other entities', selects: inGroups(others, ranges) }]
      : []),
    {
      ...table,
      selects: isRepeated
        ? [own, 'SELECT DISTINCT event_id, entity_id, qualifier FROM other_correlations']
        : inGroups([own, ...others], ranges),
    },
  ];
}
