import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportPlanView } from '../../protocol/import-plan.ts';
import { type ImportedProject, withProject } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';
import { AnsweredInstead, type TrinoProxy, startTrinoProxy } from '../support/trino-proxy.ts';
import { sharedTrino, type TestTrino } from '../support/trino-server.ts';
import { failureOf, schemasOf, visitSources, withVisits } from '../support/trino-visits.ts';

describe('commands for a graph built inside Trino', () => {
  let trino: TestTrino;
  let proxy: TrinoProxy;
  let schema = '';
  let passed: string[] = [];

  before(async function () {
    // A Java that starts beside other work.
    this.timeout(600_000);
    trino = await sharedTrino();
    proxy = await startTrinoProxy(trino);
    proxy.onStatement = async ({ sql }) => void passed.push(sql);
    schema = await trino.createSchema();
    await trino.run(
      `CREATE TABLE lake.${schema}.visit AS SELECT i AS k, i % 3 AS guest, TIMESTAMP '2024-10-27 01:30:00' AS at FROM UNNEST(sequence(1, 9)) AS t (i)`,
    );
    await trino.run(
      `CREATE TABLE lake.${schema}.guest AS SELECT i AS id, TIMESTAMP '2024-01-01 00:00:00' AS since FROM UNNEST(sequence(0, 2)) AS t (i)`,
    );
  });

  after(() => proxy.close());

  const withGuests = (use: (project: ImportedProject) => Promise<void>): Promise<void> =>
    withProject(
      {
        'entity-sources.yaml': visitSources(proxy.port, `user: ann, catalog: lake, schemas: ${schema}`),
        'graph.entity.yaml': `version: 1
name: Visits
dataSource: shop
dataObjects: [visit, guest]
elements:
  - { activityName: Visit, dataObject: visit, key: k, entityType: visit, startTimestamp: at, properties: [guest] }
  - { activityName: Join, dataObject: guest, key: id, entityType: guest, startTimestamp: since }
relationships:
  - { name: pays, source: Join, target: Visit, mappings: [{ source: id, target: guest }] }
import: { engine: source, schema: ekg_planned }
`,
      },
      use,
    );

  it('plan prints every statement of the import that follows; delete --drop-tables removes what imports have left', async function () {
    this.timeout(1_200_000);
    await withGuests(async (project) => {
      for (const imports of [0, 1]) {
        passed = [];
        const printed = await runCommand(['plan', 'graph.entity.yaml', '--format', 'json'], project.folder);
        assert.equal(printed.code, 0, printed.stderr);
        const planning = passed.map(comparable);
        assert.deepEqual(planning.filter(writes), [], 'A plan writes nothing.');
        const plan = JSON.parse(printed.stdout) as ImportPlanView;
        const planned = plan.steps.flatMap(({ parts }) => parts.map(({ text }) => comparable(text)));
        passed = [];
        const summary = await project.import();
        assert.equal(summary.status, 'imported', summary.error?.message);
        const known = new Set([...planned, ...planning]);
        const ran = passed.map(comparable);
        assert.ok(ran.filter(writes).length > 60);
        assert.deepEqual(
          ran.filter((sql) => !known.has(sql) && !asksForNames(sql)),
          [],
        );
        assert.deepEqual(
          planned.filter((sql) => !ran.some((each) => each.includes(sql)) && !mayHaveNothingToDrop(sql)),
          [],
        );
        const steps = plan.steps.map(({ name }) => name);
        assert.deepEqual(
          summary.steps?.map(({ name }) => name),
          steps,
        );
        const [[turn]] = (await trino.run('SELECT turn FROM lake.ekg_planned.published')) as [[number]];
        assert.equal(turn, imports + 1);
      }

      const ofGraph = async (): Promise<readonly string[]> =>
        (await schemasOf(trino, 'lake')).filter((name) => name.startsWith('ekg_planned'));
      const built = await ofGraph();
      assert.equal(built.length, 3, built.join());
      const asked = await runCommand(['delete', 'graph.entity.yaml', '--drop-tables'], project.folder);
      assert.match(asked.stderr, /--yes is needed to delete .*schema ekg_planned of shop/u);
      assert.deepEqual(await ofGraph(), built);
      const deleted = await runCommand(['delete', 'graph.entity.yaml', '--yes', '--drop-tables'], project.folder);
      assert.equal(deleted.code, 0, deleted.stderr);
      assert.deepEqual(await ofGraph(), []);
      assert.ok(!existsSync(join(project.folder, 'graph.entity.yaml')));
      // What was read stays.
      assert.deepEqual(await trino.run(`SELECT count(*) FROM lake.${schema}.visit`), [[9]]);
    });
  });

  it('delete --drop-tables removes the graph of an import that lost its connection after it had published it', async function () {
    this.timeout(600_000);
    const own = await startTrinoProxy(trino);
    const sources = visitSources(own.port, `user: ann, catalog: lake, schemas: ${schema}`);
    const halfway = withVisits(sources, 'schema: ekg_unrecorded', async (project) => {
      own.onStatement = async ({ sql }) => {
        if (sql.startsWith('CREATE OR REPLACE VIEW')) throw new AnsweredInstead(404);
      };
      assert.match(
        failureOf(await project.import()),
        /The graph is published in ekg_unrecorded, but not all views show it: .*Then import again, which replaces the views/u,
      );
      own.onStatement = async () => undefined;
      assert.deepEqual(await trino.run('SELECT turn FROM lake.ekg_unrecorded.published'), [[1]]);
      const deleted = await runCommand(['delete', 'graph.entity.yaml', '--yes', '--drop-tables'], project.folder);
      assert.equal(deleted.code, 0, deleted.stderr);
      const left = (await schemasOf(trino, 'lake')).filter((name) => name.startsWith('ekg_unrecorded'));
      assert.deepEqual(left, []);
    });
    await halfway.finally(() => own.close());
  });
});

const writes = (sql: string): boolean => /^(?:CREATE|INSERT|UPDATE|DELETE|DROP|ALTER|MERGE)\b/u.test(sql);

/** What is there to be swept or dropped is known when the import runs. */
const asksForNames = (sql: string): boolean => /information_schema|"begun"$/u.test(sql);

const mayHaveNothingToDrop = (sql: string): boolean => /^DROP (?:VIEW|SCHEMA)/u.test(sql);

/** Without the run, the names of dropped tables, and the values of the run record. */
function comparable(sql: string): string {
  const text = sql.trim().replaceAll(/ekg_planned__[\w…]+/gu, 'ekg_planned__…');
  if (/^CREATE TABLE (?:\S+\.)?run AS /u.test(text)) return text.replaceAll(/'(?:[^']|'')*'/gu, "''");
  if (text.startsWith('UPDATE ')) return text.replace(/ run = '[^']*'/u, " run = '…'");
  return text.replace(/^(DROP (?:TABLE|VIEW) .*\.)"[^"]*"$/u, '$1"…"');
}
