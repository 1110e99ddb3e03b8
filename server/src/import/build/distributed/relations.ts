import type { PathPlan } from '../../plan-paths.ts';
import type { BuildDialect } from '../build-dialect.ts';
import { type StagedRelationship, pairedKeysSql } from '../correlations.ts';
import { joinedPairs, namedPairsSql, pairsOfTablesSql, stepSql } from '../paths.ts';
import { type FilledTable, asInGraph, byNumber, byText } from '../ranged/filled-table.ts';
import type { GraphShape } from '../rows.ts';
import { entityOfKey } from './names.ts';

/** The table `relation`: keys are sent to the nodes of their entities, first for one end, then for the other. */
export function distributedRelations(
  relationships: readonly StagedRelationship[],
  paths: readonly PathPlan[],
  shape: GraphShape,
): readonly FilledTable[] {
  const { dialect } = shape;
  const none = `SELECT ${dialect.literals.text('')} AS relationship, id AS source_entity_id, id AS target_entity_id FROM ${entityOfKey} WHERE id IS NULL`;
  const pairs = relationships.map(({ plan }) =>
    distinctPairs(plan.name, pairsTable(plan), ['source_entity_id', 'target_entity_id'], dialect),
  );
  return [
    ...relationships.flatMap((relationship) => pairsOf(relationship, shape)),
    {
      name: joinedPairs,
      title: 'Pairs of entities',
      selects: pairs.length > 0 ? pairs : [none],
      by: byNumber('source_entity_id'),
    },
    ...paths.flatMap((path) => pathTables(path, dialect)),
    {
      name: 'relation',
      title: 'Relations',
      selects: pairsOfTablesSql(paths),
      by: asInGraph('relation'),
    },
  ];
}

function pairsTable({ table }: StagedRelationship['plan']): string {
  return `${table}_pairs`;
}

function distinctPairs(
  name: string,
  from: string,
  ends: readonly [source: string, target: string],
  dialect: BuildDialect,
): string {
  return namedPairsSql(name, ends, `(SELECT DISTINCT ${ends.join(', ')} FROM ${from}) AS pair`, dialect);
}

function pairsOf(relationship: StagedRelationship, shape: GraphShape): readonly FilledTable[] {
  const { table, name, sourceType, targetType } = relationship.plan;
  const { literals } = shape.dialect;
  const [keys, halves] = [`${table}_keys`, `${table}_halves`];
  const entity = (end: 'source' | 'target', type: string): string =>
    `JOIN ${entityOfKey} AS ${end} ON ${end}.key = pair.${end}_key AND ${end}.entity_type = ${literals.quote(type)}`;
  return [
    {
      name: keys,
      title: `Keys of ${name}`,
      selects: [
        `SELECT source_key, target_key FROM (${pairedKeysSql(relationship, shape)}) AS pair
    WHERE source_key IS NOT NULL AND target_key IS NOT NULL`,
      ],
      by: byText('source_key'),
    },
    {
      name: halves,
      title: `Source entities of ${name}`,
      selects: [
        `SELECT source.id AS source_entity_id, pair.target_key FROM ${keys} AS pair
    ${entity('source', sourceType)}`,
      ],
      by: byText('target_key'),
    },
    {
      name: pairsTable(relationship.plan),
      title: `Pairs of ${name}`,
      selects: [
        `SELECT pair.source_entity_id, target.id AS target_entity_id FROM ${halves} AS pair
    ${entity('target', targetType)}`,
      ],
      by: byNumber('source_entity_id'),
    },
  ];
}

/** Follows one step after another: pairs that end at an entity are joined with the pairs that start there. */
function pathTables({ name, table, steps }: PathPlan, dialect: BuildDialect): readonly FilledTable[] {
  const title = `Path of ${name}`;
  const tables: FilledTable[] = [];
  let followed = '';
  for (const [index, step] of steps.entries()) {
    if (index === 0) {
      followed = `${table}_begun`;
      tables.push({ name: followed, title, selects: [stepSql(step, dialect)], by: byNumber('end_id') });
      continue;
    }
    const behind = `${table}_step_${index + 1}`;
    const next = `${table}_followed_${index + 1}`;
    tables.push(
      { name: behind, title, selects: [stepSql(step, dialect)], by: byNumber('start_id') },
      {
        name: next,
        title,
        selects: [
          `SELECT before.start_id, behind.end_id
    FROM (SELECT DISTINCT start_id, end_id FROM ${followed}) AS before JOIN ${behind} AS behind ON behind.start_id = before.end_id`,
        ],
        by: byNumber('end_id'),
      },
    );
    followed = next;
  }
  const pairs = distinctPairs(name, followed, ['start_id', 'end_id'], dialect);
  return [...tables, { name: table, title, selects: [pairs], by: byNumber('source_entity_id') }];
}
