import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type ImportNote, type NotedNumber, noteText } from '../../protocol/import-notes.ts';
import { numberSql } from '../../server/src/event-graph/number-sql.ts';
import { readOverview } from '../../server/src/event-graph/read-overview.ts';
import { showQuery, testQuery } from '../../server/src/operations/queries/query-operations.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { type ImportedProject, csvSources, postgresqlSources, withGraph } from '../support/import-text.ts';
import { sharedPostgres } from '../support/postgres.ts';

const graph = `version: 1
name: Test
dataSource: shop
elements:
  - activityName: Place Order
    dataObject: orders
    key: id
    startTimestamp: placed
    changeTimestamp: changed
    activityColumn: state
    joins: LEFT JOIN lines ON lines.order_id = orders.id
    expect: { unique: [note], notNull: [note], values: { state: [new, paid] }, rows: 1..3 }
    correlatesWith: [{ entityType: customer, key: customer }]
  - activityName: Call
    dataObject: calls
    key: id
    startTimestamp: called
    endTimestamp: ended
    ownEntity: false
    correlatesWith: [{ entityType: customer, key: customer }]
entities:
  - { entityType: customer, dataObject: customers, key: id, properties: [label] }
`;

const tables: Readonly<Record<string, readonly string[]>> = {
  orders: [
    'id:int,placed:timestamp,changed:timestamp,state:text,note:text,customer:text',
    '1,1850-01-01 10:00:00,1849-01-01 10:00:00,new,a,A',
    '2,2024-01-02 10:00:00,,paid,a,X',
    '3,2999-01-03 10:00:00,2999-01-04 10:00:00,,b,Y',
    '4,2024-01-04 10:00:00,,lost,,A',
    ',2024-01-05 10:00:00,,new,c,A',
  ],
  lines: ['order_id:int,line:int', '2,1', '2,2', '4,1'],
  calls: [
    'id:int,called:timestamp,ended:timestamp,customer:text',
    '1,2024-02-01 10:00:00,2024-02-01 09:00:00,A',
    '2,2024-02-02 10:00:00,,',
  ],
  customers: ['id:text,label:text', 'A,Ann', 'A,Anna', ',Nobody', 'B,Bob', 'B,Bob', 'C,', 'C,Cy'],
};

const csvFiles = Object.fromEntries(
  Object.entries(tables).map(([name, [header = '', ...rows]]) => [
    `${name}.csv`,
    [header.replaceAll(/:\w+/g, ''), ...rows, ''].join('\n'),
  ]),
);

function createTables(): string {
  return Object.entries(tables)
    .map(([name, [header = '', ...rows]]) => {
      const values = rows.map((row) => `(${row.split(',').map((cell) => (cell === '' ? 'NULL' : `'${cell}'`))})`);
      const columns = header.replaceAll(/:\w+/g, '');
      return `CREATE TABLE ${name} (place serial PRIMARY KEY, ${header.replaceAll(':', ' ')}); INSERT INTO ${name} (${columns}) VALUES ${values.join(', ')};`;
    })
    .join('\n');
}

/** What the number of each warning opens: as many rows, events or entities as it says, unless another number is given. */
const expected: readonly (readonly [warning: string, opened: readonly number[]])[] = [
  ['The joins of "Place Order" make 5 rows with a time of 4 (× 1.25): each of them is an event.', [5]],
  ['1 of 6 rows of "Place Order" have no key and are left out.', [1, 6]],
  ['1 of 6 rows of "Place Order" change before they start.', [1, 6]],
  ['1 of 6 rows of "Place Order" have nothing in state: their events are called "Place Order".', [1, 6]],
  ['1 of 2 rows of "Call" end before they start: these ends are no events.', [1, 2]],
  ['3 of 5 rows of "Place Order" share a value of note, which should be unique: "a" in 3.', [3]],
  ['1 of 6 rows of "Place Order" has no note, which is expected in every row (the first has the key 4).', [1]],
  ['1 of 5 rows of "Place Order" has another state than expected: "lost" in 1.', [1]],
  ['"Place Order" has 6 rows, but 1 to 3 are expected.', [6]],
  ['1 of 7 rows of "customer" have no key and are left out.', [1, 7]],
  // "Ann" and a missing value, each with the row that counts. Both rows of B are the same.
  ['2 of 7 rows of "customer" repeat a key with other values: the last row of each key counts.', [4, 7]],
  [
    '2 keys of "Place Order" in customer match no customer that something else makes: they are entities without properties.',
    [2],
  ],
  ['1 event of "Call" belongs to no entity: its row names none.', [1]],
  ['2 events are before 1900, the first at 1849-01-01T10:00:00.000000Z.', [2]],
  ['2 events are ten years and more ahead, the last at 2999-01-04T10:00:00.000000Z.', [2]],
];

describe('numbers of warnings', () => {
  async function check(project: ImportedProject): Promise<void> {
    const { status, error, warnings, notes = [] } = await project.import();
    assert.equal(status, 'imported', error?.message);
    assert.deepEqual(notes.map(noteText), warnings);
    assert.deepEqual(
      warnings,
      expected.map(([warning]) => warning),
    );
    const context = {
      permitUses: permitAllUses,
      readSecret: async () => 'postgres',
      environment: process.env,
      workspaceFolderOf: () => project.folder,
    };
    const file = await readGraphFile(join(project.folder, 'graph.entity.yaml'), context);
    const countOf = async ({ of, count }: NotedNumber): Promise<number> => {
      if (of.kind === 'sourceRows') {
        const { steps } = await showQuery(file, of.target, context);
        assert.ok(steps.some(({ role }) => role === 'core'));
        return (await testQuery(file, of.target, context)).rows.length;
      }
      const sql = numberSql({ number: of, filter: {} });
      assert.deepEqual(await project.rows(sql.number), [[String(count)]], sql.number);
      const [events, entities] = [await project.rows(sql.events), await project.rows(sql.entities)];
      return of.kind === 'namedOnly' ? entities.length : events.length;
    };
    const numbersOf = (note: ImportNote): readonly NotedNumber[] => note.filter((part) => typeof part !== 'string');
    for (const [index, [warning, opened]] of expected.entries()) {
      const counts: number[] = [];
      for (const number of numbersOf(notes[index] ?? [])) counts.push(await countOf(number));
      assert.deepEqual(counts, opened, warning);
    }
    const stored = await project.read((store) => readOverview(store, 'store.duckdb', {}));
    assert.deepEqual(stored.notes, notes);
  }

  it('open the rows, events and entities that they count, with files', () =>
    withGraph({ 'entity-sources.yaml': csvSources(), 'graph.entity.yaml': graph, ...csvFiles }, check));

  it('open the rows, events and entities that they count, with a database', async () => {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    await server.query(database, createTables());
    const files = { 'entity-sources.yaml': postgresqlSources(server, database), 'graph.entity.yaml': graph };
    await withGraph(files, check);
  });
});
