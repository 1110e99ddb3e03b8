import assert from 'node:assert/strict';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { buildElementQuery, buildRelationshipQuery } from '../../server/src/query/build-query.ts';
import type { CompiledQuery } from '../../server/src/query/compiled-query.ts';
import type { SimulatedRecord } from '../simulator/demo-data.ts';
import { elementQuery, incidents, listQueries, loaded, withCatalog } from '../support/servicenow-queries.ts';

/** One row per filter: the selected rows, in JavaScript. */
const filters: readonly (readonly [where: string, means: (record: SimulatedRecord) => boolean])[] = [
  ['state = 1', ({ state }) => state === '1'],
  ['state IN (6, 7) AND active', ({ state, active }) => /6|7/.test(state ?? '') && active === 'true'],
  ["category = 'network' AND state <> 1", ({ category, state }) => category === 'network' && state !== '1'],
  ["category = 'NETWORK'", () => false],
  ["category <> 'network'", ({ category }) => category !== 'network'],
  ["short_description = 'No mail ^ no fun'", (record) => record['short_description'] === 'No mail ^ no fun'],
  ["short_description LIKE '%=%'", (record) => record['short_description']?.includes('=') ?? false],
  ['problem_id IS NULL', (record) => record['problem_id'] === ''],
  ['(state = 2 OR problem_id IS NOT NULL)', (record) => record['state'] === '2' || record['problem_id'] !== ''],
  ["incident.opened_at >= '2024-01-08 12:00:00'", (record) => (record['opened_at'] ?? '') >= '2024-01-08 12:00:00'],
  [
    "opened_at BETWEEN '2024-01-08 09:00' AND '2024-01-08 10:00:00'",
    ({ opened_at: at = '' }) => at >= '2024-01-08 09:00:00' && at <= '2024-01-08 10:00:00',
  ],
  [
    'calendar_duration > 100000',
    ({ calendar_duration: text = '' }) => Date.parse(`${text.replace(' ', 'T')}Z`) > 100_000_000,
  ],
  ["state = 1 OR lower(category) = 'hardware'", ({ state, category }) => state === '1' || category === 'hardware'],
];

