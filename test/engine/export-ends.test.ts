import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkFile } from '../../server/src/check/check-file.ts';
import { exportGraph } from '../../server/src/operations/stored-graphs/export-graph.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { openSqliteFile } from '../../server/src/store/sqlite-file.ts';
import { csvSources, graphText, importedForSuite } from '../support/import-text.ts';
import { noSecrets } from '../support/no-secrets.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { xesFaults } from '../support/xes-faults.ts';

const { signal } = new AbortController();

/** docs/exports.md#activities-with-start-and-end */
describe('exports of activities with start and end', () => {
  const project = importedForSuite({
    'entity-sources.yaml': csvSources(),
    'graph.entity.yaml': graphText(
      `  - { activityName: Pack, dataObject: orders, key: id, entityType: order, startTimestamp: placed, changeTimestamp: touched, endTimestamp: packed, properties: [state] }
  - { activityName: Pay, dataObject: payments, key: id, entityType: order, startTimestamp: paid }
`,
    ),
    'orders.csv': `id,placed,touched,packed,state
1,2024-01-01 08:00:00,2024-01-01 09:00:00,2024-01-01 10:00:00,new
1,2024-01-02 08:00:00,,,old
`,
    'payments.csv': 'id,paid\n1,2024-01-01 09:30:00\n',
  });

  async function exported(format: string): Promise<string> {
    const { folder } = project();
    const projectContext = { ...noSecrets, workspaceFolderOf: () => folder };
    const file = await readGraphFile(join(folder, 'graph.entity.yaml'), projectContext);
    const output = join(folder, `out.${format}`);
    await exportGraph(file, projectContext, { format, output, signal });
    return output;
  }

  async function assertChecked(path: string): Promise<void> {
    const { results } = await checkFile(path, signal);
    assert.deepEqual(
      results.filter(({ violations }) => violations > 0),
      [],
    );
  }

  it('are one row with two times in CSV logs', async () => {
    assert.deepEqual((await readFile(await exported('csv-log'), 'utf8')).split('\n'), [
      'case_id,activity,start_timestamp,timestamp,lifecycle,event_id,element,state',
      '1,Pack,2024-01-01T08:00:00.000000Z,2024-01-01T10:00:00.000000Z,start,1,Pack,new',
      '1,Pack,2024-01-01T09:00:00.000000Z,2024-01-01T09:00:00.000000Z,change,2,Pack,new',
      '1,Pay,2024-01-01T09:30:00.000000Z,2024-01-01T09:30:00.000000Z,start,3,Pay,',
      '1,Pack,2024-01-02T08:00:00.000000Z,2024-01-02T08:00:00.000000Z,start,5,Pack,old',
      '',
    ]);
  });

  it('are transitions in XES', async () => {
    const text = await readFile(await exported('xes'), 'utf8');
    assert.deepEqual(xesFaults(text), []);
    assert.deepEqual(
      [
        ...text.matchAll(
          /concept:name" value="(P\w+)".*?key="lifecycle" value="(\w+)".*?lifecycle:transition" value="(\w+)"/g,
        ),
      ].map(([, ...parts]) => parts.join(' ')),
      ['Pack start start', 'Pack change unknown', 'Pay start complete', 'Pack end complete', 'Pack start complete'],
    );
  });

  it('are one event with the time of the end in OCEL', async () => {
    const path = await exported('ocel-json');
    await assertChecked(path);
    const log = JSON.parse(await readFile(path, 'utf8')) as {
      readonly events: readonly {
        readonly id: string;
        readonly type: string;
        readonly attributes: readonly object[];
      }[];
      readonly objectTypes: readonly object[];
    };
    const value = (name: string, text: string) => ({ name, value: text });
    assert.deepEqual(
      log.events.map(({ id, type, attributes }) => [id, type, attributes]),
      [
        ['e1', 'Pack', [value('state', 'new'), value('end_time', '2024-01-01T10:00:00.000000Z')]],
        ['e2', 'Pack', [value('state', 'new')]],
        ['e3', 'Pay', []],
        ['e5', 'Pack', [value('state', 'old')]],
      ],
    );
    assert.deepEqual(log.objectTypes, [{ name: 'order', attributes: [{ name: 'state', type: 'string' }] }]);
    const sqlite = await openSqliteFile(await exported('ocel-sqlite'), 'read');
    try {
      assert.deepEqual(
        [...sqlite.rows('SELECT ocel_id, end_time FROM event_Pack ORDER BY 1')].map((row) => [
          row['ocel_id'],
          row['end_time'],
        ]),
        [
          ['e1', '2024-01-01 10:00:00.000000'],
          ['e2', null],
          ['e5', null],
        ],
      );
    } finally {
      sqlite.close();
    }
    await assertChecked(await exported('ocel-xml'));
  });

  for (const format of ['ocel-json', 'ocel-xml', 'ocel-sqlite']) {
    it(`are ends in the first graph of that log, and in its export again: ${format}`, async () => {
      const path = await exported(format);
      const content = format === 'ocel-sqlite' ? await readFile(path) : await readFile(path, 'utf8');
      const file = `log.${format.replace('ocel-', '')}`;
      const sources = `version: 1\ndataSources:\n  log: { kind: ocel, path: ${file} }\n`;
      const folder = await folderWith({ 'entity-sources.yaml': sources, [file]: content });
      try {
        const run = async (...args: readonly string[]): Promise<void> => {
          const { code, stderr } = await runCommand([...args, '--workspace', folder], folder);
          assert.equal(code, 0, stderr);
        };
        await run('new', 'log', '--output', 'g.entity.yaml');
        const graph = await readFile(join(folder, 'g.entity.yaml'), 'utf8');
        assert.match(graph, /endTimestamp: end_time\n/);
        assert.doesNotMatch(graph, /- end_time/);
        await run('import', 'g.entity.yaml');
        await run('export', 'g.entity.yaml', '--as', format, '--output', `again-${file}`);
        if (format === 'ocel-sqlite') return;
        assert.equal(await readFile(join(folder, `again-${file}`), 'utf8'), content);
      } finally {
        await removeFolder(folder);
      }
    });
  }
});
