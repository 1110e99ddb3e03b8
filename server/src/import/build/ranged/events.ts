import type { RangeSql } from '../../../dialects/standard/build-sql.ts';
import { createdEvents, eventColumns, rankingOrder, sequenceNames } from '../events.ts';
import type { GraphShape } from '../rows.ts';
import { rankedTable } from '../transitions.ts';
import type { StagedElement } from '../staged-element.ts';
import { type FilledTable, inGroups } from './filled-table.ts';
import { type RangeLevel, rankByRanges } from './rank-by-ranges.ts';

/**
 * The tables up to `ranked`, by ranges of the whole order: ranges of time and, where many events have the same time, of
 * the remaining columns of the order.
 * @param first the time of the first ones, as SQL; all events without it
 */
export function eventsByRanges(
  elements: readonly StagedElement[],
  shape: GraphShape,
  first: string | undefined,
  ranges: RangeSql,
): readonly FilledTable[] {
  const { graph } = shape.dialect;
  const columns = eventColumns(shape);
  const sequences = sequenceNames(shape);
  const window = first === undefined ? '' : ` WHERE time >= ${first}`;
  const selects = createdEvents(elements, shape, first).map((select) => `SELECT * FROM (${select}) AS events${window}`);
  const isOne = (value: string): string => `min(${value}) = max(${value}) AND count(${value}) = count(*)`;
  const isOneOrNone = (value: string): string => `(count(${value}) = 0 OR (${isOne(value)}))`;
  // The rest of the order as one number: lifecycle, element, then entity.
  const rest = `((phase * 100000e0 + element) * ((SELECT count(*) FROM ${graph}.entity) + 1) + coalesce(entity_id, 0))`;
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
      applies: decided.length > 0 ? decided.join(' AND ') : undefined,
    };
  });
  const { tables, ranked } = rankByRanges(
    {
      from: 'unranked',
      columns: [...columns, ...sequences, 'tie'],
      first: '0',
      levels,
      order: rankingOrder(elements, shape),
    },
    ranges,
  );
  return [
    {
      name: 'unranked',
      title: 'Events without number',
      selects: inGroups(selects, ranges),
    },
    ...tables,
    {
      name: rankedTable(shape),
      title: 'Order of events',
      selects: [`SELECT id, ${columns.join(', ')} FROM (${ranked}) AS ranked`],
    },
  ];
}

function sequenceNumber(name: string, ranges: RangeSql): string {
  if (name === 'sequence_time') return ranges.timeNumber(name);
  return name === 'sequence_text' ? ranges.textNumber(name, '0') : ranges.number(name);
}
