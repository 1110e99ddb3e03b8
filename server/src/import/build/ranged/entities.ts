import type { RangeSql } from '../../../dialects/standard/build-sql.ts';
import type { KeysOfType } from '../entities.ts';
import type { GraphShape } from '../rows.ts';
import { type FilledTable, inGroups } from './filled-table.ts';
import { type RangeLevel, rankByRanges } from './rank-by-ranges.ts';

/** The tables up to `entity`, which is ranked by ranges of keys, within each entity type. */
export function entitiesByRanges(
  sources: readonly KeysOfType[],
  { dialect }: GraphShape,
  ranges: RangeSql,
): readonly FilledTable[] {
  const { build, literals } = dialect;
  const types = [...new Set(sources.map(({ entityType }) => entityType))].toSorted((one, other) =>
    Buffer.compare(Buffer.from(one), Buffer.from(other)),
  );
  const made = sources.map(
    ({ entityType, from }) => `SELECT DISTINCT ${literals.text(entityType)} AS entity_type, key FROM ${from}`,
  );
  const numbers = types.map((type, index) => `WHEN ${literals.quote(type)} THEN ${index}`).join(' ');
  const level: RangeLevel = {
    number: (skipped) => ranges.textNumber('key', skipped),
    bounds: ranges.bounds,
    perRange: { column: build.sortedText('key'), value: ranges.commonLength },
  };
  const { tables, ranked } = rankByRanges(
    {
      from: 'entity_keys',
      columns: ['entity_type', 'key'],
      first: `CASE entity_type ${numbers} END`,
      levels: [level, level],
      order: `${build.sortedText('key')}`,
    },
    ranges,
  );
  return [
    { name: 'made_keys', title: 'Keys of entities', selects: inGroups(made, ranges) },
    {
      name: 'entity_keys',
      title: 'Keys of entities, each once',
      selects: ['SELECT DISTINCT entity_type, key FROM made_keys'],
    },
    ...tables,
    { name: 'entity', title: 'Entities', selects: [ranked] },
  ];
}
