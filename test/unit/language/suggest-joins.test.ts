import assert from 'node:assert/strict';
import type { Catalog, DataObject } from '../../../server/src/catalog/catalog.ts';
import { suggestJoins, suggestJoinsOf } from '../../../server/src/language/completion/suggest-joins.ts';
import type { EntitySource } from '../../../server/src/model/entity-graph.ts';
import { catalog as shop } from './shop-catalog.ts';

function object(
  name: string,
  keys: readonly string[],
  columns: readonly string[],
  references: readonly (readonly [string, string])[] = [],
): DataObject {
  return {
    name,
    kind: 'table',
    path: [name],
    columns: columns.map((each) => ({
      name: each,
      type: 'integer',
      sense: 'integer',
      nullable: false,
      primaryKey: keys.includes(each),
    })),
    primaryKey: keys,
    foreignKeys: references.map(([column, other]) => ({
      name: `${name}_${column}_fk`,
      columns: [column],
      references: { dataObject: other, columns: ['id'] },
    })),
    statistics: { columnCount: columns.length },
  };
}

const catalog: Catalog = {
  ...shop,
  objects: [
    object('orders', ['id'], ['id', 'customer_id'], [['customer_id', 'customers']]),
    object('customers', ['id'], ['id']),
    object('products', ['id'], ['id']),
    object(
      'order_lines',
      ['id'],
      ['id', 'order_id', 'product_id'],
      [
        ['order_id', 'orders'],
        ['product_id', 'products'],
      ],
    ),
    object('invoices', ['number'], ['number', 'order_id']),
  ],
};

describe('suggestJoins', () => {
  it('follows a foreign key', () => {
    assert.deepEqual(
      suggestJoins(catalog, 'orders', 'customers'),
      [
        { reason: 'foreign key orders_customer_id_fk', mappings: [{ source: 'customer_id', target: 'id' }] },
        { reason: 'same name', mappings: [{ source: 'customer_id', target: 'id' }] },
      ].slice(0, 1),
    );
  });
  it('follows a foreign key backwards', () => {
    assert.deepEqual(suggestJoins(catalog, 'customers', 'orders')[0]?.mappings, [
      { source: 'id', target: 'customer_id' },
    ]);
  });
  it('finds a cross table', () => {
    assert.deepEqual(suggestJoins(catalog, 'orders', 'products'), [
      {
        reason: 'through order_lines',
        mappings: [],
        crossTable: {
          dataObject: 'order_lines',
          sourceMappings: [{ column: 'id', cross: 'order_id' }],
          targetMappings: [{ column: 'id', cross: 'product_id' }],
        },
      },
    ]);
  });
  it('matches a column named like the key of the other table', () => {
    assert.deepEqual(suggestJoins(catalog, 'invoices', 'orders'), [
      { reason: 'same name', mappings: [{ source: 'order_id', target: 'id' }] },
    ]);
  });
  it('suggests nothing for unknown objects, nor between two ids', () => {
    assert.deepEqual(suggestJoins(catalog, 'orders', 'nothing'), []);
    assert.deepEqual(suggestJoins(catalog, 'customers', 'products'), []);
  });
});

describe('suggestJoins › of several data sources', () => {
  const located = (value: string) => ({ value, range: { start: 0, end: 0 } });
  const entry = (dataObject: string, dataSource?: string) =>
    ({
      dataObject: located(dataObject),
      ...(dataSource === undefined ? {} : { dataSource: located(dataSource) }),
    }) as EntitySource;
  const main: Catalog = { ...catalog, dataSource: 'files', objects: [object('orders', ['id'], ['id'])] };
  const all = { ...main, others: [{ ...catalog, dataSource: 'erp' }] };

  it('names the data source of a cross table that is not that of the file', () => {
    const [join] = suggestJoinsOf(all, entry('orders', 'erp'), entry('products', 'erp'));
    assert.deepEqual(join?.crossTable, {
      dataSource: 'erp',
      dataObject: 'order_lines',
      sourceMappings: [{ column: 'id', cross: 'order_id' }],
      targetMappings: [{ column: 'id', cross: 'product_id' }],
    });
  });

  it('names the data source of the file if another one has a table of that name', () => {
    const namedOf = (others: readonly Catalog[]) =>
      suggestJoinsOf({ ...catalog, others }, entry('orders'), entry('products'))[0]?.crossTable;
    assert.equal(namedOf([main])?.dataObject, 'order_lines');
    assert.equal(namedOf([main])?.dataSource, undefined);
    assert.equal(namedOf([{ ...catalog, dataSource: 'erp' }])?.dataSource, 'shop');
  });

  it('suggests nothing for entries of different data sources, whose foreign keys refer to other tables', () => {
    assert.deepEqual(suggestJoinsOf(all, entry('orders'), entry('customers', 'erp')), []);
  });
});
