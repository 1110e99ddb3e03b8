import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprint, folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';
import { type CliOptions, jsonLines, runCli } from '../support/run-cli.ts';
import { runCommand } from '../support/run-command.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { withoutPrivileges } from '../support/without-privileges.ts';

/** A mistake after a successful import: what changes, and the expected message. */
interface BadInput {
  readonly name: string;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly prepare?: (folder: string) => Promise<void>;
  readonly run?: CliOptions;
  readonly code: string;
  /** Cause and place in the message. */
  readonly message: RegExp;
  readonly remedy?: RegExp;
  /** Zero-based line of the file that the error points at. */
  readonly line?: number;
}

const graph = (lines: string): string => `version: 1
name: Shop
dataSource: shop
dataObjects: [orders]
elements:
  - activityName: Place Order
    dataObject: orders
    key: id
${lines}`;

const csvSources = 'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n';
const goodGraph = graph('    startTimestamp: placed_at\n    properties: [amount]\n');
const goodCsv = 'id,placed_at,amount\n1,2024-01-01 08:00:00,10\n2,2024-01-02 09:30:00,20\n';

const csvCases: readonly BadInput[] = [
  {
    name: 'broken YAML',
    files: { 'shop.entity.yaml': goodGraph.replace('elements:', 'elements: [') },
    code: 'yaml-syntax',
    message: /This "\[" is never closed\. Close it with "\]"/,
    line: 4,
  },
  {
    name: 'an unconfigured element',
    files: { 'shop.entity.yaml': graph('    properties: [amount]\n') },
    code: 'element-unconfigured',
    message: /Start Timestamp is missing/,
    line: 5,
  },
  {
    name: 'a missing column',
    files: { 'shop.entity.yaml': graph('    startTimestamp: placed_att\n') },
    code: 'unknown-column',
    message: /placed_att/,
    line: 8,
  },
  {
    name: 'a missing file',
    prepare: (folder) => rm(join(folder, 'orders.csv')),
    code: 'file-missing',
    message: /\*\.csv/,
  },
  { name: 'an empty file', files: { 'orders.csv': '' }, code: 'source-empty', message: /orders\.csv.*empty/ },
  {
    name: 'a ragged row',
    files: { 'orders.csv': `${goodCsv}3,2024-01-03 10:00:00,30,extra,more\n` },
    code: 'file-malformed',
    message: /orders\.csv.*line 4/i,
  },
  {
    name: 'a file in another encoding than declared',
    files: {
      'orders.csv': Buffer.concat([Buffer.from(goodCsv), Buffer.from([0x33, 0x2c, 0xe9, 0x2c, 0x31, 0x0a])]),
      'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv", encoding: utf-8 }\n',
    },
    code: 'file-malformed',
    message: /orders\.csv/,
    remedy: /encoding/,
  },
  {
    name: 'a binary file',
    files: { 'orders.csv': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0xff, 0xfe, 0, 1, 2, 3, 0, 0]) },
    code: 'file-malformed',
    message: /orders\.csv.*(binary|not a text file)/,
  },
  {
    name: 'a start timestamp that does not parse',
    files: { 'orders.csv': 'id,placed_at,amount\n1,soon,10\n2,later,20\n' },
    code: 'type-mismatch',
    message: /placed_at/,
  },
  {
    name: 'an SQL error in a filter',
    files: { 'shop.entity.yaml': graph('    startTimestamp: placed_at\n    where: amont > 5\n') },
    code: 'column-missing',
    message: /amont/,
    line: 9,
  },
  {
    name: 'an unknown data source',
    files: { 'shop.entity.yaml': goodGraph.replace('dataSource: shop', 'dataSource: shopp') },
    code: 'unknown-data-source',
    message: /shopp/,
    line: 2,
  },
];

