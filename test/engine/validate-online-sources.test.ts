import assert from 'node:assert/strict';
import { join } from 'node:path';
import { runCommand } from '../support/run-command.ts';
import { createSqliteFile } from '../support/sqlite-database.ts';
import { folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';

describe('validate --online of a graph over several data sources', () => {
  const graph = `version: 1
dataSource: shop
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    where: lowr(note) = 'x'
  - activityName: Open Incident
    dataSource: desk
    dataObject: incidents
    startTimestamp: opened_at
    where: uper(state) = 'NEW'
`;
  let folder = '';
  before(async () => {
    folder = await folderWith({
      'entity-sources.yaml':
        'version: 1\ndataSources:\n  shop: { kind: sqlite, path: shop.sqlite }\n  desk: { kind: sqlite, path: desk.sqlite }\n',
      'shop.entity.yaml': graph,
    });
    createSqliteFile(
      join(folder, 'shop.sqlite'),
      'CREATE TABLE orders (id INTEGER PRIMARY KEY, placed_at DATETIME, note TEXT);',
    );
    createSqliteFile(
      join(folder, 'desk.sqlite'),
      'CREATE TABLE incidents (id INTEGER PRIMARY KEY, opened_at DATETIME, state TEXT);',
    );
  });
  after(() => removeFolder(folder));

  it('names the rules that depend on a column that is gone from the data source', async () => {
    const text = graph
      .replace("lowr(note) = 'x'", 'orders.gone > 1')
      .replace(
        "    where: uper(state) = 'NEW'\n",
        'rules:\n  - { name: Placed, each: { activity: Place Order }, expect: [{ sql: note <> 1 }] }\n',
      );
    await writeFiles(folder, { 'gone.entity.yaml': text });
    const run = await runCommand(['validate', '--online', 'gone.entity.yaml', '--workspace', folder], folder);
    assert.match(run.stdout, /There is no column orders\.gone\. .* Rule Placed depends on it\. \[sql-error\]/);
  });

  it('asks each data source for the SQL of its own elements', async () => {
    const args = ['validate', '--online', 'shop.entity.yaml', '--format', 'json', '--workspace', folder];
    const run = await runCommand(args, folder);
    const [{ diagnostics }] = JSON.parse(run.stdout) as [{ diagnostics: { code: string; message: string }[] }];
    assert.deepEqual(
      diagnostics.filter(({ code }) => code === 'sql-error').map(({ message }) => /lowr|uper/.exec(message)?.[0]),
      ['lowr', 'uper'],
      run.stdout,
    );
  });
});

describe('validate --online of a graph of files', () => {
  it('names settings without effect, and refuses unknown ones', async () => {
    const sources = (settings: string): string =>
      `version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv", ${settings} }\n`;
    const folder = await folderWith({
      'a.csv': 'id,at\n1,2024-01-01 10:00:00\n',
      'entity-sources.yaml': sources('types: { zip: VARCHAR }'),
      'shop.entity.yaml': `version: 1
dataSource: shop
elements:
  - { activityName: A, dataObject: a, entityType: A, key: id, startTimestamp: at }
`,
    });
    try {
      const validate = () => runCommand(['validate', '--online', 'shop.entity.yaml', '--workspace', folder], folder);
      const unused = await validate();
      assert.match(unused.stderr, /shop\.entity\.yaml: Data source shop: types\.zip names a column that no file has\./);
      await writeFiles(folder, { 'entity-sources.yaml': sources('typs: { id: VARCHAR }') });
      const unknown = await validate();
      assert.equal(unknown.code, 1);
      assert.match(unknown.stderr, /typs is not a setting of kind csv\. \[source-config\]\n {2}Did you mean types\?/);
      await writeFiles(folder, {
        'entity-sources.yaml': `timeZone: Europe/Berlin\n${sources('types: { id: VARCHAR }')}`,
      });
      const above = await validate();
      assert.equal(above.code, 1);
      assert.match(above.stderr, /entity-sources\.yaml:1:1: error: timeZone is not known in files of data sources\./);
      await writeFiles(folder, { 'entity-sources.yaml': sources('timestampFormat: "%Q"') });
      assert.match(
        (await validate()).stderr,
        /Data source shop: timestampFormat must be a format of strptime, such as/,
      );
      const placed = await runCommand(['validate', 'entity-sources.yaml'], folder);
      assert.match(placed.stdout, /^entity-sources\.yaml:\d+:\d+: error: "timestampFormat" must be written like/);
    } finally {
      await removeFolder(folder);
    }
  });
});
