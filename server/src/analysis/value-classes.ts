/** Classes of equal width: the n-th one reaches from `start + n * width` to below `start + (n + 1) * width`. */
export interface ValueClasses {
  readonly start: number;
  readonly width: number;
  readonly count: number;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const timeSteps = [
  ...[1, 2, 5, 10, 50, 100, 500, second, 5 * second, 15 * second, minute, 5 * minute, 15 * minute],
  ...[hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day, 14 * day, 28 * day, 91 * day, 182 * day, 364 * day],
];

/** At most so many classes from the lowest to the highest value, with bounds that people read easily. */
export function classesOf(low: number, high: number, most: number, kind: 'number' | 'integer' | 'time'): ValueClasses {
  const width = widthOf((high - low) / Math.max(1, most - 1), kind);
  const start = stepped(Math.floor(low / width), width);
  return { start, width, count: Math.floor((high - start) / width) + 1 };
}

function widthOf(least: number, kind: 'number' | 'integer' | 'time'): number {
  const step = kind === 'time' ? timeSteps.find((each) => each >= least) : undefined;
  if (step !== undefined) return step;
  if (least <= 0) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(least));
  const width = [1, 2, 2.5, 5, 10].map((each) => stepped(each, magnitude)).find((each) => each >= least * (1 - 1e-12));
  return kind === 'number' ? (width ?? least) : Math.max(1, Math.ceil(width ?? least));
}

/** Without the last digit that a product of doubles may have too many. */
export function stepped(times: number, width: number): number {
  return Number((times * width).toPrecision(14));
}
