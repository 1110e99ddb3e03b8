import { type Random, pick } from './random.ts';

/** The calendars of these measures. */
export const randomCalendars = `calendars:
  office: { timeZone: Europe/Berlin, days: Mon-Fri, hours: "08:00-12:00, 13:00-17:30", holidays: [2024-01-01, 2024-01-06, 2024-01-09] }
  night: { timeZone: America/New_York, days: [Sun, Tue], hours: "00:00-06:15, 22:00-24:00" }
`;

/** An entry of `measures` over the orders and lines of `random-rules.ts`. */
export function randomMeasure(random: Random, index: number): string {
  const oneOf = <T>(values: readonly T[]): T => pick(random, values);
  const activities = ['Place Order', 'Ship Order', 'Pay Order', 'Add Line'];
  const activity = random() < 0.5 ? oneOf(activities) : undefined;
  const each = activity ? `activity: ${activity}` : `entityType: ${oneOf(['order', 'order', 'line'])}`;
  const of = activity && (activity === 'Add Line' || random() < 0.5) ? oneOf(['of: order', 'of: line']) : '';
  const take = oneOf(['', 'take: first', 'take: last', 'take: each']);
  const lifecycle = oneOf(['', '', 'lifecycle: any']);
  const other = oneOf(activities);
  const ends = activity
    ? oneOf([`from: ${activity}, to: ${other}`, `from: ${other}, to: ${activity}`])
    : `from: ${other}, to: ${oneOf(activities)}`;
  const fields = (...parts: readonly string[]): string => `{ ${parts.filter((part) => part !== '').join(', ')} }`;
  const calendar = oneOf(['', '', ', calendar: office', ', calendar: night']);
  const what = oneOf([
    `duration: ${fields(ends, take, lifecycle, of)}${calendar}`,
    `duration: ${activity ? fields('sincePrevious: true', of) : oneOf(['{}', '{ sinceLast: true }'])}${calendar}`,
    `count: ${fields(oneOf(['', `activity: ${other}`]), oneOf(['', 'repeats: true']), lifecycle, of)}`,
    `count: ${fields('relationship: has', of)}`,
  ]);
  return `  - { name: Measure ${index}, each: { ${each} }, ${what} }\n`;
}

/** Measures over names of events, of their entity and of related entities of the rules shop, in SQL of every engine. */
export const namedMeasures = [
  'each: { entityType: order, where: entity.events > 2 }, sql: entity.events',
  'each: { entityType: order }, sql: CASE WHEN entity.last > entity.first THEN 1 ELSE 0 END',
  'each: { entityType: order }, sql: count(line.amount)',
  'each: { entityType: order, where: count(line.key) > 1 }, sql: amount + sum(line.amount * line.events)',
  'each: { entityType: order }, sql: CASE WHEN max(line.last) > entity.first THEN 1 ELSE 0 END',
  'each: { activity: Ship Order }, sql: count(line.key)',
  'each: { entityType: line }, sql: order.amount',
  "each: { activity: Add Line }, sql: CASE WHEN event.activity = 'Add Line' AND event.time >= entity.first THEN 1 ELSE 0 END",
  'each: { activity: Add Line, where: order.amount > 20 }, sql: entity.events + order.events',
  'each: { activity: Ship Order }, sql: max(line.amount)',
  'each: { entityType: order }, sql: count(CASE WHEN line.amount < amount THEN 1 END)',
  'each: { entityType: order }, sql: sum(line.amount - amount) FILTER (WHERE line.last > entity.first)',
  'each: { activity: Ship Order }, sql: count(CASE WHEN line.first < event.time AND line.events < entity.events THEN 1 END)',
]
  .map(
    (text, index) =>
      `  - { name: Named ${index}, ${text.replace(/sql: (.*)$/, (_, sql: string) => `sql: ${JSON.stringify(sql)}`)} }\n`,
  )
  .join('');
