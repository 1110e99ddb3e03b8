/** What a name in a file of tests refers to. */
export type NameRole =
  'graph' | 'activity' | 'entityType' | 'relationship' | 'rule' | 'dataObject' | 'column' | 'property' | 'columnType';

type Pattern = readonly [role: NameRole, ...path: string[]];

const tests = ['tests', '[]'] as const;
const expect = [...tests, 'expect'] as const;

/** Paths of values; `*` stands for any key. */
const values: readonly Pattern[] = [
  ['graph', 'graph'],
  ...['events', 'eventsInclude'].flatMap((list): readonly Pattern[] => [
    ['activity', ...expect, list, '[]', 'activity'],
    ['entityType', ...expect, list, '[]', 'entity', 'type'],
  ]),
  ['activity', ...expect, 'directlyFollows', '[]', '[]'],
  ['entityType', ...expect, 'entities', '[]', 'type'],
  ['relationship', ...expect, 'relations', '[]', 'relationship'],
  ['entityType', ...expect, 'relations', '[]', 'source', 'type'],
  ['entityType', ...expect, 'relations', '[]', 'target', 'type'],
  ['columnType', 'columns', '*', '*'],
  ['columnType', 'columns', '*', '*', 'type'],
  ['columnType', ...tests, 'columns', '*', '*'],
  ['columnType', ...tests, 'columns', '*', '*', 'type'],
];

/** Paths of objects whose keys are names. */
const keys: readonly Pattern[] = [
  ['dataObject', ...tests, 'given'],
  ['column', ...tests, 'given', '*', '[]'],
  ['dataObject', 'columns'],
  ['column', 'columns', '*'],
  ['dataObject', ...tests, 'columns'],
  ['column', ...tests, 'columns', '*'],
  ['rule', ...expect, 'rules'],
  ['property', ...expect, 'events', '[]', 'properties'],
  ['property', ...expect, 'eventsInclude', '[]', 'properties'],
];

/** What the value at a path refers to. */
export function roleOfValue(path: readonly string[]): NameRole | undefined {
  return roleIn(values, path);
}

/** What the keys of the object at a path refer to. */
export function roleOfKeys(path: readonly string[]): NameRole | undefined {
  return roleIn(keys, path);
}

/** The data object that owns the column at a path, as the first key below `given` or `columns`. */
export function ownerOfColumn(path: readonly string[]): string | undefined {
  return path[path.findIndex((step) => step === 'given' || step === 'columns') + 1];
}

function roleIn(patterns: readonly Pattern[], path: readonly string[]): NameRole | undefined {
  const found = patterns.find(
    ([, ...steps]) =>
      steps.length === path.length && steps.every((step, index) => step === path[index] || isAnyKey(step, path[index])),
  );
  return found?.[0];
}

function isAnyKey(step: string, key: string | undefined): boolean {
  return step === '*' && key !== '[]';
}
