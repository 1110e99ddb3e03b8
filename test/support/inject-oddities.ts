import type { FindingKind } from '../../protocol/shapes/finding-shapes.ts';
import type { LogRow, LogShape } from './generated-log.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Damages a share of the rows of an activity, or of the entities, as it happens in real data. */
type Injection = (rows: LogRow[], share: number, random: () => number) => LogRow[];

/** The activity that is damaged. */
export const damagedActivity = 'Ship Order';

/** By kind. Kinds without one are about what a graph is like, and are found by counting. */
export const injections: Readonly<Partial<Record<FindingKind, Injection>>> = {
  'same-time-order': (rows, share, random) => each(rows, share, random, (row, before) => (row.time = before.time)),
  'midnight-times': (rows, share, random) =>
    each(rows, share, random, (row) => (row.time = Math.floor(row.time / dayMs) * dayMs)),
  'whole-hours': (rows, share, random) =>
    each(rows, share, random, (row) => (row.time = Math.round(row.time / hourMs) * hourMs)),
  'zone-shift': (rows, share, random) => shifted(rows, share, random),
  'order-anomalies': (rows, share, random) =>
    each(rows, share, random, (row, before) => (row.time = before.time - Math.ceil(random() * 48 * 60) * 60_000)),
  'duplicate-events': (rows, share, random) =>
    rows.flatMap((row) =>
      row.activity === damagedActivity && random() < share ? [row, { ...row, isInjected: true }] : [row],
    ),
  'near-equal-labels': (rows, share, random) => {
    const names = ['ship order', 'Ship  Order', 'Ship Ordr', 'Shipp Order', 'Ship Oredr'];
    const name = names[Math.floor(random() * names.length)] ?? '';
    return each(rows, share, random, (row) => (row.activity = name));
  },
  // A share of the days of the log, at least a week and a day.
  'time-gap': (rows, share, random) => {
    const times = rows.map(({ time }) => time).sort((one, other) => one - other);
    const [from = 0, to = 0] = [times[Math.floor(times.length * 0.2)], times[Math.floor(times.length * 0.8)]];
    const length = Math.max(8 * dayMs, share * (to - from));
    const begin = from + random() * Math.max(0, to - from - length);
    return rows.filter(({ time }) => time < begin || time >= begin + length);
  },
  // The extract begins where as many entities are under way.
  'truncated-cases': (rows, share) => {
    const first = new Map<string, number>();
    const last = new Map<string, number>();
    for (const { case: key, time } of rows) {
      first.set(key, Math.min(first.get(key) ?? Infinity, time));
      last.set(key, Math.max(last.get(key) ?? 0, time));
    }
    const times = [...first.values()].sort((one, other) => one - other);
    for (const cut of times) {
      const left = [...last].filter(([, time]) => time >= cut);
      const under = left.filter(([key]) => (first.get(key) ?? 0) < cut);
      if (under.length >= share * left.length) return rows.filter(({ time }) => time >= cut);
    }
    return rows.filter(({ time }) => time >= (times[Math.floor(times.length / 2)] ?? 0));
  },
  'dominant-entity': (rows, share, random) =>
    rows.map((row) => (random() < share ? { ...row, case: 'UNASSIGNED', isInjected: true } : row)),
  // All of some days, at the end of their work.
  'batch-bursts': (rows, share, random) => {
    const chosen = shuffled(
      rows.filter(({ activity }) => activity === damagedActivity),
      random,
    );
    const count = Math.ceil(chosen.length * share);
    const size = 20;
    for (let start = 0; start < count; start += size) {
      const batch = chosen.slice(start, Math.min(count, start + size));
      if (batch.length < size / 2) break;
      const end = Math.max(...batch.map(({ time }) => time));
      const at = Math.floor(end / dayMs) * dayMs + 17 * hourMs + 11 * 60_000 + 7_000;
      for (const row of batch) Object.assign(row, { time: at + Math.floor(random() * 40) * 1_000, isInjected: true });
    }
    return rows;
  },
  // Without the rows of numbers in a row.
  'number-gaps': (rows, share, random) => {
    const keys = [...new Set(rows.map((row) => row.case))];
    const count = Math.ceil(keys.length * share);
    const gone = new Set<string>();
    while (gone.size < count) {
      const start = 1 + Math.floor(random() * (keys.length - 12));
      for (const key of keys.slice(start, start + Math.min(10, count - gone.size))) gone.add(key);
    }
    return rows.filter((row) => !gone.has(row.case));
  },
  'late-arrivals': (rows, share, random) =>
    each(rows, share, random, (row) => (row.recorded = row.time + (3 + random() * 20) * dayMs)),
  'exploded-keys': (rows, share, random) =>
    each(rows, share, random, (row) => (row.case = random() < 0.5 ? row.case.toLowerCase() : `${row.case}-1`)),
  'almost-key': (rows, share, random) => {
    let last: string | undefined;
    return rows.map((row) => {
      if (row.activity !== damagedActivity) return row;
      const before = last;
      last = row.doc;
      return before !== undefined && random() < share ? { ...row, doc: before, isInjected: true } : row;
    });
  },
  'changing-attribute': (rows, share, random) => each(rows, share, random, (row) => (row.user = `${row.user}x`)),
  'duration-outliers': (rows, share, random) => each(rows, share, random, (row) => (row.time += 366 * 10 * dayMs)),
};

/** By a whole number of hours that is more than most waits before it. */
function shifted(rows: LogRow[], share: number, random: () => number): LogRow[] {
  const waits: number[] = [];
  each(
    [...rows],
    1,
    () => 0,
    (row, before) => waits.push(row.time - before.time),
  );
  const usual = waits.sort((one, other) => one - other)[Math.floor(waits.length * 0.6)] ?? 0;
  const hours = Math.min(12, Math.ceil(usual / hourMs) + Math.floor(random() * 3));
  for (const row of rows) delete row.isInjected;
  return each(rows, share, random, (row) => (row.time -= hours * hourMs));
}

function each(
  rows: LogRow[],
  share: number,
  random: () => number,
  change: (row: LogRow, before: LogRow) => void,
): LogRow[] {
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1];
    if (row.activity !== damagedActivity || !before || random() >= share) continue;
    change(row, before);
    row.isInjected = true;
  }
  return rows;
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((item) => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

/** A log into which a kind can be injected: entities that take hours are never cut in numbers, and clocks differ by hours. */
export function shapeFor(kind: FindingKind, shape: LogShape): LogShape {
  if (kind === 'zone-shift') return { ...shape, wait: Math.min(2, shape.wait) };
  return kind === 'truncated-cases' ? { ...shape, wait: Math.max(3, shape.wait) } : shape;
}

/** The element of an injected kind, as the files of the log name it; null for kinds about the graph. */
export function injectedElement(kind: FindingKind, { isOneTable }: LogShape): string | null {
  if (kind === 'time-gap' || kind === 'truncated-cases' || kind === 'number-gaps') return null;
  if (isOneTable) return 'Log Event';
  // An entity with a placeholder as its key has events of all activities.
  return kind === 'dominant-entity' ? null : damagedActivity;
}
