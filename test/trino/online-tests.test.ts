import { deepEqual, match } from 'node:assert/strict';
import { join } from 'node:path';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { runGraphTests } from '../../server/src/operations/graph-tests/run-graph-tests.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { sharedTrino, type TestTrino } from '../support/trino-server.ts';

const tests = (schema: string): string => `graph: shop.entity.yaml
columns:
  orders: { id: { type: bigint, key: true }, customer: integer, note: varchar, tags: array(varchar), placed: timestamp(6) }
  payments: { id: varchar, order_id: bigint, paid: timestamp(6) with time zone, amount: "decimal(10, 2)" }
  lake.${schema}.customers: { id: integer, name: varchar }
tests:
  - name: an order of this year is paid
    given:
      orders:
        - { id: 7, customer: 1, note: "it's 😀", tags: [a, b], placed: 2024-07-01T10:00:00 }
        - { id: 8, customer: 1, placed: 2023-07-01T10:00:00 }
      payments: [{ id: P1, order_id: 7, paid: 2024-07-02T10:00:00.123456Z, amount: 1.5 }]
      lake.${schema}.customers: [{ id: 1, name: Ann }]
    expect:
      events:
        - { activity: Place Order, entity: 7, time: 2024-07-01T08:00:00Z, properties: { note: "it's 😀", tags: '["a","b"]' } }
        - { activity: Pay, entity: P1, time: 2024-07-02T10:00:00.123456Z, properties: { amount: "1.50" } }
      relations: [{ relationship: settles, source: P1, target: 7 }]
  - name: rows that are not given are not there
    expect: { events: [] }
`;

describe('tests online on Trino', () => {
  let trino: TestTrino;
  let schema: string;

  before(async function () {
    // Starting Trino takes minutes under load.
    this.timeout(600_000);
    trino = await sharedTrino();
    schema = await trino.createSchema();
  });

  async function outcomes(where: string): Promise<readonly string[]> {
    const folder = await folderWith({
      'entity-sources.yaml': `version: 1
dataSources:
  shop: { kind: trino, host: 127.0.0.1, port: ${trino.port}, user: ann, catalog: lake, schemas: ${schema}, timeZone: Europe/Berlin }
`,
      'shop.entity.yaml': `version: 1
dataSource: shop
dataObjects: [lake.${schema}.customers]
elements:
  - activityName: Place Order
    dataObject: orders
    key: id
    entityType: order
    startTimestamp: placed
    properties: [note, tags]
    joins: JOIN lake.${schema}.customers AS c ON c.id = orders.customer
    where: ${JSON.stringify(where)}
  - { activityName: Pay, dataObject: payments, key: id, entityType: payment, startTimestamp: paid, properties: [amount] }
relationships:
  - { name: settles, source: Pay, target: Place Order, mappings: [{ source: order_id, target: id }] }
`,
      'shop.entity.test.yaml': tests(schema),
    });
    const projectContext = {
      permitUses: permitAllUses,
      readSecret: async () => undefined,
      environment: {},
      workspaceFolderOf: () => folder,
    };
    try {
      const run = { signal: new AbortController().signal, isOnline: true };
      const report = await runGraphTests(join(folder, 'shop.entity.test.yaml'), projectContext, run);
      return report.tests.map(({ outcome, reason = '', failures }) =>
        [outcome, reason, ...failures.map(({ message }) => message)].filter((part) => part !== '').join(': '),
      );
    } finally {
      await removeFolder(folder);
    }
  }

  it('run whether or not the catalog has tables of these names, and never read them', async () => {
    const where = `year(placed) = 2024 AND EXISTS (SELECT 1 FROM ${'payments'} AS p WHERE p.order_id = orders.id)`;
    deepEqual(await outcomes(where), ['passed', 'passed']);
    await trino.run(
      `CREATE TABLE lake.${schema}.orders AS SELECT BIGINT '1' AS id, 1 AS customer, varchar 'real' AS note, ARRAY[varchar 'x'] AS tags, TIMESTAMP '2024-01-01 10:00:00.000000' AS placed`,
    );
    await trino.run(`CREATE TABLE lake.${schema}.customers AS SELECT 1 AS id, varchar 'Real' AS name`);
    deepEqual(await outcomes(where), ['passed', 'passed']);
  });

  it('are not run if the tables of a statement are uncertain', async () => {
    const [first = ''] = await outcomes(`orders.id IN (SELECT id FROM lake.${schema}.nowhere)`);
    match(first, /^not run: .*nowhere is no data object/u);
    const [second = ''] = await outcomes(`lake.${schema}.orders.id > 0`);
    match(second, /^not run: .*lake before a dot/u);
    const [third = ''] = await outcomes(
      'orders.id IN (SELECT a FROM TABLE(sequence(1, 2)) AS s (a)) OR EXISTS (SELECT 1 FROM TABLE(exclude_columns(input => TABLE(orders), columns => DESCRIPTOR(note))))',
    );
    match(third, /^not run: .*must be specified/u);
  });
});
