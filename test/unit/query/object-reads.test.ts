import assert from 'node:assert/strict';
import type { Catalog } from '../../../server/src/catalog/catalog.ts';
import { mergedReads, objectReads, serves, type RowSource } from '../../../server/src/query/object-reads.ts';

const catalog: Catalog = {
  dataSource: 'itsm',
  kind: 'servicenow',
  dialect: 'duckdb',
  isFetched: true,
  complete: true,
  readAt: '2024-01-01T00:00:00Z',
  warnings: [],
  objects: (['incident', 'problem'] as const).map((name) => ({
    name,
    kind: 'table',
    path: [name],
    primaryKey: ['sys_id'],
    foreignKeys: [],
    statistics: { columnCount: 4 },
    columns: ['sys_id', 'state', 'number', 'opened_at'].map((column) => ({
      name: column,
      type: 'VARCHAR',
      sense: 'text',
      nullable: true,
      primaryKey: column === 'sys_id',
    })),
  })),
};

/** One row per query of an element: its joins and where, and then the columns, filters and early stop of each read. */
const cases: readonly (readonly [joins: string | undefined, where: string | undefined, ...reads: string[]])[] = [
  [undefined, undefined, 'incident: sys_id, number | all | leads'],
  [undefined, 'state = 1', 'incident: sys_id, state, number | state = 1 | leads'],
  [
    'JOIN problem AS p ON p.opened_at = incident.opened_at',
    'STATE = 1',
    'incident: sys_id, state, number, opened_at | STATE = 1 | leads',
    'problem: sys_id, state, number, opened_at | all',
  ],
  [
    'JOIN (SELECT * FROM problem) AS p ON true',
    undefined,
    'incident: sys_id, state, number, opened_at | all | leads',
    'problem: sys_id, state, number, opened_at | all',
  ],
  // Rows removed by the filter would be missed by the join, or replaced by NULLs.
  ['JOIN incident AS twin USING (sys_id)', 'incident.state = 1', 'incident: sys_id, state, number | all'],
  [
    'FULL JOIN problem AS p USING (sys_id)',
    'state = 1',
    'incident: sys_id, state, number | all',
    'problem: sys_id, state, number | all',
  ],
  [undefined, 'state = (SELECT max(state) FROM incident)', 'incident: sys_id, state, number | all'],
];

describe('object reads of a query', () => {
  for (const [joins, where, ...expected] of cases) {
    it(`of ${joins ?? 'no joins'}, ${where ?? 'no filter'}`, () => {
      const texts = [joins, where].filter((text) => text !== undefined);
      const sql = `SELECT "incident"."number" FROM "incident" AS "incident"\n${joins ?? ''}\nWHERE (\n${where ?? 'true'}\n)`;
      const dataObjects = joins?.includes('problem') ? ['incident', 'problem'] : ['incident'];
      const reads = objectReads({ sql, dataObjects }, [{ dataObject: 'incident', joins, where }], texts, catalog) ?? [];
      const shown = reads.map(
        ({ dataObject, columns, filters, leads }) =>
          `${dataObject}: ${columns.map(({ name }) => name).join(', ')} | ${filters?.join(' or ') ?? 'all'}${leads ? ' | leads' : ''}`,
      );
      assert.deepEqual(shown, expected);
    });
  }

  it('read all rows where a window function computes one from others', () => {
    const query = { sql: 'SELECT number, opened_at FROM incident', dataObjects: ['incident'] };
    const leads = (expression: string) =>
      objectReads(query, [{ dataObject: 'incident' }], [expression], catalog)?.map((read) => read.leads);
    assert.deepEqual(leads('opened_at'), [true]);
    assert.deepEqual(leads('max(opened_at) OVER (PARTITION BY state)'), [false]);
    assert.deepEqual(leads('lag(opened_at) over w'), [false]);
  });

  it('do not exist for files and databases', () => {
    const query = { sql: 'SELECT 1', dataObjects: ['incident'] };
    for (const dialect of ['duckdb', 'postgresql'] as const) {
      assert.equal(objectReads(query, [], [], { ...catalog, dialect, isFetched: false }), undefined);
    }
  });

  it('are merged into one that serves all queries', () => {
    const reads = (where: string | undefined, sql: string): RowSource & { readonly sql: string } => ({
      dataObject: 'incident',
      where,
      sql,
    });
    const each = [reads('state = 1', 'SELECT number'), reads('state = 2', 'SELECT opened_at')].flatMap(
      ({ sql, ...place }) => objectReads({ sql, dataObjects: ['incident'] }, [place], [], catalog) ?? [],
    );
    const [merged] = mergedReads(each);
    assert.deepEqual(
      [merged?.columns.map(({ name }) => name), merged?.filters],
      [
        ['sys_id', 'number', 'opened_at'],
        ['state = 1', 'state = 2'],
      ],
    );
    assert.ok(merged && each.every((read) => serves(merged, read)));
    const [unfiltered] =
      objectReads({ sql: 'SELECT number', dataObjects: ['incident'] }, [reads(undefined, '')], [], catalog) ?? [];
    assert.ok(merged && unfiltered && !serves(merged, unfiltered));
    assert.equal(mergedReads([merged, unfiltered])[0]?.filters, undefined);
  });
});
