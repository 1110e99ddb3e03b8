import type { FindingHint } from '../../../../protocol/findings.ts';
import { duckdb } from '../../dialects/duckdb.ts';
import type { FindingSearch, FoundFinding, SearchedGraph } from '../finding-kind.ts';
import { countOf, percent, quoted, timeColumn } from '../finding-texts.ts';
import { type OrderedPair, bothSql, onceTable } from '../order-tables.ts';
import { shiftOf, wholeShiftOf } from '../shift-evidence.ts';

const { quote } = duckdb.literals;

const leastShare = 0.01;
const mostShare = 0.4;
/** Waits that are compared. */
const mostWaits = 20_000;
const mostPairs = 100;

interface Shift {
  readonly pair: OrderedPair;
  readonly hours: number;
  readonly isEffect: boolean;
  readonly isInSummer: boolean;
  /** All events of the activity are off, not only the reversed ones. */
  readonly isWhole: boolean;
}

/** Events that are a whole number of hours off, as where the time zone of a source is not the right one. */
export const zoneShift: FindingSearch = {
  kind: 'zone-shift',
  async find(graph) {
    const pairs = (await graph.orderedPairs()).filter(({ forth, back }) => {
      const share = back / (forth + back);
      return share >= leastShare && share <= mostShare;
    });
    const found = new Map<string, FoundFinding>();
    for (const pair of pairs.slice(0, mostPairs)) {
      const shift = await readShift(graph, pair);
      if (!shift) continue;
      const finding = await findingOf(graph, shift);
      // The pair with most reversed events comes first.
      const key = `${finding.element ?? ''}\0${shift.isEffect ? pair.effect : pair.cause}`;
      if (!found.has(key)) found.set(key, finding);
    }
    return [...found.values()];
  },
};

async function readShift(graph: SearchedGraph, pair: OrderedPair): Promise<Shift | undefined> {
  const { store, options } = graph;
  const rows = await store.query(
    `SELECT (epoch_ms(b.time) - epoch_ms(a.time)) / 1000 AS wait, month(b.time) AS month FROM ${bothSql(pair)}
WHERE ${isUnexplained(graph)} ORDER BY hash(a.entity_id) LIMIT ${mostWaits}`,
    options,
  );
  const waits = rows.map((row) => Number(row['wait']));
  const shift = shiftOf(waits);
  if (!shift) {
    // The cause is recorded too late, or the effect too early.
    const late = wholeShiftOf(waits, await waitsBeside(graph, pair.entityType, pair.cause, 'before'));
    const whole = late ?? wholeShiftOf(waits, await waitsBeside(graph, pair.entityType, pair.effect, 'after'));
    return whole && { pair, hours: whole.hours, isEffect: !late, isInSummer: false, isWhole: true };
  }
  const isSummer = (row: (typeof rows)[number]): boolean => Number(row['month']) >= 4 && Number(row['month']) <= 10;
  const reversed = rows.filter((row) => Number(row['wait']) < 0);
  const isInSummer = reversed.every(isSummer) && rows.filter((row) => !isSummer(row)).length >= rows.length * 0.2;
  return {
    pair,
    hours: shift.hours,
    isEffect: await isEffectShifted(graph, pair, { hours: shift.hours, isInSummer }),
    isInSummer,
    isWhole: false,
  };
}

/** Times without time of day are another finding. */
function isUnexplained(graph: SearchedGraph): string {
  const explained = graph.flaggedBy('midnight-times', 'dates-beside-times', 'whole-hours');
  return `a.id NOT IN (${explained}) AND b.id NOT IN (${explained})`;
}

/** Seconds between an activity and the nearest one on one side, in the entities that have both once. */
async function waitsBeside(
  { store, options }: SearchedGraph,
  entityType: string,
  activity: string,
  side: 'before' | 'after',
): Promise<readonly number[]> {
  const wait = `(epoch_ms(a.time) - epoch_ms(c.time)) / 1000 * ${side === 'before' ? 1 : -1}`;
  const rows = await store.query(
    `WITH beside AS (
  SELECT c.activity, ${wait} AS wait FROM ${onceTable} AS a JOIN ${onceTable} AS c ON c.entity_id = a.entity_id AND c.id <> a.id
  WHERE a.entity_type = ${quote(entityType)} AND a.activity = ${quote(activity)}
), nearest AS (
  SELECT activity FROM beside GROUP BY activity HAVING min(wait) > 0 AND count(*) >= 30 ORDER BY median(wait), activity LIMIT 1
)
SELECT wait FROM beside WHERE activity IN (SELECT activity FROM nearest) ORDER BY wait LIMIT 100`,
    options,
  );
  return rows.map((row) => Number(row['wait']));
}

