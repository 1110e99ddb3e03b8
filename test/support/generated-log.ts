/** An event of a generated log: a row of the file of its activity. */
export interface LogRow {
  case: string;
  activity: string;
  /** Milliseconds since 1970. */
  time: number;
  user: string;
  amount: number;
  /** The number of a document, different in each row. */
  doc: string;
  /** When the row was written, in milliseconds since 1970: soon after its time. */
  recorded?: number;
  /** The activity of the table with the row, if it has another name. */
  table?: string;
  /** Other cases that the event belongs to. */
  also?: readonly string[];
  /** The delivery that the event is about. */
  delivery?: string;
  /** Injected by a test. */
  isInjected?: true;
}

/** What a clean log is like. */
export interface LogShape {
  readonly name: string;
  readonly cases: number;
  readonly days: number;
  /** Mean of the logarithm of hours before each activity but the first, and its deviation. */
  readonly wait: number;
  readonly spread: number;
  /** Times are whole multiples of it. */
  readonly precisionMs: number;
  /** Times are moved into the hours from eight to six. */
  readonly hasWorkingHours?: true;
  /** Some cases leave out an activity, or repeat one. */
  readonly isVaried?: true;
  /** One table with a column for the activity; else one for each activity. */
  readonly isOneTable?: true;
  /** The column that is the key: the case, unless a test wants a key that is none. */
  readonly key?: 'case' | 'doc' | 'region';
  /** The shipments are of deliveries, each of one order; not in one table. */
  readonly hasDeliveries?: true;
}

export const activities = [
  'Place Order',
  'Check Credit',
  'Pack Goods',
  'Ship Order',
  'Send Invoice',
  'Receive Payment',
];

/** Clean logs: without any oddity that a finding is about. */
export const cleanShapes: readonly LogShape[] = [
  { name: 'seconds', cases: 600, days: 240, wait: 1, spread: 0.8, precisionMs: 1_000 },
  { name: 'milliseconds', cases: 600, days: 120, wait: 0, spread: 1, precisionMs: 1 },
  { name: 'minutes', cases: 600, days: 365, wait: 3, spread: 0.6, precisionMs: 60_000 },
  { name: 'one table', cases: 600, days: 240, wait: 1, spread: 0.8, precisionMs: 1_000, isOneTable: true },
  { name: 'varied', cases: 800, days: 240, wait: 1, spread: 0.8, precisionMs: 1_000, isVaried: true },
  {
    name: 'varied, one table',
    cases: 800,
    days: 300,
    wait: 2,
    spread: 1,
    precisionMs: 1_000,
    isVaried: true,
    isOneTable: true,
  },
  { name: 'working hours', cases: 600, days: 300, wait: 1, spread: 0.8, precisionMs: 1_000, hasWorkingHours: true },
  { name: 'dense', cases: 2_000, days: 20, wait: -1, spread: 0.8, precisionMs: 1_000 },
];

/** Repeatable random numbers from 0 to 1. */
export function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * The activities of a generated log at the times of real cases: their first events, each with a time of its own, and
 * without the last one, which jobs write.
 * @param times of the events of each case, in milliseconds since 1970
 */
export function logAtTimes(times: readonly (readonly number[])[], cases: number, seed: number): LogRow[] {
  const random = randomFrom(seed);
  const complete = times
    .map((each) => [...new Set(each)].sort((one, other) => one - other).slice(0, -1))
    .filter((each) => each.length >= activities.length)
    // Most cases with a time at a whole hour go, so that rounded times are as rare as by chance.
    .filter((each) => !each.slice(0, activities.length).some((time) => time % hourMs === 0) || random() < 0.25);
  const chosen = complete.map((each) => ({ each, place: random() })).sort((one, other) => one.place - other.place);
  return chosen
    .slice(0, cases)
    .map(({ each }) => each)
    .sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0))
    .flatMap((each, index) => {
      const user = `user${Math.floor(random() * 12)}`;
      return activities.map((activity, place): LogRow => ({
        ...{ case: `C${index + 1}`, activity, time: each[place] ?? 0, user, doc: '' },
        amount: Math.floor(random() * 100_000) / 100,
      }));
    })
    .map((row, index) => ({ ...row, doc: `D${100_000 + index}` }));
}

const hourMs = 3_600_000;
const begin = Date.UTC(2024, 0, 8);

