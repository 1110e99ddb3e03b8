import assert from 'node:assert/strict';
import type { SimulatedRecord } from '../simulator/demo-data.ts';
import type { Column } from '../../server/src/catalog/catalog.ts';
import type { JsonPage } from '../../server/src/connectors/fetched/record-source.ts';
import { openServiceNow } from '../../server/src/connectors/servicenow/connection.ts';
import { tableRecords } from '../../server/src/connectors/servicenow/records/table-records.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { withGraph } from '../support/import-text.ts';
import { dataSource } from '../support/postgresql-source.ts';
import { instanceSettings } from '../support/servicenow-source.ts';
import { noSecrets } from '../support/no-secrets.ts';

const text = ({ short_description: said = '' }: SimulatedRecord): string => said;

/** One row per text filter, and the selected records: SQL is case-sensitive, whatever the instance does. */
const filters: readonly (readonly [where: string, means: (record: SimulatedRecord) => boolean])[] = [
  ["short_description LIKE '%VPN%'", (record) => text(record).includes('VPN')],
  ["short_description LIKE '%vpn%'", (record) => text(record).includes('vpn')],
  ["short_description LIKE 'Printer%'", (record) => text(record).startsWith('Printer')],
  ["short_description LIKE '%FIRE'", (record) => text(record).endsWith('FIRE')],
  ["short_description NOT LIKE '%vpn%'", (record) => !text(record).includes('vpn')],
  ["short_description ILIKE '%vpn%'", (record) => text(record).toLowerCase().includes('vpn')],
  ["short_description = 'VPN = slow'", (record) => text(record) === 'VPN = slow'],
  ["short_description = 'vpn = slow'", (record) => text(record) === 'vpn = slow'],
  ["short_description <> 'vpn = slow'", (record) => text(record) !== 'vpn = slow'],
  [
    "short_description IN ('vpn = slow', 'No mail ^ no fun')",
    (record) => /^(?:vpn = slow|No mail \^ no fun)$/.test(text(record)),
  ],
];

describe('ServiceNow texts', () => {
  for (const caseSensitive of [false, true]) {
    it(`filters give the same result on an instance that compares ${caseSensitive ? 'with' : 'without'} case`, async () => {
      const simulator = await startSimulator({ incidents: 120 });
      simulator.instance.settings.caseSensitive = caseSensitive;
      const records = simulator.instance.data.get('incident') ?? [];
      for (const [index, record] of records.entries()) {
        if (index % 3 === 0) record['short_description'] = text(record).toLowerCase();
        if (index % 7 === 0) record['short_description'] = text(record).toUpperCase();
      }
      const elements = filters.map(([where], index) => ({
        ...{ activityName: `A${index}`, dataObject: 'incident', startTimestamp: 'opened_at', where },
      }));
      const graph = { version: 1, name: 'T', dataSource: 'itsm', elements };
      const settings = instanceSettings(simulator, { tables: ['incident'] });
      const files = {
        'entity-sources.json': JSON.stringify({ version: 1, dataSources: { itsm: settings } }),
        'graph.entity.yaml': JSON.stringify(graph),
      };
      try {
        await withGraph(files, async (project) => {
          const summary = await project.import();
          assert.equal(summary.error, undefined);
          assert.deepEqual(
            summary.elements?.map(({ rows }, index) => [filters[index]?.[0], rows]),
            filters.map(([where, means]) => [where, records.filter(means).length]),
          );
        });
      } finally {
        await simulator.close();
      }
    });
  }

  it('are identical in raw and in converted pages', async () => {
    const simulator = await startSimulator({ incidents: 60 });
    const said = ['say "hi" \\', '":"', '{}', 'é😀', '[{"sys_id":"x"}]', '\u2028', 'null'];
    const records = simulator.instance.data.get('incident') ?? [];
    for (const [index, record] of records.entries()) record['short_description'] = said[index % said.length] ?? '';
    const [cut] = records;
    if (cut) cut['short_description'] = 'cut \ud83d';
    const source = dataSource('itsm', instanceSettings(simulator, { tables: ['incident'], pageSize: 10 }));
    const environment = { folder: process.cwd(), ...noSecrets };
    const { config, client } = await openServiceNow(source, environment);
    const column = (name: string): Column => ({
      ...{ name, type: 'VARCHAR', sense: 'text', nullable: true, primaryKey: name === 'sys_id' },
    });
    const read = { dataObject: 'incident', columns: ['sys_id', 'short_description'].map(column), leads: true } as const;
    const options = { purpose: 'import', onWarning: (warning: string) => assert.fail(warning) } as const;
    const arrived: (string | null | undefined)[][] = [];
    const counts = { sent: 0, read: 0 };
    const takeJson = async ({ text: page }: JsonPage): Promise<void> => {
      counts.sent += 1;
      const { result } = JSON.parse(page) as { result: readonly Record<string, string>[] };
      arrived.push(...result.map((record) => [record['sys_id'], record['short_description']]));
    };
    try {
      for await (const batch of tableRecords(config, client, read, { ...options, takeJson })) {
        counts.read += 1;
        arrived.push(...batch.map((cells) => [...cells]));
      }
      assert.deepEqual(
        arrived.sort(([one], [other]) => String(one).localeCompare(String(other))),
        records
          .map((record) => [record['sys_id'], record['short_description']])
          .sort(([one], [other]) => String(one).localeCompare(String(other))),
      );
      // A lone surrogate needs the slow path.
      assert.ok(counts.sent >= 5 && counts.read === 1, JSON.stringify(counts));
    } finally {
      client.close();
      await simulator.close();
    }
  });

  it('long ones reduce the page size, and arrive complete', async function () {
    this.timeout(600_000);
    const simulator = await startSimulator({ incidents: 40 });
    for (const record of simulator.instance.data.get('incident') ?? []) record['description'] = 'x'.repeat(700_000);
    const settings = instanceSettings(simulator, { tables: ['incident'], pageSize: 25, concurrency: 1 });
    const graph = `version: 1\nname: T\ndataSource: itsm\nelements:\n  - { activityName: A, dataObject: incident, startTimestamp: opened_at, properties: [description] }\n`;
    const files = {
      'entity-sources.json': JSON.stringify({ version: 1, dataSources: { itsm: settings } }),
      'graph.entity.yaml': graph,
    };
    try {
      await withGraph(files, async (project) => {
        const summary = await project.import();
        assert.deepEqual([summary.error, summary.elements?.[0]?.rows], [undefined, 40]);
      });
      const limits = simulator.requests
        .filter(({ parameters }) => parameters.get('sysparm_fields')?.includes('description'))
        .map(({ parameters }) => Number(parameters.get('sysparm_limit')));
      const large = limits.indexOf(25);
      assert.ok(large >= 0, `a page of 17 MB was asked for: ${limits.join()}`);
      assert.ok((limits[large + 1] ?? 25) <= 13, `the page behind it is at most half as large: ${limits.join()}`);
    } finally {
      await simulator.close();
    }
  });
});
