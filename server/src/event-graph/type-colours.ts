/** Readable on light and dark backgrounds, and distinguishable with most forms of colour blindness. */
const colours = [
  '#2f7fd6',
  '#c2571a',
  '#2e8b57',
  '#a855c7',
  '#c43d5d',
  '#8a7a1f',
  '#1f8f9c',
  '#b0568f',
  '#6b7fb8',
  '#8d6b4f',
];

/** A colour for each entity type. More types than there are colours share some. */
export function typeColours(entityTypes: readonly string[]): ReadonlyMap<string, string> {
  return new Map(entityTypes.map((type, index) => [type, colours[index % colours.length] ?? '']));
}
