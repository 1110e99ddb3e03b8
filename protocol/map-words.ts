/** The words of a process map in English; a page asks for the map in its own language. */
export const englishMapWords = {
  title: 'Process map',
  titleOf: 'Process map of {0}',
  imported: 'Imported {0} UTC.',
  start: 'Start',
  end: 'End',
  ofType: 'Entities of type {0}.',
  ofAllTypes: 'Entities of all types, a colour each.',
  filter: 'Filter: {0}.',
  occurs: 'with {0}',
  occursNot: 'without {0}',
  valueIs: '{0} = {1}',
  noValue: 'no value',
  valueFrom: '{0} from {1}',
  valueBelow: '{0} below {1}',
  valueBetween: '{0} from {1} to below {2}',
  eventsFrom: 'events from {0} UTC',
  eventsBefore: 'events before {0} UTC',
  eventsBetween: 'events from {0} to before {1} UTC',
  breaking: 'breaks: {0}',
  ofVariant: 'variant {0}',
  directly: '{0} → {1}',
  eventually: '{0} → … → {1}',
  slower: 'longer than {0}',
  faster: 'shorter than {0}',
  throughput: 'throughput time {0}',
  relatedTo: 'related to one of {0} entities',
  activities: 'Activities: {0}.',
  paths: 'Paths: {0} · median time between.',
  pathsMedian: 'Paths: median time between · {0}.',
  pathsP90: 'Paths: time within which 90 % take place · {0}.',
  pathsTotal: 'Paths: total time between · {0}.',
  estimates: 'Times are estimates, at most {0} % off.',
  keptRows: 'Rows of {0}: kept from {1} UTC, as it was down.',
  sample: 'A sample: the first {0} rows of each element.',
  since: 'A part of the graph: events since {0} UTC.',
  distinctEvents: 'distinct events',
  followingPairs: 'directly-follows pairs',
  eventPairsOfType: 'distinct pairs of events of a type',
  distinctObjects: 'distinct objects',
  distinctObjectsOfType: 'distinct objects of a type',
  eventObjectPairs: 'event–object pairs',
  followingPairsOfObjects: 'directly-follows pairs, one for each object',
  times: '{0} times',
  objects: '{0} objects',
  pairs: '{0} pairs',
  entities: '{0} entities',
  service: 'service time: median {0}, 90 % within {1}',
  durations: 'median {0}, 90 % within {1}, total {2}',
  /** Between thousands. */
  separator: ',',
};

/** Texts with the placeholders `{0}`, `{1}` …. */
export type MapWords = { readonly [W in keyof typeof englishMapWords]: string };

/** A text with its placeholders filled in. */
export function filledIn(words: string, ...values: readonly (string | number)[]): string {
  return words.replaceAll(/\{(\d+)\}/g, (all, place: string) => String(values[Number(place)] ?? all));
}