describe('command line, invalid files', () => {
  for (const badInput of csvCases) {
    it(`${badInput.name}: exits with 1, names cause and position, loses nothing`, async () => {
      const folder = await folderWith({
        'entity-sources.yaml': csvSources,
        'shop.entity.yaml': goodGraph,
        'orders.csv': goodCsv,
      });
      try {
        await assertRefused(folder, badInput, {});
      } finally {
        await removeFolder(folder);
      }
    });
  }

  it('unreadable file: is named with the reason', async () => {
    const folder = await folderWith({
      'entity-sources.yaml': csvSources,
      'shop.entity.yaml': goodGraph,
      'orders.csv': goodCsv,
    });
    try {
      await chmod(folder, 0o777);
      await chmod(join(folder, 'orders.csv'), 0);
      const run = await runCli(['import', 'shop.entity.yaml', '--format', 'json', '--workspace', folder], {
        cwd: folder,
        ...withoutPrivileges,
      });
      assert.equal(run.code, 1, run.stderr);
      assert.equal(lastError(run).code, 'file-unreadable');
      assert.match(lastError(run).message, /orders\.csv/);
    } finally {
      await removeFolder(folder);
    }
  });

  it('import --format json › an entity graph that cannot be read gives a summary, too', async () => {
    const folder = await folderWith({ 'entity-sources.yaml': csvSources });
    try {
      for (const command of ['import', 'fetch']) {
        const run = await runCli([command, 'none.entity.yaml', '--format', 'json', '--workspace', folder], {
          cwd: folder,
        });
        assert.equal(run.code, 1, run.stderr);
        const last = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
        assert.deepEqual(
          [last['type'], last['status'], (last['error'] as { code: string }).code, last['elements']],
          ['summary', 'failed', 'file-missing', []],
        );
      }
    } finally {
      await removeFolder(folder);
    }
  });

  it('no write permission: names the folder and leaves no partial file', async () => {
    const folder = await folderWith({
      'entity-sources.yaml': csvSources,
      'shop.entity.yaml': goodGraph,
      'orders.csv': goodCsv,
    });
    try {
      await chmod(folder, 0o555);
      const run = await runCli(['import', 'shop.entity.yaml', '--format', 'json', '--workspace', folder], {
        cwd: folder,
        ...withoutPrivileges,
      });
      assert.equal(run.code, 1, run.stderr);
      const error = lastError(run);
      assert.equal(error.code, 'no-write-permission');
      assert.match(error.message, /\.entity-graph/);
      assert.deepEqual((await fingerprint(folder)).length, 3);
    } finally {
      await chmod(folder, 0o755);
      await removeFolder(folder);
    }
  });

  for (const inTheWay of ['.entity-graph', '.entity-graph/graphs', '.entity-graph/state']) {
    it(`a file at ${inTheWay}: is named and left unchanged`, async () => {
      const folder = await folderWith({
        'entity-sources.yaml': csvSources,
        'shop.entity.yaml': goodGraph,
        'orders.csv': goodCsv,
        [inTheWay]: 'Somebody needs this.',
      });
      try {
        const run = await runCli(['import', 'shop.entity.yaml', '--format', 'json', '--workspace', folder], {
          cwd: folder,
        });
        assert.equal(run.code, 1, run.stderr);
        const error = lastError(run);
        assert.equal(error.code, 'file-in-the-way', error.message);
        assert.ok(error.message.includes(join(folder, inTheWay)), error.message);
        assert.match(String(error.remedy), /^Move that file away, then import again\.$/);
        assert.equal(await readFile(join(folder, inTheWay), 'utf8'), 'Somebody needs this.');
      } finally {
        await removeFolder(folder);
      }
    });
  }

  it('full disk: is reported as such, and the previous graph stays', async function () {
    const folder = await folderWith({});
    try {
      const rows = Array.from(
        { length: 200_000 },
        (_, index) => `${index},2024-01-01 08:00:00,${createHash('sha256').update(String(index)).digest('hex')}`,
      );
      const files = await folderWith({
        'entity-sources.yaml': csvSources,
        'shop.entity.yaml': goodGraph,
        'orders.csv': goodCsv,
      });
      const args = ['import', 'shop.entity.yaml', '--format', 'json', '--workspace'];
      const good = await runCommand([...args, files], files);
      assert.equal(good.code, 0, good.stdout + good.stderr);
      await writeFiles(files, { 'orders.csv': `id,placed_at,amount\n${rows.join('\n')}\n` });
      const before = await fingerprint(join(files, '.entity-graph', 'graphs'));
      // The disk exists for this run only: its content is printed at the end.
      const run = await runCli([...args, folder], { wrapper: ['sh', '-c', noRoom(), folder, files] });
      await removeFolder(files);
      assert.equal(run.code, 1, run.stderr);
      const error = lastError(run);
      assert.equal(error.code, 'disk-full', error.message);
      assert.match(String(error.remedy), /space/);
      const left = run.stderr
        .split('\n')
        .map((line) => /^([0-9a-f]{64}) [ *]\.(\/.*)$/.exec(line))
        .flatMap((found) => (found ? [`${found[2]} ${found[1]}`] : []));
      assert.equal(before.length, 2, before.join('\n'));
      assert.deepEqual(left.toSorted(), before);
      assert.match(run.stderr, /^status: .*"status": ?"Imported"/m);
    } finally {
      await removeFolder(folder);
    }
  });

  it('second concurrent import: is refused with the owner named, and the first one succeeds', async () => {
    const rows = Array.from({ length: 400_000 }, (_, index) => `${index},2024-01-01 08:00:00,${index}`);
    const folder = await folderWith({
      'entity-sources.yaml': csvSources,
      'shop.entity.yaml': goodGraph,
      'orders.csv': `id,placed_at,amount\n${rows.join('\n')}\n`,
    });
    try {
      const args = ['import', 'shop.entity.yaml', '--format', 'json', '--workspace', folder];
      let second: Promise<Awaited<ReturnType<typeof runCli>>> | undefined;
      const first = await runCli(args, {
        cwd: folder,
        onOutput: (stdout) => {
          if (!second && stdout.includes('"data pull"')) second = runCli(args, { cwd: folder });
        },
      });
      assert.equal(first.code, 0, first.stderr);
      const refused = await second;
      assert.ok(refused);
      assert.equal(refused.code, 1);
      assert.equal(lastError(refused).code, 'import-running');
      assert.match(lastError(refused).message, /process \d+/);
    } finally {
      await removeFolder(folder);
    }
  });
});

describe('command line, unsuitable PostgreSQL sources', () => {
  let server: TestPostgres;
  let database: string;

  before(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
    await server.query(
      database,
      `CREATE TABLE orders (id int PRIMARY KEY, placed_at timestamp NOT NULL, amount int);
       INSERT INTO orders SELECT i, timestamp '2024-01-01' + i * interval '1 hour', i FROM generate_series(1, 100) AS i;
       CREATE TABLE secrets (id int PRIMARY KEY, placed_at timestamp);
       CREATE ROLE ${database}_reader LOGIN PASSWORD 'let me in';
       GRANT SELECT ON orders TO ${database}_reader;`,
    );
  });

  const sources = (settings: string): string =>
    `version: 1\ndataSources:\n  shop: { kind: postgresql, host: ${server.host}, port: ${server.port}, database: ${database}, user: ${database}_reader, password: "\${secret:shop}"${settings} }\n`;

  const cases: readonly (BadInput & { readonly sources?: () => string })[] = [
    {
      name: 'a wrong password',
      run: { env: { ENTITY_GRAPH_SECRET_SHOP: 'wrong-pass-4711' } },
      code: 'authentication-failed',
      message: /password.*@.*:\d+/s,
    },
    {
      name: 'a missing secret',
      run: { env: { ENTITY_GRAPH_SECRET_SHOP: undefined } },
      code: 'secret-missing',
      message: /shop/,
      remedy: /ENTITY_GRAPH_SECRET_SHOP/,
    },
    {
      name: 'an unreachable host',
      sources: () => sources('').replace(/port: \d+/, 'port: 1'),
      code: 'source-unreachable',
      message: /:1\b/,
    },
    {
      name: 'a missing database',
      sources: () => sources('').replace(`database: ${database}`, 'database: nowhere'),
      code: 'source-config',
      message: /nowhere/,
    },
    {
      name: 'a missing table',
      files: { 'shop.entity.yaml': goodGraph.replaceAll('orders', 'order_lines') },
      code: 'unknown-data-object',
      message: /order_lines/,
    },
    {
      name: 'a table without permission',
      files: {
        'shop.entity.yaml': goodGraph.replaceAll('orders', 'secrets').replace('    properties: [amount]\n', ''),
      },
      code: 'permission-denied',
      message: /secrets/,
    },
    {
      name: 'a type mismatch in a filter',
      files: { 'shop.entity.yaml': graph("    startTimestamp: placed_at\n    where: amount = 'many'\n") },
      code: 'type-mismatch',
      message: /many/,
      line: 9,
    },
  ];

  for (const badInput of cases) {
    it(`${badInput.name}: exits with 1, names cause and position, loses nothing`, async () => {
      const folder = await folderWith({ 'entity-sources.yaml': sources(''), 'shop.entity.yaml': goodGraph });
      try {
        const changed = badInput.sources ? { 'entity-sources.yaml': badInput.sources() } : {};
        await assertRefused(
          folder,
          { ...badInput, files: { ...badInput.files, ...changed } },
          { ENTITY_GRAPH_SECRET_SHOP: 'let me in' },
        );
      } finally {
        await removeFolder(folder);
      }
    });
  }
});

/**
 * A script that runs a command in a copy of a folder without room for the graph: on a small disk or, where mounting is
 * not possible, with a file size limit.
 */
function noRoom(): string {
  const work = 'cp -r "$1"/. "$0" && shift && cd "$0"';
  const list = 'cd "$0/.entity-graph/graphs" && find . -type f -exec sha256sum {} + >&2';
  const status = 'printf "status: %s\\n" "$(tr -d "\\n" < "$0/.entity-graph/state/shop.json")" >&2';
  const show = `code=$?; ${list}; ${status}; exit $code`;
  const mayMount = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0;
  if (!mayMount) return `${work} && (ulimit -f 6000; "$@"); ${show}`;
  return `exec unshare -rm sh -c 'mount -t tmpfs -o size=22m none "$0" && ${work} && "$@"; ${show}' "$0" "$@"`;
}

interface CliError {
  readonly code: string;
  readonly message: string;
  readonly remedy?: string;
  readonly range?: { readonly start: { readonly line: number } };
}

function lastError(run: Awaited<ReturnType<typeof runCli>>): CliError {
  const last = jsonLines(run).at(-1);
  assert.ok(last?.['error'], `no error in the last line: ${run.stdout}${run.stderr}`);
  return last['error'] as CliError;
}

async function assertRefused(folder: string, badInput: BadInput, env: Readonly<Record<string, string>>): Promise<void> {
  const args = ['import', 'shop.entity.yaml', '--format', 'json', '--workspace', folder];
  const good = await runCommand(args, folder, env);
  assert.equal(good.code, 0, `the first import failed: ${good.stdout}${good.stderr}`);
  await writeFiles(folder, badInput.files ?? {});
  await badInput.prepare?.(folder);
  const before = await fingerprint(join(folder, '.entity-graph', 'graphs'));
  const run = await runCli(args, { cwd: folder, ...badInput.run, env: { ...env, ...badInput.run?.env } });
  assert.equal(run.code, 1, run.stdout + run.stderr);
  const error = lastError(run);
  assert.equal(error.code, badInput.code, error.message);
  assert.match(error.message, badInput.message);
  if (badInput.remedy) assert.match(String(error.remedy), badInput.remedy);
  if (badInput.line !== undefined) assert.equal(error.range?.start.line, badInput.line, JSON.stringify(error));
  assert.doesNotMatch(
    run.stdout + run.stderr,
    /wrong-pass-4711|let me in|\n\s+at /,
    'a secret or a stack trace was printed',
  );
  assert.deepEqual(await fingerprint(join(folder, '.entity-graph', 'graphs')), before);
  const status = await runCommand(['status', folder, '--format', 'json', '--workspace', folder], folder);
  const [row] = JSON.parse(status.stdout) as { status: string; progress: string }[];
  assert.equal(row?.status, 'Imported');
  assert.notEqual(row?.progress, 'Import Done');
}
