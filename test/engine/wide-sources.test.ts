import assert from 'node:assert/strict';
import { join } from 'node:path';
import { withBuildDatabase } from '../support/build-database.ts';
import { fileQuery, withCsvFiles } from '../support/csv-source.ts';
import { importAt, withLogProject } from '../support/log-projects.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

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

/** Processor time in milliseconds of an import of a log, whose events have so many attributes. */
async function importTimeOf(attributes: number): Promise<number> {
  const numbers = Array.from({ length: attributes }, (_, index) => `<int key="k${index}" value="${index}"/>`).join('');
  const event = (day: number): string =>
    `<event><string key="concept:name" value="A"/><date key="time:timestamp" value="2024-01-0${day}T10:00:00Z"/>${numbers}</event>`;
  const trace = (name: string): string =>
    `<trace><string key="concept:name" value="${name}"/>${[1, 2, 3, 4, 5].map(event).join('')}</trace>`;
  const folder = await folderWith({
    'log.xes': `<log xes.version="1.0">${['a', 'b', 'c', 'd'].map(trace).join('')}</log>`,
  });
  try {
    return await withLogProject('xes', join(folder, 'log.xes'), async ({ graph }) => {
      const started = process.cpuUsage();
      const { totals } = await importAt(graph);
      assert.equal(totals.events, 20);
      const { user, system } = process.cpuUsage(started);
      return (user + system) / 1000;
    });
  } finally {
    await removeFolder(folder);
  }
}

describe('wide event logs', () => {
  it('take time in proportion to their attributes', async () => {
    await importTimeOf(10);
    const [narrow, wide] = [await importTimeOf(200), await importTimeOf(600)];
    assert.ok(wide <= 4 * narrow, `200 attributes: ${narrow} ms, 600 attributes: ${wide} ms`);
  });
});
