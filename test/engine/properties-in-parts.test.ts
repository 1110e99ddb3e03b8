import assert from 'node:assert/strict';
import type { StagedColumn } from '../../server/src/connectors/connector.ts';
import { duckdbBuild } from '../../server/src/import/build/build-dialect.ts';
import { storageSchema } from '../../server/src/graph-schema/storage-tables.ts';
import { createPropertiesSql } from '../../server/src/import/build/properties.ts';
import { graphShape } from '../../server/src/import/build/rows.ts';
import { type StagedElement, stagedElement } from '../../server/src/import/build/staged-element.ts';
import { planImport } from '../../server/src/import/plan-import.ts';
import { createStepRunner } from '../../server/src/import/step-runner.ts';
import { type DuckDbSession, openScratch } from '../../server/src/store/duckdb-store.ts';
import { catalog } from '../unit/language/shop-catalog.ts';
import { graphOf } from '../unit/query/graph-fixture.ts';

const rows = 1000;
const element: StagedElement = (() => {
  const { graph } = graphOf([
    { activityName: 'Order', dataObject: 'orders', startTimestamp: 'placed_at', properties: ['note', 'shipped_on'] },
  ]);
  const planned = planImport(graph, catalog);
  assert.ok('plan' in planned, JSON.stringify(planned));
  const [plan] = planned.plan.elements;
  assert.ok(plan);
  const columns = plan.query.columns.map((name, index): StagedColumn => ({
    name,
    type: 'VARCHAR',
    sense: 'text',
    stagedAs: `c${index + 1}`,
    stagedType: 'VARCHAR',
  }));
  return stagedElement(plan, { sourceRows: rows, columns, warnings: [] });
})();
const shape = graphShape([element], { dialect: duckdbBuild, timeZone: 'UTC', hasRowOrder: true });

/** The same element, where rows can have two events. */
const withChange: StagedElement = { ...element, change: element.start };

/** The properties of 1,500 events of 1,000 rows, in an order unlike that of the rows. */
function propertiesBy(steps: readonly { readonly sql: string }[]): Promise<readonly unknown[]> {
  return built(steps, rows, 'i * 7919 % 1000', 'SELECT * FROM graph.properties_1 ORDER BY event_id');
}

/** Rows of a query after the statements. @param order of the events of the staged rows, `i` */
function built(
  steps: readonly { readonly sql: string }[],
  stagedRows: number,
  order: string,
  query: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return withEvents(stagedRows, order, async (database) => {
    for (const { sql } of steps) await database.run(sql);
    return database.query(query);
  });
}

/** Passes `use` a database with staged rows and their events. */
async function withEvents<T>(
  stagedRows: number,
  order: string,
  use: (database: DuckDbSession) => Promise<T>,
): Promise<T> {
  const database = await openScratch();
  try {
    await database.run("ATTACH ':memory:' AS graph");
    await database.run(`CREATE SCHEMA graph.${storageSchema}`);
    const columns = element.columns.map(({ stagedAs }, index) => `'${index}/' || i AS ${stagedAs}`);
    await database.run(
      `CREATE TABLE "${element.plan.table}" AS SELECT ${columns.join(', ')} FROM range(${stagedRows}) AS r(i)`,
    );
    await database.run(
      `CREATE TABLE ranked AS SELECT row_number() OVER (ORDER BY ${order}, phase) AS id, 1 AS element, i AS "row", phase
      FROM range(${stagedRows}) AS r(i), (VALUES (0), (1)) AS event(phase) WHERE phase = 0 OR i % 2 = 0`,
    );
    return await use(database);
  } finally {
    await database.close();
  }
}

describe('properties of many rows', () => {
  it('are joined in parts with the result of one join', async () => {
    const whole = createPropertiesSql(element, shape);
    const parts = createPropertiesSql(element, shape, 300);
    assert.equal(whole.length, 1);
    assert.equal(parts.length, 7, '2,000 cells by 300');
    const expected = await propertiesBy(whole);
    assert.equal(expected.length, 1500);
    assert.deepEqual(await propertiesBy(parts), expected);
    const ofRows = createPropertiesSql(withChange, shape);
    assert.deepEqual(
      ofRows.map(({ name, table }) => [name, table !== undefined]),
      [
        ['rows_1_in_order', false],
        ['row_properties_1', true],
        ['properties_1', false],
      ],
    );
    assert.deepEqual(await propertiesBy(ofRows), expected, 'written once for both events of a row');
    const partsOfRows = createPropertiesSql(withChange, shape, 300);
    assert.equal(partsOfRows.length, 9);
    assert.deepEqual(await propertiesBy(partsOfRows), expected);
  });

  it('are reported as rows of the table that all parts fill', async () => {
    const steps = createPropertiesSql(element, shape, 500).map((step) => ({ ...step, title: 'Properties' }));
    const reports = await withEvents(rows, 'i', async (database) => {
      const runner = createStepRunner(database, new AbortController().signal);
      for (const step of steps) await runner.create(step);
      return runner.reports;
    });
    assert.deepEqual(
      reports.map((report) => [report.name, report.rows]),
      [['properties_1', 1500], ...[2, 3, 4].map((part) => [`properties_1_part_${part}`, undefined])],
    );
  });

  it('are stored in the order of events, so that ranges of events are in few row groups', async () => {
    const steps = createPropertiesSql({ ...withChange, rows: 500_000 }, shape, 1_000_000);
    const disorder = `SELECT count(*) FILTER (start_event_id < previous) AS early, count(*) AS n
      FROM (SELECT start_event_id, lag(start_event_id) OVER () AS previous FROM graph.${storageSchema}.row_properties_1)`;
    const [mixed] = await built(steps, 500_000, 'i * 7919 % 500000', disorder);
    assert.deepEqual(mixed, { early: 0n, n: 500_000n }, 'sorted');
    const [nearly] = await built(steps, 500_000, 'i + 5 * (i % 3)', disorder);
    assert.equal(nearly?.['n'], 500_000n);
    assert.ok(Number(nearly['early']) > 100_000, 'not sorted where the rows are nearly in order already');
  });

  it('are joined in a limited number of parts', () => {
    assert.equal(createPropertiesSql({ ...element, rows: 1e9 }, shape).length, 16);
  });

  it('are joined in one statement without rows, as in a plan', () => {
    const [step, ...others] = createPropertiesSql({ ...element, rows: 0 }, shape);
    assert.deepEqual(others, []);
    assert.doesNotMatch(step?.sql ?? '', / (>=|<) /);
  });

  it('are joined in one statement by engines that sort the table', () => {
    const dialect = { ...duckdbBuild, build: { ...duckdbBuild.build, keepsRowOrder: false } };
    assert.equal(createPropertiesSql(element, { ...shape, dialect }, 10).length, 1);
  });
});
