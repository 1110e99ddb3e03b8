import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { checkFile } from '../../server/src/check/check-file.ts';
import { openSqliteFile } from '../../server/src/store/sqlite-file.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { cliPath } from '../support/run-cli.ts';
import { runCommand } from '../support/run-command.ts';
import { countSoak, hasSoakTime, soakCases, soakIt, soakSeed } from '../support/soak.ts';
import { entriesBelow, fingerprint, folderWith, pathsBelow, removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Of each test. Equal seeds give about the same moments. */
const rounds = soakCases(1, 1 / 5);
const seed = soakSeed();

const placed =
  '  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at, changeTimestamp: changed, properties: all }\n';
const won =
  '  - { activityName: Win, dataObject: customers, key: id, entityType: customer, startTimestamp: since, properties: [since] }\n';

/** Two graphs, so that an export of one over the other shows which one is there. */
const project = (rows: number): Record<string, string> => ({
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graphText(
    placed + won,
    '  - { name: places, source: Win, target: Place, mappings: [{ source: id, target: customer }] }\n',
  ),
  'other.entity.yaml': graphText(placed),
  'orders.csv': `id,customer,at,changed,note\n${Array.from({ length: rows }, (_, i) => `${i},${i % 500},2024-01-0${(i % 9) + 1} 08:00:00,2024-02-01,note ${i}`).join('\n')}\n`,
  'customers.csv': `id,since\n${Array.from({ length: 500 }, (_, i) => `${i},2023-01-01`).join('\n')}\n`,
});

/** Numbers from 0 to 1, determined by the seed. */
function randomNumbers(start: number): () => number {
  let state = start || 1;
  return () => {
    state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

interface Run {
  /** From the first sign of work to the end. */
  readonly workedMs: number;
  /** Killed before it reported success. */
  readonly wasHit: boolean;
  readonly stderr: string;
}

/**
 * Runs the command line; `hasBegun` decides by its output and process whether the work has begun. From then on it is
 * killed after `afterMs`, or never.
 */
async function runAndKill(
  args: readonly string[],
  cwd: string,
  hasBegun: (stdout: string, pid: number) => Promise<boolean>,
  afterMs?: number,
): Promise<Run> {
  const child = spawn(process.execPath, [cliPath, ...args, '--format', 'json', '--workspace', cwd], { cwd });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  let isOver = false;
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve())).then(() => (isOver = true));
  await waitUntil(
    'the work begins',
    async () => isOver || (await hasBegun(stdout, child.pid ?? 0)) || undefined,
    60_000,
  );
  const begun = performance.now();
  if (afterMs !== undefined) {
    await Promise.race([wait(afterMs), ended]);
    child.kill('SIGKILL');
  }
  await ended;
  const isDone = /"type":"summary"|"files":/.test(stdout);
  return { workedMs: performance.now() - begun, wasHit: child.signalCode === 'SIGKILL' && !isDone, stderr };
}

/** Kills `rounds` runs at random moments and examines the remains; few may end before their moment. */
async function killRounds(
  random: () => number,
  run: (afterMs?: number) => Promise<Run>,
  look: (moment: string) => Promise<void>,
): Promise<void> {
  const whole = await run();
  let longest = whole.workedMs;
  let missed = 0;
  for (let hits = 0; hits < rounds && (hits === 0 || hasSoakTime());) {
    const afterMs = random() * longest;
    const { wasHit, workedMs, stderr } = await run(afterMs);
    if (wasHit) hits += 1;
    else {
      assert.equal(stderr.includes('error'), false, stderr);
      missed += 1;
      // The machine is less busy than during the measurement.
      longest = Math.min(longest, workedMs);
    }
    await look(`${wasHit ? 'killed' : 'ended'} after ${afterMs} of ${longest} ms`);
    if (wasHit) countSoak();
    const allowed = 4 + rounds / 8;
    assert.ok(missed <= allowed, `${missed} of ${missed + hits} runs had ended before their moment came.`);
  }
}

describe(`processes killed at random moments (seed ${seed})`, function () {
  this.timeout(0);
  const random = randomNumbers(seed);
  let folder = '';
  const run = (...args: readonly string[]) => runCommand([...args, '--workspace', folder], folder);
  const timed = async (...args: readonly string[]): Promise<number> => {
    const started = performance.now();
    const done = await run(...args);
    assert.equal(done.code, 0, done.stderr);
    return performance.now() - started;
  };
  const storeInUse = async (): Promise<string> => {
    const text = await readFile(join(folder, '.entity-graph/state/graph.json'), 'utf8');
    return join(folder, '.entity-graph/graphs/graph', (JSON.parse(text) as { store: string }).store);
  };

  before(async () => (folder = await folderWith(project(20_000))));
  after(() => removeFolder(folder));

  // The most common of the long operations; each of the others is killed at given moments, too (killed-writes.test.ts).
  it('a killed import keeps the previous graph, and the next import cleans up', async () => {
    await timed('import', 'graph.entity.yaml');
    await killRounds(
      random,
      (afterMs) =>
        runAndKill(
          ['import', 'graph.entity.yaml', '--full'],
          folder,
          async (stdout) => stdout.includes('"type":"progress"'),
          afterMs,
        ),
      async (moment) => {
        const { results } = await checkFile(await storeInUse(), new AbortController().signal);
        assert.deepEqual(
          results.filter(({ ok }) => !ok),
          [],
          moment,
        );
      },
    );
    await timed('import', 'graph.entity.yaml');
    const names = (await entriesBelow(join(folder, '.entity-graph')))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .filter(
        (name) => !/^(\.gitignore|graph\.json|shop\.json|rows\.kept|\d{8}T\d{9}-[0-9a-f]{4}\.duckdb)$/.test(name),
      );
    assert.deepEqual(names, []);
    const graphs = await readdir(join(folder, '.entity-graph/graphs/graph'));
    assert.equal(graphs.length, 3, graphs.join(', '));
    assert.equal((await run('check', 'graph.entity.yaml')).code, 0);
  });

  soakIt('a killed import with cached rows keeps the previous graph', async () => {
    const orders = join(folder, 'orders.csv');
    const text = await readFile(orders, 'utf8');
    let [edits, added] = [0, ''];
    await timed('import', 'graph.entity.yaml', '--full');
    await killRounds(
      random,
      async (afterMs) => {
        const edited = text.replace(',note 7\n', `,note 7 ${'edited'.repeat(++edits % 3)}\n`);
        if (edits % 2 === 0) added += `${-edits},1,2024-01-09 08:00:00,2024-02-01,added\n`;
        await writeFile(orders, edited + added);
        const begins = async (stdout: string): Promise<boolean> => stdout.includes('"type":"progress"');
        return runAndKill(['import', 'graph.entity.yaml'], folder, begins, afterMs);
      },
      async (moment) => {
        const { results } = await checkFile(await storeInUse(), new AbortController().signal);
        assert.deepEqual(
          results.filter(({ ok }) => !ok),
          [],
          moment,
        );
      },
    );
    await timed('import', 'graph.entity.yaml');
    const { stdout } = await run('import', 'graph.entity.yaml', '--steps');
    assert.match(stdout, /\nelement_1 \(unchanged, not pulled again\)/);
    await writeFile(orders, text);
    await timed('import', 'graph.entity.yaml');
  });

  for (const form of ['ocel-json', 'ocel-sqlite', 'parquet']) {
    soakIt(`a killed export as ${form} keeps the previous export, and the next export cleans up`, async () => {
      const output = join(folder, 'out');
      const path = join(output, form);
      const args = (graph: string): string[] => ['export', `${graph}.entity.yaml`, '--as', form, '--output', path];
      const graphs = ['graph', 'other'] as const;
      const contents = new Map<string, string>();
      for (const graph of graphs) {
        await timed('import', `${graph}.entity.yaml`);
        await timed(...args(graph));
        contents.set(await contentOf(path, form), graph);
      }
      assert.equal(contents.size, 2);
      let there: string = 'other';
      const next = (): string => (there === 'graph' ? 'other' : 'graph');
      const hasBegun = async (_stdout: string, pid: number): Promise<boolean> =>
        (await readdir(output)).some((name) => name.startsWith(`.entity-graph-export-${pid}.`));
      await killRounds(
        random,
        async (afterMs) => {
          const done = await runAndKill(args(next()), folder, hasBegun, afterMs);
          if (afterMs === undefined) there = next();
          return done;
        },
        async (moment) => {
          // Between the two renames of a folder the previous one is beside it.
          const found = (await readdir(output)).includes(form) ? path : await movedAway(output, form);
          const graph = contents.get(await contentOf(found, form));
          assert.ok(graph, `neither the one graph nor the other, ${moment}`);
          there = graph;
        },
      );
      await timed(...args(next()));
      const left = (await readdir(output)).filter((name) => name.startsWith('.'));
      assert.deepEqual(left, []);
      assert.equal(contents.get(await contentOf(path, form)), next());
      if (form !== 'parquet') assert.equal((await run('check', path)).code, 0);
    });
  }
});

/** The content of an export: all bytes; for SQLite, whose pages may differ, its rows. */
async function contentOf(path: string, form: string): Promise<string> {
  if (form === 'parquet') return (await fingerprint(path)).join('\n');
  const hash = createHash('sha256');
  if (form === 'ocel-json') return hash.update(await readFile(path)).digest('hex');
  const file = await openSqliteFile(path, 'read');
  try {
    for (const { name } of [...file.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")]) {
      hash.update(`${String(name)}\n`);
      const rows = [...file.rows(`SELECT * FROM "${String(name)}"`)].map((row) => JSON.stringify(row));
      for (const row of rows.toSorted()) hash.update(row);
    }
  } finally {
    file.close();
  }
  return hash.digest('hex');
}

/** The previous export, moved away by the killed one. */
async function movedAway(output: string, name: string): Promise<string> {
  const found = await pathsBelow(output);
  return join(output, found.find((path) => path.endsWith(join('previous', name))) ?? 'missing');
}
