import { duckdb } from '../../dialects/duckdb.ts';
import { counted, numbersOf } from '../counted.ts';
import type { FindingSearch, FoundFinding, SearchedGraph } from '../finding-kind.ts';
import { countOf, percent, quoted } from '../finding-texts.ts';
import { caseTable } from '../step-tables.ts';

const { quote } = duckdb.literals;

const leastEntities = 50;
/** Activities that begin (or end) fewer entities in the middle of the log do not begin them. */
const leastUsual = 0.02;
/** Share of the entities at an end of the log that begin (or end) unusually, and how many times that of the middle. */
const leastUnusual = 0.04;
const factor = 5;
const fewest = 5;
/** Beyond that, entities last so long that nothing is far from the end of the log. */
const longest = 0.6;
const leastShare = 0.01;
/** Some entities are always under way when data is extracted. */
const leastOpenShare = 0.05;

interface TypeOfCases {
  readonly type: string;
  readonly entities: number;
  readonly from: string;
  readonly to: string;
  /** Seconds that 95 % of the entities take at most. */
  readonly usual: number;
}

/** Entities that begin or end in the middle, because the extract is cut there. */
export const truncatedCases: FindingSearch = {
  kind: 'truncated-cases',
  async find(graph) {
    const rows = await graph.store.query(
      `SELECT entity_type, count(*) AS entities, min(first_time) AS "from", max(last_time) AS "to",
  quantile_cont(epoch_ms(last_time) - epoch_ms(first_time), 0.95) / 1000 AS usual
FROM ${caseTable} GROUP BY entity_type
HAVING entities >= ${leastEntities} AND avg(events) >= 2 AND usual > 0 AND usual * 1000 < ${longest} * (epoch_ms(max(last_time)) - epoch_ms(min(first_time)))
ORDER BY entity_type`,
      graph.options,
    );
    const found: FoundFinding[] = [];
    for (const row of rows) {
      const cases = {
        type: String(row['entity_type']),
        entities: Number(row['entities']),
        from: String(row['from']),
        to: String(row['to']),
        usual: Number(row['usual']),
      };
      found.push(...(await cutAt('first', cases, graph)), ...(await cutAt('last', cases, graph)));
    }
    return found;
  },
};

async function cutAt(
  end: 'first' | 'last',
  { type, entities, from, to, usual }: TypeOfCases,
  { store, options, flaggedBy }: SearchedGraph,
): Promise<readonly FoundFinding[]> {
  const seconds = `to_seconds(${usual})`;
  const time = (text: string): string => `CAST(${quote(text.replace(/Z$/, ''))} AS TIMESTAMP)`;
  // What is left of an entity begins (or ends) within a wait of the cut, which is far less than the whole entity takes.
  const soon = `to_seconds(${usual / 2})`;
  const isNear = end === 'first' ? `first_time < ${time(from)} + ${soon}` : `last_time > ${time(to)} - ${soon}`;
  const isOfType = `entity_type = ${quote(type)}`;
  const [activity, id] = [`${end}_activity`, `${end}_id`];
  // What is usual is told by the entities that are far from this end; the other one has no effect on it.
  const isMiddle =
    end === 'first' ? `first_time >= ${time(from)} + ${seconds}` : `last_time <= ${time(to)} - ${seconds}`;
  const explained = `${id} IN (${flaggedBy('batch-bursts', 'zone-shift', 'order-anomalies', 'duration-outliers')})`;
  const usualSql = `SELECT ${activity} FROM ${caseTable} WHERE ${isOfType} AND ${isMiddle} GROUP BY ${activity}
  HAVING count(*) >= ${leastUsual} * (SELECT count(*) FROM ${caseTable} WHERE ${isOfType} AND ${isMiddle})`;
  const [row] = await store.query(
    `WITH judged AS (SELECT *, ${isNear} AS is_near, ${isMiddle} AS is_middle, ${activity} NOT IN (${usualSql}) AND NOT (${explained}) AS is_unusual FROM ${caseTable} WHERE ${isOfType})
SELECT count(*) FILTER (WHERE is_near) AS near, count(*) FILTER (WHERE is_near AND is_unusual) AS cut, count(*) FILTER (WHERE is_middle) AS middle,
  count(*) FILTER (WHERE is_middle AND is_unusual) AS unusual, mode(${activity}) FILTER (WHERE is_near AND is_unusual) AS shown FROM judged`,
    options,
  );
  const { near, cut: count, middle, unusual } = numbersOf(row, 'near', 'cut', 'middle', 'unusual');
  if (middle < leastEntities || count < fewest || count < near * leastUnusual) return [];
  if (count / near < (factor * unusual) / middle) return [];
  const isStart = end === 'first';
  const least = isStart ? leastShare : leastOpenShare;
  const day = (isStart ? from : to).slice(0, 10);
  return [
    {
      kind: 'truncated-cases',
      ...counted('entities', count, entities, least),
      element: null,
      column: null,
      message: isStart
        ? `${countOf(count, entities, 'entity')} of type ${type} (${percent(count / entities)}) begin in the middle, most often with ${quoted(String(row?.['shown']))}, soon after ${day}, where the data begins: their first events are missing, and their throughput is too short.`
        : `${countOf(count, entities, 'entity')} of type ${type} (${percent(count / entities)}) have no usual end, and most often ${quoted(String(row?.['shown']))} as their last event, soon before ${day}, where the data ends: they are still under way, or their last events are missing.`,
      remedy: isStart
        ? `Load earlier rows, or filter by time (from:) or by an activity that begins them (with:) before you read throughput.`
        : `Filter by an activity that ends them (with:), or by time (to:), before you read throughput; load the rows since.`,
      flagged: `SELECT ${id} AS id FROM ${caseTable} WHERE ${isOfType} AND ${isNear} AND ${activity} NOT IN (${usualSql}) AND NOT (${explained})`,
    },
  ];
}
