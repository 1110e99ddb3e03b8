import assert from 'node:assert/strict';
import type { ImportRequest } from '../../protocol/import-request.ts';
import { readOverview } from '../../server/src/event-graph/read-overview.ts';
import { openScratch } from '../../server/src/store/duckdb-store.ts';
import { csvSources, withProject } from '../support/import-text.ts';
import { openedText } from '../support/opened-numbers.ts';

type Files = Readonly<Record<string, readonly string[]>>;

/** The warnings of an import of files: numbers that open as many rows as they say in brackets. */
function warnings(elements: readonly string[], files: Files, request: ImportRequest = { kind: 'build' }) {
  const graph = ['version: 1', 'name: Test', 'dataSource: shop', 'elements:', ...elements, ''].join('\n');
  const texts = Object.entries(files).map(([name, lines]) => [`${name}.csv`, [...lines, ''].join('\n')]);
  const project = { 'entity-sources.yaml': csvSources(), 'graph.entity.yaml': graph, ...Object.fromEntries(texts) };
  return withProject(project, async (imported) => {
    const { status, error, notes = [] } = await imported.import({ request });
    assert.equal(status, 'imported', error?.message);
    const opened: string[] = [];
    for (const note of notes) opened.push(await openedText(imported, note));
    return opened;
  });
}

const order =
  '  - { activityName: Order, dataObject: orders, key: id, startTimestamp: placed, changeTimestamp: changed }';

describe('numbers of warnings about rows of files', () => {
  it('are no links if times are texts, which sort unlike times', async () => {
    const orders = [
      'id,placed,changed',
      '1,2024-01-01T10:00:00,2024-01-01 12:00:00',
      '2,2024-01-01 10:00:00,2023-12-01 10:00:00',
      '3,2024-01-01T10:00:00+02:00,2024-01-01T09:00:00Z',
      '4,2024-01-01T10:00:00Z,2024-01-01T11:00:00+03:00',
    ];
    assert.deepEqual(await warnings([order], { orders }), ['2 of [4] rows of "Order" change before they start.']);
  });

  it('are no links if a row has two infinite times', async () => {
    const orders = ['id,placed,changed', '1,infinity,infinity', '2,2024-01-01,Infinity', '3,2024-01-01,'];
    assert.deepEqual(await warnings([order], { orders }), [
      '3 timestamps of "Order" are infinite and count as missing.',
    ]);
  });

  it('are no links if only a part of the rows was read', async () => {
    const joined = order.replace('changeTimestamp: changed', 'joins: LEFT JOIN lines ON lines.order_id = orders.id');
    const files = {
      orders: ['id,placed', '1,2024-01-01', ',2024-02-01', '2,2024-02-01', ',2024-03-01'],
      lines: ['order_id,line', '1,1', '1,2', '2,1', '2,2'],
    };
    const since = '2024-01-15T00:00:00.000Z';
    assert.deepEqual(await warnings([joined], files, { kind: 'build', since }), [
      'The joins of "Order" make 4 rows with a time of 2 (× 2): each of them is an event.',
      '2 of 6 rows of "Order" have no key and are left out.',
    ]);
    const [sampled, ...others] = await warnings([joined], files, { kind: 'build', sample: 6 });
    assert.deepEqual([sampled, others], ['2 of 6 rows of "Order" have no key and are left out.', []]);
  });

  it('open the rows of a property that is renamed to another column of the file', async () => {
    const element =
      '  - { activityName: Order, dataObject: orders, key: id, startTimestamp: placed, properties: [{ column: b, name: a }], expect: { unique: [a], values: { a: [x] } } }';
    const orders = ['id,placed,a,b', '1,2024-01-01,x,u', '2,2024-01-01,x,v', '3,2024-01-01,y,v', '4,2024-01-01,z,v'];
    assert.deepEqual(await warnings([element], { orders }), [
      '[2] of 4 rows of "Order" share a value of a, which should be unique: "x" in 2.',
      '[2] of 4 rows of "Order" have another a than expected: "y" in 1, "z" in 1.',
    ]);
  });
});

const join = '  - { activityName: Join, entityType: customer, dataObject: customers, key: id, startTimestamp: joined }';
const call = (keys: readonly string[]): string =>
  `  - { activityName: Call, dataObject: calls, key: id, startTimestamp: called, correlatesWith: [${keys.map((key) => `{ entityType: customer, key: ${key} }`).join(', ')}] }`;

const unmatched = ' in a match no customer that something else makes: they are entities without properties.';

describe('numbers of keys that match nothing', () => {
  const calls = ['id,called,a,b', '1,2024-01-20,A,A', '2,2024-02-20,X,A', '3,2024-03-20,Y,Z'];
  const customers = ['id,joined', 'A,2024-01-01'];

  it('open their entities', async () => {
    assert.deepEqual(await warnings([join, call(['a'])], { customers, calls }), [`[2] keys of "Call"${unmatched}`]);
  });

  it('are no links if a row without start has or names such a key', async () => {
    const late = [...calls, '4,,W,'];
    assert.deepEqual(await warnings([join, call(['a'])], { customers, calls: late }), [
      '3 keys of "Call" in a match no customer that something else makes: they are entities without properties.',
    ]);
    assert.deepEqual(await warnings([join, call(['a'])], { customers: [...customers, 'X,'], calls }), [
      '1 key of "Call" in a matches no customer that something else makes: it is an entity without properties.',
    ]);
  });

  it('are no links if several correlations have one qualifier', async () => {
    assert.deepEqual(await warnings([join, call(['a', 'b'])], { customers, calls }), [
      `2 keys of "Call"${unmatched}`,
      '1 key of "Call" in b matches no customer that something else makes: it is an entity without properties.',
    ]);
  });

  it('are left out if only a part of the events was imported', async () => {
    const since = '2024-02-01T00:00:00.000Z';
    assert.deepEqual(await warnings([join, call(['a'])], { customers, calls }, { kind: 'build', since }), []);
  });
});

describe('warnings of a damaged run record', () => {
  const graph = ['version: 1', 'name: Test', 'dataSource: shop', 'elements:', join, ''].join('\n');
  const files = {
    'entity-sources.yaml': csvSources(),
    'graph.entity.yaml': graph,
    'customers.csv': 'id,joined\n,2024-01-01\n',
  };
  const sentence = '1 of 1 rows of "Join" have no key and are left out.';
  const wrong = [
    '{"notes":"abc"}',
    '{"notes":[1,null]}',
    '{"notes":[[{"count":1,"of":{"kind":"other"}}]]}',
    '[]',
    '5',
    'null',
  ];

  for (const counts of wrong) {
    it(`are sentences with the counts ${counts}`, () =>
      withProject(files, async (project) => {
        const { store = '' } = await project.import();
        const database = await openScratch();
        try {
          await database.run(`ATTACH '${store}' AS stored`);
          await database.run(`UPDATE stored.run SET counts = '${counts}'`);
        } finally {
          await database.close();
        }
        const { notes } = await project.read((reader) => readOverview(reader, 'store.duckdb', {}));
        assert.deepEqual(notes, [[sentence]]);
      }));
  }
});
