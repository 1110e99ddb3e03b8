import { propertiesTable } from '../../../graph-schema/table-names.ts';
import type { Build } from '../build-source.ts';
import { directlyFollowsSql, mayCorrelateTwice } from '../correlations.ts';
import { rankedEventsSql } from '../events.ts';
import { eventPropertiesSql } from '../properties.ts';
import { entitiesByRanges } from '../ranged/entities.ts';
import { eventsByRanges } from '../ranged/events.ts';
import { type FilledTable, asInGraph, byNumber, byText } from '../ranged/filled-table.ts';
import { distributedCorrelations } from './correlations.ts';
import { distributedEvents, distributedLinks, distributedMakers, distributedRows, distributedTies } from './keys.ts';
import { distributedEntityRows, distributedMasterData } from './master-data.ts';
import { entityOfKey } from './names.ts';
import { distributedRelations } from './relations.ts';

/**
 * The tables of a build whose rows are on several nodes from the start. Each table is distributed as the next statement
 * needs it: nodes join and group their own rows, and rows move between nodes without passing the coordinator. Throws
 * for an engine without ranges.
 */
export function distributedTables(build: Build): readonly FilledTable[] {
  const { elements, entities, relationships, paths, correlating, linked, shape, since } = build;
  const { graph, build: sql } = shape.dialect;
  if (!sql.ranges) throw new Error(`${shape.dialect.label} has no ranges.`);
  return [
    ...distributedRows(elements, shape),
    ...distributedLinks(linked, shape),
    ...distributedEntityRows(entities, shape),
    ...entitiesByRanges(distributedMakers(build), shape, sql.ranges),
    {
      name: entityOfKey,
      title: 'Entities, by key',
      selects: [`SELECT id, entity_type, key FROM ${graph}.entity`],
      by: byText('key'),
    },
    ...distributedTies(elements, shape),
    ...eventsByRanges(distributedEvents(elements, shape), elements, shape, since, sql.ranges),
    {
      name: 'event',
      title: 'Events',
      selects: [rankedEventsSql(elements, shape)],
      by: shape.mayLackEntity ? byNumber('id') : asInGraph('event'),
    },
    ...elements.map((element) => ({
      name: propertiesTable(element.plan.number),
      title: `Properties of ${element.plan.activityName}`,
      selects: [eventPropertiesSql(element, shape, {})],
      by: asInGraph('properties_<n>'),
    })),
    ...distributedMasterData(entities, shape),
    ...distributedRelations(relationships, paths, shape),
    ...distributedCorrelations(correlating, linked, shape),
    {
      name: 'directly_follows',
      title: 'Directly-follows',
      selects: [directlyFollowsSql(mayCorrelateTwice(correlating, elements), shape)],
      by: asInGraph('directly_follows'),
    },
  ];
}
