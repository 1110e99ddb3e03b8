import type { RangeSql } from '../../../dialects/dialect.ts';
import { createdEvents, eventColumns, rankingOrder, sequenceNames } from '../events.ts';
import type { GraphShape } from '../rows.ts';
import type { StagedElement } from '../staged-element.ts';
import { inGroups } from './in-groups.ts';
import { type RangeLevel, type RankingStep, rankByRanges } from './rank-by-ranges.ts';

/** Creates `ranked` by ranges of the whole order: of time, and where many events are at one instant, of what follows. */
export function createRankedByRanges(
  elements: readonly StagedElement[],
  shape: GraphShape,
  since: string | undefined,
  ranges: RangeSql,
): readonly RankingStep[] {
  const { dialect } = shape;
  const { build, times, graph } = dialect;
  const columns = eventColumns(shape);
  const sequences = sequenceNames(shape);
  const window = since === undefined ? '' : ` WHERE time >= ${times.utcLiteral(since)}`;
  const selects = createdEvents(elements, shape).map((select) => `SELECT * FROM (${select}) AS events${window}`);
  const unranked = inGroups('unranked', build.createStaging, selects);
  const isOne = (value: string): string => `min(${value}) = max(${value}) AND count(${value}) = count(*)`;
  const isOneOrNone = (value: string): string => `(count(${value}) = 0 OR (${isOne(value)}))`;
  // What follows in the order: each entity once for each element and lifecycle.
  const rest = `((CAST(change AS integer) * 100000e0 + element) * ((SELECT count(*) FROM ${graph}.entity) + 1) + coalesce(entity_id, 0))`;
  const parts: readonly { readonly isDecided: string; readonly number: string; readonly isFrequent?: true }[] = [
    { isDecided: isOne('time'), number: ranges.timeNumber('time'), isFrequent: true },
    ...sequences.map((name) => ({ isDecided: isOneOrNone(name), number: sequenceNumber(name, ranges) })),
    { isDecided: '', number: rest },
  ];
  const levels = parts.map(({ number, isFrequent }, index): RangeLevel => {
    const decided = parts.slice(0, index).map(({ isDecided }) => isDecided);
    return {
      number: () => number,
      bounds: isFrequent ? ranges.boundsAroundFrequent : ranges.bounds,
      ...(decided.length > 0 && { applies: decided.join(' AND ') }),
    };
  });
  const { steps, ranked } = rankByRanges(
    {
      from: 'unranked',
      columns: [...columns, ...sequences, 'tie'],
      first: '0',
      levels,
      order: rankingOrder(elements, shape),
    },
    dialect,
    ranges,
  );
  return [
    ...unranked.map((sql, index) => ({
      name: index === 0 ? 'unranked' : `unranked_part_${index + 1}`,
      title: 'Events without number',
      sql,
    })),
    ...steps,
    {
      name: 'ranked',
      title: 'Order of events',
      sql: `${build.createStaging} ranked AS SELECT id, ${columns.join(', ')} FROM (${ranked}) AS ranked`,
    },
  ];
}

function sequenceNumber(name: string, ranges: RangeSql): string {
  if (name === 'sequence_time') return ranges.timeNumber(name);
  return name === 'sequence_text' ? ranges.textNumber(name, '0') : ranges.number(name);
}
