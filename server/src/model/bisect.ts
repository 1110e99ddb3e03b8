/** How many of the first of `count` indexes `holds` is true for, when it is true for all before any for which it is not. */
export function bisect(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  for (let high = count; low < high;) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
