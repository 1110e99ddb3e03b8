import { type Random, pick } from './random.ts';

const day = (random: Random): string =>
  `2024-01-${String(1 + Math.floor(random() * 12)).padStart(2, '0')} 1${Math.floor(random() * 3)}:00`;

/** CSV of few orders, so that an order has several events of an activity, also at one time. */
export function randomOrders(random: Random): string {
  const rows = Array.from({ length: 60 }, () => {
    const maybe = (): string => (random() < 0.6 ? day(random) : '');
    return `${1 + Math.floor(random() * 15)},${day(random)},${maybe()},${maybe()},1,`;
  });
  return `id,placed,shipped,paid,amount,late\n${rows.join('\n')}\n`;
}

/** CSV of lines of these orders, and of others. */
export function randomLines(random: Random): string {
  const rows = Array.from({ length: 25 }, (_, number) => `${number},${1 + Math.floor(random() * 18)},${day(random)}`);
  return `number,order_id,added\n${rows.join('\n')}\n`;
}

/** An entry of `rules` over orders that are placed, shipped and paid, and their lines. */
export function randomRule(random: Random, index: number): string {
  const oneOf = <T>(values: readonly T[]): T => pick(random, values);
  const activities = ['Place Order', 'Ship Order', 'Pay Order', 'Add Line'];
  const activity = random() < 0.5 ? oneOf(activities) : undefined;
  const each = activity ? `activity: ${activity}` : 'entityType: order';
  const calendar = oneOf(['', '', ', calendar: office', ', calendar: night']);
  const duration = oneOf(['1d', '36h', '3d', '1w', ...(calendar ? ['2bd', '8bh', '1.5bd', '19bh'] : [])]);
  const of = activity && (activity === 'Add Line' || random() < 0.5) ? ', of: order' : '';
  const count = oneOf(['', ', count: "0"', ', count: "1..2"', ', count: "2.."', ', count: "..1"']);
  const place = oneOf(['after', 'before']);
  const anchor = activity && random() < 0.4 ? '' : `, ${place}: ${oneOf(activities)}`;
  const near = oneOf(['', `, within: ${duration}`, ', directly: true', `, within: ${duration}, directly: true`]);
  const limits = oneOf([`atMost: ${duration}`, `atLeast: ${duration}`, 'atLeast: 12h, atMost: 3d']);
  const expectation = oneOf([
    `activity: ${oneOf(activities)}${count}${anchor}${near}${of}`,
    `never: ${oneOf(activities)}${anchor}${near}${of}`,
    `from: ${oneOf(activities)}, to: ${oneOf(activities)}, ${limits}, take: ${oneOf(['first', 'last', 'each'])}${of}`,
    `relationship: has${count}${of}`,
  ]);
  return `  - { name: Rule ${index}, each: { ${each} }, expect: [{ ${expectation} }]${/within|at(Most|Least)/u.test(expectation) ? calendar : ''} }\n`;
}