/** The rows of a clean log. */
export function cleanLog(shape: LogShape, seed: number): LogRow[] {
  const random = randomFrom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const placed = (time: number): number => {
    const hour = (time % (24 * hourMs)) / hourMs;
    const moved =
      shape.hasWorkingHours && (hour < 8 || hour >= 18)
        ? Math.floor(time / (24 * hourMs)) * 24 * hourMs + (hour < 8 ? 8 : 32) * hourMs + random() * 4 * hourMs
        : time;
    return Math.floor(moved / shape.precisionMs) * shape.precisionMs;
  };
  // Numbers are given in the order of time.
  const starts = Array.from({ length: shape.cases }, () => begin + random() * shape.days * 24 * hourMs);
  return starts
    .sort((one, other) => one - other)
    .map((start, index) => {
      const rows: LogRow[] = [];
      let time = start;
      const user = `user${Math.floor(random() * 12)}`;
      for (const [place, activity] of activities.entries()) {
        // Only the middle varies: a log of whole cases begins and ends as it should.
        if (shape.isVaried && place === 1 && random() < 0.2) continue;
        const times = shape.isVaried && place === 2 && random() < 0.15 ? 2 : 1;
        for (let repeated = 0; repeated < times; repeated += 1) {
          if (rows.length > 0) time += Math.exp(shape.wait + shape.spread * normal()) * hourMs;
          const at = Math.max(placed(time), (rows.at(-1)?.time ?? 0) + shape.precisionMs);
          time = Math.max(time, at);
          rows.push({
            case: `C${index + 1}`,
            activity,
            time: at,
            user,
            amount: Math.floor(random() * 100_000) / 100,
            doc: '',
          });
        }
      }
      return rows;
    })
    .flat()
    .map((row, index) => ({ ...row, doc: `D${100_000 + index}` }));
}

/** The files of a project with this log. */
export function logFiles(rows: readonly LogRow[], shape: LogShape): Readonly<Record<string, string>> {
  const tables = shape.isOneTable
    ? [{ name: 'log', rows }]
    : activities.map((activity) => ({
        name: tableOf(activity),
        rows: rows.filter((row) => (row.table ?? row.activity) === activity),
      }));
  const further = furtherColumns(rows, shape);
  const csv = (of: readonly LogRow[]): string =>
    [
      ['case,activity,at,user,amount,doc,recorded', ...further.map(({ name }) => name)].join(','),
      ...of.map((row) =>
        [
          ...[row.case, row.activity, new Date(row.time).toISOString(), row.user, row.amount, row.doc, recordedOf(row)],
          ...further.map(({ value }) => value(row)),
        ].join(','),
      ),
    ].join('\n');
  const { key = 'case' } = shape;
  const properties = [...(key === 'case' ? [] : ['case']), 'user', 'amount', 'doc', 'recorded'];
  const others = further.some(({ name }) => name === 'also')
    ? ' correlatesWith: [{ entityType: order, key: also, qualifier: also, separator: "+" }],'
    : '';
  const element = (activity: string, table: string): string => {
    const own =
      shape.hasDeliveries && activity === deliveredActivity
        ? 'key: delivery, entityType: delivery, correlatesWith: [{ entityType: order, key: case }],'
        : `key: ${key}, entityType: order,${others}`;
    return `  - { activityName: ${activity}, dataObject: ${table}, ${own} startTimestamp: at, activityColumn: activity, properties: [${properties.filter((name) => name !== key).join(', ')}] }`;
  };
  const elements = shape.isOneTable
    ? [element('Log Event', 'log')]
    : activities.map((activity) => element(activity, tableOf(activity)));
  return {
    'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n',
    'graph.entity.yaml': `version: 1\nname: Orders\ndataSource: shop\ndataObjects: [${tables.map(({ name }) => name).join(', ')}]\nelements:\n${elements.join('\n')}\n`,
    ...Object.fromEntries(tables.map(({ name, rows: of }) => [`${name}.csv`, csv(of)])),
  };
}

const deliveredActivity = 'Ship Order';

/** Columns that only some logs have. */
function furtherColumns(
  rows: readonly LogRow[],
  { key, hasDeliveries }: LogShape,
): readonly { readonly name: string; readonly value: (row: LogRow) => string }[] {
  return [
    ...(rows.some(({ also }) => also) ? [{ name: 'also', value: ({ also = [] }: LogRow) => also.join('+') }] : []),
    ...(hasDeliveries ? [{ name: 'delivery', value: (row: LogRow) => row.delivery ?? `S-${row.case}` }] : []),
    ...(key === 'region' ? [{ name: 'region', value: (row: LogRow) => `R${Number(row.case.slice(1)) % 4}` }] : []),
  ];
}

/** A few minutes after its time, unless a test says otherwise. */
function recordedOf({ time, recorded, amount }: LogRow): string {
  return new Date(recorded ?? time + 60_000 + Math.round(amount) * 1_000).toISOString();
}

/** The table of an activity. */
export function tableOf(activity: string): string {
  return activity.toLowerCase().replaceAll(' ', '_');
}
