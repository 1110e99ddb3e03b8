import assert from 'node:assert/strict';
import type { Catalog, DataObject } from '../../../server/src/catalog/catalog.ts';
import { suggestJoins } from '../../../server/src/language/completion/suggest-joins.ts';
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
