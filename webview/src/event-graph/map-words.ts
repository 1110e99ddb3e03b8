import type { MapWords } from '../../../protocol/map-words.ts';
import { t } from '../ui/translate.ts';

/** The words of the drawing in the language of the page. The server fills in the placeholders. */
export const mapWords: MapWords = {
  title: t('Process map'),
  titleOf: t('Process map of {0}', '{0}'),
  imported: t('Imported {0} UTC.', '{0}'),
  start: t('Start'),
  end: t('End'),
  ofType: t('Entities of type {0}.', '{0}'),
  ofAllTypes: t('Entities of all types, a colour each.'),
  filter: t('Filter: {0}.', '{0}'),
  occurs: t('with {0}', '{0}'),
  occursNot: t('without {0}', '{0}'),
  valueIs: '{0} = {1}',
  noValue: t('no value'),
  valueFrom: t('{0} from {1}', '{0}', '{1}'),
  valueBelow: t('{0} below {1}', '{0}', '{1}'),
  valueBetween: t('{0} from {1} to below {2}', '{0}', '{1}', '{2}'),
  eventsFrom: t('events from {0} UTC', '{0}'),
  eventsBefore: t('events before {0} UTC', '{0}'),
  eventsBetween: t('events from {0} to before {1} UTC', '{0}', '{1}'),
  breaking: t('breaks: {0}', '{0}'),
  ofVariant: t('variant {0}', '{0}'),
  directly: '{0} → {1}',
  eventually: '{0} → … → {1}',
  slower: t('longer than {0}', '{0}'),
  faster: t('shorter than {0}', '{0}'),
  throughput: t('throughput time {0}', '{0}'),
  relatedTo: t('related to one of {0} entities', '{0}'),
  activities: t('Activities: {0}.', '{0}'),
  paths: t('Paths: {0} · median time between.', '{0}'),
  pathsMedian: t('Paths: median time between · {0}.', '{0}'),
  pathsP90: t('Paths: time within which 90 % take place · {0}.', '{0}'),
  pathsTotal: t('Paths: total time between · {0}.', '{0}'),
  estimates: t('Times are estimates, at most {0} % off.', '{0}'),
  keptRows: t('Rows of {0}: kept from {1} UTC, as it was down.', '{0}', '{1}'),
  sample: t('A sample: the first {0} rows of each element.', '{0}'),
  since: t('A part of the graph: events since {0} UTC.', '{0}'),
  distinctEvents: t('distinct events'),
  followingPairs: t('directly-follows pairs'),
  eventPairsOfType: t('distinct pairs of events of a type'),
  distinctObjects: t('distinct objects'),
  distinctObjectsOfType: t('distinct objects of a type'),
  eventObjectPairs: t('event–object pairs'),
  followingPairsOfObjects: t('directly-follows pairs, one for each object'),
  times: t('{0} times', '{0}'),
  objects: t('{0} objects', '{0}'),
  pairs: t('{0} pairs', '{0}'),
  entities: t('{0} entities', '{0}'),
  service: t('service time: median {0}, 90 % within {1}', '{0}', '{1}'),
  durations: t('median {0}, 90 % within {1}, total {2}', '{0}', '{1}', '{2}'),
  // As the numbers beside the map.
  separator: (1234567).toLocaleString().replace(/^1(.*)234.*$/, '$1'),
};

/** Names of the units of time that events are counted by. */
const unitTexts: Readonly<Record<string, string>> = {
  second: t('by second'),
  minute: t('by minute'),
  hour: t('by hour'),
  day: t('by day'),
  week: t('by week'),
  month: t('by month'),
  quarter: t('by quarter'),
  year: t('by year'),
  decade: t('by decade'),
  century: t('by century'),
};

export function unitText(unit: string): string {
  return unitTexts[unit] ?? unit;
}
