import type { Catalog, Column, ColumnSense, DataObject } from '../../../server/src/catalog/catalog.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';

/** Two tables and their sources file. */
export const sources = parseDataSources(
  'version: 1\ndataSources:\n  shop: { kind: postgresql, database: shop, user: me }\n  files: { kind: csv, path: "*.csv" }\n',
).sources;

export const catalog: Catalog = {
  dataSource: 'shop',
  kind: 'postgresql',
  dialect: 'postgresql',
  complete: true,
  readAt: '2024-01-01T00:00:00.000Z',
  warnings: [],
  unreadable: ['salaries'],
  objects: [
    object(
      'orders',
      ['id'],
      [
        column('id', 'integer', 'integer', { primaryKey: true, nullable: false }),
        column('customer_id', 'integer', 'integer', { references: { dataObject: 'customers', column: 'id' } }),
        column('note', 'text', 'text', {
          ...{ comment: 'Free *text*', nullShare: 0.25, distinctEstimate: 1200 },
          samples: ['fragile', 'a `gift`'],
        }),
        column('placed_at', 'timestamp without time zone', 'timestamp', { nullable: false }),
        column('shipped_on', 'date', 'date'),
      ],
    ),
    object(
      'customers',
      [],
      [column('id', 'integer', 'integer'), column('name', 'text', 'text'), column('since', 'date', 'date')],
    ),
  ],
};

function object(name: string, primaryKey: readonly string[], columns: readonly Column[]): DataObject {
  const statistics = { columnCount: columns.length, rowEstimate: 6000, dataSize: 123456 };
  return { name, kind: 'table', path: ['public', name], columns, primaryKey, foreignKeys: [], statistics };
}

function column(name: string, type: string, sense: ColumnSense, more: Partial<Column> = {}): Column {
  return { name, type, sense, nullable: true, primaryKey: false, ...more };
}
