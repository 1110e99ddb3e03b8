import type { KeyRange } from './page-parameters.ts';

/** Counts keys per range, in constant space. */
export interface KeyCounter {
  add(key: string): void;
  /** The 16 ranges of the first digit, or those of the second digit within one of these. */
  ranges(within?: KeyRangeCount): readonly KeyRangeCount[];
}

export interface KeyRangeCount {
  readonly range: KeyRange;
  readonly keys: number;
  /** Index of the first two-digit range, and their number. */
  readonly first: number;
  readonly size: number;
}

const digits = [...'0123456789abcdef'];
const starts = digits.flatMap((one) => digits.map((other) => `${one}${other}`));

export function keyCounter(): KeyCounter {
  const counts = starts.map(() => 0);
  return {
    add(key) {
      const place = placeOf(key);
      counts[place] = (counts[place] ?? 0) + 1;
    },
    ranges({ first, size } = { range: {}, keys: 0, first: 0, size: starts.length }) {
      const step = size / digits.length;
      return digits.map((_, index) => {
        const from = first + index * step;
        const keys = counts.slice(from, from + step).reduce((sum, count) => sum + count, 0);
        return { range: rangeOf(from, from + step), keys, first: from, size: step };
      });
    },
  };
}

/** Open at both ends, so that non-hexadecimal keys have a range too. */
function rangeOf(from: number, below: number): KeyRange {
  const [start, end] = [starts[from], starts[below]];
  return { from: from > 0 && start !== undefined ? start : undefined, below: end };
}

/** The last range that starts at or before the key. Called for every record, so it avoids substrings. */
function placeOf(key: string): number {
  const [one, other] = [digitOf(key.charCodeAt(0)), digitOf(key.charCodeAt(1))];
  if (one >= 0 && other >= 0) return one * digits.length + other;
  const next = starts.findIndex((start) => start > key);
  return Math.max(0, next < 0 ? starts.length - 1 : next - 1);
}

/** Value of a lower-case hexadecimal digit; -1 for other characters. */
function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  return code >= 97 && code <= 102 ? code - 87 : -1;
}
