import assert from 'node:assert/strict';
import type { NewGraph } from '../../server/src/operations/graph-files/new-graph.ts';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { ownMark } from '../../server/src/files/process-mark.ts';
import type { CliRun } from '../support/run-cli.ts';
import { runCommand } from '../support/run-command.ts';
import { csvSources, graphText, postgresqlSources } from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const graph = `# kept\n${graphText('  - { activityName: A, dataObject: orders, key: id, startTimestamp: at }\n')}`;

interface Files {
  readonly files: readonly { readonly file: string; readonly action: string; readonly message?: string }[];
}

describe('command line, lifecycle of an entity graph', () => {
  let folder = '';
  const path = (name: string): string => join(folder, name);
  const run = (...args: readonly string[]): Promise<CliRun> =>
    runCommand([...args, '--workspace', folder, '--format', 'json'], folder);
  const filesOf = ({ stdout }: CliRun): Files['files'] => (JSON.parse(stdout) as Files).files;

  beforeEach(async () => {
    folder = await folderWith({
      'entity-sources.yaml': csvSources(),
      'shop.entity.yaml': graph,
      'orders.csv': 'id,at\n1,2024-01-01 08:00:00\n',
    });
  });
  afterEach(() => removeFolder(folder));

  it('delete: refuses while the graph is being imported, and names the importing process', async () => {
    const mark = JSON.stringify({ ...(await ownMark()), since: '2026-01-01T00:00:00.000Z' });
    await mkdir(path('.entity-graph/state'), { recursive: true });
    await writeFile(path('.entity-graph/state/shop.lock'), mark);
    const refused = await run('delete', 'shop.entity.yaml', '--yes');
    const { error } = JSON.parse(refused.stdout) as { error: { code: string; message: string } };
    assert.deepEqual([refused.code, error.code], [1, 'import-running'], refused.stdout);
    assert.match(error.message, new RegExp(`shop\\.entity\\.yaml is being imported, by process ${process.pid}`));
    assert.ok(existsSync(path('shop.entity.yaml')));
  });

  it('reset: restores the imported text, and refuses before the first import', async () => {
    assert.equal((await run('reset', 'shop.entity.yaml')).code, 1);
    await run('import', 'shop.entity.yaml');
    assert.deepEqual(filesOf(await run('reset', 'shop.entity.yaml')), [
      { file: path('shop.entity.yaml'), action: 'unchanged' },
    ]);
    await writeFile(path('shop.entity.yaml'), `${graph}# changed\n`);
    assert.deepEqual(filesOf(await run('reset', 'shop.entity.yaml')), [
      { file: path('shop.entity.yaml'), action: 'reset' },
    ]);
    assert.equal(await readFile(path('shop.entity.yaml'), 'utf8'), graph);
  });

  it('copy: writes a new graph under another name, and never overwrites a file', async () => {
    await run('import', 'shop.entity.yaml');
    assert.equal((await run('copy', 'shop.entity.yaml', 'new.entity.yaml')).code, 0);
    assert.equal(await readFile(path('new.entity.yaml'), 'utf8'), graph.replace('name: Test', 'name: Test (copy)'));
    const rows = JSON.parse((await run('status', '.')).stdout) as { file: string; status: string }[];
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['Not Imported', 'Imported'],
    );
    assert.equal((await run('copy', 'shop.entity.yaml', 'new.entity.yaml')).code, 1);
    assert.equal((await run('copy', 'shop.entity.yaml', 'new.txt')).code, 1);
  });

  it('status: keeps the state of a file renamed outside the tool when the match is unambiguous', async () => {
    const rows = async () =>
      (JSON.parse((await run('status', '.')).stdout) as { file: string; status: string }[]).map(
        ({ file, status }) => `${relative(folder, file)} ${status}`,
      );
    await run('import', 'shop.entity.yaml');
    await mkdir(path('graphs'));
    await rename(path('shop.entity.yaml'), path('graphs/sales.entity.yaml'));
    assert.deepEqual(await rows(), ['graphs/sales.entity.yaml Imported']);
    assert.ok(existsSync(path('.entity-graph/graphs/graphs/sales')));
    assert.ok(!existsSync(path('.entity-graph/state/shop.json')));
    assert.equal((await run('export', 'graphs/sales.entity.yaml', '--as', 'csv', '--output', 'out')).code, 0);
    // With two candidates, neither is chosen.
    await rename(path('graphs/sales.entity.yaml'), path('one.entity.yaml'));
    await copyFile(path('one.entity.yaml'), path('two.entity.yaml'));
    assert.deepEqual(await rows(), ['one.entity.yaml Not Imported', 'two.entity.yaml Not Imported']);
    await unlink(path('two.entity.yaml'));
    assert.deepEqual(await rows(), ['one.entity.yaml Imported']);
    // Another text is another graph.
    await writeFile(path('one.entity.yaml'), `${graph}# changed\n`);
    await rename(path('one.entity.yaml'), path('three.entity.yaml'));
    assert.deepEqual(await rows(), ['three.entity.yaml Not Imported']);
  });

  describe('graphs whose paths are prefixes of one another', () => {
    const outcome = async (): Promise<readonly string[]> => {
      const rows = JSON.parse((await run('status', '.')).stdout) as { file: string; status: string }[];
      const checked: string[] = [];
      for (const { file, status } of rows) {
        const entity = relative(folder, file).replaceAll('\\', '/').replace('.entity.yaml', '');
        const state = await readFile(path(`.entity-graph/state/${entity}.json`), 'utf8').catch(() => '{}');
        const { store = 'none' } = JSON.parse(state) as { store?: string };
        checked.push(
          `${entity}.entity.yaml ${status} ${existsSync(path(`.entity-graph/graphs/${entity}/${store}`)) ? 'with' : 'without'} graph`,
        );
      }
      return checked;
    };
    beforeEach(async () => {
      await mkdir(path('shop'));
      await writeFile(path('shop/detail.entity.yaml'), graph.replace('name: Test', 'name: Detail'));
      for (const file of ['shop.entity.yaml', 'shop/detail.entity.yaml'])
        assert.equal((await run('import', file)).code, 0);
    });

    it('delete: removes only the state of its own graph', async () => {
      assert.equal((await run('delete', 'shop.entity.yaml', '--yes')).code, 0);
      assert.deepEqual(await outcome(), ['shop/detail.entity.yaml Imported with graph']);
      assert.equal((await run('delete', 'shop/detail.entity.yaml', '--yes')).code, 0);
      assert.equal(existsSync(path('.entity-graph/graphs/shop')), false);
    });

    const moves: readonly (readonly [from: string, to: string])[] = [
      ['shop.entity.yaml', 'sales.entity.yaml'],
      ['shop.entity.yaml', 'shop/shop.entity.yaml'],
      ['shop.entity.yaml', 'shop/detail/shop.entity.yaml'],
      ['shop/detail.entity.yaml', 'detail.entity.yaml'],
    ];
    for (const [from, to] of moves) {
      it(`a move from ${from} to ${to} and back moves only the state of that graph`, async () => {
        const other = from === 'shop.entity.yaml' ? 'shop/detail.entity.yaml' : 'shop.entity.yaml';
        assert.equal((await outcome()).length, 2);
        await mkdir(dirname(path(to)), { recursive: true });
        await rename(path(from), path(to));
        assert.deepEqual(
          (await outcome()).toSorted(),
          [`${to} Imported with graph`, `${other} Imported with graph`].toSorted(),
        );
        await rename(path(to), path(from));
        assert.deepEqual(
          (await outcome()).toSorted(),
          [`${from} Imported with graph`, `${other} Imported with graph`].toSorted(),
        );
      });
    }
  });

  it('a new file inherits nothing from a deleted file of the same name', async () => {
    const statusOf = async (file: string): Promise<unknown> =>
      (JSON.parse((await run('status', '.')).stdout) as { file: string; status: string }[]).find(
        (row) => row.file === path(file),
      )?.status;
    await copyFile(path('shop.entity.yaml'), path('other.entity.yaml'));
    assert.equal((await run('import', 'other.entity.yaml')).code, 0);
    await unlink(path('other.entity.yaml'));
    assert.equal((await run('copy', 'shop.entity.yaml', 'other.entity.yaml')).code, 0);
    assert.equal(await statusOf('other.entity.yaml'), 'Not Imported');
    assert.equal((await run('import', 'other.entity.yaml')).code, 0);
    await unlink(path('other.entity.yaml'));
    await run('export-config', 'shop.entity.yaml', '--as', 'yaml', '--output', 'out/other.yaml');
    assert.equal((await run('import-config', 'out/other.yaml', '--into', '.')).code, 0);
    assert.equal(await statusOf('other.entity.yaml'), 'Not Imported');
  });

  it('status: does not treat an existing copy as the new name of a renamed or deleted file', async () => {
    const rows = async () =>
      (JSON.parse((await run('status', '.')).stdout) as { file: string; status: string }[]).map(
        ({ file, status }) => `${relative(folder, file)} ${status}`,
      );
    await run('import', 'shop.entity.yaml');
    await run('export-config', 'shop.entity.yaml', '--as', 'yaml', '--output', 'shop-export.entity.yaml');
    assert.deepEqual(await rows(), ['shop-export.entity.yaml Not Imported', 'shop.entity.yaml Imported']);
    await rename(path('shop.entity.yaml'), path('sales.entity.yaml'));
    assert.deepEqual(await rows(), ['sales.entity.yaml Imported', 'shop-export.entity.yaml Not Imported']);
    await unlink(path('sales.entity.yaml'));
    assert.deepEqual(await rows(), ['shop-export.entity.yaml Not Imported']);
  });

  it('status: names an unreadable file, and lists the others', async () => {
    await symlink(path('nowhere'), path('lost.entity.yaml'));
    const status = await run('status', '.');
    assert.equal(status.code, 1);
    assert.match(status.stderr, /Cannot read .*lost\.entity\.yaml: there is no such file\./);
    assert.deepEqual(
      (JSON.parse(status.stdout) as { name: string }[]).map(({ name }) => name),
      ['Test'],
    );
  });

  it('delete: removes file, state and graphs, and only with confirmation', async () => {
    await run('import', 'shop.entity.yaml');
    const asked = await run('delete', 'shop.entity.yaml');
    assert.equal(asked.code, 2);
    assert.match(asked.stderr, /shop\.entity\.yaml.*graphs/s);
    assert.ok(existsSync(path('shop.entity.yaml')));
    const deleted = filesOf(await run('delete', 'shop.entity.yaml', '--yes'));
    assert.equal(deleted.length, 3);
    assert.ok(deleted.every(({ action, file }) => action === 'deleted' && !existsSync(file)));
    assert.deepEqual(await readdir(path('.entity-graph/state')), []);
  });

  it('export-config and import-config: round-trip without changes, report per file, and never overwrite', async () => {
    for (const form of ['yaml', 'json']) {
      assert.equal((await run('export-config', 'shop.entity.yaml', '--as', form, '--output', `out/a.${form}`)).code, 0);
      assert.equal((await run('import-config', `out/a.${form}`, '--into', 'in')).code, 0);
      await run('export-config', `in/a.entity.${form}`, '--as', form, '--output', `out/b.${form}`);
      assert.equal(await readFile(path(`out/a.${form}`), 'utf8'), await readFile(path(`out/b.${form}`), 'utf8'));
    }
    assert.equal(await readFile(path('out/a.yaml'), 'utf8'), graph);
    await writeFile(path('broken.yaml'), 'elements: [');
    await writeFile(path('other.yaml'), 'a: 1\n');
    const result = await run('import-config', 'out/a.yaml', 'broken.yaml', 'other.yaml', '--into', 'in');
    assert.equal(result.code, 1);
    assert.deepEqual(
      filesOf(result).map(({ action, message }) => [
        action,
        /exists|never closed|not an entity graph/.exec(message ?? '')?.[0],
      ]),
      [
        ['refused', 'exists'],
        ['refused', 'never closed'],
        ['refused', 'not an entity graph'],
      ],
    );
    assert.match(result.stdout, /"existing": ".*a\.entity\.yaml"/);
  });

  it('import-config: keeps or replaces an existing file as requested', async () => {
    const other = graph.replace('name: Test', 'name: Other');
    await run('export-config', 'shop.entity.yaml', '--as', 'yaml', '--output', 'out/a.yaml');
    await run('import-config', 'out/a.yaml', '--into', 'in');
    await writeFile(path('out/a.yaml'), other);
    const both = await run('import-config', 'out/a.yaml', '--into', 'in', '--existing', 'keep-both');
    assert.deepEqual(filesOf(both), [{ file: path('in/a-2.entity.yaml'), action: 'imported' }]);
    assert.equal(await readFile(path('in/a.entity.yaml'), 'utf8'), graph);
    assert.equal((await run('import-config', 'out/a.yaml', '--into', 'in', '--existing', 'replace')).code, 0);
    assert.equal(await readFile(path('in/a.entity.yaml'), 'utf8'), other);
    assert.deepEqual((await readdir(path('in'))).toSorted(), ['a-2.entity.yaml', 'a.entity.yaml']);
  });
});

