import type { MapSubject } from './process-map.ts';

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

/** A colour for each entity type of a map of all types. More types than there are colours share some. */
export function coloursOf(subject: MapSubject): ReadonlyMap<string, string> {
  const entityTypes = subject.kind === 'all' ? subject.entityTypes : [];
  return new Map(entityTypes.map((type, index) => [type, colours[index % colours.length] ?? '']));
}
