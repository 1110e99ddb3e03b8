import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { checkFile } from '../../server/src/check/check-file.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { cliPath, runCli } from '../support/run-cli.ts';
import { fingerprint, folderWith, removeFolder } from '../support/temporary-folder.ts';

/** `npm run soak` asks for more; the seed of a failing run repeats its moments as far as a machine repeats itself. */
const rounds = Number(process.env['ENTITY_GRAPH_KILLS'] ?? 5);
const seed = Number(process.env['ENTITY_GRAPH_SEED'] ?? Date.now() % 1_000_000);

const project = (rows: number): Record<string, string> => ({
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graphText(
    `  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at, changeTimestamp: changed, properties: all }
  - { activityName: Win, dataObject: customers, key: id, entityType: customer, startTimestamp: since }
`,
    '  - { name: places, source: Win, target: Place, mappings: [{ source: id, target: customer }] }\n',
  ),
  'orders.csv': `id,customer,at,changed,note\n${Array.from({ length: rows }, (_, i) => `${i},${i % 500},2024-01-0${(i % 9) + 1} 08:00:00,2024-02-01,note ${i}`).join('\n')}\n`,
  'customers.csv': `id,since\n${Array.from({ length: 500 }, (_, i) => `${i},2023-01-01`).join('\n')}\n`,
});

/** Numbers from 0 to 1 that follow from the seed. */
function randomNumbers(start: number): () => number {
  let state = start || 1;
  return () => {
    state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Runs the command line and kills it after a share of the time that it takes when left alone. */
async function kill(args: readonly string[], cwd: string, afterMs: number): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [cliPath, ...args, '--workspace', cwd], { cwd, stdio: 'ignore' });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  await Promise.race([wait(afterMs), ended]);
  child.kill('SIGKILL');
  return ended;
}

describe(`killed at ${rounds} random moments (seed ${seed})`, function () {
  this.timeout(60_000 + rounds * 20_000);
  const random = randomNumbers(seed);
  let folder = '';
  const run = (...args: readonly string[]) => runCli([...args, '--workspace', folder], { cwd: folder });
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

  it('an import leaves the graph before whole, and the next one sweeps up', async () => {
    const whole = await timed('import', 'graph.entity.yaml');
    let killed = 0;
    for (let round = 0; round < rounds; round += 1) {
      const afterMs = random() * whole;
      if ((await kill(['import', 'graph.entity.yaml'], folder, afterMs)) === 'SIGKILL') killed += 1;
      const { results } = await checkFile(await storeInUse(), new AbortController().signal);
      assert.deepEqual(
        results.filter(({ ok }) => !ok),
        [],
        `killed after ${afterMs} ms`,
      );
    }
    assert.ok(killed > 0, 'Every import had ended before its moment came.');
    await timed('import', 'graph.entity.yaml');
    const names = (await readdir(join(folder, '.entity-graph'), { recursive: true, withFileTypes: true }))
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

  // SQLite is filled slowly: its turn is in the soak.
  for (const form of rounds > 5 ? ['ocel-json', 'ocel-sqlite', 'parquet'] : ['ocel-json', 'parquet']) {
    it(`an export as ${form} leaves the file before whole, and the next one sweeps up`, async () => {
      if (form === 'ocel-json') await timed('import', 'graph.entity.yaml');
      const args = ['export', 'graph.entity.yaml', '--as', form, '--output', join('out', form)];
      const whole = await timed(...args);
      const output = join(folder, 'out');
      const before = await fingerprint(output);
      let killed = 0;
      for (let round = 0; round < rounds; round += 1) {
        const afterMs = random() * whole;
        if ((await kill(args, folder, afterMs)) === 'SIGKILL') killed += 1;
        const now = (await fingerprint(output)).filter((entry) => !entry.includes('.entity-graph-export-'));
        if (form === 'ocel-json') assert.deepEqual(now, before, `killed after ${afterMs} ms`);
        else assert.deepEqual(now.length, before.length, `killed after ${afterMs} ms`);
      }
      assert.ok(killed > 0, 'Every export had ended before its moment came.');
      await timed(...args);
      const left = (await readdir(output)).filter((name) => name.startsWith('.'));
      assert.deepEqual(left, []);
      if (form !== 'parquet') assert.equal((await run('check', join('out', form))).code, 0);
    });
  }
});
