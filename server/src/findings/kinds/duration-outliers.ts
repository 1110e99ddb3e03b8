import { durationText } from '../../../../protocol/duration-text.ts';
import { duckdb } from '../../dialects/duckdb.ts';
import type { FindingSearch, SearchedGraph } from '../finding-kind.ts';
import { counted, numbersOf } from '../counted.ts';
import { aboutStart, countOf, percent, quoted } from '../finding-texts.ts';
import { stepTable } from '../step-tables.ts';

const { quote } = duckdb.literals;

const leastSteps = 30;
/** Standard deviations of the logarithm, as the median of deviations tells them. */
const deviations = 6;
/** The shortest outlier is this many times the longest other wait: long tails hardly have such a gap. */
const apart = 3;
/** That many times the usual wait is far, however much waits vary. */
const farTimes = 1_000;
const mostShare = 0.25;
const leastShare = 0.01;

/** Waits before an activity that are apart from all others, as a wrong year makes them. */
export const durationOutliers: FindingSearch = {
  kind: 'duration-outliers',
  async find(graph) {
    const { store, options } = graph;
    await store.run(
      `CREATE OR REPLACE TEMP TABLE finding_wait AS
WITH waited AS (
  SELECT entity_type, target_activity AS activity, target_element AS element, target_event_id AS id,
    ln(1 + (epoch_ms(target_time) - epoch_ms(source_time)) / 1000) AS wait FROM ${stepTable}
  WHERE target_event_id NOT IN (${graph.flaggedBy('dominant-entity', 'batch-bursts', 'zone-shift')})
), usual AS (
  SELECT entity_type, activity, count(*) AS steps, median(wait) AS middle, mad(wait) AS spread FROM waited
  GROUP BY entity_type, activity HAVING steps >= ${leastSteps} AND spread >= 0.05
), placed AS (
  SELECT w.*, w.wait - lag(w.wait) OVER (PARTITION BY w.entity_type, w.activity ORDER BY w.wait, w.id) AS gap,
    w.wait > u.middle + greatest(least(${deviations} * 1.4826 * u.spread, ln(${farTimes})), ln(10)) AS is_far
  FROM waited AS w JOIN usual AS u ON u.entity_type = w.entity_type AND u.activity = w.activity
), cut AS (
  SELECT entity_type, activity, arg_max(wait, gap) AS least FROM placed WHERE is_far AND gap >= ln(${apart}) GROUP BY entity_type, activity
)
SELECT p.entity_type, p.activity, p.element, p.id, p.wait, p.wait >= c.least AS is_out
FROM placed AS p JOIN cut AS c ON c.entity_type = p.entity_type AND c.activity = p.activity`,
      options,
    );
    const rows = await store.query(
      `SELECT entity_type, activity, any_value(element) AS element, count(*) AS steps, count(*) FILTER (WHERE is_out) AS outliers,
  exp(min(wait) FILTER (WHERE is_out)) - 1 AS shortest, exp(max(wait) FILTER (WHERE NOT is_out)) - 1 AS longest
FROM temp.finding_wait GROUP BY entity_type, activity
HAVING outliers <= steps * ${mostShare} ORDER BY outliers DESC, activity`,
      options,
    );
    return Promise.all(
      rows.map(async (row) => {
        const { outliers: count, steps: of } = numbersOf(row, 'outliers', 'steps');
        const [type, activity, element] = ['entity_type', 'activity', 'element'].map((name) => String(row[name])) as [
          string,
          string,
          string,
        ];
        const date = await firstWrongYear(graph, type, activity, element);
        return {
          kind: 'duration-outliers' as const,
          ...counted('events', count, of, leastShare),
          ...aboutStart(graph, element),
          message: `${countOf(count, of, 'event')} of ${quoted(activity)} (${percent(count / of)}) come ${durationText(Number(row['shortest']) * 1000)} or more after the event before, where all others of the type ${type} come within ${durationText(Number(row['longest']) * 1000)}: a time may be wrong.`,
          remedy:
            'Look at the examples: a mistyped year or a default date such as 9999-12-31 is left out by a condition on its column (where), or made missing in the data source (nullValues).',
          flagged: `SELECT id FROM temp.finding_wait WHERE is_out AND entity_type = ${quote(type)} AND activity = ${quote(activity)}`,
          ...(date !== undefined && { hint: { kind: 'before' as const, date } }),
        };
      }),
    );
  },
};

/** The first day of the year from which all times of an element are outliers, years after all others. */
async function firstWrongYear(
  { store, options }: SearchedGraph,
  type: string,
  activity: string,
  element: string,
): Promise<string | undefined> {
  const isOut = `id IN (SELECT id FROM temp.finding_wait WHERE is_out AND entity_type = ${quote(type)} AND activity = ${quote(activity)})`;
  const [row] = await store.query(
    `SELECT year(max(time) FILTER (WHERE NOT ${isOut})) AS usual, year(min(time) FILTER (WHERE ${isOut})) AS out FROM event WHERE element = ${quote(element)}`,
    options,
  );
  const [usual, out] = [Number(row?.['usual'] ?? NaN), Number(row?.['out'] ?? NaN)];
  return out - usual >= 2 ? `${usual + 2}-01-01` : undefined;
}
