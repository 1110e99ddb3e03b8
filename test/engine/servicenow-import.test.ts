import assert from 'node:assert/strict';
import { testQuery } from '../../server/src/operations/queries/query-operations.ts';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { withProject, type ImportedProject } from '../support/import-text.ts';
import { instanceSettings } from '../support/servicenow-source.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';

const graph = `version: 1
name: Incidents
dataSource: itsm
dataObjects: [incident, problem, task_ci, cmdb_ci, sys_audit]
elements:
  - { activityName: Open Incident, dataObject: incident, startTimestamp: opened_at, changeTimestamp: sys_updated_on, properties: [number, priority, calendar_duration] }
  - { activityName: Close Incident, dataObject: incident, startTimestamp: resolved_at, where: "state IN (6, 7)" }
  - { activityName: Investigate Problem, dataObject: problem, startTimestamp: opened_at }
  - { activityName: Install Item, dataObject: cmdb_ci, startTimestamp: install_date }
  - activityName: Change State
    dataObject: sys_audit
    key: documentkey
    entityType: incident
    startTimestamp: sys_created_on
    activityColumn: newvalue
    where: tablename = 'incident' AND fieldname = 'state'
relationships:
  - { name: caused by, source: Open Incident, target: Investigate Problem, mappings: [{ source: problem_id, target: sys_id }] }
  - name: affects
    source: Open Incident
    target: Install Item
    crossTable:
      dataObject: task_ci
      sourceMappings: [{ source: sys_id, cross: task }]
      targetMappings: [{ cross: ci_item, target: sys_id }]
`;

async function withGraph<T>(
  use: (project: ImportedProject, simulator: Simulator) => Promise<T>,
  settings = {},
): Promise<T> {
  const simulator = await startSimulator({ incidents: 120 });
  const source = {
    ...instanceSettings(simulator, settings),
    auth: { kind: 'basic', user: 'analyst', password: '${secret:itsm}' },
  };
  const sources = JSON.stringify({ version: 1, dataSources: { itsm: source } });
  try {
    return await withProject({ 'entity-sources.json': sources, 'graph.entity.yaml': graph }, (project) =>
      use(project, simulator),
    );
  } finally {
    await simulator.close();
  }
}

describe('ServiceNow import', () => {
  it('builds a graph of incidents, problems, items and the audit trail', async () => {
    await withGraph(async (project, simulator) => {
      (simulator.logins as { password: string }).password = 'postgres';
      const summary = await project.import();
      assert.deepEqual([summary.status, summary.error], ['imported', undefined]);
      const count = (table: string) => simulator.instance.data.get(table)?.length ?? 0;
      const incidents = simulator.instance.data.get('incident') ?? [];
      const closed = incidents.filter(({ state }) => state === '6' || state === '7').length;
      assert.deepEqual(
        summary.elements?.map(({ rows }) => rows),
        [120, closed, count('problem'), count('cmdb_ci'), count('sys_audit')],
      );
      assert.deepEqual(
        summary.relationships?.map(({ pairs }) => pairs),
        [incidents.filter((record) => record['problem_id'] !== '').length, 120],
      );
      const [first] = await project.rows(
        "SELECT p.number, p.priority, p.calendar_duration, strftime(event.time, '%Y-%m-%d %H:%M:%S') FROM properties_1 AS p JOIN event ON event.id = p.event_id WHERE lifecycle = 'start' ORDER BY p.number LIMIT 1",
      );
      const record = incidents[0] ?? {};
      assert.deepEqual(first, [
        'INC0000001',
        record['priority'],
        String(Date.parse(`${record['calendar_duration']?.replace(' ', 'T')}Z`) / 1000),
        record['opened_at'],
      ]);
      assert.deepEqual(
        await project.rows("SELECT table_name FROM duckdb_tables() WHERE table_name LIKE 'fetched%'"),
        [],
      );
    });
  });

  it('fails as a whole when rows are hidden, and keeps the previous graph', async () => {
    await withGraph(async (project, simulator) => {
      (simulator.logins as { password: string }).password = 'postgres';
      await project.import();
      simulator.instance.settings.mayRead = (table, record) => table !== 'problem' || record['number'] !== 'PRB0000003';
      const summary = await project.import();
      assert.equal(summary.error?.code, 'source-incomplete');
      assert.match(
        summary.error?.message ?? '',
        /The instance counts 12 records of problem, but only 11 could be read/,
      );
    });
  });

  it('fetches only the records of a sample', async () => {
    await withGraph(
      async (project, simulator) => {
        (simulator.logins as { password: string }).password = 'postgres';
        const summary = await project.import({ request: { kind: 'build', sample: 10 } });
        assert.deepEqual([summary.status, summary.error], ['imported', undefined]);
        assert.deepEqual(
          summary.elements.map(({ rows }) => rows),
          [10, 10, 10, 10, 10],
        );
        // Discovery reads a record of each table, in any order.
        const asked = (table: string) =>
          simulator.requests.filter(
            ({ path, parameters }) => path.endsWith(`/table/${table}`) && parameters.has('sysparm_query'),
          );
        const most = { incident: 8, problem: 2, task_ci: 1, cmdb_ci: 2, sys_audit: 2 };
        for (const [table, requests] of Object.entries(most)) {
          assert.ok(asked(table).length <= requests, `${table}: ${asked(table).length} requests`);
        }
        const pairs = await project.rows('SELECT count(*) FROM relation');
        assert.ok(Number(pairs[0]?.[0]) > 0);
      },
      { pageSize: 20 },
    );
  });

  it('names the reason of a failed login', async () => {
    await withGraph(async (project) => {
      const summary = await project.import();
      assert.equal(summary.error?.code, 'authentication-failed');
      assert.match(summary.error?.message ?? '', /The instance refuses the login: User Not Authenticated/);
    });
  });

  it('previews elements and relationships', async () => {
    await withGraph(async (project, simulator) => {
      (simulator.logins as { password: string }).password = 'postgres';
      const projectContext = {
        permitUses: permitAllUses,
        readSecret: async () => 'postgres',
        environment: {},
        workspaceFolderOf: () => project.folder,
      };
      const file = await readGraphFile(join(project.folder, 'graph.entity.yaml'), projectContext);
      const open = await testQuery(file, { kind: 'element', name: 'Open Incident' }, projectContext, { limit: 5 });
      assert.deepEqual([open.rows.length, open.truncated], [5, true]);
      const affects = await testQuery(file, { kind: 'relationship', name: 'affects' }, projectContext, { limit: 500 });
      assert.deepEqual([affects.rows.length, affects.truncated], [120, false]);
    });
  });
});
