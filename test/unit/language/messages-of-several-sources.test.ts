import assert from 'node:assert/strict';
import type { Catalog } from '../../../server/src/catalog/catalog.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { combineCatalogs } from '../../../server/src/project/combine-catalogs.ts';
import { catalog as shop } from './shop-catalog.ts';

describe('messages about a data object of a graph with several data sources', () => {
  const { sources } = parseDataSources(`version: 1
dataSources:
  shop: { kind: postgresql, database: shop, user: u, password: "\${secret:shop}" }
  store: { kind: mysql, database: store, user: u, password: "\${secret:store}" }
`);
  const withoutKeys: Catalog = {
    ...{ ...shop, dataSource: 'store', kind: 'mysql', dialect: 'mysql' },
    objects: shop.objects.map((object) => ({ ...object, primaryKey: [] })),
  };

  /** The messages of a graph whose elements are both of `orders`, with the places that they refer to. */
  function messages(
    { place = '', take = '', relationships = '' }: Partial<Record<'place' | 'take' | 'relationships', string>>,
    store = withoutKeys,
  ): readonly string[] {
    const text = `version: 1
dataSource: shop
dataObjects: [orders, { source: store, objects: [orders] }]
elements:
  - { activityName: Place Order, dataSource: shop, dataObject: orders, entityType: order, startTimestamp: placed_at${place} }
  - { activityName: Take Order, dataSource: store, dataObject: orders, entityType: taken, startTimestamp: placed_at${take} }
${relationships}`;
    const parsed = parseEntityGraph(text);
    const known = new Map([
      ['shop', shop],
      ['store', store],
    ]);
    const catalog = combineCatalogs(parsed.graph, sources, ({ name }) => known.get(name.value));
    return validateEntityGraph({ text, parsed, sources, catalog })
      .filter(({ code }) => ['unknown-column', 'missing-key', 'unknown-data-object'].includes(code))
      .map(({ message, related = [] }) => [message, ...related.map((each) => each.message)].join(' | '));
  }

  it('an unknown column names the data source beside the data object', () => {
    assert.deepEqual(messages({ place: ', properties: [elephant]', take: ', key: [elephant]' }), [
      '"elephant" is neither a column of "orders" of shop nor, as alias.column, of a joined table. Correct the name, or join the table.',
      '"elephant" is neither a column of "orders" of store nor, as alias.column, of a joined table. Correct the name, or join the table.',
    ]);
  });

  it('many unknown columns name it, too', () => {
    const names = Array.from({ length: 103 }, (_, index) => `elephant_${index}`);
    assert.equal(
      messages({ take: `, key: [id], properties: [${names.join(', ')}]` }).at(-1),
      '"elephant_100" and 2 other names here are neither columns of "orders" of store nor, as alias.column, of a joined table. Correct the names, or join the table.',
    );
  });

  it('an unknown column of a joined table names it', () => {
    assert.deepEqual(messages({ take: ', key: [customers.elephant], joins: "JOIN customers ON true"' }), [
      '"customers" of store, which is joined as "customers", has no column for "customers.elephant". Correct the name.',
    ]);
  });

  it('a missing key names it', () => {
    assert.deepEqual(messages({}), [
      '"orders" of store has no primary key to identify the entity by. Add the element\'s "key".',
    ]);
  });

  it('unknown lists of columns name it', () => {
    const store = { ...withoutKeys, objects: withoutKeys.objects.map((object) => ({ ...object, columns: [] })) };
    assert.deepEqual(messages({ take: ', key: [id], properties: all' }, store), [
      'The columns of "orders" of store are not known, so "all" cannot be listed. Refresh the data source, or list the properties.',
    ]);
  });

  it('a mapping names it, and so does the position that should have the column', () => {
    const relationships = `relationships:
  - { name: same, source: Place Order, target: Take Order, mappings: [{ source: id, target: elephant }] }
`;
    assert.deepEqual(messages({ take: ', key: [id]', relationships }), [
      '"elephant" is neither a column of "orders" of store nor, as alias.column, of a joined table. Correct the name, or join the table. | It should be a column of this element, whose data object is "orders" of store.',
    ]);
  });

  it('a graph of one data source names the data object alone', () => {
    const text = `version: 1
dataSource: shop
elements:
  - { activityName: Place Order, dataObject: orders, startTimestamp: elephant }
`;
    const parsed = parseEntityGraph(text);
    const catalog = combineCatalogs(parsed.graph, sources, () => shop);
    const found = validateEntityGraph({ text, parsed, sources, catalog });
    assert.deepEqual(
      found.filter(({ code }) => code === 'unknown-column').map(({ message }) => message),
      [
        '"elephant" is neither a column of "orders" nor, as alias.column, of a joined table. Correct the name, or join the table.',
      ],
    );
  });
});
