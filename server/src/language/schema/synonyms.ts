import { sourceKinds } from '../../connectors/source-kinds.ts';
import { nearestNames } from '../../model/nearest-name.ts';

/** Intended keys for a word: similar ones, else synonyms in other formats. */
export function nearestKeys(word: string, possible: readonly string[]): readonly string[] {
  const nearest = nearestNames(word, possible);
  return nearest.length > 0 ? nearest : meant(keysOfOtherFormats, word, possible);
}

/** Intended values for a word; a synonym in another language has one meaning only. */
export function nearestValues(word: string, possible: readonly string[]): readonly string[] {
  const same = [...meant(valuesOfOtherLanguages, word, possible), ...kindsCalled(word, possible)];
  return same.length > 0 ? same : nearestNames(word, possible);
}

/** Source kinds by their names in other products. */
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

/** Synonyms in lower case; of several, the first valid one applies. */
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
  end: ['endTimestamp'],
  endtime: ['endTimestamp'],
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
