import { deepStrictEqual } from 'node:assert/strict';
import { runTestsIn } from '../support/run-tests-in.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const graph = `version: 1
dataSource: app
dataObjects: [orders, order_lines, payments]
elements:
  - activityName: Place Order
    dataObject: orders
    entityType: order
    where: strftime('%Y', placed) = '2024' AND printf('%03d', id) <> '009'
    startTimestamp: placed
    changeTimestamp: shipped
    properties: [code, urgent, amount]
  - activityName: Add Line
    dataObject: order_lines
    key: [order_id, line]
    entityType: line
    joins: JOIN orders AS placed ON placed.id = order_lines.order_id
    startTimestamp: placed.placed
  - activityName: Pay
    dataObject: payments
    key: id
    entityType: payment
    where: paid > 1704067200
    startTimestamp: paid
relationships:
  - { name: settles, source: Pay, target: Place Order, mappings: [{ source: order_id, target: id }] }
`;

const sources = `version: 1
dataSources:
  app: { kind: sqlite, path: app.sqlite, timeZone: Europe/Berlin, times: { payments.paid: unix-seconds } }
`;

const tests = `graph: app.entity.yaml
columns:
  orders:
    id: { type: INTEGER, key: true }
    code: VARCHAR(10)
    placed: DATETIME
    shipped: TIMESTAMP as Julian days
    urgent: BOOLEAN
    amount: REAL
  payments: { order_id: INTEGER }
tests:
  - name: an order is paid
    given:
      orders:
        - { id: 7, code: 007, placed: 2024-01-01T10:00, shipped: 2024-07-01T10:00:00.5, urgent: true, amount: 1.5 }
        - { id: 8, placed: 2023-01-01T10:00 }
        - { id: 9, placed: 2024-01-01T10:00 }
      order_lines: [{ order_id: 7, line: 1 }]
      payments: [{ id: P1, order_id: 7, paid: 2024-01-02T10:00 }, { id: P2, order_id: 7, paid: 2024-01-01T00:00:00Z }]
    expect:
      events:
        - activity: Place Order
          entity: { type: order, key: 7 }
          time: 2024-01-01T09:00:00Z
          properties: { code: '007', urgent: true, amount: 1.5 }
        - { activity: Add Line, entity: { type: line, key: [7, 1] }, time: 2024-01-01T09:00:00Z }
        - { activity: Pay, entity: { type: payment, key: P1 }, time: 2024-01-02T09:00:00Z }
        - { activity: Place Order, lifecycle: change, time: 2024-07-01T08:00:00.5Z }
      relations: [{ relationship: settles, source: P1, target: 7 }]
  - name: times with and without offset are in one column
    given:
      orders: [{ id: 1, placed: 2024-01-01T10:00 }, { id: 2, placed: 2024-01-01T10:00:00Z }]
    expect:
      events: [{ entity: 1, time: 2024-01-01T09:00:00Z }, { entity: 2, time: 2024-01-01T10:00:00Z }]
  - name: rows are those of one test only
    expect: { events: [] }
  - name: rows that SQLite refuses
    given: { orders: [{ id: 1, placed: 2024-01-01 }, { id: 1, placed: 2024-01-01 }] }
    expect: { events: [] }
  - name: what is wrong fails
    given: { orders: [{ id: 5, placed: 2024-01-01T10:00:00Z }] }
    expect: { events: [] }
`;

const notExpected =
  'events: Expected 0 events, got 1. Not expected: { activity: Place Order, entity: 5, time: 2024-01-01T10:00:00Z }.';

describe('tests with given rows of a graph on SQLite', () => {
  it('run in SQLite without the file of the source, each with its own rows', async () => {
    const folder = await folderWith({
      'entity-sources.yaml': sources,
      'app.entity.yaml': graph,
      'app.entity.test.yaml': tests,
    });
    try {
      const report = await runTestsIn(folder, 'app.entity.test.yaml');
      deepStrictEqual(
        report.tests.map(({ name, outcome, reason, failures }) => [
          ...[name, outcome, reason],
          failures.map(({ message }) => message),
        ]),
        [
          ['an order is paid', 'passed', undefined, []],
          ['times with and without offset are in one column', 'passed', undefined, []],
          ['rows are those of one test only', 'passed', undefined, []],
          [
            ...['rows that SQLite refuses', 'failed', undefined],
            ['The rows of orders do not fit its columns: UNIQUE constraint failed: orders.id'],
          ],
          ['what is wrong fails', 'failed', undefined, [notExpected]],
        ],
      );
    } finally {
      await removeFolder(folder);
    }
  });
});
