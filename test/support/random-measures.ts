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