/**
 * Which of the two is off: the one whose distance from the other events of its entity differs by these hours where the
 * pair is reversed, or where it is summer.
 */
async function isEffectShifted(
  { store, options }: SearchedGraph,
  pair: OrderedPair,
  { hours, isInSummer }: Pick<Shift, 'hours' | 'isInSummer'>,
): Promise<boolean> {
  const isOff = isInSummer ? `month(b.time) BETWEEN 4 AND 10` : 'b.time < a.time';
  const distance = (event: 'a' | 'b'): string => `epoch_ms(${event}.time) / 3600000.0 - epoch_ms(c.time) / 3600000.0`;
  const off = (event: 'a' | 'b'): string =>
    `abs(median(${distance(event)}) FILTER (WHERE ${isOff}) - median(${distance(event)}) FILTER (WHERE NOT (${isOff})))`;
  const [row] = await store.query(
    `SELECT count(*) FILTER (WHERE a_off >= ${hours / 2} AND a_off > b_off) AS a, count(*) FILTER (WHERE b_off >= ${hours / 2} AND b_off > a_off) AS b FROM (
  SELECT c.activity, ${off('a')} AS a_off, ${off('b')} AS b_off
  FROM ${bothSql(pair)} JOIN ${onceTable} AS c ON c.entity_id = a.entity_id AND c.id NOT IN (a.id, b.id) GROUP BY c.activity
) AS compared`,
    options,
  );
  return Number(row?.['b'] ?? 0) >= Number(row?.['a'] ?? 0);
}

async function findingOf(
  graph: SearchedGraph,
  { pair, hours, isEffect, isInSummer, isWhole }: Shift,
): Promise<FoundFinding> {
  const { element: elementOf, store, options } = graph;
  const { cause, effect, forth, back } = pair;
  const [activity, element] = isEffect ? [effect, pair.effectElement] : [cause, pair.causeElement];
  const [row] = await store.query(
    `SELECT count(*) AS events FROM ${onceTable} WHERE entity_type = ${quote(pair.entityType)} AND activity = ${quote(activity)}`,
    options,
  );
  const of = Math.max(Number(row?.['events'] ?? 0), back);
  const flagged = `SELECT ${isEffect ? 'b' : 'a'}.id FROM ${bothSql(pair)} WHERE b.time < a.time AND ${isUnexplained(graph)}`;
  const hint = isWhole || isInSummer ? await hintOf(graph, flagged, isEffect ? hours : -hours) : undefined;
  const zone = `${hours} hour${hours === 1 ? '' : 's'}`;
  return {
    kind: 'zone-shift',
    severity: 'warning',
    element,
    column: timeColumn(elementOf(element), 'start'),
    count: back,
    of,
    counts: 'events',
    message: `${countOf(back, of, 'event')} of ${quoted(activity)} are on the wrong side of ${quoted(isEffect ? cause : effect)} (${percent(back / (forth + back))} of the entities with both), and in order${isWhole ? '' : ', with the usual waits,'} if ${isWhole ? 'all' : 'they'} are moved by ${zone} ${isEffect ? 'later' : 'earlier'}${isInSummer ? '; all of them are in summer' : ''}: their time zone is probably another one.`,
    remedy: isInSummer
      ? `Write timeZone: with a name of the zone (such as Europe/Berlin) instead of an offset, at the data source or at ${quoted(element)}.`
      : `Write the timeZone: of these times, at ${quoted(element)} or at its data source${isWhole ? '' : '; if only some rows are off, read them by an element of their own (where)'}.`,
    flagged,
    ...(hint && { hint }),
  };
}

/** Times that a zone is tried on. */
const triedTimes = 50;

/** Where all times are off, or those of the summer: a zone mends them. */
async function hintOf({ store, options }: SearchedGraph, flagged: string, hours: number): Promise<FindingHint> {
  const rows = await store.query(
    `SELECT time FROM event WHERE id IN (${flagged}) ORDER BY hash(id) LIMIT ${triedTimes}`,
    options,
  );
  return { kind: 'shift', hours, times: rows.map((row) => String(row['time'])) };
}
