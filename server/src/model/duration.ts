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

const millisecondsPer: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
