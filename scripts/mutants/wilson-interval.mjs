/** 97.5 % of a normal distribution is below it. */
const z = 1.959964;

/**
 * The 95 % interval of a share (Wilson): [from, to] between 0 and 1.
 * @param {number} hits
 * @param {number} count above 0
 */
export function wilsonInterval(hits, count) {
  const share = hits / count;
  const middle = share + z ** 2 / (2 * count);
  const width = z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  const divisor = 1 + z ** 2 / count;
  return [Math.max(0, (middle - width) / divisor), Math.min(1, (middle + width) / divisor)];
}
