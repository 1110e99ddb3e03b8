import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { storeVersion } from '../../server/src/graph-schema/graph-schema.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { drawProcessMap } from '../../server/src/operations/stored-graphs/draw-process-map.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { csvSources, graphText, withProject } from '../support/import-text.ts';
import { fingerprint } from '../support/temporary-folder.ts';
import { describeEntity } from '../../server/src/operations/graph-files/list-entities.ts';

const projectContext = { permitUses: permitAllUses, readSecret: async () => undefined, environment: {} };
const elkProgram = createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js');
const enginePath = fileURLToPath(new URL('../../server/dist/engine.js', import.meta.url));

const graph = graphText(
  '  - { activityName: A, dataObject: orders, key: id, startTimestamp: at, changeTimestamp: changed, properties: all }\n',
);
const rows = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `${i % 1000},2024-01-01 00:00:${String(i % 60).padStart(2, '0')},2024-01-02,${i}`,
  ).join('\n');
const project = (count: number): Record<string, string> => ({
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graph,
  'orders.csv': `id,at,changed,n\n${rows(count)}\n`,
});

describe('import in a child process', () => {
  it('reports every phase, builds the graph and writes the run record', async () => {
    await withProject(project(100), async ({ folder, import: run, rows: read }) => {
      const steps = new Set<string>();
      const fractions: number[] = [];
      const summary = await run({
        enginePath,
        onProgress: ({ step, fraction }) => {
          steps.add(step);
          fractions.push(fraction ?? 0);
        },
      });
      assert.equal(summary.status, 'imported', summary.error?.message);
      assert.deepEqual(
        [...steps],
        ['schema discovery', 'validation', 'data pull', 'graph build', 'post-load checks', 'Import Done'],
      );
      assert.deepEqual(
        fractions,
        fractions.toSorted((left, right) => left - right),
      );
      const [record] = await read("SELECT format_version, entity, config, counts->>'$.totals.events' FROM run");
      assert.deepEqual(record, [storeVersion, 'graph', graph, '200']);
      const entity = await describeEntity(join(folder, 'graph.entity.yaml'), { workspaceFolderOf: () => folder });
      assert.equal(entity.status, 'Imported');
      assert.equal(entity.progress, 'Import Done');
      assert.equal(entity.modifiedSinceImport, false);
      assert.equal(
        await readFile(join(folder, '.entity-graph/.gitignore'), 'utf8'),
        '*\n!.gitignore\n!layout/\n!layout/**\n!filters/\n!filters/**\n',
      );
    });
  });

  it('its progress follows the rows that are read', async () => {
    await withProject(project(100_000), async ({ import: run }) => {
      const reports: { readonly rows: number; readonly fraction: number }[] = [];
      const summary = await run({
        enginePath,
        onProgress: ({ step, rows = 0, fraction = 0 }) => {
          if (step === 'data pull' && rows > 0) reports.push({ rows, fraction });
        },
      });
      assert.equal(summary.status, 'imported', summary.error?.message);
      assert.ok(reports.length > 0);
      // The pull is the half of the bar from 5 % on.
      for (const { rows, fraction } of reports)
        assert.ok(Math.abs(fraction - (0.05 + (0.5 * rows) / 100_000)) < 0.06, `${rows} rows are ${fraction}`);
    });
  });

  it('when cancelled, keeps the previous graph and leaves no temporary files', async () => {
    await withProject(project(200_000), async ({ folder, import: run }) => {
      assert.equal((await run()).status, 'imported');
      const before = await fingerprint(join(folder, '.entity-graph/graphs'));
      for (const at of ['data pull', 'graph build', 'post-load checks']) {
        const abort = new AbortController();
        const summary = await run({
          enginePath,
          signal: abort.signal,
          onProgress: ({ step }) => step === at && abort.abort(),
        });
        assert.equal(summary.status, 'cancelled', at);
        assert.equal(summary.error?.code, 'cancelled');
        assert.deepEqual(await fingerprint(join(folder, '.entity-graph/graphs')), before, at);
        assert.match(
          (await describeEntity(join(folder, 'graph.entity.yaml'), { workspaceFolderOf: () => folder })).progress ?? '',
          /^Import cancelled at /,
        );
      }
    });
  });

  it('when killed, reports it, keeps the previous graph and leaves no temporary files', async () => {
    await withProject(project(200_000), async ({ folder, import: run }) => {
      assert.equal((await run()).status, 'imported');
      const before = await fingerprint(join(folder, '.entity-graph/graphs'));
      let killed = false;
      const summary = await run({
        enginePath,
        onProgress: ({ step }) => {
          if (step !== 'graph build' || killed) return;
          killed = true;
          void lockOwner(folder).then((pid) => process.kill(pid, 'SIGKILL'));
        },
      });
      assert.equal(summary.error?.code, 'engine-crashed', JSON.stringify(summary));
      assert.deepEqual(await fingerprint(join(folder, '.entity-graph/graphs')), before);
      const next = await run({ enginePath });
      assert.equal(next.status, 'imported', next.error?.message);
    });
  });

  it('keeps the newest and the previous run', async () => {
    await withProject(project(10), async ({ folder, import: run }) => {
      const stores: string[] = [];
      for (let round = 0; round < 3; round += 1) stores.push((await run()).store ?? '');
      const names = await readdir(join(folder, '.entity-graph/graphs/graph'));
      const kept = names.filter((name) => name.endsWith('.duckdb'));
      assert.deepEqual([kept.length, names.length], [2, 3], 'Beside them are only the rows for the next import.');
      assert.ok(stores[2] !== undefined && kept.some((name) => stores[2]?.endsWith(name)));
    });
  });

  it('imports a slice and marks it as one', async () => {
    await withProject(project(100), async ({ folder, import: run, rows: read }) => {
      const path = join(folder, 'graph.entity.yaml');
      const marks = async () => {
        const { slice } = await describeEntity(path, { workspaceFolderOf: () => folder });
        const file = await readGraphFile(path, projectContext);
        const signal = new AbortController().signal;
        const { svg } = await drawProcessMap(file, projectContext, { of: 'all types' }, { elkProgram, signal });
        const words = svg.replaceAll(/<\/?text[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
        return [slice, /A sample: [^.]*|A part of the graph: [^.]*/.exec(words)?.[0]];
      };
      const sample = await run({ request: { kind: 'build', sample: 10 } });
      assert.deepEqual([sample.totals.events, sample.slice], [20, { sample: 10 }]);
      assert.deepEqual(await marks(), [{ sample: 10 }, 'A sample: the first 10 rows of each element']);
      const since = await run({ request: { kind: 'build', since: '2024-01-01T12:00:00.000Z' } });
      assert.deepEqual([since.totals.events, since.totals.entities], [100, 100]);
      assert.deepEqual(await read('SELECT slice FROM run'), [['{"since":"2024-01-01T12:00:00.000Z"}']]);
      assert.deepEqual(await marks(), [
        { since: '2024-01-01T12:00:00.000Z' },
        'A part of the graph: events since 2024-01-01 12:00 UTC',
      ]);
      await run();
      assert.deepEqual(await marks(), [undefined, undefined]);
    });
  });

  it('builds identical graphs from identical input', async () => {
    await withProject(project(5000), async ({ import: run, rows: read }) => {
      const hash = `SELECT md5(string_agg(row::VARCHAR, '|' ORDER BY row::VARCHAR)) FROM`;
      const outputs: unknown[] = [];
      for (let round = 0; round < 2; round += 1) {
        await run();
        outputs.push(
          await Promise.all(
            ['event', 'entity', 'properties_1', 'directly_follows'].map((name) => read(`${hash} ${name} AS row`)),
          ),
        );
      }
      assert.deepEqual(outputs[0], outputs[1]);
    });
  });
});

async function lockOwner(folder: string): Promise<number> {
  const text = await readFile(join(folder, '.entity-graph/state/graph.lock'), 'utf8');
  return (JSON.parse(text) as { pid: number }).pid;
}
