import type { RangeSql } from '../../../dialects/dialect.ts';
import { type EntityMakers, makersOfEntities } from '../entities.ts';
import type { GraphShape } from '../rows.ts';
import { inGroups } from './in-groups.ts';
import { type RangeLevel, type RankingStep, rankByRanges } from './rank-by-ranges.ts';

/** The statements that create the table `entity` by ranges of keys, within each entity type. */
export function createEntitiesByRanges(
  makers: EntityMakers,
  { dialect }: GraphShape,
  ranges: RangeSql,
): readonly RankingStep[] {
  const { build, graph, literals } = dialect;
  const sources = makersOfEntities(makers);
  const types = [...new Set(sources.map(({ entityType }) => entityType))].toSorted((one, other) =>
    Buffer.compare(Buffer.from(one), Buffer.from(other)),
  );
  const made = inGroups(
    'made_keys',
    build.createStaging,
    sources.map(
      ({ entityType, from }) => `SELECT DISTINCT ${literals.text(entityType)} AS entity_type, key FROM ${from}`,
    ),
  );
  const numbers = types.map((type, index) => `WHEN ${literals.quote(type)} THEN ${index}`).join(' ');
  const level: RangeLevel = {
    number: (skipped) => ranges.textNumber('key', skipped),
    bounds: ranges.bounds,
    perRange: { column: 'key', value: ranges.commonLength },
  };
  const { steps, ranked } = rankByRanges(
    {
      from: 'entity_keys',
      columns: ['entity_type', 'key'],
      first: `CASE entity_type ${numbers} END`,
      levels: [level, level],
      order: `${build.sortedText('key')}`,
    },
    dialect,
    ranges,
  );
  return [
    ...made.map((sql, index) => ({
      name: index === 0 ? 'made_keys' : `made_keys_part_${index + 1}`,
      title: 'Keys of entities',
      sql,
    })),
    {
      name: 'entity_keys',
      title: 'Keys of entities, each once',
      sql: `${build.createStaging} entity_keys AS SELECT DISTINCT entity_type, key FROM made_keys`,
    },
    ...steps,
    { name: 'entity', title: 'Entities', sql: `CREATE TABLE ${graph}.entity AS ${ranked}` },
  ];
}