describe('ServiceNow queries › rows', () => {
  it('match the filter, whichever part of it the instance evaluates', async () => {
    await withCatalog({}, async (connector, catalog, simulator) => {
      for (const [where, means] of filters) {
        const query = elementQuery(catalog, `    where: ${JSON.stringify(where)}\n`);
        const [found] = await loaded(connector, [query]);
        const expected = incidents(simulator)
          .filter(means)
          .map((record) => record['sys_id'] ?? '');
        assert.deepEqual(
          found?.rows.map((row) => row.slice(0, 32)),
          expected.sort(),
          where,
        );
      }
    });
  });

  it('are complete and typed for any page size, and only needed fields are requested', async () => {
    for (const pageSize of [7, 50, 1000]) {
      await withCatalog({ settings: { pageSize }, latency: 3 }, async (connector, catalog, simulator) => {
        const from = simulator.requests.length;
        const [found] = await loaded(connector, [elementQuery(catalog)]);
        const expected = incidents(simulator).map((record) =>
          [
            record['sys_id'],
            `${record['opened_at']?.replace(' ', 'T')}.000000Z`,
            record['number'],
            record['state'],
          ].join('|'),
        );
        assert.deepEqual(found?.rows, expected.sort());
        assert.deepEqual(
          found?.result.columns.map(({ type }) => type),
          ['VARCHAR', 'TIMESTAMP WITH TIME ZONE', 'VARCHAR', 'BIGINT'],
        );
        const fields = simulator.requests
          .slice(from)
          .filter(({ path, parameters }) => path.endsWith('/table/incident') && parameters.has('sysparm_limit'))
          .map(({ parameters }) => parameters.get('sysparm_fields'));
        assert.deepEqual([...new Set(fields)], ['sys_id,number,opened_at,state']);
        if (pageSize < 1000) assert.ok(simulator.load.most > 1, 'pages are read in parallel');
        assert.ok(simulator.load.most <= 4);
      });
    }
  });

  it('columns behind references are read and filtered on the instance', async () => {
    const settings = { dotWalked: { incident: ['caller_id.name', 'problem_id.opened_at'] } };
    await withCatalog({ settings }, async (connector, catalog, simulator) => {
      const users = simulator.instance.data.get('sys_user') ?? [];
      const name = users[3]?.['name'] ?? '';
      const lines = `    activityColumn: caller_id.name\n    where: '"caller_id.name" = ''${name}'''\n`;
      const from = simulator.requests.length;
      const [found] = await loaded(connector, [elementQuery(catalog, lines)]);
      const calls = incidents(simulator).filter((record) => record['caller_id'] === users[3]?.['sys_id']);
      assert.ok(calls.length > 0);
      assert.equal(found?.rows.length, calls.length);
      assert.ok(found?.rows.every((row) => row.includes(`|${name}|`)));
      assert.ok(listQueries(simulator, from).every((query) => query.startsWith(`caller_id.name=${name}^`)));
    });
  });

  it('of more elements than fit in a URL are requested by their common filter', async () => {
    await withCatalog({ incidents: 40 }, async (connector, catalog, simulator) => {
      const states = Array.from({ length: 60 }, (_, index) => index);
      const queries = states.map((state) => elementQuery(catalog, `    where: active AND state = ${state}\n`));
      const from = simulator.requests.length;
      const found = await loaded(connector, queries);
      for (const [state, { rows }] of found.entries()) {
        const wanted = incidents(simulator).filter((each) => each['active'] === 'true' && each['state'] === `${state}`);
        assert.equal(rows.length, wanted.length, `state ${state}`);
      }
      assert.deepEqual(new Set(listQueries(simulator, from)), new Set(['active=true^ORDERBYsys_id']));
    });
  });

  it('the audit trail is never read as a whole', async () => {
    await withCatalog({}, async (connector, catalog, simulator) => {
      const query = (where: string): CompiledQuery => {
        const text = `version: 1\nname: T\ndataSource: itsm\nelements:\n  - { activityName: A, dataObject: sys_audit, key: documentkey, startTimestamp: sys_created_on, where: "${where}" }\n`;
        const { graph } = parseEntityGraph(text);
        const built = graph.elements[0] && buildElementQuery(graph, graph.elements[0], catalog);
        assert.ok(built && 'query' in built);
        return built.query;
      };
      const [trail] = await loaded(connector, [query("tablename = 'incident' AND fieldname = 'state'")]);
      assert.equal(trail?.rows.length, simulator.instance.data.get('sys_audit')?.length);
      for (const where of ["fieldname = 'state'", "tablename <> 'incident'", "tablename = 'x' OR fieldname = 'y'"]) {
        await assert.rejects(loaded(connector, [query(where)]), { code: 'source-config' }, where);
      }
      assert.equal((await connector.preview(query("fieldname = 'state'"), { limit: 3 })).rows.length, 3);
    });
  });

  it('joined tables are fetched whole, including self-joins', async () => {
    await withCatalog({}, async (connector, catalog, simulator) => {
      const joins =
        '    joins: |\n      JOIN sys_user AS caller ON caller.sys_id = incident.caller_id\n      LEFT JOIN incident AS twin ON twin.sys_id = incident.sys_id AND twin.state <> 1\n    where: incident.state = 1\n';
      const [found] = await loaded(connector, [
        elementQuery(catalog, `${joins}    key: [caller.name, twin.number, sys_id]\n`),
      ]);
      const open = incidents(simulator).filter(({ state }) => state === '1');
      assert.equal(found?.rows.length, open.length);
      // A condition on the incident must not filter the rows of its twin.
      assert.ok(listQueries(simulator).every((query) => !query.includes('state')));
    });
  });

  it('elements and relationships share one fetch', async () => {
    await withCatalog({ settings: { pageSize: 1000 } }, async (connector, catalog, simulator) => {
      const text = `version: 1
name: T
dataSource: itsm
elements:
  - { activityName: Open, dataObject: incident, startTimestamp: opened_at, where: state = 1 }
  - { activityName: Close, dataObject: incident, startTimestamp: resolved_at, where: "state IN (6, 7)" }
  - { activityName: Solve, dataObject: problem, startTimestamp: opened_at }
relationships:
  - { source: Close, target: Solve, mappings: [{ source: problem_id, target: sys_id }] }
`;
      const { graph } = parseEntityGraph(text);
      const built = [
        ...graph.elements.map((element) => buildElementQuery(graph, element, catalog)),
        ...graph.relationships.map((relationship) => buildRelationshipQuery(graph, relationship, catalog)),
      ];
      const before = simulator.requests.length;
      const found = await loaded(
        connector,
        built.flatMap((each) => ('query' in each ? [each.query] : [])),
      );
      const closed = incidents(simulator).filter(({ state }) => state === '6' || state === '7');
      const pairs = new Set(closed.filter((record) => record['problem_id'] !== '').map((record) => record['sys_id']));
      assert.deepEqual([found[1]?.rows.length, found[3]?.rows.length], [closed.length, pairs.size]);
      const asked = listQueries(simulator, before);
      assert.equal(asked[0], 'state=1^NQstateIN6,7^ORDERBYsys_id');
      assert.equal(asked.length, 1, asked.join('\n'));
    });
  });
});

