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
import { folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';
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
  'zoned.entity.yaml': graph.replace('startTimestamp: placed,', 'startTimestamp: placed, timeZone: Asia/Tokyo,'),
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

  it('contain chosen rows as the data source has them, in whatever time zone the element reads them', async () => {
    const file = await readGraphFile(join(folder, 'zoned.entity.yaml'), projectContext);
    const columns = ['shop', 'number', 'placed', 'email'];
    const chosen = { columns, rows: [['a', '002', '2024-01-02T01:00:00.000000Z', 'x@y.example']] };
    const { objects } = await readTestRows(file, { targets: [place], chosen }, projectContext, { signal });
    const [orders] = objects;
    const at = orders?.columns.findIndex(({ name }) => name === 'placed') ?? -1;
    assert.deepEqual(
      orders?.rows.map((row) => row[at]),
      ['2024-01-02T10:00:00.000000Z'],
    );
  });

  it('contain the chosen rows with the columns that the graph names, also in SQL, and expect their results', async () => {
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
        - { shop: a, number: '002', email: x@y.example, is_open: true, placed: 2024-01-02T10:00:00Z, shipped: 2024-01-03T10:00:30Z }
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
    assert.match(text, /^\n\n {2}- name: one order \(2\)\n/u);
    assert.equal(text.split('masked 1').length, 5, text);
    assert.doesNotMatch(text, /001|@|hello|secret/u);
    assert.match(text, /\n {6}rules: \{ Shipped: \{ broken: 1 \} \}$/u);
    await writeFile(path, before.text.slice(0, offset) + text + before.text.slice(offset));
    const { tests, problems } = await runTestsIn(folder, 'shop.entity.test.yaml');
    assert.deepEqual([tests.map(({ outcome }) => outcome), problems], [['passed', 'passed'], []]);
  });

  it('are refused for rows that no longer exist', async () => {
    const gone = read({ targets: [place], chosen: { columns: ['shop'], rows: [['c'], ['a']] } });
    await assert.rejects(gone, /1 of the 2 rows are not there any more/u);
    const only = { kind: 'key', key: '["c","1"]' } as const;
    await assert.rejects(read({ targets: [{ ...place, only }] }), /not in the data source any more/u);
  });

  it('contain small tables that only SQL reads, and name other tables that are read but not given', async () => {
    const folder = await folderWith({
      'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n',
      'orders.csv': 'id,customer,placed\n1,a,2024-01-01 10:00:00\n2,b,2024-01-02 10:00:00\n',
      'vips.csv': 'id,note\na,secret\nz,secret\n',
      'days.csv': `day\n${Array.from({ length: 101 }, (_, index) => `d${index}`).join('\n')}\n`,
      'payments.csv': 'id,order_id,paid\n9,1,2024-01-03 10:00:00\n',
      'shop.entity.yaml': `version: 1
dataSource: shop
elements:
  - activityName: Place Order
    entityType: order
    dataObject: orders
    key: id
    startTimestamp: placed
    where: >-
      customer IN (SELECT v.id FROM vips AS v) AND NOT EXISTS (SELECT 1 FROM days WHERE day = customer)
      AND EXISTS (SELECT 1 FROM payments p WHERE p.order_id = orders.id)
  - { activityName: Pay, entityType: payment, dataObject: payments, key: id, startTimestamp: paid }
relationships:
  - { name: settles, source: Pay, target: Place Order, mappings: [{ source: order_id, target: id }] }
`,
    });
    try {
      const context = { ...projectContext, workspaceFolderOf: () => folder };
      const file = await readGraphFile(join(folder, 'shop.entity.yaml'), context);
      const wanted = { targets: [{ kind: 'element', name: 'Place Order' }] } as const;
      const { objects, missing } = await readTestRows(file, wanted, context, { signal });
      assert.deepEqual(
        objects.map(({ dataObject, columns, rows }) => [dataObject, columns.map(({ name }) => name).join(), rows]),
        [
          ['orders', 'id,customer,placed', [['1', 'a', '2024-01-01T10:00:00.000000Z']]],
          ['vips', 'id', [['a'], ['z']]],
        ],
      );
      assert.deepEqual(missing, [
        'Not given: rows of days, which the SQL of "Place Order" reads: there are more than 100.',
        'Not given: rows of payments, which the SQL of "Place Order" reads: they would be events of "Pay".',
        'Not given: rows of payments, which the relationship "settles" reads.',
      ]);
      const { text } = await createTest(file, { objects, missing, name: 'vip', masked: [] }, context, (of, only) =>
        toOutcome(() =>
          runGraphTests(
            of.path,
            { ...context, openText: (at) => (at === of.path ? of.text : undefined) },
            { signal, only: new Set(only) },
          ),
        ),
      );
      assert.match(
        text,
        /^ {2}- name: vip\n {4}# Not given: rows of days, .*\n {4}# Not given: rows of payments, .*\n/mu,
      );
    } finally {
      await removeFolder(folder);
    }
  });

  describe('of an element with joins', () => {
    const joined = `version: 1
dataSource: shop
elements:
  - activityName: Sell Item
    entityType: item
    dataObject: items
    key: [items.order_no, line]
    startTimestamp: o.placed
    properties: [c.name, { column: c.city, name: town }]
    joins: JOIN sales AS o ON o.number = items.order_no LEFT JOIN people c ON c.id = o.buyer
    where: o.is_open
  - activityName: Greet
    entityType: buyer
    dataObject: sales
    key: p.id
    startTimestamp: placed
    joins: JOIN people AS p ON p.id = sales.buyer
rules:
  - { name: Greeted twice, each: { entityType: buyer }, expect: [{ activity: Greet, count: '2' }] }
`;
    const rowsOf = {
      'sales.csv': `number,buyer,placed,is_open,note
1,c1,2024-01-01 10:00:00,true,secret
2,c1,2024-01-02 10:00:00,true,secret
3,c9,2024-01-03 10:00:00,true,secret
4,c1,2024-01-04 10:00:00,false,secret
`,
      'items.csv': 'order_no,line,text\n1,1,a\n1,2,b\n1,2,b\n2,1,c\n3,1,d\n4,1,e\n',
      'people.csv': 'id,name,city,phone\nc1,Ada,Rome,555\nc2,Bob,Bern,555\n',
      'joined.entity.yaml': joined,
    };
    before(() => writeFiles(folder, rowsOf));
    const file = () => readGraphFile(join(folder, 'joined.entity.yaml'), projectContext);
    const readJoined = async (wanted: WantedRows) => readTestRows(await file(), wanted, projectContext, { signal });
    const numbersOf = ({ objects }: Awaited<ReturnType<typeof readJoined>>) =>
      objects.map(({ dataObject, columns, rows }) => [dataObject, columns.map(({ name }) => name).join(), rows]);

    it('contain each joined row once, with the columns that the graph names, and give the same events', async () => {
      const rows = await readJoined({ targets: [{ kind: 'element', name: 'Sell Item' }] });
      assert.deepEqual(numbersOf(rows), [
        [
          'items',
          'order_no,line',
          [
            ['1', '1'],
            ['1', '2'],
            ['1', '2'],
            ['2', '1'],
            ['3', '1'],
          ],
        ],
        [
          'sales',
          'number,buyer,placed,is_open',
          [
            ['1', 'c1', '2024-01-01T10:00:00.000000Z', true],
            ['2', 'c1', '2024-01-02T10:00:00.000000Z', true],
            ['3', 'c9', '2024-01-03T10:00:00.000000Z', true],
          ],
        ],
        ['people', 'id,name,city', [['c1', 'Ada', 'Rome']]],
      ]);
      const { path, text, notRun } = await createTest(
        await file(),
        { ...rows, name: 'items', masked: [] },
        projectContext,
        (of, only) =>
          toOutcome(() =>
            runGraphTests(
              of.path,
              { ...projectContext, openText: (at) => (at === of.path ? of.text : undefined) },
              { signal, only: new Set(only) },
            ),
          ),
      );
      assert.equal(notRun, undefined);
      assert.equal(text.split('activity: Sell Item').length - 1, 5, text);
      assert.doesNotMatch(text, /secret|555|Bob/u);
      await writeFile(path, text);
      const { tests, problems } = await runTestsIn(folder, 'joined.entity.test.yaml');
      assert.deepEqual([tests.map(({ outcome }) => outcome), problems], [['passed'], []]);
    });

    it('contain only the rows that the chosen rows join', async () => {
      const rows = await readJoined({
        targets: [{ kind: 'element', name: 'Sell Item' }],
        chosen: {
          columns: ['items.order_no', 'line', 'o.placed', 'c.name', 'town'],
          rows: [['2', '1', '2024-01-02T10:00:00.000000Z', 'Ada', 'Rome']],
        },
      });
      assert.deepEqual(
        rows.objects.map(({ dataObject, rows: [first], rows: { length } }) => [dataObject, first?.[0], length]),
        [
          ['items', '2', 1],
          ['sales', '2', 1],
          ['people', 'c1', 1],
        ],
      );
    });

    it('have all rows of an entity whose key is a column of a joined table', async () => {
      const only = { kind: 'key', key: 'c1' } as const;
      const rows = await readJoined({ targets: [{ kind: 'element', name: 'Greet', only }] });
      assert.deepEqual(
        rows.objects.map(({ dataObject, rows: all }) => [dataObject, all.map(([first]) => first)]),
        [
          ['sales', ['1', '2', '4']],
          ['people', ['c1']],
        ],
      );
    });

    it('have all rows of an entity, including rows that its joins do not find', async () => {
      const only = { kind: 'key', key: '["4","1"]' } as const;
      const target = { kind: 'element', name: 'Sell Item', only } as const;
      const found = await readJoined({ targets: [target] });
      assert.deepEqual(
        found.objects.map(({ dataObject, rows: { length } }) => [dataObject, length]),
        [
          ['items', 1],
          ['sales', 1],
          ['people', 1],
        ],
      );
      await writeFiles(folder, { 'sales.csv': rowsOf['sales.csv'].replace(/^4.*\n/mu, '') });
      const alone = await readJoined({ targets: [target] });
      assert.deepEqual(
        alone.objects.map(({ dataObject, rows: { length } }) => [dataObject, length]),
        [['items', 1]],
      );
      await writeFiles(folder, rowsOf);
    });

    it('have the read and the joined rows of a data object in one table', async () => {
      const only = { kind: 'key', key: '["1","1"]' } as const;
      const rows = await readJoined({
        targets: [
          { kind: 'element', name: 'Sell Item', only },
          { kind: 'element', name: 'Greet', only: { kind: 'key', key: 'c1' } },
        ],
      });
      assert.deepEqual(
        rows.objects.map(({ dataObject, rows: all }) => [dataObject, all.map(([first]) => first)]),
        [
          ['items', ['1']],
          ['sales', ['1', '2', '4']],
          ['people', ['c1']],
        ],
      );
    });
  });
});
