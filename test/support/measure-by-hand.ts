import type { Calendar } from '../../server/src/model/calendar.ts';
import { type Measure, writtenWhat } from '../../server/src/model/measure.ts';
import type { EventRow, GraphRows } from './graph-rows.ts';

/** The value of a measure for an entity or an event; undefined if it is missing. */
export interface ValueByHand {
  readonly entity: number | null;
  readonly event: number | null;
  readonly value: number | undefined;
}

/** The values of a measure, found by visiting every event of every measured thing: slow, and nothing like the SQL. */
export function measureByHand(measure: Measure, graph: GraphRows): readonly ValueByHand[] {
  const { each, what } = measure;
  const { of } = writtenWhat(what).duration ?? writtenWhat(what).count ?? {};
  if (each?.activity === undefined) {
    return graph.entities
      .filter(({ type }) => type === each?.entityType?.value)
      .flatMap(({ id }) => valuesIn(id, undefined, measure, graph));
  }
  return graph.events
    .filter((event) => isOf(event, each.activity?.value, each.lifecycle))
    .flatMap((event) => {
      const typed = [...(graph.members.get(event.id) ?? [])].filter(
        (id) => graph.entities.find((row) => row.id === id)?.type === of?.value,
      );
      const entities = of ? typed : event.entity === null ? [] : [event.entity];
      if (entities.length === 0) return [{ entity: null, event: event.id, value: undefined }];
      return entities.flatMap((entity) => valuesIn(entity, event, measure, graph));
    });
}

function isOf(event: EventRow, activity: string | undefined, lifecycle: string): boolean {
  return (
    (activity === undefined || event.activity === activity) && (lifecycle === 'any' || event.lifecycle === lifecycle)
  );
}

function valuesIn(
  entity: number,
  event: EventRow | undefined,
  { each, what, workingTime }: Measure,
  graph: GraphRows,
): readonly ValueByHand[] {
  const own = graph.events.filter(({ id }) => graph.members.get(id)?.has(entity));
  const between = (began: number, ended: number): number =>
    workingTime ? workedByHand(began, ended, workingTime) : ended - began;
  const one = (value: number | undefined): readonly ValueByHand[] => [{ entity, event: event?.id ?? null, value }];
  const { duration, count } = writtenWhat(what);
  if (count?.relationship) {
    const { relationship, direction } = count;
    const others = graph.relations
      .filter(({ name }) => name === relationship.value)
      .flatMap(({ source, target }) => [
        ...(source === entity && direction !== 'target' ? [target] : []),
        ...(target === entity && direction !== 'source' ? [source] : []),
      ]);
    return one(new Set(others).size);
  }
  if (count) {
    const counted = own.filter((each) => isOf(each, count.activity?.value, count.lifecycle));
    return one(count.repeats ? counted.length - new Set(counted.map(({ activity }) => activity)).size : counted.length);
  }
  if (!duration) throw new Error('Only durations and counts are measured by hand.');
  const { from, to, sincePrevious, sinceLast, take, lifecycle } = duration;
  const [first, last] = [own[0], own.at(-1)];
  if (sinceLast) return one(last && between(last.time, graph.now));
  if (sincePrevious) {
    const previous = own[own.findIndex(({ id }) => id === event?.id) - 1];
    return one(previous && event && between(previous.time, event.time));
  }
  if (!from || !to) return one(first && last && between(first.time, last.time));
  const starts = own.filter((each) => isOf(each, from.value, lifecycle));
  const endAfter = (start: EventRow): number | undefined => {
    const end = own.find((each) => isOf(each, to.value, lifecycle) && each.id > start.id);
    return end && between(start.time, end.time);
  };
  if (event && from.value === each?.activity?.value) return one(endAfter(event));
  if (event) {
    const earlier = starts.filter(({ id }) => id < event.id);
    const start = take === 'first' ? earlier[0] : earlier.at(-1);
    return one(start && between(start.time, event.time));
  }
  const taken = take === 'each' ? starts : [take === 'first' ? starts[0] : starts.at(-1)];
  if (starts.length === 0) return one(undefined);
  return taken.flatMap((start) =>
    start ? [{ entity, event: take === 'each' ? start.id : null, value: endAfter(start) }] : [],
  );
}

/** Day by day, as the clock on the wall and the calendar beside it show them. */
export function workedByHand(began: number, ended: number, { timeZone, days, hours, holidays }: Calendar): number {
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timeZone?.value,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const onWall = (time: number): number => Date.parse(`${clock.format(time).replace(' ', 'T')}Z`) + (time % 1000);
  const [from, to] = [onWall(began), onWall(ended)];
  const off = new Set(holidays.map(({ value }) => value));
  let worked = 0;
  for (let day = from - (from % 86_400_000); day <= to; day += 86_400_000) {
    const date = new Date(day);
    if (off.has(date.toISOString().slice(0, 10)) || !days?.value?.includes((date.getUTCDay() + 6) % 7)) continue;
    for (const [opens, closes] of hours?.value ?? [])
      worked += Math.max(0, Math.min(to, day + closes * 60_000) - Math.max(from, day + opens * 60_000));
  }
  return worked;
}

/** The numbers of values. Quantiles are interpolated between neighbours. */
export function numbersByHand(all: readonly ValueByHand[]): Readonly<Record<string, number | null>> {
  const values = all.flatMap(({ value }) => value ?? []).toSorted((one, other) => one - other);
  const quantile = (share: number): number => {
    const place = share * (values.length - 1);
    const [low = 0, high = low] = [values[Math.floor(place)], values[Math.ceil(place)]];
    return low + (high - low) * (place - Math.floor(place));
  };
  const sum = values.reduce((total, value) => total + value, 0);
  const numbers = {
    sum,
    mean: sum / values.length,
    min: values[0] ?? null,
    max: values.at(-1) ?? null,
    median: quantile(0.5),
    p90: quantile(0.9),
  };
  const none = { sum: null, mean: null, min: null, max: null, median: null, p90: null };
  return { count: values.length, missing: all.length - values.length, ...(values.length === 0 ? none : numbers) };
}
