import assert from 'node:assert/strict';
import type { DraftAnswer } from '../../protocol/first-draft.ts';
import { readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { DraftRole } from '../../protocol/first-draft.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { type DraftProject, withDraftProject } from '../support/draft-projects.ts';
import { orderToCash, ownTables, subscriptionHistory, tutorialLog } from '../support/draft-tables.ts';
import { chinook } from '../support/chinook.ts';
import { postgresqlSources } from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { projectFolder } from '../support/vscode-host.ts';
import { expectExpertsChoice, readExpectations, type Expectations } from './expected-drafts.ts';

/** Tests of first graphs as written, imported and drawn, against an expert's choices (test/data/drafts.json). */
describe('first graphs', () => {
  let expected: Expectations;
  before(async () => (expected = await readExpectations()));

  const dated = `, nullValues: ['?'], timestampFormat: '%d-%m-%Y %H:%M'`;
  const slashed = `, nullValues: ['?'], timestampFormat: '%d/%m/%Y %H:%M'`;
  const logs: readonly (readonly [name: string, path: string, settings: string])[] = [
    ['incident_event_log.csv', 'samples/incidents/data/incident_event_log.csv', dated],
    ['incident_event_log.csv', 'samples/incidents/data/incident_event_log.csv', ''],
    ['incident_event_log_120k.csv', 'test/data/incident_event_log_120k.csv.gz', slashed],
    ['incident_event_log_120k.csv', 'test/data/incident_event_log_120k.csv.gz', ''],
    ['bpic13_volvo_vinst.csv', 'test/data/bpic13_volvo_vinst.csv.gz', ''],
  ];
  for (const [name, path, settings] of logs) {
    it(`make the choices of an expert for the real log ${name}${settings === '' ? ' without settings' : ''}`, async () => {
      const content = await readFile(join(projectFolder, path));
      await withFiles({ [basename(path)]: content }, settings, async (project) => {
        expectExpertsChoice(await project.draft(), expected[name]);
        await expectMap(project);
      });
    });
  }

  it('make the choices of an expert for the log of the tutorial', async () => {
    await withFiles({ 'tutorial.csv': tutorialLog() }, '', async (project) => {
      expectExpertsChoice(await project.draft(), expected['tutorial.csv']);
      await expectMap(project);
    });
  });

  for (const [name, content] of Object.entries(ownTables)) {
    it(`make the choices of an expert for ${name}, on which nothing was tuned`, async () => {
      await withFiles({ [name]: content() }, '', async (project) => {
        expectExpertsChoice(await project.draft(), expected[name]);
        await expectMap(project);
      });
    });
  }

  it('find the activity column of a long log that is sorted by activity, although its first rows have one value', async () => {
    const steps = ['open', 'work', 'close'];
    const lines = steps.flatMap((step, at) =>
      Array.from({ length: 12_000 }, (_, ticket) => {
        const time = new Date(Date.UTC(2024, 0, 1) + ticket * 60_000 + at * 3_600_000);
        return `T${ticket},${step},${time.toISOString()},agent ${ticket % 40}`;
      }),
    );
    await withFiles({ 'log.csv': `ticket,step,at,agent\n${lines.join('\n')}\n` }, '', async (project) => {
      expectExpertsChoice(await project.draft(), { key: ['ticket'], activity: ['step'], time: ['at'] });
      await expectMap(project);
    });
  });

  it('have the cases of a log in the naming of XES, their attributes and the ends of events', async () => {
    const lines = ['case:concept:name,case:group,concept:name,org:resource,start_timestamp,time:timestamp'];
    for (let ofCase = 1; ofCase <= 40; ofCase++) {
      ['receive', 'check', 'decide', 'close'].forEach((step, at) => {
        const start = Date.UTC(2024, 0, ofCase, 8 + 2 * at);
        const [begun, ended] = [start, start + 3_600_000].map((time) => new Date(time).toISOString());
        lines.push(`C${ofCase},G${ofCase % 7},${step},user ${(ofCase + at) % 5},${begun},${ended}`);
      });
    }
    await withFiles({ 'log.csv': `${lines.join('\n')}\n` }, '', async (project) => {
      await project.draft();
      await project.project.import();
      const counts = 'SELECT entity_type, count(*) FROM entity GROUP BY 1 ORDER BY 1';
      const ends = "SELECT count(*) FROM event WHERE lifecycle = 'end'";
      const group = `SELECT "group" FROM entity JOIN entity_properties_1 ON entity_id = id WHERE key = 'C9'`;
      assert.deepEqual(await project.project.rowsOfAll([counts, ends, group]), [
        [
          ['case', '40'],
          ['org:resource', '5'],
        ],
        [['160']],
        [['G2']],
      ]);
    });
  });

  it('take the end that a person chose, instead of one whose name says so', async () => {
    const lines = ['ticket,step,at,handed,finished,agent'];
    for (let ticket = 1; ticket <= 40; ticket++) {
      ['open', 'work', 'close'].forEach((step, at) => {
        const start = Date.UTC(2024, 0, ticket, 8 + 2 * at);
        const [begun, left, finished] = [0, 60_000, 120_000].map((more) => new Date(start + more).toISOString());
        lines.push(`T${ticket},${step},${begun},${left},${finished},a${(ticket + at) % 5}`);
      });
    }
    await withFiles({ 'log.csv': `${lines.join('\n')}\n` }, '', async (project) => {
      const endOf = async (answers: readonly DraftAnswer[] = []): Promise<unknown> => {
        const { chosen } = await project.draft({ answers });
        await rm(join(project.project.folder, 'graph.entity.yaml'));
        return chosen.find(({ role }) => role === 'end')?.columns;
      };
      assert.deepEqual(await endOf(), ['finished']);
      const columns = (name: string) => [{ dataObject: 'log', role: 'end' as const, columns: [name] }];
      assert.deepEqual(await endOf(columns('handed')), ['handed']);
      assert.deepEqual(await endOf(columns('agent')), undefined);
    });
  });

  it('combine dates and times of separate columns in order to cash', async () => {
    await withFiles(orderToCash(), '', async (project) => {
      expectExpertsChoice(await project.draft(), expected['order-to-cash']);
      await expectMap(project);
      const [first] = await project.project.rows("SELECT count(*) FROM event WHERE time::TIME <> TIME '00:00:00'");
      assert.ok(Number(first?.[0]) > 400, 'events have their time of day');
    });
  });

  describe('of databases', () => {
    let server: TestPostgres;
    before(async () => (server = await sharedPostgres()));

    it('make the choices of an expert for a history table, on which nothing was tuned; secrets are not read', async () => {
      const database = await server.createDatabase();
      await server.query(database, subscriptionHistory);
      await withDraftProject({ 'entity-sources.yaml': postgresqlSources(server, database) }, async (project) => {
        const drafted = await project.draft();
        expectExpertsChoice(drafted, expected['subscription_history']);
        assert.doesNotMatch(drafted.text, /api_token/);
        assert.deepEqual(drafted.choices, []);
        await expectMap(project);
      });
    });

    it('have the rows of tables that inherit from others once', async () => {
      const database = await server.createDatabase();
      await server.query(
        database,
        `CREATE TABLE orders (id int PRIMARY KEY, placed_at timestamp NOT NULL);
        CREATE TABLE web_orders (url text, PRIMARY KEY (id)) INHERITS (orders);
        INSERT INTO orders SELECT n, timestamp '2024-01-01' + n * interval '1 hour' FROM generate_series(1, 30) AS n;
        INSERT INTO web_orders SELECT n, timestamp '2024-02-01' + n * interval '1 hour', '/' FROM generate_series(31, 50) AS n;`,
      );
      await withDraftProject({ 'entity-sources.yaml': postgresqlSources(server, database) }, async (project) => {
        const { graph, leftOut } = await project.draft();
        assert.deepEqual(
          [graph.elements.map(({ dataObject }) => dataObject?.value), leftOut.map(({ dataObject }) => dataObject)],
          [['orders'], ['web_orders']],
        );
        const { totals } = await project.project.import();
        assert.deepEqual([totals?.events, totals?.entities], [50, 50]);
      });
    });

    it('make the choices of an expert for chinook', async () => {
      const database = await server.createDatabase();
      await server.query(database, chinook);
      await withDraftProject({ 'entity-sources.yaml': postgresqlSources(server, database) }, async (project) => {
        const drafted = await project.draft();
        expectExpertsChoice(drafted, expected['chinook']);
        await expectMap(project);
      });
    });

    for (const [name, path] of [
      ['northwind.sql', 'samples/northwind/northwind.sql'],
      ['pagila.sql.gz', 'test/data/pagila.sql.gz'],
    ] as const) {
      it(`make the choices of an expert for ${name}`, async () => {
        const database = await server.createDatabase();
        await server.loadSqlFile(database, join(projectFolder, path));
        await withDraftProject({ 'entity-sources.yaml': postgresqlSources(server, database) }, async (project) => {
          const drafted = await project.draft();
          expectExpertsChoice(drafted, expected[name]);
          const summary = await expectMap(project);
          for (const [table, rows] of Object.entries(expected[name]?.rows ?? {})) {
            const element = drafted.graph.elements.find(({ dataObject }) => dataObject?.value === table);
            const imported = summary.elements.find(({ activityName }) => activityName === element?.activityName?.value);
            assert.equal(imported?.rows, rows, table);
          }
        });
      });
    }
  });

  it('make the choices of an expert for the IT service management sample', async () => {
    const simulator = await startSimulator({ incidents: 40 });
    try {
      const sample = await readFile(join(projectFolder, 'samples/itsm/entity-sources.yaml'), 'utf8');
      const sources = sample
        .replace(/^ {2}itsm:/m, '  shop:')
        .replace(/instanceUrl: .*/, `instanceUrl: ${simulator.url}`)
        .replace("'${secret:itsm}'", JSON.stringify(simulator.logins.password));
      await withDraftProject({ 'entity-sources.yaml': sources }, async (project) => {
        const drafted = await project.draft();
        expectExpertsChoice(drafted, expected['itsm']);
      });
    } finally {
      await simulator.close();
    }
  });

  it('ask which of equally good columns to use, one question at a time, and use the answer', async () => {
    const lines = ['ticket,step,begun_a,begun_b'];
    for (let row = 0; row < 60; row++) {
      const at = new Date(Date.UTC(2024, 0, 1) + row * 3_600_000).toISOString();
      lines.push(`T${Math.floor(row / 3)},${['open', 'work', 'close'][row % 3]},${at},${at}`);
    }
    await withFiles({ 'log.csv': `${lines.join('\n')}\n` }, '', async ({ draft }) => {
      const asked: (readonly [DraftRole, readonly string[], readonly string[]])[] = [];
      const drafted = await draft({
        async ask({ role, columns, others }) {
          const [other] = others;
          asked.push([role, columns, other?.columns ?? []]);
          return other?.columns ?? [];
        },
      });
      assert.deepEqual(asked, [['time', ['begun_a'], ['begun_b']]]);
      assert.equal(drafted.graph.elements[0]?.startTimestamp?.value, 'begun_b');
    });
    await withFiles({ 'log.csv': `${lines.join('\n')}\n` }, '', async ({ draft, project }) => {
      const refuse = new Error('dismissed');
      await assert.rejects(draft({ ask: () => Promise.reject(refuse) }), refuse);
      await assert.rejects(readFile(join(project.folder, 'graph.entity.yaml')), { code: 'ENOENT' });
      const { choices, graph } = await draft();
      assert.deepEqual(
        choices.map(({ role, columns, others }) => [role, columns, others.map((other) => other.columns)]),
        [['time', ['begun_a'], [['begun_b']]]],
      );
      assert.equal(graph.elements[0]?.startTimestamp?.value, 'begun_a');
    });
  });

  const hour = (row: number): number => Date.UTC(2024, 0, 1) + row * 3_600_000;
  for (const [words, time, expression] of [
    ['seconds since 1970', (row: number) => `${hour(row) / 1000}`, /expression: .?to_timestamp\("log"\."at"\)/],
    ['milliseconds since 1970', (row: number) => `${hour(row)}`, /expression: .?make_timestamptz\(CAST\("log"/],
    ['day numbers of Excel', (row: number) => `${45_292 + row / 24}`, /expression: .?TIMESTAMP '1899-12-30 00:00:00'/],
    [
      '/Date(…)/ of JSON',
      (row: number) => `/Date(${hour(row)})/`,
      /expression: .?make_timestamptz\(CAST\(regexp_extract\(/,
    ],
  ] as const) {
    it(`read times that are ${words}, and say so`, async () => {
      const rows = Array.from(
        { length: 60 },
        (_, row) => `T${row % 20},${['open', 'work', 'close'][Math.floor(row / 20)]},${time(row)}`,
      );
      await withFiles({ 'log.csv': `ticket,step,at\n${rows.join('\n')}\n` }, '', async (project) => {
        const { text, chosen } = await project.draft();
        assert.match(text, expression);
        assert.match(
          chosen.find(({ role }) => role === 'time')?.reason ?? '',
          new RegExp(`^holds ${words.replace(/[()]/g, '.')}, `),
        );
        assert.ok(
          text.replaceAll(/\s+#\s+/g, ' ').includes(`Chosen as startTimestamp because it holds ${words}`),
          text,
        );
        await expectMap(project);
      });
    });
  }

  it('take no ids and amounts for times, and refuse to write a graph with nothing in it', async () => {
    const rows = Array.from(
      { length: 60 },
      (_, row) => `T${row % 20},${['open', 'work'][row % 2]},${45_000 + row},${1_700_000_000 + row}`,
    );
    await withFiles(
      { 'log.csv': `ticket,step,amount,event_id\n${rows.join('\n')}\n` },
      '',
      async ({ draft, project }) => {
        await assert.rejects(draft(), {
          message: 'No table or file has events that can be drafted. log: it has no times, and no events refer to it.',
        });
        await assert.rejects(readFile(join(project.folder, 'graph.entity.yaml')), { code: 'ENOENT' });
      },
    );
  });

  it('list data objects that are left out, with a remedy for times that cannot be read', async () => {
    const files = {
      'odd.csv': 'id,when\n1,01/02/2024 10:00\n2,?\n3,03/04/2024 11:00\n',
      'orders.csv': 'id,placed\n1,2024-01-01 10:00:00\n2,2024-01-02 10:00:00\n',
      'empty.csv': 'id,placed\n',
      'plain.csv': 'id,label\n1,a\n2,b\n',
      'timeless.csv': 'ticket,step\nT1,open\nT1,close\nT2,open\nT2,close\n',
      'odd_log.csv': 'ticket,step,when\nT1,open,01/02/2024 10:00\nT1,close,?\nT2,open,03/04/2024 11:00\nT2,open,?\n',
    };
    await withFiles(files, '', async ({ draft }) => {
      const { leftOut } = await draft();
      const reasons = Object.fromEntries(leftOut.map(({ dataObject, reason }) => [dataObject, reason]));
      assert.match(reasons['odd'] ?? '', /its times are texts, as in when: set timestampFormat/);
      assert.equal(reasons['empty'], 'it has no rows');
      assert.equal(reasons['plain'], 'it has no times, and no events refer to it');
      // This table has no key either, but the reason names the missing times.
      assert.equal(reasons['timeless'], 'it has no times: a log needs a column that says when each row happened');
      assert.match(reasons['odd_log'] ?? '', /^its times are texts, as in when: set timestampFormat/);
    });
  });
});

function withFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  settings: string,
  use: (project: DraftProject) => Promise<void>,
): Promise<void> {
  const sources = `version: 1\ndataSources:\n  shop: { kind: csv, path: "data/*"${settings} }\n`;
  const placed = Object.entries(files).map(([name, content]) => [`data/${name}`, content] as const);
  return withDraftProject({ ...Object.fromEntries(placed), 'entity-sources.yaml': sources }, use);
}

/**
 * The first import succeeds, and the graph has a process: entities with different activities that follow each other.
 */
async function expectMap({ project }: DraftProject): Promise<Awaited<ReturnType<DraftProject['project']['import']>>> {
  const summary = await project.import();
  assert.equal(summary.status, 'imported', summary.error?.message);
  const [row] = await project.rows(
    `SELECT max(activities) FROM (
       SELECT entity_type, count(DISTINCT activity) AS activities
       FROM event JOIN event_entity ON event.id = event_id JOIN entity ON entity.id = event_entity.entity_id GROUP BY ALL)`,
  );
  assert.ok(Number(row?.[0]) > 1, 'a type of entities has more than one activity');
  assert.ok((summary.totals?.directlyFollows ?? 0) > 0);
  return summary;
}
