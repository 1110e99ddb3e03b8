/** Limits of a count, both inclusive. */
export interface CountRange {
  readonly min: number;
  /** Absent without upper limit. */
  readonly max?: number;
}

/** Reads `5`, `"5"`, `"1.."`, `"..10"` or `"2..3"`; undefined for anything else. `min` may exceed `max`: that is a mistake of its own. */
export function parseCountRange(value: unknown): CountRange | undefined {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && value >= 0 ? { min: value, max: value } : undefined;
  if (typeof value !== 'string') return undefined;
  const [, exact, from, to] = /^(?:(\d+)|(\d*)\.\.(\d*))$/u.exec(value.trim()) ?? [];
  if (exact !== undefined) return { min: Number(exact), max: Number(exact) };
  if (!from && !to) return undefined;
  return { min: Number(from || 0), ...(to ? { max: Number(to) } : {}) };
}

export function isInRange(count: number, { min, max }: CountRange): boolean {
  return count >= min && (max === undefined || count <= max);
}

/** For messages: `2 to 3`, `at least 1`, `at most 10`, `5`. */
export function countRangeText({ min, max }: CountRange, number: (count: number) => string = String): string {
  if (max === undefined) return `at least ${number(min)}`;
  if (min === max) return number(min);
  return min === 0 ? `at most ${number(max)}` : `${number(min)} to ${number(max)}`;
}
