import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { csvSources, graphText } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const files = {
  'entity-sources.yaml': csvSources(),
  'shop.entity.yaml': graphText(
    '  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed, properties: [amount] }\n',
  ),
  'orders.csv': 'id,placed,amount\n1,2024-01-01,10\n2,2024-01-02,20\n',
};

const queries = {
  'amounts.sql': '-- What orders are worth.\nSELECT key, amount FROM "order" ORDER BY key;\n',
  'counts.sql': '-- entity-graph: somewhere/shop.entity.yaml\nSELECT count(*) AS orders FROM place_order',
  'of-another.sql': '-- entity-graph: other.entity.yaml\nSELECT nothing FROM nowhere',
  'notes.txt': 'no query',
};

describe('named queries', () => {
  let folder = '';
  const run = (...words: readonly string[]): ReturnType<typeof runCommand> =>
    runCommand(['query', 'shop.entity.yaml', ...words], folder);
  before(async () => {
    folder = await folderWith(files);
  });
  after(() => removeFolder(folder));

  it('are none without their folder; with them, an import is needed', async () => {
    const none = await run();
    assert.deepEqual([none.code, none.stdout], [0, '']);
    assert.match(none.stderr, /queries\/NAME\.sql/u);
    await mkdir(join(folder, 'queries'));
    for (const [name, text] of Object.entries(queries)) await writeFile(join(folder, 'queries', name), text);
    const missing = await run();
    assert.deepEqual([missing.code, missing.stdout], [1, '']);
    assert.match(missing.stderr, /not-imported/u);
    assert.equal((await runCommand(['import', 'shop.entity.yaml'], folder)).code, 0);
  });

  it('give way to SQL of the command line, which reads nothing but the graph', async () => {
    const { code, stdout } = await run('--sql', 'SELECT count(*)::INT AS n FROM event;', '--format', 'json');
    assert.equal(code, 0);
    assert.deepEqual((JSON.parse(stdout) as { rows: unknown }).rows, [[2]]);
    for (const sql of ["SELECT * FROM read_csv('orders.csv')", 'DELETE FROM run', "COPY event TO 'event.csv'"])
      assert.match((await run('--sql', sql)).stderr, /\[sql-error\]/u, sql);
    assert.equal((await run('amounts', '--sql', 'SELECT 1')).code, 2);
  });

  it('are run by their names, and those of other graphs are not among them', async () => {
    const { code, stdout } = await run('amounts', '--format', 'json');
    assert.equal(code, 0);
    const { columns, rows } = JSON.parse(stdout) as { columns: { name: string }[]; rows: unknown[][] };
    assert.deepEqual(
      [columns.map(({ name }) => name), rows.map(([key, amount]) => [key, Number(amount)])],
      [
        ['key', 'amount'],
        [
          ['1', 10],
          ['2', 20],
        ],
      ],
    );
    const unknown = await run('amount');
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /There is no query "amount".*\n.*Did you mean "amounts"/u);
    assert.equal((await run('of-another')).code, 1);
  });

  it('are listed with their columns, and checked against the last import', async () => {
    const listed = async (): Promise<readonly unknown[]> => {
      const { code, stdout } = await run('--format', 'json');
      const found = JSON.parse(stdout) as {
        name: string;
        description?: string;
        columns?: { name: string }[];
        error?: string;
      }[];
      return [
        code,
        ...found.map(({ name, description, columns, error }) => [
          name,
          description,
          error ?? columns?.map((column) => column.name),
        ]),
      ];
    };
    assert.deepEqual(await listed(), [
      0,
      ['amounts', 'What orders are worth.', ['key', 'amount']],
      ['counts', undefined, ['orders']],
    ]);
    await writeFile(
      join(folder, 'shop.entity.yaml'),
      files['shop.entity.yaml'].replace('properties: [amount]', 'properties: []'),
    );
    assert.equal((await runCommand(['import', 'shop.entity.yaml'], folder)).code, 0);
    const [code, [, , error]] = (await listed()) as [number, [string, string, string]];
    assert.equal(code, 1);
    assert.match(String(error), /"amount" not found/u);
    const { stdout } = await run();
    assert.match(stdout, /BROKEN {2}amounts\n[^]*ok {6}counts\n {8}orders/u);
  });

  it('are validated with their graph, if it is imported: warnings with file and place', async () => {
    const folderOfOne = await folderWith(files);
    const validate = (...words: readonly string[]) =>
      runCommand(['validate', 'shop.entity.yaml', ...words], folderOfOne);
    await writeFile(join(folderOfOne, 'queries'), 'no folder');
    assert.deepEqual(await validate(), { code: 0, stdout: 'shop.entity.yaml: no problems\n', stderr: '' });
    await rm(join(folderOfOne, 'queries'));
    await mkdir(join(folderOfOne, 'queries'));
    const write = (name: string, text: string) => writeFile(join(folderOfOne, 'queries', name), text);
    try {
      for (const [name, text] of Object.entries(queries)) await write(name, text);
      const before = await validate();
      assert.deepEqual([before.code, before.stdout], [0, 'shop.entity.yaml: no problems\n']);
      assert.match(
        before.stderr,
        /^shop\.entity\.yaml: The named queries were not checked: .* has not been imported yet/u,
      );
      assert.equal((await runCommand(['import', 'shop.entity.yaml'], folderOfOne)).code, 0);
      await write('script.sql', 'CREATE TEMP TABLE late AS SELECT key FROM "order";\nSELECT count(*) FROM late;');
      const fine = await validate();
      assert.deepEqual([fine.code, fine.stderr], [0, '']);
      assert.deepEqual(fine.stdout.trimEnd().split('\n'), [
        'shop.entity.yaml: no problems',
        ...['amounts', 'counts', 'script'].map((name) => `queries/${name}.sql: no problems`),
      ]);
      await write('amounts.sql', '-- What orders are worth.\nSELECT key,\n  amnt FROM "order"');
      await write('counts.sql', 'SELECT count(*) FROM "ordr"');
      await write('script.sql', 'CREATE TEMP TABLE late AS SELECT key FROM "order";\nSELECT nothing FROM late;');
      await write('unfinished.sql', 'SELECT key FRM "order"');
      const { code, stdout } = await validate('--format', 'json');
      assert.equal(code, 0);
      const found = JSON.parse(stdout) as {
        file: string;
        diagnostics: { code: string; severity: string; message: string; range: { start: unknown; end: unknown } }[];
      }[];
      assert.deepEqual(
        found.map(({ file, diagnostics }) => [
          relative(folderOfOne, file),
          ...diagnostics.map((each) => [each.code, each.severity, each.range.start]),
        ]),
        [
          ['shop.entity.yaml'],
          ['queries/amounts.sql', ['sql-error', 'warning', { line: 2, character: 2 }]],
          ['queries/counts.sql', ['sql-error', 'warning', { line: 0, character: 21 }]],
          ['queries/script.sql', ['sql-error', 'warning', { line: 1, character: 7 }]],
          ['queries/unfinished.sql', ['sql-syntax', 'warning', { line: 0, character: 15 }]],
        ],
      );
      assert.match(found[1]?.diagnostics[0]?.message ?? '', /"amnt" not found.*"amount"/su);
    } finally {
      await removeFolder(folderOfOne);
    }
  });

  it('read nothing but the graph', async () => {
    await writeFile(join(folder, 'queries', 'outside.sql'), "SELECT * FROM read_text('orders.csv')");
    const { code, stderr } = await run('outside');
    assert.equal(code, 1);
    assert.match(stderr, /sql-error/u);
  });
});
