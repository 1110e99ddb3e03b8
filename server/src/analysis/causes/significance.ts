/** How many of a group have an outcome. */
export interface Share {
  readonly found: number;
  readonly of: number;
}

/** The quantile of the normal distribution for intervals of 95 %. */
const z = 1.959_963_985;

/**
 * The difference of two shares with its 95 % interval: Newcombe's hybrid of Wilson's score intervals (Statistics in
 * Medicine 17, 1998, method 10), which holds for small groups and shares near 0 and 1, too.
 */
export function shareDifference(
  one: Share,
  other: Share,
): { readonly difference: number; readonly low: number; readonly high: number } {
  const [p, q] = [one.found / one.of, other.found / other.of];
  const [wilsonOne, wilsonOther] = [wilson(one), wilson(other)];
  const difference = p - q;
  return {
    difference,
    low: difference - Math.hypot(p - wilsonOne.low, wilsonOther.high - q),
    high: difference + Math.hypot(wilsonOne.high - p, q - wilsonOther.low),
  };
}

function wilson({ found, of }: Share): { readonly low: number; readonly high: number } {
  const p = found / of;
  const middle = p + z ** 2 / (2 * of);
  const reach = z * Math.sqrt((p * (1 - p)) / of + z ** 2 / (4 * of ** 2));
  const whole = 1 + z ** 2 / of;
  return { low: (middle - reach) / whole, high: (middle + reach) / whole };
}

/** Below this, the χ² distribution is no good approximation. */
const fewestExpected = 5;

/** The two-sided p-value of the difference of two shares: by Fisher's exact test where numbers are small, else by χ². */
export function differenceP(one: Share, other: Share): number {
  const total = one.of + other.of;
  const found = one.found + other.found;
  if (found === 0 || found === total) return 1;
  const rarest = (Math.min(found, total - found) * Math.min(one.of, other.of)) / total;
  if (rarest < fewestExpected) return fisher(one, other);
  const cross = one.found * (other.of - other.found) - other.found * (one.of - one.found);
  const square = (total * cross ** 2) / (one.of * other.of * found * (total - found));
  return complementaryError(Math.sqrt(square / 2));
}

/** The sum of the probabilities of all tables with the same sums that are at most as probable as this one. */
function fisher(one: Share, other: Share): number {
  const total = one.of + other.of;
  const found = one.found + other.found;
  const logOf = (count: number): number =>
    logChoose(one.of, count) + logChoose(other.of, found - count) - logChoose(total, found);
  // Tables of equal probability differ by rounding.
  const limit = logOf(one.found) + 1e-7;
  let sum = 0;
  for (let count = Math.max(0, found - other.of); count <= Math.min(found, one.of); count += 1) {
    const log = logOf(count);
    if (log <= limit) sum += Math.exp(log);
  }
  return Math.min(1, sum);
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

/** Exact for small numbers, else by Stirling's series, whose error is below 1e-10 there. */
function logFactorial(n: number): number {
  if (n < 2) return 0;
  if (n < 16) {
    let product = 1;
    for (let factor = 2; factor <= n; factor += 1) product *= factor;
    return Math.log(product);
  }
  return n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2 + 1 / (12 * n) - 1 / (360 * n ** 3) + 1 / (1260 * n ** 5);
}

/** erfc(x) for x ≥ 0 by its continued fraction (Lentz), and by the series of erf for small x. */
function complementaryError(x: number): number {
  if (x < 2) {
    let [term, sum] = [x, x];
    for (let n = 1; n < 60; n += 1) {
      term *= -(x ** 2) / n;
      sum += term / (2 * n + 1);
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * sum;
  }
  let fraction = 0;
  for (let n = 80; n > 0; n -= 1) fraction = n / 2 / (x + fraction);
  return Math.exp(-(x ** 2)) / (Math.sqrt(Math.PI) * (x + fraction));
}

/** For each p-value whether it is significant at a level by Holm's method, which accounts for all of them. */
export function holm(values: readonly number[], level: number): readonly boolean[] {
  const order = values.map((p, index) => ({ p, index })).toSorted((one, other) => one.p - other.p);
  const end = order.findIndex(({ p }, place) => p > level / (values.length - place));
  const significant = new Set(order.slice(0, end < 0 ? order.length : end).map(({ index }) => index));
  return values.map((_, index) => significant.has(index));
}
