import { deepStrictEqual } from 'node:assert/strict';
import { runTestsIn } from '../support/run-tests-in.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const files = {
  'entity-sources.yaml': `version: 1
dataSources:
  shop: { kind: postgresql, host: localhost, port: 1, database: shop, user: me, timeZone: Europe/Berlin }
`,
  'shop.entity.yaml': `version: 1
dataSource: shop
elements:
  - activityName: Place Order
    dataObject: orders
    key: id
    entityType: order
    where: to_char(placed, 'YYYY') = '2024' AND id::text ~ '^[0-9]+$'
    startTimestamp: placed
  - { activityName: Pay, dataObject: sales.payments, key: id, entityType: payment, startTimestamp: paid }
relationships:
  - { name: settles, source: Pay, target: Place Order, mappings: [{ source: order_id, target: id }] }
`,
  'shop.entity.test.yaml': `graph: shop.entity.yaml
columns:
  orders: { id: { type: integer, key: true }, placed: timestamp without time zone }
  sales.payments: { id: text, order_id: integer, paid: timestamp with time zone }
tests:
  - name: an order is paid
    given:
      orders: [{ id: 7, placed: 2024-01-01T10:00:00 }, { id: 8, placed: 2023-01-01T10:00:00 }]
      sales.payments: [{ id: P1, order_id: 7, paid: 2024-01-02T10:00:00Z }]
    expect:
      events:
        - { activity: Place Order, entity: 7, time: 2024-01-01T09:00:00Z }
        - { activity: Pay, entity: P1, time: 2024-01-02T10:00:00Z }
      relations: [{ relationship: settles, source: P1, target: 7 }]
  - name: rows are those of one test only
    expect: { events: [] }
  - name: what is wrong fails
    given: { orders: [{ id: 9, placed: 2024-01-01T10:00:00 }] }
    expect: { events: [] }
`,
};

const notExpected =
  'events: Expected 0 events, got 1. Not expected: { activity: Place Order, entity: 9, time: 2024-01-01T09:00:00Z }.';

describe('tests with given rows of a graph on PostgreSQL', () => {
  it('run in PGlite without a server, each with its own rows', async function () {
    this.timeout(240_000);
    const folder = await folderWith(files);
    try {
      const report = await runTestsIn(folder, 'shop.entity.test.yaml');
      deepStrictEqual(
        report.tests.map(({ name, outcome, reason, failures }) => [
          name,
          outcome,
          reason,
          failures.map(({ message }) => message),
        ]),
        [
          ['an order is paid', 'passed', undefined, []],
          ['rows are those of one test only', 'passed', undefined, []],
          ['what is wrong fails', 'failed', undefined, [notExpected]],
        ],
      );
    } finally {
      await removeFolder(folder);
    }
  });
});
