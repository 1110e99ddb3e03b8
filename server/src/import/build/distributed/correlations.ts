import { nameSql } from '../code-types.ts';
import {
  type CorrelatingRelationship,
  mayNameTwice,
  ownCorrelations,
  relatedEventsSql,
  relatedOfEachSql,
  relatedTable,
} from '../correlations.ts';
import { type FilledTable, asInGraph, byNumber, byText } from '../ranged/filled-table.ts';
import type { LinkedKeys } from '../row-correlations.ts';
import type { GraphShape } from '../rows.ts';
import { correlatedEvents, entityOfKey, rowOf } from './names.ts';

/**
 * The table `event_entity`. Relations are joined with events on the node of the entity that owns the events; keys named
 * by rows are joined with entities on the node of the key.
 */
export function distributedCorrelations(
  relationships: readonly CorrelatingRelationship[],
  linked: readonly LinkedKeys[],
  shape: GraphShape,
): readonly FilledTable[] {
  const { dialect, mayLackEntity } = shape;
  const { graph } = dialect;
  const related = relatedOfEachSql(relationships, dialect);
  // Events without an entity are left out, because the table is distributed by entity.
  const ownEvents = mayLackEntity ? 'own_events' : `${graph}.event`;
  const others = [
    ...(related.length === 0 ? [] : [relatedEventsSql(relationships, ownEvents)]),
    ...linked.map((link) => namedEntities(link, shape)),
  ];
  const isRepeated = others.length > 0 && mayNameTwice(relationships, linked);
  return [
    ...(related.length === 0
      ? []
      : [
          { name: relatedTable, title: 'Entities that read events of others', selects: related, by: byNumber('owner') },
        ]),
    ...(related.length === 0 || !mayLackEntity
      ? []
      : [
          {
            name: ownEvents,
            title: 'Events of entities',
            selects: [`SELECT id, entity_id FROM ${graph}.event WHERE entity_id IS NOT NULL`],
            by: byNumber('entity_id'),
          },
        ]),
    ...linked.map((link) => namingEvents(link, shape)),
    ...(isRepeated
      ? [{ name: 'other_correlations', title: 'Events of other entities', selects: others, by: byNumber('entity_id') }]
      : []),
    {
      name: 'event_entity',
      title: 'Correlations',
      selects: [
        ownCorrelations(graph, shape),
        ...(isRepeated ? ['SELECT DISTINCT event_id, entity_id, qualifier FROM other_correlations'] : others),
      ],
      by: asInGraph('event_entity'),
    },
    ...(mayLackEntity
      ? [
          {
            name: correlatedEvents,
            title: 'Events that belong to an entity',
            selects: [`SELECT event_id FROM ${graph}.event_entity`],
            by: byNumber('event_id'),
          },
        ]
      : []),
  ];
}

function namingTable({ element, correlation }: LinkedKeys): string {
  return `naming_${element.plan.number}_${correlation.number}`;
}

/** The events whose rows name keys, distributed by key. */
function namingEvents(link: LinkedKeys, shape: GraphShape): FilledTable {
  const { element, correlation, from } = link;
  const row = rowOf(shape);
  return {
    name: namingTable(link),
    title: `Events of ${element.plan.activityName} that name ${correlation.plan.entityType}`,
    selects: [
      `SELECT ranked.id AS event_id, ranked.entity_id AS own_id, linked.key
    FROM ranked JOIN ${from} AS linked ON linked.${row} = ranked.${row} WHERE ranked.element = ${element.plan.number}`,
    ],
    by: byText('key'),
  };
}

function namedEntities(link: LinkedKeys, { dialect }: GraphShape): string {
  const { element, correlation } = link;
  const { entityType, qualifier } = correlation.plan;
  const isOther = element.plan.ownEntity && element.plan.entityType === entityType ? ' WHERE entity.id <> own_id' : '';
  return `SELECT event_id, entity.id AS entity_id, ${nameSql('qualifier', qualifier, dialect)} AS qualifier
    FROM ${namingTable(link)} AS naming JOIN ${entityOfKey} AS entity ON entity.key = naming.key AND entity.entity_type = ${dialect.literals.quote(entityType)}${isOther}`;
}
