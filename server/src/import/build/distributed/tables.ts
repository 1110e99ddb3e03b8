import type { RangeSql } from '../../../dialects/dialect.ts';
import type { AbsentInSource, BuiltTableName } from '../../../graph-schema/graph-schema.ts';
import { propertiesTable } from '../../../graph-schema/table-names.ts';
import type { Build } from '../build-source.ts';
import { mayCorrelateTwice } from '../correlations.ts';
import { directlyFollowsSql } from '../directly-follows.ts';
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
  const { elements, entities, linked, shape } = build;
  const { label, build: sql } = shape.dialect;
  const { ranges } = sql;
  if (!ranges) throw new Error(`${label} has no ranges.`);
  return [
    ...distributedRows(elements, shape),
    ...distributedLinks(linked, shape),
    ...distributedEntityRows(entities, shape),
    ...Object.values(fills).flatMap((fill) => fill(build, ranges)),
  ];
}

type DistributedFill = (build: Build, ranges: RangeSql) => readonly FilledTable[];

/** How each table of the graph is built, in order, with the tables that it needs before. */
const fills: { readonly [Table in Exclude<BuiltTableName, AbsentInSource>]: DistributedFill } = {
  entity: (build, ranges) => [
    ...entitiesByRanges(distributedMakers(build), build.shape, ranges),
    {
      name: entityOfKey,
      title: 'Entities, by key',
      selects: [`SELECT id, entity_type, key FROM ${build.shape.dialect.graph}.entity`],
      by: byText('key'),
    },
  ],
  event: ({ elements, shape, since }, ranges) => [
    ...distributedTies(elements, shape),
    ...eventsByRanges(distributedEvents(elements, shape), elements, shape, since, ranges),
    {
      name: 'event',
      title: 'Events',
      selects: [rankedEventsSql(elements, shape)],
      by: shape.mayLackEntity ? byNumber('id') : asInGraph('event'),
    },
  ],
  'properties_<n>': ({ elements, shape }) =>
    elements.map((element) => ({
      name: propertiesTable(element.plan.number),
      title: `Properties of ${element.plan.activityName}`,
      selects: [eventPropertiesSql(element, shape, {})],
      by: asInGraph('properties_<n>'),
    })),
  // Built with the properties of the same master data, which are the last of these values.
  'entity_values_<n>': () => [],
  'entity_properties_<n>': ({ entities, shape }) => distributedMasterData(entities, shape),
  relation: ({ relationships, paths, shape }) => distributedRelations(relationships, paths, shape),
  event_entity: ({ correlating, linked, shape }) => distributedCorrelations(correlating, linked, shape),
  directly_follows: ({ elements, correlating, shape }) => [
    {
      name: 'directly_follows',
      title: 'Directly-follows',
      selects: [directlyFollowsSql(mayCorrelateTwice(correlating, elements), shape)],
      by: asInGraph('directly_follows'),
    },
  ],
};
