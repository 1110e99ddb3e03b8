import assert from 'node:assert/strict';
import type { Catalog, Column } from '../../../../server/src/catalog/catalog.ts';
import { knownColumns } from '../../../../server/src/connectors/servicenow/explore.ts';

const column = (name: string, more: Partial<Column> = {}): Column => ({
  ...{ name, type: 'VARCHAR', sense: 'text', nullable: true, primaryKey: false },
  ...more,
});
const values = [{ value: '1', label: 'New' }];

describe('columns offered by the API explorer for ServiceNow', () => {
  it('are the columns that can be requested, with stored values', () => {
    const objects = [
      {
        ...({ name: 'incident', kind: 'table', path: ['incident'], primaryKey: [], foreignKeys: [] } as const),
        columns: [
          column('state', { sourceType: 'integer', values, comment: 'State' }),
          column('dv_state', { comment: 'State as shown' }),
          column('impact', { values }),
        ],
        statistics: { columnCount: 3 },
      },
      {
        ...({ name: 'outages', kind: 'endpoint', path: ['outages'], primaryKey: [], foreignKeys: [] } as const),
        columns: [column('id')],
        statistics: { columnCount: 1 },
      },
    ];
    const catalog: Catalog = {
      ...{ dataSource: 'itsm', kind: 'servicenow', dialect: 'duckdb', objects, complete: true, warnings: [] },
      readAt: '2024-01-01T00:00:00Z',
    };
    assert.deepEqual(knownColumns(catalog), {
      incident: [
        { name: 'state', type: 'VARCHAR', label: 'State', values },
        { name: 'impact', type: 'VARCHAR' },
      ],
    });
    assert.deepEqual(knownColumns(undefined), {});
  });
});
