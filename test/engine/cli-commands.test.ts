import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { cliPath, jsonLines, runCli } from '../support/run-cli.ts';
import { runCommand } from '../support/run-command.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { queryDuckDb } from './samples-import.ts';
import { graphTables } from '../../server/src/graph-schema/graph-schema.ts';

const graph = graphText(
  `  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: at, properties: [note] }\n`,
  `  - { source: Place Order, target: Place Order, mappings: [{ source: parent, target: id }] }\n`,
);
const orders = 'id,at,note,parent\n1,2024-01-01 08:00:00,"a, b",\n2,2024-01-02 09:30:00,,1\n';

describe('command line', () => {
  let folder = '';
  before(async () => {
    folder = await folderWith({
      'entity-sources.yaml': csvSources(),
      'shop.entity.yaml': graph,
      'broken.entity.yaml': graph.replace('startTimestamp: at', 'startTimestamp: att'),
      'orders.csv': orders,
    });
  });
  after(() => removeFolder(folder));

  const run = (...args: readonly string[]): ReturnType<typeof runCli> =>
    runCommand([...args, '--workspace', folder], folder);

  it('doctor: says that a source was not contacted, where none may be', async () => {
    const words = ['doctor', 'shop', '--format', 'json'];
    const { code, stdout } = await runCommand(words, folder, { ENTITY_GRAPH_OFFLINE: '1' });
    const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; message: string }[] };
    assert.deepEqual(
      checks.map(({ name, state }) => [name, state]),
      [
        ['Settings', 'ok'],
        ['Network', 'warning'],
      ],
    );
    assert.equal(checks[1]?.message, 'Not contacted. shop may not be read: ENTITY_GRAPH_OFFLINE is set.');
    assert.equal(code, 0);
    const strict = await runCommand([...words, '--strict'], folder, { ENTITY_GRAPH_OFFLINE: '1' });
    assert.equal(strict.code, 1);
  });

  it('validate: prints nothing for a valid file; code, message and range of a problem; SARIF', async () => {
    const good = await run('validate', 'shop.entity.yaml', '--format', 'json');
    assert.deepEqual(
      [good.code, JSON.parse(good.stdout)],
      [0, [{ file: join(folder, 'shop.entity.yaml'), diagnostics: [] }]],
    );
    const bad = await run('validate', 'broken.entity.yaml', '--format', 'json');
    const [{ diagnostics }] = JSON.parse(bad.stdout) as [
      { diagnostics: { code: string; message: string; range: unknown }[] },
    ];
    assert.equal(bad.code, 1);
    assert.deepEqual(
      diagnostics.map(({ code, range }) => [code, range]),
      [['unknown-column', { start: { line: 4, character: 78 }, end: { line: 4, character: 81 } }]],
    );
    assert.match(diagnostics[0]?.message ?? '', /"att".*"at"/);
    const sarif = await run('validate', 'broken.entity.yaml', '--format', 'sarif');
    assert.equal((JSON.parse(sarif.stdout) as { version: string }).version, '2.1.0');
    const text = await run('validate', 'broken.entity.yaml');
    assert.match(text.stdout, /^broken\.entity\.yaml:5:79: error: .*\[unknown-column\]/);
  });

  it('validate: reports an unused data source without failing', async () => {
    const source = '{ kind: csv, path: "*.csv" }';
    const other = await folderWith({
      'entity-sources.yaml': `version: 1\ndataSources:\n  shop: ${source}\n  old: ${source}\n`,
      'more/shop.entity.yaml': graph,
    });
    try {
      const { code, stdout } = await runCommand(
        ['validate', 'entity-sources.yaml', '--format', 'json', '--workspace', other],
        other,
      );
      const [{ diagnostics }] = JSON.parse(stdout) as [
        { diagnostics: { code: string; severity: string; range: unknown }[] },
      ];
      const range = { start: { line: 3, character: 2 }, end: { line: 3, character: 5 } };
      assert.deepEqual(
        [code, diagnostics.map((problem) => [problem.code, problem.severity, problem.range])],
        [0, [['unused-source', 'information', range]]],
      );
    } finally {
      await removeFolder(other);
    }
  });

  it('validate: says why columns of an empty file are not checked, beside files that can be read', async () => {
    const of = (name: string): string => graph.replaceAll('orders', name);
    const other = await folderWith({
      'entity-sources.yaml': 'version: 1\ndataSources: { shop: { kind: csv, path: "*.csv" } }\n',
      ...{ 'orders.csv': orders, 'gone.csv': '', 'none.csv': '' },
      ...{ 'orders.entity.yaml': of('orders'), 'none.entity.yaml': of('none') },
    });
    try {
      const validate = (name: string) => runCommand(['validate', `${name}.entity.yaml`, '--workspace', other], other);
      const good = await validate('orders');
      assert.deepEqual([good.code, good.stdout, good.stderr], [0, 'orders.entity.yaml: no problems\n', '']);
      const reason = /Not all of "shop" is known, so "none" and its columns are not checked\. \S*none\.csv is empty\./;
      assert.match((await validate('none')).stderr, reason);
    } finally {
      await removeFolder(other);
    }
  });

  it('validate: reports SQL syntax errors of PostgreSQL without a server', async () => {
    const other = await folderWith({
      'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: postgresql, database: shop, user: me }\n',
      'shop.entity.yaml': graph.replace('key: id,', 'key: id, where: "id > 1 ANDD id < 5",'),
    });
    try {
      const { code, stdout } = await runCommand(
        ['validate', 'shop.entity.yaml', '--format', 'json', '--workspace', other],
        other,
      );
      const [{ diagnostics }] = JSON.parse(stdout) as [{ diagnostics: { code: string; severity: string }[] }];
      assert.deepEqual(
        [code, diagnostics.map((problem) => [problem.code, problem.severity])],
        [0, [['sql-syntax', 'warning']]],
      );
    } finally {
      await removeFolder(other);
    }
  });

  it('objects: lists names, columns and statistics', async () => {
    const { code, stdout } = await run('objects', 'shop', '--sources', 'entity-sources.yaml', '--format', 'json');
    assert.equal(code, 0);
    const [object] = JSON.parse(stdout) as [{ name: string; kind: string; columns: { name: string; type: string }[] }];
    assert.deepEqual([object.name, object.kind], ['orders', 'file']);
    assert.deepEqual(
      object.columns.map(({ name, type }) => `${name} ${type}`),
      ['id BIGINT', 'at TIMESTAMP', 'note VARCHAR', 'parent BIGINT'],
    );
  });

  it('lineage: prints the columns behind each part, what one feeds, and an answer for one that nothing uses', async () => {
    const { stdout } = await run('lineage', 'shop.entity.yaml', '--column', 'orders.at', '--format', 'json');
    const { columns } = JSON.parse(stdout) as {
      columns: { column: string; feeds: { kind: string; name: string; of?: string; role: string }[] }[];
    };
    assert.deepEqual(
      columns.map(({ column, feeds }) => [
        column,
        feeds.map(({ kind, name, of, role }) => `${of} ${kind} ${name} ${role}`),
      ]),
      [['at', ['Place Order time startTimestamp value']]],
    );
    const table = await run('lineage', 'shop.entity.yaml');
    assert.match(table.stdout, /^Place Order · startTimestamp {2,}orders\.at$/m);
    const unused = await run('lineage', 'shop.entity.yaml', '--column', 'orders.nothing');
    assert.equal(unused.code, 0);
    assert.match(unused.stdout, /^Nothing in this file uses the column orders\.nothing\.\nIt uses of orders: /);
    const otherCase = await run('lineage', 'shop.entity.yaml', '--column', 'Orders.AT');
    assert.match(otherCase.stdout, /^Nothing in this file uses the column Orders\.AT\.\nDid you mean "orders\.at"\?/);
  });

  it('lineage: names the mistake of an unreadable file, an unknown data source, and what subqueries read', async () => {
    const text = await readFile(join(folder, 'shop.entity.yaml'), 'utf8');
    const write = (name: string, content: string): Promise<void> => writeFile(join(folder, name), content);
    await write('unreadable.yaml', 'elements: [');
    const unreadable = await run('lineage', 'unreadable.yaml');
    assert.deepEqual([unreadable.code, unreadable.stdout], [1, '']);
    assert.match(unreadable.stderr, /This "\[" is never closed/);
    await write('elsewhere.yaml', text.replace('dataSource: shop', 'dataSource: shpo'));
    const elsewhere = await run('lineage', 'elsewhere.yaml');
    assert.match(
      elsewhere.stderr,
      /There is no data source "shpo" in .*: its SQL names no columns\. Did you mean "shop"\?/,
    );
    const where = 'where: id IN (SELECT o.id FROM orders AS o)';
    await write('nested.yaml', text.replace('dataObject: orders', `dataObject: orders, ${where}`));
    const read = 'Custom SQL of Place Order reads orders in a subquery, whose columns are not traced.';
    const untraced = await run('lineage', 'nested.yaml', '--column', 'orders.other');
    assert.ok(untraced.stdout.startsWith(`No traced SQL of this file uses the column orders.other.\n${read}\n`));
    const json = JSON.parse((await run('lineage', 'nested.yaml', '--format', 'json')).stdout) as { notes: string[] };
    assert.deepEqual(json.notes, [read]);
  });

  it('show-query and test-query: print the executed query and its first rows', async () => {
    const shown = await run('show-query', 'shop.entity.yaml', '--element', 'Place Order', '--format', 'json');
    const { steps } = JSON.parse(shown.stdout) as { steps: { kind: string; dialect: string; text: string }[] };
    assert.ok(
      steps.some(
        ({ kind, dialect, text }) =>
          kind === 'sql' && dialect === 'duckdb' && /SELECT[\s\S]*"orders"\."at" AS "at"/.test(text),
      ),
    );
    const tested = await run(
      'test-query',
      'shop.entity.yaml',
      '--relationship',
      'Place Order -> Place Order',
      '--limit',
      '5',
      '--format',
      'json',
    );
    const { durationMs, ...result } = JSON.parse(tested.stdout) as Record<string, unknown>;
    assert.equal(typeof durationMs, 'number');
    assert.deepEqual(result, {
      columns: [
        { name: 'source_key_1', type: 'VARCHAR', nulls: 0 },
        { name: 'target_key_1', type: 'VARCHAR', nulls: 0 },
      ],
      rows: [['2', '1']],
      truncated: false,
      warnings: [],
    });
  });

  it('validate: writes all of a long output to a slow reader, also when nobody reads the messages', async () => {
    const mistakes = Array.from({ length: 3000 }, (_, index) => `  - activityName: A${index}\n`).join('');
    const long = await folderWith({
      // Without a path, names are not checked, which is a message.
      'entity-sources.yaml': 'version: 1\ndataSources:\n  log: { kind: csv }\n',
      'long.entity.yaml': `version: 1\ndataSource: log\nelements:\n${mistakes}`,
    });
    try {
      const args = ['validate', 'long.entity.yaml'];
      const whole = await runCli(args, { cwd: long });
      assert.ok(whole.stderr !== '');
      const child = spawn(process.execPath, [cliPath, ...args], { cwd: long, stdio: ['ignore', 'pipe', 'pipe'] });
      child.stderr.destroy();
      const ended = once(child, 'close');
      await setTimeout(500);
      let stdout = '';
      for await (const text of child.stdout.setEncoding('utf8')) stdout += text;
      assert.equal(stdout.length, whole.stdout.length);
      assert.deepEqual(await ended, [whole.code, null]);
    } finally {
      await removeFolder(long);
    }
  });

  it('import: prints progress lines, then one summary', async () => {
    const { code, stdout } = await run('import', 'shop.entity.yaml', '--format', 'json');
    assert.equal(code, 0);
    const lines = jsonLines({ code, stdout, stderr: '' });
    assert.ok(lines.slice(0, -1).every(({ type, step, message }) => type === 'progress' && step && message));
    const { durationMs, store, steps, ...summary } = lines.at(-1) ?? {};
    assert.equal(typeof durationMs, 'number');
    const named = (steps as { name: string; rows: number }[]).map(({ name, rows }) => `${name} ${rows}`);
    assert.ok(named.includes('event 2') && named.includes('directly_follows 2'), named.join());
    assert.match(String(store), /\.entity-graph.graphs.shop.\d{8}T\d{9}-[0-9a-f]{4}\.duckdb$/);
    assert.deepEqual(summary, {
      type: 'summary',
      status: 'imported',
      elements: [
        { activityName: 'Place Order', rows: 2, events: 2, entities: 2, rowsWithoutStart: 0, rowsWithoutKey: 0 },
      ],
      entities: [],
      relationships: [
        {
          name: 'Place Order → Place Order',
          pairs: 1,
          source: { name: 'Place Order', entities: 2, related: 1 },
          target: { name: 'Place Order', entities: 2, related: 1 },
        },
      ],
      totals: { events: 2, entities: 2, correlations: 4, relations: 1, directlyFollows: 2 },
      warnings: [],
      notes: [],
    });
  });

  it('status: prints one row per graph', async () => {
    await run('import', 'shop.entity.yaml');
    const rows = JSON.parse((await run('status', '.', '--format', 'json')).stdout) as Record<string, unknown>[];
    assert.deepEqual(
      rows.map(({ file, name, dataSource, status, progress, modifiedSinceImport }) => [
        file,
        name,
        dataSource,
        status,
        progress,
        modifiedSinceImport,
      ]),
      [
        [join(folder, 'broken.entity.yaml'), 'Test', 'shop', 'Not Imported', null, false],
        [join(folder, 'shop.entity.yaml'), 'Test', 'shop', 'Imported', 'Import Done', false],
      ],
    );
  });

  it('export: writes one Parquet or CSV file per table, and is refused before an import', async () => {
    await run('import', 'shop.entity.yaml');
    const { code, stdout, stderr } = await run(
      'export',
      'shop.entity.yaml',
      '--as',
      'csv',
      '--output',
      'out/csv',
      '--format',
      'json',
    );
    assert.equal(code, 0, stderr);
    const { files } = JSON.parse(stdout) as { files: string[] };
    assert.deepEqual(
      files,
      [
        ...['entity', 'event', 'relation', 'event_entity', 'directly_follows', 'properties_1'],
        ...['process_map', 'process_map_activity', 'process_map_path'],
      ].map((name) => join(folder, 'out/csv', `${name}.csv`)),
    );
    assert.equal(
      await readFile(join(folder, 'out/csv/event.csv'), 'utf8'),
      `${Object.keys(graphTables.event.columns).join()}
1,Place Order,Place Order,start,2024-01-01T08:00:00.000000Z,1
2,Place Order,Place Order,start,2024-01-02T09:30:00.000000Z,2
`,
    );
    assert.equal(await readFile(join(folder, 'out/csv/properties_1.csv'), 'utf8'), 'event_id,note\n1,"a, b"\n2,\n');
    await run('export', 'shop.entity.yaml', '--as', 'parquet', '--output', 'out/parquet');
    const path = join(folder, 'out/parquet/event.parquet').replaceAll("'", "''");
    assert.deepEqual(await queryDuckDb(`SELECT count(*) AS n, typeof(any_value(time)) AS type FROM '${path}'`), [
      { n: 2, type: 'TIMESTAMP' },
    ]);
    assert.deepEqual((await readdir(join(folder, 'out'))).sort(), ['csv', 'parquet']);
    const refused = await run(
      'export',
      'broken.entity.yaml',
      '--as',
      'csv',
      '--output',
      'out/none',
      '--format',
      'json',
    );
    assert.equal(refused.code, 1);
    assert.equal((JSON.parse(refused.stdout) as { error: { code: string } }).error.code, 'not-imported');
  });

  it('prints its usage: exit code 2 for wrong usage, --help for each command', async () => {
    const commands = ['validate', 'objects', 'show-query', 'test-query', 'import', 'export', 'status', 'new'].concat([
      'reset',
      'copy',
      'delete',
      'export-config',
      'import-config',
    ]);
    for (const name of commands) {
      const { code, stdout } = await run(name, '--help');
      assert.equal(code, 0);
      assert.match(stdout, new RegExp(`entity-graph ${name}`));
    }
    const wrong: readonly (readonly string[])[] = [
      [],
      ['fly'],
      ['import'],
      ['import', 'a', 'b'],
      ['import', 'a', '--sample', 'x'],
      ['import', 'a', '--since', '2024-13-01'],
      ['import', 'a', '--since', '2024-02-30'],
      ['import', 'a', '--since', '2023-02-29T08:00:00Z'],
      ['export', 'a'],
      ['validate', 'a', '--format', 'xml'],
    ];
    for (const args of wrong) {
      const { code, stdout, stderr } = await runCli(args, { cwd: folder });
      assert.equal(code, 2, args.join(' '));
      assert.ok((stdout + stderr).length > 0);
    }
  });

  it('explains that a file does not exist', async () => {
    const { code, stderr } = await run('import', 'nowhere.entity.yaml');
    assert.equal(code, 1);
    assert.match(stderr, /nowhere\.entity\.yaml.*no such file/s);
  });
});
