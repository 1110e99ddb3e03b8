import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { GraphDiff } from '../../protocol/graph-diff.ts';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import type { ImportGraphOptions } from '../../server/src/operations/imports/import-graph.ts';
import { compareInTrino } from '../support/compare-in-trino.ts';
import { withProject } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';
import { watchPlans } from '../support/trino-plans.ts';
import { type TrinoProxy, startTrinoProxy } from '../support/trino-proxy.ts';
import { sharedTrino, type TestTrino } from '../support/trino-server.ts';
import { schemasOf, visitSources } from '../support/trino-visits.ts';

const enginePath = fileURLToPath(new URL('../../server/dist/engine.js', import.meta.url));

describe('imports inside Trino', () => {
  let trino: TestTrino;
  let proxy: TrinoProxy;
  let sources = '';

  before(async function () {
    // Starting Trino takes minutes under load.
    this.timeout(600_000);
    trino = await sharedTrino();
    proxy = await startTrinoProxy(trino);
    const schema = await trino.createSchema();
    await trino.run(
      `CREATE TABLE lake.${schema}.visit AS SELECT i AS k, i % 3 AS guest, TIMESTAMP '2024-03-30 22:30:00' + i * INTERVAL '1' HOUR AS at FROM UNNEST(sequence(1, 9)) AS t (i)`,
    );
    await trino.run(
      `CREATE TABLE lake.${schema}.guest AS SELECT i AS id, TIMESTAMP '2024-01-01 00:00:00' AS since FROM UNNEST(sequence(0, 2)) AS t (i)`,
    );
    sources = visitSources(proxy.port, `user: ann, catalog: lake, schemas: ${schema}`);
  });

  after(() => proxy.close());

  const graph = `version: 1
name: Visits
dataSource: shop
dataObjects: [visit, guest]
elements:
  - { activityName: Visit, dataObject: visit, key: k, entityType: visit, startTimestamp: at, properties: [guest] }
  - { activityName: Join, dataObject: guest, key: id, entityType: guest, startTimestamp: since }
relationships:
  - { name: pays, source: Join, target: Visit, mappings: [{ source: id, target: guest }] }
`;
  const target = (schema: string): string => `import: { engine: source, schema: ${schema} }\n`;

  it('keep the published graph if cancelled before the pointer changes, and replace the views if cancelled after it; copies can be checked and compared', async function () {
    this.timeout(900_000);
    const files = { 'entity-sources.yaml': sources, 'graph.entity.yaml': `${graph}${target('ekg_cancelled')}` };
    await withProject(files, async (project) => {
      const { folder } = project;
      const succeed = async (kind: 'build' | 'fetch'): Promise<void> => {
        const { status, error } = await project.import({ request: { kind } });
        assert.equal(status, 'imported', error?.message);
      };
      const state = async (): Promise<unknown> => {
        const [published] = await trino.run(
          'SELECT (SELECT turn FROM lake.ekg_cancelled.published), count(*), max(id) FROM lake.ekg_cancelled.event',
        );
        const runs = (await schemasOf(trino, 'lake')).filter((name) => name.startsWith('ekg_cancelled__'));
        const [[views, current]] = (await trino.run(
          `SELECT count(*), count_if(strpos(view_definition, (SELECT lower(replace(run, '-', '_')) FROM lake.ekg_cancelled.published)) > 0)
           FROM lake.information_schema.views WHERE table_schema = 'ekg_cancelled'`,
        )) as [[number, number]];
        return [published, runs.length, views > 10 && views === current];
      };
      /**
       * @param step the statement that is on its way when the import is cancelled
       * @param waitMs it is held for this long
       */
      const cancelAt = async (
        step: RegExp,
        options: Partial<ImportGraphOptions> = {},
        waitMs = 0,
      ): Promise<ImportSummary> => {
        const cancelling = new AbortController();
        proxy.onStatement = async ({ sql }) => {
          if (!step.test(sql)) return;
          cancelling.abort();
          await setTimeout(waitMs);
        };
        const summary = await project.import({ ...options, signal: cancelling.signal });
        proxy.onStatement = async () => undefined;
        assert.ok(cancelling.signal.aborted, String(step));
        return summary;
      };
      await succeed('build');
      await succeed('fetch');
      for (const step of [/^CREATE TABLE ranked AS/u, /^DROP TABLE /u]) {
        const { status, error } = await cancelAt(step);
        assert.deepEqual([status, error?.code], ['cancelled', 'cancelled'], String(step));
        // Its own run is gone.
        assert.deepEqual(await state(), [[1, 12, 12], 1, true], String(step));
      }
      for (const [index, step] of [/^UPDATE /u, /^CREATE OR REPLACE VIEW .*"event" AS/u].entries()) {
        const { status, error } = await cancelAt(step);
        assert.equal(status, 'imported', error?.message);
        assert.deepEqual(await state(), [[index + 2, 12, 12], 2, true], String(step));
      }
      // A process that does not end after a cancellation is killed after five seconds, but not while it publishes.
      const { status, error } = await cancelAt(/^CREATE OR REPLACE VIEW .*"event" AS/u, { enginePath }, 6_000);
      assert.equal(status, 'imported', error?.message);
      assert.deepEqual(await state(), [[4, 12, 12], 2, true]);
      await succeed('build');
      assert.deepEqual(await state(), [[5, 12, 12], 2, true]);
      await succeed('fetch');
      const run = async (command: string): Promise<string> => {
        const args = [command, 'graph.entity.yaml', '--workspace', folder, '--format', 'json'];
        const { code, stdout, stderr } = await runCommand(args, folder);
        assert.equal(code, 0, stdout + stderr);
        return stdout;
      };
      await run('check');
      assert.equal((JSON.parse(await run('diff')) as GraphDiff).changed, false);
    });
  });

  it('build the events since a time as the embedded engine, without a stage of one worker over rows', async function () {
    this.timeout(900_000);
    const plans = watchPlans(trino, proxy);
    const place = { catalog: 'lake', schema: 'ekg_since' };
    const since = '2024-03-31T03:30:00Z';
    const { built } = await compareInTrino(sources, graph, place, { kind: 'build', since });
    proxy.onStatement = async () => undefined;
    assert.deepEqual([built.totals.events, built.totals.relations], [5, 9]);
    assert.ok(plans.count > 40, `${plans.count} statements`);
    assert.deepEqual([plans.onOneWorker, plans.seenEmpty], [[], []]);
  });

  it('build a sample', async function () {
    this.timeout(900_000);
    const files = { 'entity-sources.yaml': sources, 'graph.entity.yaml': `${graph}${target('ekg_sampled')}` };
    await withProject(files, async (project) => {
      const { status, error, elements } = await project.import({ request: { kind: 'build', sample: 2 } });
      assert.equal(status, 'imported', error?.message);
      assert.deepEqual(
        elements.map(({ rows }) => rows),
        [2, 2],
      );
    });
  });
});
