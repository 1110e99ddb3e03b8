/** How many parts a generated graph has. */
export interface GraphSize {
  readonly elements: number;
  /** Elements whose rows name three more entities each. */
  readonly naming: number;
  readonly paths: number;
  readonly stepsOfPath: number;
  readonly entities: number;
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

/** The columns of a table that the graph reads. */
export const largeGraphColumns = 'k bigint, a bigint, b bigint, c bigint, at timestamp(6), changed timestamp(6)';

/**
 * The text of a graph over the table `visit` of the data source `shop`. Every second element has the type `order`.
 * Each element is related to the next one, with events shared in both directions; paths follow these relationships.
 */
export function largeTrinoGraph({ elements, naming, paths, stepsOfPath, entities }: GraphSize): string {
  const typeOf = (element: number): string => (element % 2 === 0 ? 'order' : `thing${element}`);
  const named =
    ', correlatesWith: [{ entityType: order, key: a }, { entityType: guest, key: b }, { entityType: guest, key: c }]';
  const element = (n: number): string =>
    `  - { activityName: A${n}, dataObject: visit, key: k, entityType: ${typeOf(n)}, startTimestamp: at, changeTimestamp: changed, sequence: a, properties: [b]${n <= naming ? named : ''} }`;
  const relationship = (n: number): string =>
    `  - { name: R${n}, source: A${n}, target: A${n + 1}, mappings: [{ source: a, target: b }] }`;
  const path = (n: number): string =>
    `  - { name: P${n}, source: A${n}, target: A${n + stepsOfPath}, path: [${numbers(stepsOfPath)
      .map((step) => `R${n + step - 1}`)
      .join(', ')}] }`;
  const entry = (n: number): string =>
    `  - { name: E${n}, entityType: ${n === 1 ? 'guest' : `kind${n}`}, dataObject: visit, key: a, properties: [b] }`;
  return [
    'version: 1\nname: Large\ndataSource: shop\nelements:',
    ...numbers(elements).map(element),
    ...(entities === 0 ? [] : ['entities:', ...numbers(entities).map(entry)]),
    'relationships:',
    ...numbers(elements - 1).map(relationship),
    ...numbers(paths).map(path),
    '',
  ].join('\n');
}
