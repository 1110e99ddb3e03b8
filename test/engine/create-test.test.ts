import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NewTest, WantedRows } from '../../protocol/test-rows.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { createTest } from '../../server/src/operations/graph-tests/create-test.ts';
import { readTestRows } from '../../server/src/operations/graph-tests/read-test-rows.ts';
import { runGraphTests } from '../../server/src/operations/graph-tests/run-graph-tests.ts';
import { toOutcome } from '../../server/src/operations/operation-error.ts';
import { type ProjectContext, readGraphFile } from '../../server/src/project/open-project.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { runTestsIn } from '../support/run-tests-in.ts';

const graph = `version: 1
dataSource: shop
elements:
  - { activityName: Place Order, entityType: order, dataObject: orders, key: [shop, number], startTimestamp: placed, properties: [email], where: is_open }
  - { activityName: Ship Order, entityType: order, dataObject: orders, key: [shop, number], startTimestamp: shipped }
  - { activityName: Call, entityType: order, dataObject: calls, key: [shop, number], startTimestamp: called }
rules:
  - { name: Shipped, each: { entityType: order }, expect: [{ activity: Ship Order }] }
`;
const files = {
  'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n',
  'orders.csv': `shop,number,email,is_open,placed,shipped,note
a,001,x@y.example,true,2024-01-01 10:00:00,,secret
a,002,x@y.example,true,2024-01-02 10:00:00,2024-01-03 10:00:30,secret
b,001,z@y.example,false,2024-01-04 10:00:00,2024-01-05 10:00:00,secret
`,
  'calls.csv': 'shop,number,called,text\na,001,2024-01-09 10:00:00,hello\na,002,2024-01-09 11:00:00,hello\n',
  'shop.entity.yaml': graph,
};

describe('tests made of rows', () => {
  let folder: string;
  let projectContext: ProjectContext;
  before(async () => {
    folder = await folderWith(files);
    const none = async (): Promise<undefined> => undefined;
    projectContext = {
      ...{ permitUses: permitAllUses, readSecret: none, environment: {} },
      workspaceFolderOf: () => folder,
    };
  });
  after(() => removeFolder(folder));
  const { signal } = new AbortController();

  const shop = () => readGraphFile(join(folder, 'shop.entity.yaml'), projectContext);
  const read = async (wanted: WantedRows) => readTestRows(await shop(), wanted, projectContext, { signal });
  async function create(test: NewTest) {
    return createTest(await shop(), test, projectContext, (file, only) => {
      const openText = (path: string) => (path === file.path ? file.text : undefined);
      return toOutcome(() =>
        runGraphTests(file.path, { ...projectContext, openText }, { signal, only: new Set(only) }),
      );
    });
  }
  const place = { kind: 'element', name: 'Place Order' } as const;

  it('have the columns that the graph names, also in SQL, of the chosen rows, and expect what comes of them', async () => {
    const columns = ['shop', 'number', 'placed', 'email'];
    const rows = await read({
      targets: [place],
      chosen: { columns, rows: [['a', '002', '2024-01-02T10:00:00.000000Z', 'x@y.example']] },
    });
    const { path, text, offset, notRun } = await create({ ...rows, name: 'one order', masked: [] });
    assert.deepEqual([path, offset, notRun], [join(folder, 'shop.entity.test.yaml'), undefined, undefined]);
    assert.equal(
      text,
      `graph: shop.entity.yaml
tests:
  - name: one order
    columns:
      orders: { placed: TIMESTAMP, shipped: TIMESTAMP }
    given:
      orders:
        - { shop: a, number: "002", email: "x@y.example", is_open: true, placed: 2024-01-02T10:00:00Z, shipped: 2024-01-03T10:00:30Z }
    expect:
      events:
        - { activity: Place Order, entity: [a, 002], time: 2024-01-02T10:00:00Z }
        - { activity: Ship Order, entity: [a, 002], time: 2024-01-03T10:00:30Z }
      directlyFollows:
        - [Place Order, Ship Order]
`,
    );
    await writeFile(path, text);
    const { tests, problems } = await runTestsIn(folder, 'shop.entity.test.yaml');
    assert.deepEqual([tests.map(({ outcome }) => outcome), problems], [['passed'], []]);
  });

  it('have all rows of an entity that breaks a rule, with other values in masked columns', async () => {
    const only = { kind: 'key', key: '["a","001"]' } as const;
    const targets = ['Place Order', 'Ship Order', 'Call'].map((name) => ({ kind: 'element' as const, name, only }));
    const rows = await read({ targets });
    assert.deepEqual(
      rows.objects.map(({ dataObject, columns, rows: { length } }) => [
        dataObject,
        columns.map(({ name }) => name),
        length,
      ]),
      [
        ['orders', ['shop', 'number', 'email', 'is_open', 'placed', 'shipped'], 1],
        ['calls', ['shop', 'number', 'called'], 1],
      ],
    );
    const masked = ['orders', 'calls'].flatMap((dataObject) =>
      ['number', 'email'].map((column) => ({ dataObject, column })),
    );
    const { text, offset, path } = await create({ ...rows, name: 'one order', masked, rule: 'Shipped' });
    const before = await readGraphFile(path, projectContext);
    assert.equal(offset, before.text.trimEnd().length);
    assert.match(text, /^\n {2}- name: one order \(2\)\n/u);
    assert.equal(text.split('masked 1').length, 5, text);
    assert.doesNotMatch(text, /001|@|hello|secret/u);
    assert.match(text, /\n {6}rules: \{ Shipped: \{ broken: 1 \} \}$/u);
    await writeFile(path, before.text.slice(0, offset) + text + before.text.slice(offset));
    const { tests, problems } = await runTestsIn(folder, 'shop.entity.test.yaml');
    assert.deepEqual([tests.map(({ outcome }) => outcome), problems], [['passed', 'passed'], []]);
  });

  it('are refused for rows that are not there any more', async () => {
    const gone = read({ targets: [place], chosen: { columns: ['shop'], rows: [['c'], ['a']] } });
    await assert.rejects(gone, /1 of the 2 rows are not there any more/u);
    const only = { kind: 'key', key: '["c","1"]' } as const;
    await assert.rejects(read({ targets: [{ ...place, only }] }), /not in the data source any more/u);
  });
});
