import { noEnd } from '../../analysis/event-place.ts';
import { duckdb } from '../../dialects/duckdb.ts';
import { numbersOf } from '../counted.ts';
import type { FindingSearch, FoundFinding } from '../finding-kind.ts';
import { quoted, timeColumn } from '../finding-texts.ts';
import { groupBy } from '../group-by.ts';
import { stepTable } from '../step-tables.ts';
import { type DayCount, type TimeGap, timeGaps } from '../time-gaps.ts';

const { quote } = duckdb.literals;
const dayMs = 86_400_000;

/** A week or more without an event, of the whole graph or of one element. */
export const timeGap: FindingSearch = {
  kind: 'time-gap',
  async find(graph) {
    const rows = await graph.store.query(
      `SELECT element, epoch_ms(time) // ${dayMs} AS day, count(*) AS events, count(DISTINCT coalesce(entity_id, -id)) AS entities FROM event AS v
WHERE ${noEnd('v')} AND id NOT IN (${graph.flaggedBy('duration-outliers')}) GROUP BY GROUPING SETS ((element, day), (day)) ORDER BY element, day`,
      graph.options,
    );
    const counts = rows.map((row) => ({
      element: row['element'] === null ? '' : String(row['element']),
      ...numbersOf(row, 'day', 'events', 'entities'),
    }));
    // An activity has a name.
    const ofAll = counts.filter(({ element }) => element === '');
    const ofElements = counts.filter(({ element }) => element !== '');
    const inAll = timeGaps(ofAll);
    const findings = [...findingOf(null, null, inAll, ofAll)];
    for (const group of groupBy(ofElements, ({ element }) => element)) {
      const [{ element }] = group;
      const own = timeGaps(group).filter((gap) => !inAll.some((all) => gap.from <= all.to && all.from <= gap.to));
      findings.push(...findingOf(element, timeColumn(graph.element(element), 'start'), own, group));
    }
    return findings;
  },
};

function findingOf(
  element: string | null,
  column: string | null,
  gaps: readonly TimeGap[],
  counts: readonly DayCount[],
): readonly FoundFinding[] {
  if (gaps.length === 0) return [];
  const days = counts.map(({ day }) => day);
  const span = Math.max(...days) - Math.min(...days) + 1;
  const count = gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const date = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);
  const periods = gaps.map(({ from, to }) => `from ${date(from)} to ${date(to)}`).join(' and ');
  const expected = Math.round(gaps.reduce((sum, gap) => sum + gap.expected, 0));
  const across = gaps.map(
    ({ from, to }) =>
      `(source_time < TIMESTAMP ${quote(date(from))} AND target_time >= TIMESTAMP ${quote(date(to + 1))})`,
  );
  return [
    {
      kind: 'time-gap',
      severity: 'warning',
      element,
      column,
      count,
      of: span,
      counts: 'days',
      message: `There is no event${element === null ? '' : ` of ${quoted(element)}`} ${periods}, where the weeks around have about ${expected.toLocaleString('en')}: ${count} of ${span.toLocaleString('en')} days.`,
      remedy:
        'Ask whether work stood still. If not, rows are missing in the source or in the extract: load them, or compare only times before and after.',
      flagged: `SELECT target_event_id AS id FROM ${stepTable} WHERE (${across.join(' OR ')})${element === null ? '' : ` AND target_element = ${quote(element)}`}`,
    },
  ];
}
