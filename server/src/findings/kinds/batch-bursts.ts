import { noEnd } from '../../analysis/event-place.ts';
import { duckdb } from '../../dialects/duckdb.ts';
import type { FindingSearch } from '../finding-kind.ts';
import { counted, numbersOf } from '../counted.ts';
import { aboutStart, countOf, percent, quoted } from '../finding-texts.ts';
import { isOfTimes, quarterSql } from '../read-times-of-day.ts';

const { quote } = duckdb.literals;

/** Entities of a burst. */
const leastEntities = 8;
/** How many times as many as in other minutes of a working day. */
const factor = 8;
const workingMinutes = 480;
const leastShare = 0.02;

/** Events of one activity for many entities within a minute, where the day has few others. */
export const batchBursts: FindingSearch = {
  kind: 'batch-bursts',
  async find(graph) {
    const { store, options } = graph;
    // What is at one time of day, or at whole hours, is another finding.
    const times = await graph.timesOfDay();
    const left = times.flatMap((each) => {
      const { spike, areRounded } = each;
      const isOf = isOfTimes(each);
      return [
        ...(spike ? [`(${isOf} AND coalesce(${quarterSql('time')} IN (${spike.minutes.join(', ')}), false))`] : []),
        ...(areRounded ? [`(${isOf} AND coalesce(${quarterSql('time')} % 60 = 0, false))`] : []),
      ];
    });
    await store.run(
      `CREATE OR REPLACE TEMP TABLE finding_burst AS
WITH each_minute AS (
  SELECT element, activity, date_trunc('minute', time) AS minute, count(*) AS events, count(DISTINCT coalesce(entity_id, -id)) AS entities
  FROM event AS v WHERE ${noEnd('v')}${left.length === 0 ? '' : ` AND NOT (${left.join(' OR ')})`} GROUP BY ALL
), compared AS (
  SELECT *, (sum(events) OVER (PARTITION BY element, activity, date_trunc('day', minute)) - events) / ${workingMinutes} AS usual FROM each_minute
)
SELECT element, activity, minute, events FROM compared
WHERE entities >= ${leastEntities} AND events >= ${factor} * usual AND events >= usual + ${factor} * sqrt(usual) + ${leastEntities - 1}`,
      options,
    );
    const rows = await store.query(
      `SELECT b.*, (SELECT count(*) FROM event AS v WHERE v.element = b.element AND v.activity = b.activity AND ${noEnd('v')}) AS total FROM (
  SELECT element, activity, count(*) AS bursts, sum(events) AS events, max(events) AS most FROM temp.finding_burst GROUP BY element, activity
) AS b ORDER BY b.events DESC, b.activity`,
      options,
    );
    return rows.map((row) => {
      const { bursts, events: count, most, total: of } = numbersOf(row, 'bursts', 'events', 'most', 'total');
      const [element, activity] = [String(row['element']), String(row['activity'])];
      return {
        kind: 'batch-bursts' as const,
        ...counted('events', count, of, leastShare),
        ...aboutStart(graph, element),
        message: `${countOf(count, of, 'event')} of ${quoted(activity)} (${percent(count / of)}) are in ${bursts.toLocaleString('en')} burst${bursts === 1 ? '' : 's'} of ${leastEntities} or more entities within a minute, up to ${most.toLocaleString('en')} at once: a batch or a bulk entry wrote them, perhaps long after the work was done.`,
        remedy:
          'Take the column with the time of the work, if there is one. Otherwise do not read waits before this activity as work: entity-graph batches lists them.',
        flagged: `SELECT v.id FROM event AS v JOIN temp.finding_burst AS b ON v.element = b.element AND v.activity = b.activity AND date_trunc('minute', v.time) = b.minute
WHERE ${noEnd('v')} AND v.element = ${quote(element)} AND v.activity = ${quote(activity)}`,
      };
    });
  },
};
