/** Number of leading indexes below `count` for which `holds` is true; it must be monotonic. */
export function bisect(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  for (let high = count; low < high;) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
