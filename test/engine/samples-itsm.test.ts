import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { toGraphView } from '../../server/src/language/to-graph-view.ts';
import type { SimulatedRecord } from '../simulator/demo-data.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { runCli } from '../support/run-cli.ts';
import { removeFolder } from '../support/temporary-folder.ts';
import { copySample, expectClean, importGraph, queryDuckDb } from './samples-import.ts';

describe('samples/itsm', () => {
  let folder = '';
  let simulator: Simulator;
  let env: Readonly<Record<string, string>> = {};
  const file = (): string => join(folder, 'itsm.entity.yaml');
  const records = (table: string): readonly SimulatedRecord[] => simulator.instance.data.get(table) ?? [];

  before(async () => {
    folder = await copySample('itsm');
    simulator = await startSimulator({ seed: 1, incidents: 300 });
    env = { ITSM_URL: simulator.url, ENTITY_GRAPH_SECRET_ITSM: simulator.logins.password };
  });
  after(async () => {
    await simulator.close();
    await removeFolder(folder);
  });

  it('has no problems', () => expectClean(file(), { env }));

  it('every element and relationship returns rows in a test query', async () => {
    const { graph } = parseEntityGraph(readFileSync(file(), 'utf8'));
    const targets = [
      ...graph.elements.map(({ activityName }) => ['--element', activityName?.value ?? '']),
      ...graph.relationships.map(({ name }) => ['--relationship', name?.value ?? '']),
    ];
    assert.equal(targets.length, 9);
    for (const target of targets) {
      const run = await runCli(['test-query', file(), ...target, '--format', 'json', '--limit', '5'], { env });
      assert.equal(run.code, 0, `${target.join(' ')}: ${run.stderr}`);
      const { rows } = JSON.parse(run.stdout) as { rows: readonly unknown[] };
      assert.equal(rows.length, 5, target.join(' '));
    }
  });

  it('imports the records of the instance', async () => {
    const { elements, relationships, totals, store } = await importGraph(file(), { env });
    const resolved = records('incident').filter(({ state, resolved_at: at }) => /6|7/.test(state ?? '') && at !== '');
    assert.deepEqual(
      elements.map(({ activityName, rows }) => [activityName, rows]),
      [
        ['Open Incident', 300],
        ['Resolve Incident', resolved.length],
        ['Change State', records('sys_audit').length],
        ['Investigate Problem', records('problem').length],
        ['Request Change', records('change_request').length],
        ['Register Item', records('cmdb_ci').length],
      ],
    );
    assert.deepEqual(
      relationships.map(({ name, pairs }) => [name, pairs]),
      [
        ['has problem', records('incident').filter((record) => record['problem_id'] !== '').length],
        ['caused by', records('incident').filter((record) => record['caused_by'] !== '').length],
        ['affects', records('task_ci').length],
      ],
    );
    // Events of the trail are those of their incidents.
    assert.equal(
      totals.entities,
      300 + records('problem').length + records('change_request').length + records('cmdb_ci').length,
    );
    const [first] = records('incident');
    const [events] = await queryDuckDb(
      `SELECT count(*) AS events FROM event JOIN entity ON entity.id = event.entity_id WHERE entity.key = '${first?.['sys_id']}'`,
      store,
    );
    const own = records('sys_audit').filter((record) => record['documentkey'] === first?.['sys_id']);
    const isResolved = resolved.includes(first ?? {}) ? 1 : 0;
    assert.equal(events?.['events'], 1 + isResolved + own.length);
    const [named] = await queryDuckDb(
      `SELECT "assignment_group.name" AS name FROM properties_1 WHERE number = '${first?.['number']}'`,
      store,
    );
    const group = records('sys_user_group').find((record) => record['sys_id'] === first?.['assignment_group']);
    assert.equal(named?.['name'], group?.['name']);
  });

  it('has six configured elements and three configured relationships', () => {
    const parsed = parseEntityGraph(readFileSync(file(), 'utf8'));
    const view = toGraphView(parsed, { uri: 'file:///itsm.entity.yaml', version: 1 });
    assert.deepEqual([view.elements.length, view.relationships.length, parsed.problems], [6, 3, []]);
    assert.deepEqual(
      view.relationships.map(({ crossTable }) => crossTable),
      [undefined, undefined, 'task_ci'],
    );
    const unfinished = [
      ...view.elements.map((each) => each.unconfigured),
      ...view.relationships.map((each) => each.draft),
    ];
    assert.deepEqual(
      unfinished,
      Array.from({ length: 9 }, () => undefined),
    );
  });
});
