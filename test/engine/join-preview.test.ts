import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperationError } from '../../server/src/operations/operation-error.ts';
import { countJoin, previewJoin } from '../../server/src/operations/queries/preview-join.ts';
import { testQuery } from '../../server/src/operations/queries/query-operations.ts';
import { type GraphFile, readGraphFile } from '../../server/src/project/open-project.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { createSqliteFile } from '../support/sqlite-database.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { removeFolder } from '../support/temporary-folder.ts';

const graph = `version: 1
name: Shop
dataSource: shop
dataObjects: [orders, customers, links]
elements:
  - { activityName: Place Order, dataObject: orders, key: [id], startTimestamp: placed }
  - { activityName: Win Customer, dataObject: customers, key: [id], startTimestamp: since }
relationships:
  - { name: of, source: Place Order, target: Win Customer, mappings: [{ source: customer, target: id }] }
  - name: linked
    source: Place Order
    target: Win Customer
    crossTable:
      dataObject: links
      sourceMappings: [{ source: id, cross: order_id }]
      targetMappings: [{ cross: customer_id, target: id }]
`;

const tables = {
  orders: [
    ['id', 'customer', 'placed'],
    ['1', '7', '2024-01-01 08:00:00'],
    ['2', '7', '2024-01-02 08:00:00'],
    ['3', '', '2024-01-03 08:00:00'],
  ],
  customers: [
    ['id', 'name', 'since'],
    ['7', 'Ann', '2023-01-01 08:00:00'],
    ['8', 'Bob', '2023-02-01 08:00:00'],
  ],
  links: [
    ['order_id', 'customer_id'],
    ['1', '7'],
    ['1', '8'],
  ],
};

const projectContext = { permitUses: permitAllUses, readSecret: () => Promise.resolve(undefined), environment: {} };

