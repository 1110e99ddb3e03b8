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
  const fits = (order: readonly string[]): number => present.filter((each) => order.includes(each)).length;
  const order = keyOrder
    .filter((candidate) => (candidate as readonly string[]).includes(key))
    .toSorted((one, other) => fits(other) - fits(one))[0];
  return order ? (order as readonly string[]).slice(0, (order as readonly string[]).indexOf(key)) : present;
}
