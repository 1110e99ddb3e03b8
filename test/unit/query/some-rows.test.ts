import assert from 'node:assert/strict';
import type { Column } from '../../../server/src/catalog/catalog.ts';
import type { MasterDataQuery } from '../../../server/src/query/compiled-query.ts';
import { someRows } from '../../../server/src/query/some-rows.ts';

const column: Column = { name: 'id', type: 'VARCHAR', sense: 'text', nullable: true, primaryKey: false };

const query: MasterDataQuery = {
  kind: 'entities',
  select: { items: [], rows: { from: { path: [], alias: '' } } },
  dialect: 'duckdb',
  sql: 'SELECT "id" FROM "o" AS "o"',
  columns: ['id'],
  dataObjects: ['o'],
  fragments: [],
  references: [],
  known: [{ name: 'id', column: 'id', type: 'VARCHAR', sense: 'text' }],
  roles: { key: ['id'], properties: [] },
  reads: [{ dataObject: 'o', columns: [column], leads: true }],
};

describe('some rows of a query', () => {
  it('are selected from all records if a condition compares rows with each other', () => {
    const leads = (kind: 'repeatedKey' | 'withoutKey') =>
      someRows(query, { kind }, 'UTC')?.reads?.map((read) => read.leads);
    assert.deepEqual([leads('repeatedKey'), leads('withoutKey')], [[false], [true]]);
  });

  it('are selected by a key, comparing the text of each of its parts', () => {
    const known = ['id', 'line'].map((name) => ({ name, column: name, type: 'VARCHAR', sense: 'text' as const }));
    const lines = { ...query, columns: ['id', 'line'], known, roles: { key: ['id', 'line'], properties: [] } };
    const condition = (of: MasterDataQuery, key: string) =>
      someRows(of, { kind: 'key', key }, 'UTC')?.sql.split('WHERE ')[1];
    assert.deepEqual(
      [condition(query, "o'1"), condition(lines, '["1","a"]'), condition(lines, '["1"]'), condition(lines, 'not JSON')],
      [
        `CAST(("id") AS VARCHAR) = 'o''1'`,
        `CAST(("id") AS VARCHAR) = '1' AND CAST(("line") AS VARCHAR) = 'a'`,
        undefined,
        undefined,
      ],
    );
  });

  it('are undefined if the type of a compared column is unknown', () => {
    assert.equal(someRows({ ...query, known: [] }, { kind: 'repeatedKey' }, 'UTC'), undefined);
  });
});
