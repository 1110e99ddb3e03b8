import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { csvSources, graphText, withGraph } from '../support/import-text.ts';
import { createSqliteFile } from '../support/sqlite-database.ts';

const exact = '2024-01-01 10:00:00.123456000';
const fine = '2024-01-01 10:00:00.1234567';

const element = graphText(
  '  - { activityName: Place, dataObject: orders, key: id, startTimestamp: placed, properties: [seen] }\n',
);

/** What an import says, and the property `seen` of its events. */
async function imported(
  files: Readonly<Record<string, string>>,
  prepare: (folder: string) => unknown = () => undefined,
  graph = element,
): Promise<readonly unknown[]> {
  return withGraph({ 'graph.entity.yaml': graph, ...files }, async (project) => {
    await prepare(project.folder);
    const summary = await project.import();
    if (summary.status !== 'imported') return [refusalOf(summary)];
    const rows = await project.rows('SELECT CAST(seen AS VARCHAR), typeof(seen) FROM properties_1 ORDER BY 1');
    return [...rows.flat(), ...summary.warnings];
  });
}

function refusalOf({ error }: ImportSummary): string {
  return `${error?.code}: ${error?.message}`;
}

const kept = [fine, 'VARCHAR'];

/** docs/values.md#a-value-arrives-as-it-is-or-is-refused-by-name */
describe('digits of times below microseconds', () => {
  const files = { 'entity-sources.yaml': csvSources() };
  const day = '2024-01-01 10:00:00';

  it('stay in a property that is a text because of them', async () => {
    assert.deepEqual(await imported({ ...files, 'orders.csv': `id,placed,seen\n1,${day},${fine}\n` }), kept);
    const json = { 'entity-sources.yaml': csvSources().replace('*.csv', '*.json') };
    const record = { id: 1, placed: day, seen: fine };
    assert.deepEqual(await imported({ ...json, 'orders.json': JSON.stringify([record]) }), kept);
  });

  it('are left out if they are zero', async () => {
    const text = `id,placed,seen\n1,${exact},${exact}\n`;
    assert.deepEqual(await imported({ ...files, 'orders.csv': text }), ['2024-01-01 10:00:00.123456', 'TIMESTAMP']);
  });

  it('are refused in the time of an event', async () => {
    for (const time of [fine, `${fine.replace(' ', 'T')}Z`]) {
      assert.deepEqual(await imported({ ...files, 'orders.csv': `id,placed,seen\n1,${time},x\n` }), [
        `type-mismatch: Row 1 of "Place" has "${time}" in placed, which has digits below microseconds.`,
      ]);
    }
  });

  it('can be cut off by a computed time', async () => {
    const graph = element.replace('placed', '{ expression: "CAST(orders.placed AS TIMESTAMP)" }');
    const text = { ...files, 'orders.csv': `id,placed,seen\n1,${fine},x\n` };
    assert.deepEqual(await imported(text, undefined, graph), ['x', 'VARCHAR']);
  });

  it('are refused in columns of nanoseconds of DuckDB files', async () => {
    const create = (time: string) => (folder: string) =>
      createDuckdbFile(join(folder, 'shop.duckdb'), [
        `CREATE TABLE orders AS SELECT 1 AS id, TIMESTAMP '${day}' AS placed, TIMESTAMP_NS '${time}' AS seen`,
      ]);
    const sources = {
      'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: duckdb, path: shop.duckdb }\n',
    };
    assert.deepEqual(await imported(sources, create(exact)), ['2024-01-01 10:00:00.123456', 'TIMESTAMP']);
    assert.deepEqual(await imported(sources, create(fine)), [
      `sql-error: The column seen has the value ${fine}, which has digits below microseconds: read it with CAST to TIMESTAMP to cut them off.`,
    ]);
  });

  it('make a column of SQLite one of texts', async () => {
    const create = (times: readonly string[]) => (folder: string) =>
      createSqliteFile(
        join(folder, 'shop.sqlite'),
        `CREATE TABLE orders (id INTEGER, placed DATETIME, seen DATETIME);
         INSERT INTO orders VALUES ${times.map((time, index) => `(${index}, '${day}', '${time}')`).join(', ')};`,
      );
    const sources = {
      'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: sqlite, path: shop.sqlite }\n',
    };
    assert.deepEqual(await imported(sources, create([exact])), ['2024-01-01 10:00:00.123456', 'TIMESTAMP']);
    assert.deepEqual(await imported(sources, create([fine])), kept);
    const late = (await imported(sources, create([...Array.from({ length: 300 }, () => exact), fine]))).slice(-3);
    assert.deepEqual(late, [
      ...kept,
      `seen has the value ${fine}, which is no TIMESTAMP as text: its values are texts in the graph.`,
    ]);
  });
});
