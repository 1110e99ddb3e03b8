import type { FindingKind } from '../../protocol/shapes/finding-shapes.ts';
import type { LogRow, LogShape } from './generated-log.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Damages a share of the rows of an activity, or of the entities, as it happens in real data. */
type Injection = (rows: LogRow[], share: number, random: () => number) => LogRow[];

/** The activity that is damaged. */
export const damagedActivity = 'Ship Order';

/** By kind; some have several forms, of which chance decides. */
export const injections: Readonly<Record<FindingKind, Injection>> = {
  'same-time-order': (rows, share, random) => each(rows, share, random, (row, before) => (row.time = before.time)),
  'midnight-times': (rows, share, random) =>
    each(rows, share, random, (row) => (row.time = Math.floor(row.time / dayMs) * dayMs)),
  // A column has dates or times: of that activity, all are dates.
  'dates-beside-times': (rows, _share, random) =>
    each(rows, 1, random, (row) => (row.time = Math.floor(row.time / dayMs) * dayMs)),
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
    const names = [
      ...['ship order', 'Ship  Order', 'Ship-Order', 'Ship Ordr', 'Shipp Order', 'Ship Oredr'],
      ...['Auftrag versenden', 'Expédier la commande', 'Enviar pedido'],
    ];
    const name = names[Math.floor(random() * names.length)] ?? '';
    return each(rows, share, random, (row) => Object.assign(row, { activity: name, table: damagedActivity }));
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
  // The case before it has the event, too.
  'shared-events': (rows, share, random) => {
    const cases = [...new Set(rows.map((row) => row.case))];
    const places = new Map(cases.map((name, place) => [name, place]));
    return each(rows, share, random, (row) => (row.also = [cases[(places.get(row.case) ?? 0) - 1] ?? row.case]));
  },
  // A second delivery of the same order, some hours later.
  'diverging-events': (rows, share, random) =>
    rows.flatMap((row) =>
      row.activity === damagedActivity && random() < share
        ? [
            { ...row, isInjected: true as const },
            {
              ...{ ...row, delivery: `S-${row.case}-B`, doc: `${row.doc}B`, isInjected: true as const },
              time: row.time + 60_000 + Math.floor(random() * 300) * 60_000,
            },
          ]
        : [row],
    ),
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

/** A log into which a form of a kind can be injected: every third one of keys is a key of rows, or of regions. */
export function shapeFor(kind: FindingKind, shape: LogShape, seed: number): LogShape {
  const { isOneTable: _isOneTable, ...tables } = shape;
  switch (kind) {
    // Clocks differ by hours.
    case 'zone-shift':
      return { ...shape, wait: Math.min(2, shape.wait) };
    // Entities that take hours are never cut in numbers.
    case 'truncated-cases':
      return { ...shape, wait: Math.max(3, shape.wait) };
    case 'exploded-keys':
      return seed % 3 === 0 ? { ...shape, key: 'doc' } : shape;
    case 'dominant-entity':
      return seed % 3 === 0 ? { ...shape, key: 'region' } : shape;
    case 'diverging-events':
      return { ...tables, hasDeliveries: true };
    default:
      return shape;
  }
}

/** The element and the column that a finding of an injected kind names; null for kinds about the graph. */
export function injectedPlace(
  kind: FindingKind,
  { isOneTable, key = 'case' }: LogShape,
): { readonly element: string | null; readonly column: string | null } {
  const element = isOneTable ? 'Log Event' : damagedActivity;
  switch (kind) {
    case 'time-gap':
    case 'truncated-cases':
    case 'number-gaps':
      return { element: null, column: null };
    case 'dominant-entity':
      // The entity has events of all activities.
      return isOneTable ? { element, column: key } : { element: null, column: null };
    case 'exploded-keys':
      return key === 'case' || isOneTable ? { element, column: key } : { element: null, column: null };
    case 'duplicate-events':
      return { element, column: 'case' };
    case 'near-equal-labels':
      return { element, column: 'activity' };
    case 'late-arrivals':
      return { element, column: 'recorded' };
    case 'almost-key':
      return { element, column: 'doc' };
    case 'changing-attribute':
      return { element, column: 'user' };
    case 'shared-events':
    case 'diverging-events':
      return { element, column: null };
    default:
      return { element, column: 'at' };
  }
}