describe('command line, new', () => {
  let server: TestPostgres;
  before(async () => (server = await sharedPostgres()));

  it('creates elements for tables with times and relationships for foreign keys, valid and importable', async () => {
    const database = await server.createDatabase();
    await server.query(
      database,
      `CREATE TABLE customers (id int PRIMARY KEY, created_at timestamp, updated_at timestamp);
       CREATE TABLE orders (id int PRIMARY KEY, customer_id int REFERENCES customers, placed_at timestamp);
       CREATE TABLE countries (code text PRIMARY KEY);
       INSERT INTO customers VALUES (1, '2024-01-01', '2024-01-02'); INSERT INTO orders VALUES (7, 1, '2024-01-03');`,
    );
    const folder = await folderWith({ 'entity-sources.yaml': postgresqlSources(server, database) });
    const run = (...args: readonly string[]): Promise<CliRun> =>
      runCommand([...args, '--workspace', folder, '--format', 'json'], folder);
    try {
      const made = await run('new', 'shop', '--output', 'shop.entity.yaml');
      assert.equal(made.code, 0, made.stderr);
      const { file, chosen, choices, leftOut } = JSON.parse(made.stdout) as NewGraph & { readonly file: string };
      assert.equal(file, join(folder, 'shop.entity.yaml'));
      assert.deepEqual(
        chosen.map(({ dataObject, role, columns }) => [dataObject, role, ...columns]),
        [
          ['customers', 'key', 'id'],
          ['customers', 'time', 'created_at'],
          ['customers', 'change', 'updated_at'],
          ['orders', 'key', 'id'],
          ['orders', 'time', 'placed_at'],
          ['orders', 'reference', 'customer_id'],
        ],
      );
      assert.ok(chosen.every(({ reason }) => reason !== ''));
      assert.deepEqual([choices, leftOut.map(({ dataObject }) => dataObject)], [[], ['countries']]);
      assert.match(made.stderr, /countries is left out/);
      const imported = await run('import', 'shop.entity.yaml');
      assert.equal(imported.code, 0, imported.stdout);
      const summary = JSON.parse(imported.stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
      const [related] = summary['relationships'] as { name: string; pairs: number }[];
      assert.deepEqual([related?.name, related?.pairs], ['orders customer_id', 1]);
      assert.deepEqual((summary['totals'] as { events: number }).events, 3);
      assert.equal((await run('new', 'shop', '--output', 'shop.entity.yaml')).code, 1);
      assert.equal((await run('new', 'shop', '--objects', 'ordrs', '--output', 'other.entity.yaml')).code, 1);

      const chosenBy = async (choice: string, code = 0): Promise<string> => {
        const made = await run('new', 'shop', '--choose', choice, '--output', 'chosen.entity.yaml');
        assert.equal(made.code, code, made.stderr);
        const text = code === 0 ? await readFile(join(folder, 'chosen.entity.yaml'), 'utf8') : made.stderr;
        await rm(join(folder, 'chosen.entity.yaml'), { force: true });
        return text;
      };
      assert.match(await chosenBy('time=updated_at'), /startTimestamp: updated_at/);
      assert.match(
        await chosenBy('customers:time=updated_at, orders:key=id+customer_id'),
        /key: \[ id, customer_id \]/,
      );
      assert.match(
        await chosenBy('time=updatd_at', 1),
        /No data object to use has the column updatd_at.*\n.*"updated_at"/,
      );
      assert.match(await chosenBy('key=id', 1), /customers, orders have the column id.*\n.*customers:key=id/);
      assert.match(await chosenBy('customer:time=updated_at', 1), /"customer" is not among.*\n.*"customers"/);
      assert.match(await chosenBy('orders:time=customer_id', 1), /customer_id of orders cannot be the time/);
      assert.match(await chosenBy('place=id', 2), /Roles are case, activity, time, end, key/);
    } finally {
      await removeFolder(folder);
    }
  });
});
