import assert from 'node:assert/strict';
import { withBuildDatabase } from '../support/build-database.ts';
import { fileQuery, withCsvFiles } from '../support/csv-source.ts';

const cells = ['12', 'abc', '1.5', '2024-01-01', '2024-01-01 10:00:00', 'true'];

/** Processor time in milliseconds of discovery, and of an import of two columns, of a CSV file. */
async function timeOf(columns: number): Promise<number> {
  const numbers = Array.from({ length: columns }, (_, index) => index);
  const row = numbers.map((index) => cells[index % cells.length]).join(',');
  const text = `${[numbers.map((index) => `c${index}`).join(','), ...Array.from({ length: 50 }, () => row)].join('\n')}\n`;
  return withCsvFiles({ 'a.csv': text }, {}, (connector) =>
    withBuildDatabase(async (staging) => {
      const started = process.cpuUsage();
      const { objects } = await connector.describe({});
      assert.equal(objects[0]?.columns.length, columns);
      const pull = await connector.openPull(staging, {});
      await pull.load(fileQuery('SELECT c0, c1 FROM a', ['a']), 'staged', {});
      await pull.close();
      const { user, system } = process.cpuUsage(started);
      return (user + system) / 1000;
    }),
  );
}

describe('wide CSV files', () => {
  it('take time in proportion to their columns', async () => {
    await timeOf(10);
    const [narrow, wide] = [await timeOf(500), await timeOf(1500)];
    assert.ok(wide <= 4 * narrow, `500 columns: ${narrow} ms, 1,500 columns: ${wide} ms`);
  });
});
