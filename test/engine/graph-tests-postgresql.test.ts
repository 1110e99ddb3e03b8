import { deepStrictEqual, equal, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { openGivenEngine } from '../../server/src/connectors/postgresql/given/given-engine.ts';
import { startPglite } from '../../server/src/connectors/postgresql/given/start-pglite.ts';
import type { StagingDatabase } from '../../server/src/store/staging-database.ts';
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
  it('are not run when PGlite cannot be started, and say why', async () => {
    const folder = await folderWith({ 'broken.mjs': "throw new RangeError('WebAssembly.Memory(): out of memory');" });
    try {
      await rejects(startPglite(undefined, join(folder, 'broken.mjs')), {
        name: 'CannotRunError',
        message:
          'PGlite, which runs the SQL of PostgreSQL in tests, could not be started: RangeError: WebAssembly.Memory(): out of memory. It needs about 750 MB of memory.',
      });
    } finally {
      await removeFolder(folder);
    }
  });

  it('leave no process behind when they end while PGlite is being started', async () => {
    const processes = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
    const before = processes();
    const engine = await openGivenEngine('');
    const catalog = { dataSource: 'shop', kind: 'postgresql', dialect: 'postgresql', objects: [] } as const;
    const data = { catalog: { ...catalog, complete: true, readAt: '', warnings: [] }, objects: [] };
    const opening = engine.openPull({ ...data, timeZone: 'UTC', settings: {} }, {} as StagingDatabase, {});
    const refused = rejects(opening, /The tests have ended/u);
    equal(processes(), before + 1);
    await engine.close();
    await refused;
    while (processes() > before) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it('run in PGlite without a server, each with its own rows', async function () {
    this.timeout(600_000);
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
