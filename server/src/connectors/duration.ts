/** Parses `500ms`, `30s`, `2m`, `1h` or a number of milliseconds; undefined for other values. */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const match = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|min|h)?\s*$/.exec(value);
  if (!match) return undefined;
  return Math.round(Number(match[1]) * (millisecondsPer[match[2] ?? 'ms'] ?? 1));
}

const millisecondsPer: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };
