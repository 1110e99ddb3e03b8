import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postgresqlSources } from '../support/import-text.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { isSoak } from '../support/soak.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { writingOperations } from '../support/writing-operations.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Output of mocha's reporter. */
interface Report {
  readonly stats: { readonly passes: number; readonly failures: number; readonly pending: number };
  readonly failures: readonly {
    readonly fullTitle: string;
    readonly err: { readonly message: string; readonly stack: string };
  }[];
}

/** How to fill a disk: a small one in a separate namespace, else a limit on file sizes. */
const means = ((): 'disk' | 'limit' | undefined => {
  if (spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0) return 'disk';
  return spawnSync('prlimit', ['--version']).status === 0 ? 'limit' : undefined;
})();

describe('full disk in each phase', function () {
  this.timeout(0);

  it(`is reported clearly, and the previous graph stays intact (${means})`, async () => {
    assert.ok(
      means,
      'Install util-linux: this test fills a disk with unshare, or stops files from growing with prlimit.',
    );
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    await server.query(
      database,
      "CREATE TABLE orders (id int PRIMARY KEY, at timestamp, note text); INSERT INTO orders SELECT i, timestamp '2024-01-01' + i * interval '1 minute', 'note' FROM generate_series(1, 30) AS i",
    );
    const folder = await folderWith({});
    const mocha = [
      ...[process.execPath, '--no-warnings', '--import', 'tsx', join(root, 'node_modules/mocha/bin/mocha.js')],
      ...['--require', './test/support/soak.ts', '--reporter', 'json', '--timeout', '0'],
      join(root, 'test/engine/full-disk-rounds.ts'),
    ];
    const mounted = [
      'unshare',
      '-rm',
      'sh',
      '-c',
      'mount -t tmpfs -o size=40m none "$0" && exec "$@"',
      folder,
      ...mocha,
    ];
    const [program = '', ...args] = means === 'disk' ? mounted : mocha;
    try {
      const report = await run(program, args, {
        ENTITY_GRAPH_POSTGRES: postgresqlSources(server, database),
        ...(means === 'disk' && { ENTITY_GRAPH_DISK: folder }),
      });
      const said = report.failures
        .map(({ fullTitle, err }) => `${fullTitle}\n${err.message}\n${err.stack}`)
        .join('\n\n');
      assert.equal(report.stats.failures, 0, said);
      // Two imports, three of fetched records, the other operations, and the cases that need a real disk.
      const rounds = isSoak ? writingOperations.length + 3 + (means === 'disk' ? 2 : 1) : 1;
      // The time of a soak may be over before.
      assert.equal(report.stats.passes + report.stats.pending, rounds);
      assert.ok(report.stats.pending < (isSoak ? rounds : 1));
    } finally {
      await removeFolder(folder);
    }
  });
});

function run(program: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Report> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', () => {
      try {
        resolve(JSON.parse(stdout.slice(stdout.indexOf('{'))) as Report);
      } catch {
        reject(new Error(`The rounds did not end well: ${stdout}${stderr}`));
      }
    });
  });
}
