import { durationText } from '../../../../protocol/duration-text.ts';
import { duckdb } from '../../dialects/duckdb.ts';
import { counted, numbersOf } from '../counted.ts';
import { type ElementProperty, readElementProperties } from '../element-properties.ts';
import type { FindingSearch, FoundFinding, SearchedGraph } from '../finding-kind.ts';
import { countOf, percent, quoted } from '../finding-texts.ts';

const { quote } = duckdb.literals;

/** Names of columns with the time at which a row was written. */
const recordingName = /record|creat|insert|enter|load|import|arriv|receiv|ingest|captur|written|posted/i;
const leastEvents = 50;
/** Share of the rows that are written after their event. */
const leastAfter = 0.95;
/** Seconds after which three of four rows are written at most: later, the column is another step of the process. */
const mostUsual = 86_400;
/** How many times that, and how many seconds, are late. */
const factor = 10;
const leastLate = 86_400;
const [leastShare, mostShare, fewest] = [0.005, 0.4, 5];

/** Events whose row was written much later than those of most others. */
export const lateArrivals: FindingSearch = {
  kind: 'late-arrivals',
  async find(graph) {
    const properties = await readElementProperties(graph.graph.elements, graph);
    const recorded = properties.filter(({ name, type }) => type.startsWith('TIMESTAMP') && recordingName.test(name));
    const found = await Promise.all(recorded.map((property) => findingOf(property, graph)));
    return found.flat();
  },
};

async function findingOf(
  { element, table, name, column }: ElementProperty,
  { store, options }: SearchedGraph,
): Promise<readonly FoundFinding[]> {
  const activity = element.activityName?.value ?? '';
  const lag = `(epoch_ms(p.${duckdb.identifiers.quote(name)}) - epoch_ms(v.time)) / 1000`;
  const rows = `event AS v JOIN ${table} AS p ON p.event_id = v.id WHERE v.lifecycle = 'start' AND v.element = ${quote(activity)}`;
  const [numbers] = await store.query(
    `SELECT count(lag) AS events, count(*) FILTER (WHERE lag >= 0) AS after, quantile_cont(lag, 0.75) AS usual FROM (SELECT ${lag} AS lag FROM ${rows}) AS lags`,
    options,
  );
  const { events: of, after, usual } = numbersOf(numbers, 'events', 'after', 'usual');
  if (of < leastEvents || after < of * leastAfter || usual > mostUsual) return [];
  const limit = Math.max(leastLate, usual * factor);
  const flagged = `SELECT v.id FROM ${rows} AND ${lag} > ${limit}`;
  const [late] = await store.query(`SELECT count(*) AS events FROM (${flagged}) AS late`, options);
  const { events: count } = numbersOf(late, 'events');
  if (count < fewest || count > of * mostShare) return [];
  return [
    {
      kind: 'late-arrivals',
      ...counted('events', count, of, leastShare),
      element: activity,
      column,
      message: `${countOf(count, of, 'event')} of ${quoted(activity)} (${percent(count / of)}) were recorded ${durationText(limit * 1000)} or more after they happened, by ${quoted(column)}; three of four are recorded within ${durationText(usual * 1000)}.`,
      remedy:
        'Do not read the last days as complete: late rows will still come. Import a while after the end of a period, and look whether the late ones have the right time.',
      flagged,
    },
  ];
}
