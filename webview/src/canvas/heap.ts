/** A priority queue: the smallest rank comes first. */
interface Heap<T> {
  push(value: T, rank: number): void;
  pop(): T | undefined;
}

export function createHeap<T>(): Heap<T> {
  const entries: { readonly value: T; readonly rank: number }[] = [];
  const rankAt = (index: number): number => entries[index]?.rank ?? Infinity;
  const swap = (one: number, other: number): void => {
    const [first, second] = [entries[one], entries[other]];
    if (first && second) [entries[one], entries[other]] = [second, first];
  };
  return {
    push(value, rank) {
      let at = entries.push({ value, rank }) - 1;
      while (at > 0 && rankAt(at) < rankAt((at - 1) >> 1)) {
        swap(at, (at - 1) >> 1);
        at = (at - 1) >> 1;
      }
    },
    pop() {
      const [first] = entries;
      const last = entries.pop();
      if (!first || !last || entries.length === 0) return first?.value;
      entries[0] = last;
      for (let at = 0; ;) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        const least = rankAt(left) <= rankAt(right) ? left : right;
        if (rankAt(least) >= rankAt(at)) return first.value;
        swap(at, least);
        at = least;
      }
    },
  };
}
