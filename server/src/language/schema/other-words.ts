import { sourceKinds } from '../../connectors/source-kinds.ts';
import { nearestNames } from '../../model/nearest-name.ts';

/** The keys that a word may be meant for: one that is written like it, or else what other formats call by that word. */
export function nearestKeys(word: string, possible: readonly string[]): readonly string[] {
  const nearest = nearestNames(word, possible);
  return nearest.length > 0 ? nearest : meant(keysOfOtherFormats, word, possible);
}

/** The values that a word may be meant for; what another language writes for one of them is that one alone. */
export function nearestValues(word: string, possible: readonly string[]): readonly string[] {
  const same = [...meant(valuesOfOtherLanguages, word, possible), ...kindsCalled(word, possible)];
  return same.length > 0 ? same : nearestNames(word, possible);
}

/** The kinds of data sources that other products call by a word. */
function kindsCalled(word: string, possible: readonly string[]): readonly string[] {
  const called = sourceKinds().filter(({ otherNames }) => otherNames.includes(word.toLowerCase()));
  return called.map(({ name }) => name).filter((name) => possible.includes(name));
}

function meant(
  words: Readonly<Record<string, readonly string[]>>,
  word: string,
  possible: readonly string[],
): readonly string[] {
  const known = Object.hasOwn(words, word.toLowerCase()) ? (words[word.toLowerCase()] ?? []) : [];
  return known.filter((each) => possible.includes(each)).slice(0, 1);
}

/** In lower case; of several, the first that is possible at the place. */
const keysOfOtherFormats: Readonly<Record<string, readonly string[]>> = {
  name: ['activityName'],
  activity: ['activityName'],
  label: ['activityName', 'name'],
  title: ['name'],
  table: ['dataObject'],
  object: ['dataObject'],
  view: ['dataObject'],
  tables: ['dataObjects', 'tables'],
  objects: ['dataObjects'],
  id: ['key'],
  primarykey: ['key'],
  type: ['entityType', 'kind'],
  timestamp: ['startTimestamp'],
  time: ['startTimestamp'],
  start: ['startTimestamp'],
  starttime: ['startTimestamp'],
  columns: ['properties'],
  fields: ['properties'],
  attributes: ['properties'],
  filter: ['where'],
  condition: ['where', 'expression'],
  from: ['source', 'cross'],
  to: ['target', 'cross'],
  source: ['cross'],
  target: ['cross'],
  on: ['mappings'],
  through: ['crossTable'],
  bridge: ['crossTable'],
  activities: ['elements'],
  nodes: ['elements'],
  edges: ['relationships'],
  relations: ['relationships'],
  url: ['baseUrl', 'instanceUrl'],
  username: ['user'],
  pass: ['password'],
  db: ['database'],
  schema: ['schemas'],
  separator: ['delimiter'],
  glob: ['path'],
  connections: ['dataSources'],
};

const valuesOfOtherLanguages: Readonly<Record<string, readonly string[]>> = {
  '*': ['all'],
  '==': ['='],
  '<>': ['!='],
  '=>': ['>='],
  '=<': ['<='],
  ilike: ['like'],
};
