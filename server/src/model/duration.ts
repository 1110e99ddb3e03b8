/** Parses `500ms`, `30s`, `2m`, `1h`, `5d`, `2w` or a number of milliseconds; undefined for other values. */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const match = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|min|h|d|w)?\s*$/.exec(value);
  if (!match) return undefined;
  return Math.round(Number(match[1]) * (millisecondsPer[match[2] ?? 'ms'] ?? 1));
}

/** Parses a duration that must have a unit: a bare number is ambiguous where days are as common as seconds. */
export function parseDurationWithUnit(value: unknown): number | undefined {
  return typeof value === 'string' && /[a-z]/u.test(value) ? parseDuration(value) : undefined;
}

/** A limit of a time. */
export interface TimeLimit {
  /** Of working time where there is a calendar; NaN for working days without one. */
  readonly milliseconds: number;
  /** In words. */
  readonly text: string;
  /** In days or hours of a calendar. */
  readonly isBusiness: boolean;
}

/** Days (`2bd`) or hours (`8bh`) of a calendar. */
export interface BusinessTime {
  readonly number: number;
  readonly unit: 'business days' | 'business hours';
}

/** Parses `2bd` or `8bh`; undefined for other values. */
export function parseBusinessTime(value: unknown): BusinessTime | undefined {
  const [, amount, unit] = /^\s*(\d+(?:\.\d+)?)\s*b([dh])\s*$/u.exec(typeof value === 'string' ? value : '') ?? [];
  return unit ? { number: Number(amount), unit: unit === 'd' ? 'business days' : 'business hours' } : undefined;
}

const millisecondsPer: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
