/** The order in which keys are written in design §3; a key that is not listed goes to the end. */
const keyOrder = [
  ['version', 'name', 'description', 'dataSource', 'dataObjects', 'elements', 'relationships', 'import'],
  [
    'activityName',
    'dataObject',
    'key',
    'entityType',
    'startTimestamp',
    'changeTimestamp',
    'sequence',
    'activityColumn',
    'properties',
    'joins',
    'where',
    'processContext',
  ],
  ['description', 'owner', 'businessRules', 'procedures', 'links'],
  ['name', 'source', 'target', 'mappings', 'crossTable', 'correlate'],
  ['dataObject', 'sourceMappings', 'targetMappings'],
  ['source', 'cross', 'operator', 'target'],
  ['version', 'dataSources'],
] as const;

/** The keys that go before a new one in an object with these keys. */
export function keysBefore(key: string, present: readonly string[]): readonly string[] {
  const order = orderOf(key, present);
  return order ? order.slice(0, order.indexOf(key)) : present;
}

/** New keys of an object in the order in which they are written; those that the format does not know come last. */
export function inKeyOrder(keys: readonly string[], present: readonly string[]): readonly string[] {
  const place = (key: string): number => orderOf(key, present)?.indexOf(key) ?? Number.MAX_SAFE_INTEGER;
  return keys.toSorted((one, other) => place(one) - place(other));
}

/** The order that most of the keys belong to: some are used in several groups. */
function orderOf(key: string, present: readonly string[]): readonly string[] | undefined {
  const fits = (order: readonly string[]): number => present.filter((each) => order.includes(each)).length;
  return keyOrder
    .filter((candidate) => (candidate as readonly string[]).includes(key))
    .toSorted((one, other) => fits(other) - fits(one))[0];
}
