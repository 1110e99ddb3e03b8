/**
 * A colour between two others, as CSS.
 * @param share of the first, 0 to 1
 * @param one both as `#rrggbb`, for files, or any CSS colours
 */
export function mixedColour(one: string, other: string, share: number): string {
  if (share <= 0 || share >= 1) return share <= 0 ? other : one;
  if (!one.startsWith('#')) return `color-mix(in srgb, ${one}, ${other} ${Math.round((1 - share) * 100)}%)`;
  const channels = (hex: string): readonly number[] =>
    [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  const [own, mixedIn] = [channels(one), channels(other)];
  const mean = own.map((channel, index) => Math.round(channel * share + (mixedIn[index] ?? 0) * (1 - share)));
  return `#${mean.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