describe('ServiceNow queries › preview and steps', () => {
  it('a preview fetches only the pages that it needs', async () => {
    await withCatalog({}, async (connector, catalog, simulator) => {
      const before = simulator.requests.length;
      const preview = await connector.preview(elementQuery(catalog), { limit: 10 });
      assert.deepEqual([preview.rows.length, preview.truncated], [10, true]);
      assert.equal(simulator.requests.length, before + 1);
      const all = await connector.preview(elementQuery(catalog, '    where: state + 0 = 1\n'), { limit: 500 });
      assert.equal(all.rows.length, incidents(simulator).filter(({ state }) => state === '1').length);
      assert.match(String(all.rows[0]?.[1]), /^2024-\d\d-\d\dT\d\d:\d\d:\d\d\.000000Z$/);
    });
  });

  const related = (body: string): string => `version: 1
name: Preview
dataSource: itsm
dataObjects: [incident, problem, cmdb_ci, task_ci]
elements:
  - { activityName: Open Incident, dataObject: incident, startTimestamp: opened_at }
  - { activityName: Open Problem, dataObject: problem, startTimestamp: opened_at }
  - { activityName: Install, dataObject: cmdb_ci, startTimestamp: sys_created_on }
relationships:
  - { name: r, source: Open Incident, ${body} }
`;

  /** One row per relationship: the tables requested by its preview, and whether any is read completely. */
  const relationships: readonly (readonly [body: string, whole: readonly string[], pairs: number])[] = [
    ['target: Open Problem, mappings: [{ source: problem_id, target: sys_id }]', [], 5],
    [
      'target: Install, crossTable: { dataObject: task_ci, sourceMappings: [{ source: sys_id, cross: task }], targetMappings: [{ cross: ci_item, target: sys_id }] }',
      [],
      5,
    ],
    ['target: Open Incident, mappings: [{ source: parent, target: sys_id }]', [], 0],
    ['target: Open Problem, mappings: [{ source: opened_at, operator: ">", target: opened_at }]', ['problem'], 5],
    ['target: Open Problem, mappings: [{ expression: source.opened_at > target.opened_at }]', ['problem'], 5],
  ];
  for (const [body, whole, pairs] of relationships) {
    it(`a preview fetches no whole table for ${body.slice(0, 70)}`, async () => {
      const settings = { pageSize: 20, tables: ['incident', 'problem', 'task_ci', 'cmdb_ci'] };
      await withCatalog({ incidents: 400, settings }, async (connector, catalog, simulator) => {
        const { graph } = parseEntityGraph(related(body));
        const [relationship] = graph.relationships;
        assert.ok(relationship);
        const built = buildRelationshipQuery(graph, relationship, catalog);
        assert.ok('query' in built, JSON.stringify(built));
        const before = simulator.requests.length;
        const preview = await connector.preview(built.query, { limit: 5 });
        const asked = simulator.requests.slice(before).map(({ path, parameters }) => ({
          table: path.split('/').at(-1) ?? '',
          query: parameters.get('sysparm_query') ?? '',
        }));
        assert.equal(preview.rows.length, pairs);
        const unbound = asked.filter(({ table, query }) => table !== 'incident' && !/IN[0-9a-f]{32}/.test(query));
        assert.deepEqual([...new Set(unbound.map(({ table }) => table))], whole, JSON.stringify(asked));
      });
    });
  }

  it('an SQL error has its position', async () => {
    await withCatalog({}, async (connector, catalog) => {
      const query = elementQuery(catalog, '    where: incident.stat = 1\n');
      await assert.rejects(
        connector.preview(query, { limit: 10 }),
        (error: { code: string; details: { position: number } }) => {
          assert.equal(error.code, 'column-missing');
          assert.ok(query.sql.slice(error.details.position).startsWith('incident.stat'));
          return true;
        },
      );
    });
  });

  it('a value that does not fit is reported with its record', async () => {
    await withCatalog({}, async (connector, catalog, simulator) => {
      const record = incidents(simulator)[5] as SimulatedRecord;
      record['state'] = 'on hold';
      await assert.rejects(connector.preview(elementQuery(catalog), { limit: 500 }), {
        code: 'type-mismatch',
        message: `The record ${record['sys_id']} of incident has "on hold" in state, which is no BIGINT.`,
      });
    });
  });

  it('queries cannot read local files', async () => {
    await withCatalog({}, async (connector, catalog) => {
      const where = `number IN (SELECT column0 FROM read_csv('${process.cwd()}/package.json'))`;
      const query = elementQuery(catalog, `    where: ${JSON.stringify(where)}\n`);
      await assert.rejects(connector.preview(query, { limit: 10 }), { code: 'permission-denied' });
    });
  });

  it('Show Query shows requests as sent, without the password', async () => {
    await withCatalog({ settings: { apiVersion: 'v2' } }, async (connector, catalog, simulator) => {
      const query = elementQuery(catalog, "    where: state = 1 AND lower(category) = 'network'\n");
      const before = simulator.requests.length;
      const steps = await connector.steps(query, { kind: 'preview', limit: 10 });
      assert.equal(simulator.requests.length, before, 'showing needs no request');
      assert.deepEqual(
        steps.map(({ kind, role }) => `${kind} ${role}`),
        ['http setup', 'sql core', 'sql wrap'],
      );
      assert.equal(steps[1]?.text, query.sql);
      assert.match(steps[0]?.title ?? '', /; left to the core query: lower\(category\) = 'network'$/);
      const shown = /^GET (\S+)\n/.exec(steps[0]?.text ?? '')?.[1];
      await connector.preview(query, { limit: 10 });
      const sent = simulator.requests[before];
      assert.equal(shown, `${simulator.url}${sent?.path}?${sent?.parameters.toString()}`);
      assert.ok(!JSON.stringify(steps).includes(simulator.logins.password));
      const [count, records] = await connector.steps(query, { kind: 'import' });
      assert.match(records?.text ?? '', /sysparm_limit=50&/);
      assert.match(count?.text ?? '', /\/api\/now\/v2\/stats\/incident\?/);
    });
  });

  it('display values are shown when configured, times raw', async () => {
    await withCatalog({ settings: { displayValue: 'all' } }, async (connector, catalog) => {
      const lines = '    key: [dv_caller_id]\n    where: incident.caller_id IS NOT NULL\n';
      const { rows } = await connector.preview(elementQuery(catalog, lines), { limit: 3 });
      assert.match(String(rows[0]?.[0]), / \d+$/);
      assert.match(String(rows[0]?.[1]), /^2024-/);
    });
  });
});
