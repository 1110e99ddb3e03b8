const units: readonly (readonly [name: string, milliseconds: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
];

/** A duration with a suitable unit and about two digits: `2.3 d`, `45 min`, `0 s`. */
export function durationText(milliseconds: number): string {
  const size = Math.abs(milliseconds);
  const unit = units.find(([, length]) => size >= length);
  if (!unit) return size < 1 ? '0 s' : `${Math.round(milliseconds)} ms`;
  const [name, length] = unit;
  const amount = milliseconds / length;
  return `${Math.abs(amount) < 10 ? Math.round(amount * 10) / 10 : Math.round(amount)} ${name}`;
}