describe('preview of a relationship (docs/semantics.md#128-preview-of-a-relationship)', () => {
  const folders: string[] = [];
  after(() => Promise.all(folders.map(removeFolder)));

  async function graphOver(source: object, text = graph): Promise<GraphFile> {
    const folder = await mkdtemp(join(tmpdir(), 'join-preview-'));
    folders.push(folder);
    await writeFile(join(folder, 'entity-sources.json'), JSON.stringify({ version: 1, dataSources: { shop: source } }));
    for (const [name, rows] of Object.entries(tables)) {
      await writeFile(join(folder, `${name}.csv`), rows.map((row) => row.join(',')).join('\n'));
    }
    const path = join(folder, 'shop.entity.yaml');
    await writeFile(path, text);
    return readGraphFile(path, projectContext);
  }

  async function postgresql(): Promise<object> {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    await server.query(
      database,
      `CREATE TABLE customers (id int PRIMARY KEY, name text, since timestamptz);
       CREATE TABLE orders (id int PRIMARY KEY, customer int, placed timestamptz);
       CREATE TABLE links (order_id int, customer_id int);
       INSERT INTO customers VALUES (7, 'Ann', '2023-01-01'), (8, 'Bob', '2023-02-01');
       INSERT INTO orders VALUES (1, 7, '2024-01-01'), (2, 7, '2024-01-02'), (3, NULL, '2024-01-03');
       INSERT INTO links VALUES (1, 7), (1, 8);`,
    );
    const { host, port, user, password } = server;
    return { ...{ kind: 'postgresql', host, port, database, user, password }, ssl: { mode: 'disable' } };
  }

  const sources: readonly (readonly [string, () => Promise<object>])[] = [
    ['CSV files', () => Promise.resolve({ kind: 'csv', path: '*.csv' })],
    ['PostgreSQL', postgresql],
  ];

  for (const [name, source] of sources) {
    it(`${name} › mapped columns and names of both sides, and how their rows match`, async () => {
      const file = await graphOver(await source());
      const { columns, sides, rows } = await previewJoin(file, 'of', projectContext);
      assert.deepEqual(
        columns.map((column, index) => `${sides[index]} ${column.name}`),
        ['source id', 'target id', 'source customer', 'target name'],
      );
      assert.deepEqual(
        rows.map((row) => row.map(String)).toSorted((one, other) => (one[0] ?? '').localeCompare(other[0] ?? '')),
        [
          ['1', '7', '7', 'Ann'],
          ['2', '7', '7', 'Ann'],
        ],
      );
      assert.deepEqual(await countJoin(file, 'of', projectContext), {
        pairs: 2,
        source: { rows: 3, nullKeys: 1, unmatched: 1, most: 1 },
        target: { rows: 2, nullKeys: 0, unmatched: 1, most: 2 },
      });
      assert.deepEqual(await countJoin(file, 'linked', projectContext), {
        pairs: 2,
        source: { rows: 3, nullKeys: 0, unmatched: 2, most: 2 },
        target: { rows: 2, nullKeys: 0, unmatched: 0, most: 1 },
      });
    });
  }

  describe('across data sources', () => {
    const sql = {
      orders: `CREATE TABLE orders (id INTEGER, customer INTEGER, placed TEXT);
        INSERT INTO orders VALUES (1, 7, '2024-01-01 08:00:00'), (2, 7, '2024-01-02 08:00:00'), (2, 7, '2024-01-02 08:00:00'),
          (3, NULL, '2024-01-03 08:00:00'), (NULL, 9, '2024-01-04 08:00:00'), (4, 5, '2024-01-04 08:00:00');`,
      customers: `CREATE TABLE customers (id INTEGER, name TEXT, since TEXT);
        INSERT INTO customers VALUES (7, 'Ann', '2023-01-01 08:00:00'), (8, NULL, '2023-02-01 08:00:00'), (9, 'Cid', '2023-02-01 08:00:00');`,
      links: `CREATE TABLE links (order_id INTEGER, customer_id INTEGER);
        INSERT INTO links VALUES (1, 7), (1, 8), (1, 8), (3, 8), (9, 9), (NULL, 7);`,
    };
    const over = (sources: Readonly<Record<'orders' | 'customers' | 'links', string>>) =>
      graph
        .replace('dataObjects: [orders, customers, links]\n', '')
        .replace('dataObject: orders', `dataSource: ${sources.orders}, dataObject: orders`)
        .replace('dataObject: customers', `dataSource: ${sources.customers}, dataObject: customers`)
        .replace('dataObject: links', `dataSource: ${sources.links}\n      dataObject: links`);
    let folder: string;
    const fileWith = async (text: string): Promise<GraphFile> => {
      const path = join(folder, 'shop.entity.yaml');
      await writeFile(path, text);
      return readGraphFile(path, projectContext);
    };
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'join-preview-'));
      folders.push(folder);
      createSqliteFile(join(folder, 'shop.sqlite'), Object.values(sql).join('\n'));
      createSqliteFile(join(folder, 'crm.sqlite'), sql.customers);
      await writeFile(join(folder, 'links.csv'), 'order_id,customer_id\n1,7\n1,8\n1,8\n3,8\n9,9\n,7\n');
      await writeFile(
        join(folder, 'entity-sources.yaml'),
        `version: 1
dataSources:
  shop: { kind: sqlite, path: shop.sqlite }
  crm: { kind: sqlite, path: crm.sqlite }
  files: { kind: csv, path: links.csv }
`,
      );
    });
    const inside = over({ orders: 'shop', customers: 'shop', links: 'shop' });
    const across = over({ orders: 'shop', customers: 'crm', links: 'files' });
    const sorted = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.map(String).join(' ')).toSorted();

    const counts = {
      of: {
        pairs: 2,
        source: { rows: 6, nullKeys: 2, unmatched: 3, most: 1 },
        target: { rows: 3, nullKeys: 0, unmatched: 2, most: 2 },
      },
      linked: {
        pairs: 3,
        source: { rows: 6, nullKeys: 1, unmatched: 4, most: 2 },
        target: { rows: 3, nullKeys: 0, unmatched: 1, most: 2 },
      },
    };
    const shown = {
      of: ['1 7 7 Ann', '2 7 7 Ann'],
      linked: ['1 7 Ann', '1 8 null', '3 8 null'],
    };
    for (const name of ['of', 'linked'] as const) {
      it(`rows, NULL keys and matches of "${name}" are those inside one data source, and are counted with the first rows`, async () => {
        const single = await fileWith(inside);
        const ofOne = await previewJoin(single, name, projectContext);
        assert.deepEqual(sorted(ofOne.rows), shown[name]);
        assert.equal(ofOne.counts, undefined);
        assert.deepEqual(await countJoin(single, name, projectContext), counts[name]);
        const split = await fileWith(across);
        const steps: string[] = [];
        const onProgress = (step: string): void => void steps.push(step);
        const {
          columns,
          sides,
          rows,
          counts: counted,
        } = await previewJoin(split, name, projectContext, { onProgress });
        assert.deepEqual(sorted(rows), shown[name]);
        assert.deepEqual(counted, counts[name]);
        assert.deepEqual(
          [columns.map((column) => column.name), sides],
          [ofOne.columns.map((column) => column.name), ofOne.sides],
        );
        assert.deepEqual(steps.slice(-2), ['crm: Reading the rows of the query', 'Counting matches']);
        assert.deepEqual(await countJoin(split, name, projectContext), counts[name]);
      });
    }

    it('previews can be cancelled while an end is read', async () => {
      const split = await fileWith(across);
      const aborting = new AbortController();
      const onProgress = (step: string): void => {
        if (step === 'shop: Reading the rows of the query') aborting.abort();
      };
      await assert.rejects(
        previewJoin(split, 'of', projectContext, { signal: aborting.signal, onProgress }),
        ({ name }: Error) => name === 'AbortError',
      );
    });
  });

  it('an error without a position is placed in the only SQL of the query, or at the entry as a whole', async () => {
    const divided = graph.replace('startTimestamp: placed }', 'startTimestamp: placed, where: "1 / (id - 1) > 0" }');
    const file = await graphOver(await postgresql(), divided);
    await assert.rejects(
      testQuery(file, { kind: 'element', name: 'Place Order' }, projectContext),
      (error: unknown) => {
        assert.ok(error instanceof OperationError);
        const { range } = error.failure;
        const line = divided.split('\n')[range?.start.line ?? 0] ?? '';
        assert.match(line.slice(range?.start.character, range?.end.character), /1 \/ \(id - 1\) > 0/);
        return true;
      },
    );
  });
});
