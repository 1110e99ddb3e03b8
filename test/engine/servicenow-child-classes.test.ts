import assert from 'node:assert/strict';
import { findColumn, findDataObject, type Catalog } from '../../server/src/catalog/catalog.ts';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { buildElementQuery } from '../../server/src/query/build-query.ts';
import type { CompiledQuery } from '../../server/src/query/compiled-query.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { loaded, withCatalog } from '../support/servicenow-queries.ts';

const paths = ['ref_incident.category', 'ref_incident.caller_id.name', 'ref_change_request.start_date'];
const small = { incidents: 40, settings: { tables: ['task', 'incident'], pageSize: 15, dotWalked: { task: paths } } };

function built(catalog: Catalog, lines: string) {
  const text = `version: 1\nname: T\ndataSource: itsm\nelements:\n  - activityName: A\n    dataObject: task\n    startTimestamp: opened_at\n${lines}`;
  const { graph } = parseEntityGraph(text);
  const found = graph.elements[0] && buildElementQuery(graph, graph.elements[0], catalog);
  assert.ok(found);
  return found;
}

function queryOf(catalog: Catalog, lines: string): CompiledQuery {
  const found = built(catalog, lines);
  assert.ok('query' in found, JSON.stringify(found));
  return found.query;
}

/** `sys_id` and the named columns, of tasks. */
async function tasks(connector: Connector, query: CompiledQuery, names: readonly string[]) {
  const [found] = await loaded(connector, [query]);
  const places = ['sys_id', ...names].map((name) => query.columns.indexOf(name));
  const rows = found?.rows.map((row) => places.map((place) => row.split('|')[place]).join('|')) ?? [];
  return { rows: rows.sort(), warnings: found?.result.warnings ?? [] };
}

function expected({ instance: { data } }: Simulator): readonly string[] {
  const names = new Map((data.get('sys_user') ?? []).map((user) => [user['sys_id'], user['name']]));
  const incidents = (data.get('incident') ?? []).map(
    (each) => `${each['sys_id']}|${each['category']}|${names.get(each['caller_id'])}`,
  );
  const others = ['problem', 'change_request', 'task'].flatMap((table) => data.get(table) ?? []);
  return [...incidents, ...others.map((each) => `${each['sys_id']}||`)].sort();
}

describe('ServiceNow › columns of child classes', () => {
  it('are listed with the columns of the parent table on request', async () => {
    const dotWalked = { task: [...paths, 'ref_incident.nothing', 'ref_sys_user.name', 'ref_nothing.x'] };
    await withCatalog({ ...small, settings: { ...small.settings, dotWalked } }, async (_connector, catalog) => {
      const task = findDataObject(catalog, 'task');
      assert.deepEqual(
        paths.map((path) => {
          const { type, comment } = (task && findColumn(task, path)) ?? {};
          return [type, comment];
        }),
        [
          ['VARCHAR', 'Incident › Category'],
          ['VARCHAR', 'Incident › Caller id › Name'],
          ['TIMESTAMP WITH TIME ZONE', 'Change Request › Start date'],
        ],
      );
      assert.deepEqual(catalog.warnings, [
        'The column ref_incident.nothing of task is not there: incident has no column nothing.',
        'The column ref_sys_user.name of task is not there: sys_user does not extend task.',
        'The column ref_nothing.x of task is not there: the dictionary of nothing cannot be read.',
      ]);
      assert.deepEqual(findDataObject(catalog, 'incident')?.extends, ['task']);
    });
  });

  it('have values in records of that class, and are empty in others', async () => {
    await withCatalog(small, async (connector, catalog, simulator) => {
      const query = queryOf(catalog, '    properties: ["ref_incident.category", "ref_incident.caller_id.name"]\n');
      const { rows, warnings } = await tasks(connector, query, [
        'ref_incident.category',
        'ref_incident.caller_id.name',
      ]);
      assert.deepEqual([rows, warnings], [expected(simulator), []]);
    });
  });

  it('are filtered by SQL only', async () => {
    await withCatalog(small, async (connector, catalog, simulator) => {
      for (const [where, matches] of [
        [`'"ref_incident.category" = ''network'''`, (row: string) => row.includes('|network|')],
        [`'"ref_incident.category" IS NULL'`, (row: string) => row.endsWith('||')],
      ] as const) {
        const lines = `    properties: ["ref_incident.category", "ref_incident.caller_id.name"]\n    where: ${where}\n`;
        const from = simulator.requests.length;
        const names = ['ref_incident.category', 'ref_incident.caller_id.name'];
        const { rows } = await tasks(connector, queryOf(catalog, lines), names);
        assert.deepEqual(rows, expected(simulator).filter(matches));
        const asked = simulator.requests.slice(from).map(({ parameters }) => parameters.get('sysparm_query') ?? '');
        assert.ok(asked.length > 0 && asked.every((query) => !query.includes('ref_')));
      }
    });
  });

  it('are reported as missing when the instance does not have them', async () => {
    await withCatalog(small, async (connector, catalog, { instance }) => {
      instance.settings.childFields = false;
      const query = queryOf(catalog, '    properties: ["ref_incident.category"]\n');
      const { warnings } = await tasks(connector, query, ['ref_incident.category']);
      assert.deepEqual(warnings, [
        'The instance gives no fields of child classes with records of task, so these are empty: ref_incident.category. Join the table of the class by sys_id instead.',
      ]);
    });
  });

  it('can always be read by joining the table of the class, as the message about a missing column says', async () => {
    await withCatalog(small, async (connector, catalog, simulator) => {
      const wrong = built(catalog, '    properties: [category]\n');
      assert.ok('problems' in wrong);
      assert.deepEqual(
        wrong.problems.map(({ code, message }) => [code, message]),
        [
          [
            'unknown-column',
            '"category" is neither a column of "task" nor, as alias.column, of a joined table. It is one of "incident", which extends it: write incident.category, with joins: LEFT JOIN incident ON incident.sys_id = task.sys_id',
          ],
        ],
      );
      const query = queryOf(
        catalog,
        '    properties: [incident.category]\n    joins: LEFT JOIN incident ON incident.sys_id = task.sys_id\n',
      );
      const { rows } = await tasks(connector, query, ['incident.category']);
      assert.deepEqual(
        rows,
        expected(simulator).map((row) => row.split('|').slice(0, 2).join('|')),
      );
    });
  });
});
