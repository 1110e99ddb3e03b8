import { deepStrictEqual } from 'node:assert/strict';
import type { GraphTestReport } from '../../server/src/operations/graph-tests/test-report.ts';
import { runTestsIn } from '../support/run-tests-in.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const sources = `version: 1
dataSources:
  log: { kind: csv, path: data/*.csv, timeZone: Europe/Berlin }
  api: { kind: rest, baseUrl: 'http://localhost:1', endpoints: { trail: { path: /trail } } }
  app: { kind: sqlite, path: app.sqlite }
  shop: { kind: mysql, host: localhost, database: shop, user: me, password: '\${env:PGPASSWORD}' }
`;

const graphOf = (source: string): string => `version: 1
dataSource: ${source}
dataObjects: [trail, callers]
elements:
  - activityName: Update Incident
    dataObject: trail
    key: number
    entityType: incident
    startTimestamp: updated
    changeTimestamp: closed
    sequence: mod_count
    activityColumn: state
    properties: [priority, updated]
  - { activityName: Call, dataObject: callers, key: [name, line], entityType: caller, startTimestamp: called }
relationships:
  - { name: reports, source: Call, target: Update Incident, mappings: [{ source: incident, target: number }] }
`;

/** Runs the tests of `log.entity.test.yaml`. */
async function run(tests: string, files: Readonly<Record<string, string>> = {}): Promise<GraphTestReport> {
  const folder = await folderWith({
    'entity-sources.yaml': sources,
    'log.entity.yaml': graphOf('log'),
    'log.entity.test.yaml': tests,
    ...files,
  });
  try {
    return await runTestsIn(folder, 'log.entity.test.yaml');
  } finally {
    await removeFolder(folder);
  }
}

/** Each test as its outcome, then the messages of its failures. */
function outcomes({ tests }: GraphTestReport): readonly string[] {
  return tests.flatMap(({ name, outcome, reason, failures }) => [
    `${name}: ${outcome}${reason === undefined ? '' : ` (${reason})`}`,
    ...failures.map(({ message }) => `  ${message.replaceAll(/\/\S*\//g, '')}`),
  ]);
}

const given = `
    given:
      trail:
        - { number: INC1, updated: 2024-01-01T10:00:00Z, mod_count: 1, state: Resolved, priority: 2 }
        - { number: INC1, updated: 2024-01-02T10:00:00Z, mod_count: 2, state: Active }
      callers:
        - { name: Ann, line: 7, called: 2024-01-01T09:00:00Z, incident: INC1 }`;

describe('tests with given rows', function () {
  it('pass when the graph is as expected', async () => {
    const report = await run(`graph: log.entity.yaml
tests:
  - name: all${given}
    expect:
      events:
        - { activity: Call, entity: [Ann, 7], time: 2024-01-01T09:00:00Z }
        - { activity: Resolved, entity: INC1, time: 2024-01-01T11:00, lifecycle: start, properties: { priority: 2 } }
        - { activity: Active, entity: { type: incident, key: INC1 }, properties: { priority: null } }
      eventsInclude: [{ activity: Active }]
      directlyFollows: [[Resolved, Active], [Call, Resolved], [Call, Resolved], [Resolved, Active]]
      relations: [{ relationship: reports, source: [Ann, 7], target: INC1 }]
      entities: [INC1, { type: caller, key: [Ann, 7] }]
  - name: change events are listed
    given: { trail: [{ number: A, updated: 2024-01-01T10:00:00Z, closed: 2024-01-01T10:30:00Z, state: Done }] }
    expect:
      events: [{ lifecycle: start }, { lifecycle: change, time: 2024-01-01T10:30:00Z }]
      relations: []
  - name: nothing comes of nothing
    expect: { events: [] }
`);
    deepStrictEqual(outcomes(report), [
      'all: passed',
      'change events are listed: passed',
      'nothing comes of nothing: passed',
    ]);
  });

  it('reports expected and actual result at its line', async () => {
    const report = await run(`graph: log.entity.yaml
tests:
  - name: wrong${given}
    expect:
      events:
        - { activity: Call }
        - { activity: Closed, entity: INC1 }
        - { activity: Active }
      eventsInclude: [{ activity: Active }, { activity: Resolved }]
      directlyFollows: [[Resolved, Active]]
      relations: []
      entities: [INC1, INC2]
`);
    deepStrictEqual(
      report.tests[0]?.failures.map(({ range, message, expected, actual }) => [
        report.text.slice(range.start, range.end),
        message,
        expected,
        actual,
      ]),
      [
        [
          '{ activity: Closed, entity: INC1 }',
          'events: Missing: { activity: Closed, entity: INC1 }.',
          '- { activity: Call }\n- { activity: Closed, entity: INC1 }\n- { activity: Active }',
          '- { activity: Call }\n- { activity: Resolved, entity: { type: incident, key: INC1 } }\n- { activity: Active }',
        ],
        [
          '{ activity: Active }',
          'eventsInclude: Missing: { activity: Active }.',
          '- { activity: Active }\n- { activity: Resolved }',
          '- { activity: Call }\n- { activity: Resolved }\n- { activity: Active, entity: { type: incident, key: INC1 }, time: 2024-01-02T10:00:00Z }',
        ],
        [
          'directlyFollows',
          'directlyFollows: Expected 1 pair, got 4. Not expected: [Call, Resolved].',
          '- [Resolved, Active]',
          '- [Resolved, Active]\n- [Call, Resolved]\n- [Call, Resolved]\n- [Resolved, Active]',
        ],
        [
          'relations',
          'relations: Expected 0 relations, got 1. Not expected: { relationship: reports, source: { type: caller, key: [Ann, 7] }, target: { type: incident, key: INC1 } }.',
          '[]',
          '- { relationship: reports, source: { type: caller, key: [Ann, 7] }, target: { type: incident, key: INC1 } }',
        ],
        ['INC2', 'entities: Missing: INC2.', '- INC1\n- INC2', '- INC1\n- { type: caller, key: [Ann, 7] }'],
      ],
    );
  });

  it('judge the rules that they name, as at their last event', async () => {
    const rules = `rules:
  - { name: Answered, each: { entityType: incident }, expect: [{ activity: Resolved, after: Active, within: 2d }] }
  - { name: Urgent, each: { activity: Resolved }, expect: [{ sql: priority <= 2 }] }
  - { name: Odd, each: { entityType: incident }, expect: [{ sql: nothing = 1 }] }
  - { name: Not asked, each: { entityType: incident }, expect: [{ never: Call }] }
`;
    const report = await run(
      `graph: log.entity.yaml
tests:
  - name: as expected${given}
    expect:
      rules:
        Answered: { judged: 1, pending: 1, broken: 0 }
        Urgent: { kept: 1, undecided: 0 }
  - name: not as expected${given}
    expect:
      rules:
        Urgent: { kept: 0, broken: 1 }
        Odd: { kept: 1 }
  - name: unknown
    expect: { rules: { Urgently: { broken: 0 } } }
`,
      { 'log.entity.yaml': `${graphOf('log')}${rules}` },
    );
    deepStrictEqual(outcomes(report), [
      'as expected: passed',
      'not as expected: failed',
      '  rules: "Urgent": expected 0 kept, got 1; expected 1 broken, got 0.',
      '  rules: "Odd" cannot be judged: The graph has no property "nothing". Add it to the properties of an element, and import again.',
      'unknown: failed',
      '  The graph has no rule "Urgently". Did you mean "Urgent"?',
    ]);
    const [wrong] = report.tests[1]?.failures ?? [];
    deepStrictEqual(
      [wrong?.expected, wrong?.actual, wrong && report.text.slice(wrong.range.start, wrong.range.end)],
      ['Urgent: { kept: 0, broken: 1 }', 'Urgent: { kept: 1, broken: 0 }', '0'],
    );
    deepStrictEqual(
      wrong?.edits?.map(({ start, end, text }) => `${report.text.slice(start, end)} → ${text}`),
      ['0 → 1', '1 → 0'],
    );
  });

  it('compare the rows of named queries, which read nothing but the graph', async () => {
    const report = await run(
      `graph: log.entity.yaml
tests:
  - name: as expected${given}
    expect:
      queries:
        steps:
          - { activity: Active, n: 1, "first time": 2024-01-02T10:00:00Z }
          - { activity: Resolved, priority: 2, days: 0.0 }
          - { activity: Call, priority: null }
        closed: []
  - name: not as expected${given}
    expect:
      queries:
        steps: [{ activity: Active, n: 2 }, { activity: Resolved }, { activity: Call }]
        step: []
        broken: []
        other: []
        many: []
`,
      {
        'queries/steps.sql': `-- Each activity
SELECT activity, count(*) AS n, min(time) AS "first time", any_value(priority) AS priority, 0.5 - 0.5 AS days
FROM event LEFT JOIN properties_1 ON event_id = id GROUP BY 1 ORDER BY 1;`,
        'queries/closed.sql': `SELECT * FROM event WHERE lifecycle = 'change'`,
        'queries/broken.sql': 'SELECT nothing FROM event',
        'queries/other.sql': `SELECT * FROM read_csv('other.csv')`,
        'queries/many.sql': 'SELECT * FROM range(1001)',
        'other.csv': 'a\n1\n',
      },
    );
    deepStrictEqual(
      outcomes(report).map((line) => line.replace(/\n.*/s, '')),
      [
        'as expected: passed',
        'not as expected: failed',
        '  queries: steps: Missing: { activity: Active, n: 2 }.',
        '  queries: step: There is no queries/step.sql beside the graph. Did you mean "steps"?',
        '  queries: broken: Referenced column "nothing" not found in FROM clause!',
        '  queries: other: Cannot access file "other.csv" - file system operations are disabled by configuration',
        '  queries: many: It has more than 1000 rows, too many to compare.',
      ],
    );
    const edits = report.tests[1]?.failures[0]?.edits?.map(
      ({ start, end, text }) => `${report.text.slice(start, end)} → ${text}`,
    );
    deepStrictEqual(edits, [
      "[{ activity: Active, n: 2 }, { activity: Resolved }, { activity: Call }] → [{ activity: Resolved }, { activity: Call }, { activity: Active, 'n': 1, first time: '2024-01-02T10:00:00.000000Z', priority: null, days: 0.0 }]",
    ]);
  });

  it('take types from the test, else from the catalog, else from the values', async () => {
    const csv = 'number,updated,mod_count,state,priority,closed\n7,2024-01-01 10:00:00,1,Open,1.50,\n';
    const report = await run(
      `graph: log.entity.yaml
tests:
  - name: of the catalog, keys are texts
    given: { trail: [{ number: 07, updated: 2024-01-01T10:00:00Z, priority: 1.50, state: Open }] }
    expect: { events: [{ entity: '07', properties: { priority: 1.5 } }] }
  - name: not of the catalog
    given: { trail: [{ number: A1, updated: 2024-01-01T10:00:00Z, state: Open }] }
    expect: { events: [{ entity: A1 }] }
  - name: declared
    columns: { trail: { number: VARCHAR, priority: VARCHAR } }
    given: { trail: [{ number: A1, updated: 2024-01-01T10:00:00Z, priority: 01, state: Open }] }
    expect: { events: [{ entity: A1, properties: { priority: '01' } }] }
`,
      { 'data/trail.csv': csv, 'data/callers.csv': 'name,line,called,incident\nAnn,7,2024-01-01 09:00:00,1\n' },
    );
    deepStrictEqual(outcomes(report), [
      'of the catalog, keys are texts: passed',
      'not of the catalog: failed',
      '  "number" is BIGINT: its value must be a whole number, not "A1".',
      'declared: passed',
    ]);
  });

  it('assign columns to joined tables, not to the data object', async () => {
    const joined = `version: 1
dataSource: api
dataObjects: [trail, callers]
elements:
  - activityName: Update Incident
    dataObject: trail
    key: trail.number
    entityType: incident
    joins: JOIN callers AS caller ON caller.incident = trail.number
    startTimestamp: caller.called
    properties: [caller.name]
`;
    const tests = `graph: log.entity.yaml
tests:
  - name: joined
    given:
      trail: [{ number: INC1 }, { number: INC2 }]
      callers: [{ incident: INC1, name: Ann, called: 2024-01-01T10:00:00Z }]
    expect:
      events: [{ entity: INC1, time: 2024-01-01T10:00:00Z, properties: { caller.name: Ann } }]
`;
    deepStrictEqual(outcomes(await run(tests, { 'log.entity.yaml': joined })), ['joined: passed']);
  });

  it('take rows from a file', async () => {
    const report = await run(
      `graph: log.entity.yaml
tests:
  - name: rows of a file
    given: { trail: { file: rows.csv } }
    expect: { events: [{ activity: Open, entity: '007' }, { activity: Closed, entity: '8', properties: { priority: null } }] }
  - name: no such file
    given: { trail: { file: none.csv } }
    expect: { events: [] }
`,
      {
        'rows.csv': 'number,updated,state,priority\n007,2024-01-01T10:00:00Z,Open,1\n8,2024-01-02T10:00:00Z,Closed,\n',
      },
    );
    deepStrictEqual(outcomes(report), [
      'rows of a file: passed',
      'no such file: failed',
      '  The rows of none.csv cannot be read: There is no such file.',
    ]);
  });

  it('run for source kinds whose SQL runs locally, and never pass for others', async () => {
    const tests = (graph: string): string => `graph: ${graph}
tests:
  - name: one
    given: { trail: [{ number: A, updated: 2024-01-01T10:00:00Z, state: Done }] }
    expect: { events: [{ activity: Done, entity: A }] }
`;
    const files = { 'api.entity.yaml': graphOf('api'), 'shop.entity.yaml': graphOf('shop') };
    deepStrictEqual(outcomes(await run(tests('api.entity.yaml'), files)), ['one: passed']);
    deepStrictEqual(outcomes(await run(tests('shop.entity.yaml'), files)), [
      'one: not run (Tests of graphs on MySQL run in the data source only: give --online, or choose Run Online in the Test Explorer.)',
    ]);
  });

  it('give each of several data sources its rows', async () => {
    const tests = `graph: both.entity.yaml
tests:
  - name: one
    given:
      trail: [{ number: A, updated: 2024-01-01T11:00:00, state: Done }]
      callers: [{ name: Ann, line: 7, called: 2024-01-01T09:00:00, incident: A }]
    expect:
      events:
        - { activity: Call, time: 2024-01-01T09:00:00Z }
        - { activity: Done, time: 2024-01-01T10:00:00Z }
      relations: [{ relationship: reports, source: [Ann, 7], target: A }]
`;
    const both = graphOf('log').replace('dataObject: callers', 'dataSource: api, dataObject: callers');
    deepStrictEqual(outcomes(await run(tests, { 'both.entity.yaml': both })), ['one: passed']);
  });

  it('give an entry without listed columns the rows of its source', async () => {
    const tests = `graph: both.entity.yaml
columns: { people: { id: { type: VARCHAR, key: true }, label: VARCHAR } }
tests:
  - name: one
    given:
      trail: [{ number: A, updated: 2024-01-01T11:00:00, state: Done }]
      people: [{ id: Ann, label: x }]
    expect:
      entities: [{ type: incident, key: A }, { type: person, key: Ann }]
`;
    const entry = 'entities:\n  - { entityType: person, dataSource: api, dataObject: people }\nrelationships:';
    const both = graphOf('log').replace('relationships:', entry);
    deepStrictEqual(outcomes(await run(tests, { 'both.entity.yaml': both })), ['one: passed']);
  });

  it('are not run if rows could belong to two data sources', async () => {
    const tests = `graph: both.entity.yaml
tests:
  - name: one
    given: { trail: [{ number: A, updated: 2024-01-01T11:00:00, state: Done }] }
    expect: { events: [] }
`;
    const both = graphOf('log').replace(
      'dataObject: callers, key: [name, line]',
      'dataSource: api, dataObject: trail, key: number',
    );
    deepStrictEqual(outcomes(await run(tests, { 'both.entity.yaml': both })), [
      'one: not run (trail is a data object of log and api: whose rows they are is not known.)',
    ]);
  });

  it('fail with a position if the graph cannot be built', async () => {
    const broken = (find: string, put: string): Readonly<Record<string, string>> => ({
      'bad.entity.yaml': graphOf('log').replace(find, put),
    });
    const tests = `graph: bad.entity.yaml
tests:
  - name: one
    given: { trail: [{ number: A, updated: 2024-01-01T10:00:00Z, state: Done }] }
    expect: { events: [] }
`;
    const lines = async (files?: Readonly<Record<string, string>>) => outcomes(await run(tests, files)).slice(1);
    deepStrictEqual(
      [
        await lines(),
        await lines(broken('    startTimestamp: updated\n', '')),
        await lines(broken('    sequence: mod_count', '    where: state = nobody')),
        await lines(broken('version: 1', 'version: [')),
        await lines(broken('dataSource: log', 'dataSource: lok')),
      ],
      [
        ['  Cannot read bad.entity.yaml: there is no such file. Check the path and its permissions.'],
        [
          '  The graph cannot be built: bad.entity.yaml:5: Element "Update Incident" is not configured: Start Timestamp is missing. Set startTimestamp.',
        ],
        [
          '  The graph cannot be built: bad.entity.yaml:11: Referenced column "nobody" not found in FROM clause! There is: closed, number, priority.',
        ],
        [
          '  The graph cannot be built: bad.entity.yaml:1: This "[" is never closed. Close it with "]", or write its entries on lines of their own.',
        ],
        ['  Data source lok is not configured in entity-sources.yaml. Did you mean log?'],
      ],
    );
  });

  it('read data objects that are named like tables of a build', async () => {
    const names = ['element_1', 'element_2', 'rows_1', 'ordered', 'sorted', 'entity'];
    const elements = names.map(
      (name) =>
        `  - { activityName: ${name}, dataObject: ${name}, key: id, entityType: ${name}, startTimestamp: at }\n`,
    );
    const graph = `version: 1\ndataSource: log\nelements:\n${elements.join('')}`;
    const rows = names.map((name, index) => `${name}: [{ id: ${name}, at: 2024-01-0${index + 1}T10:00:00Z }]`);
    const report = await run(
      `graph: strange.entity.yaml
tests:
  - name: one
    given: { ${rows.join(', ')} }
    expect:
      events: [${names.map((name) => `{ activity: ${name}, entity: ${name} }`).join(', ')}]
      directlyFollows: []
`,
      { 'strange.entity.yaml': graph },
    );
    deepStrictEqual(outcomes(report), ['one: passed']);
  });

  it('read values of a data object, and keep the order of its rows', async () => {
    const element = (name: string, joins = ''): string =>
      `  - { activityName: ${name}, dataObject: trail, key: number, entityType: ${name}, startTimestamp: updated${joins} }\n`;
    const joined = element('Answer', ', joins: LEFT JOIN callers AS c ON c.incident = trail.number');
    const report = await run(
      `graph: both.entity.yaml
tests:
  - name: one
    given:
      trail:
        - { number: 2, updated: 2024-01-01T10:00:00Z }
        - { number: 1, updated: 2024-01-01T10:00:00Z }
      callers: [{ name: Ann, incident: 1 }, { name: Bob, incident: 2 }]
    expect:
      events:
        - { activity: Open, entity: { type: Open, key: 2 } }
        - { activity: Open, entity: { type: Open, key: 1 } }
        - { activity: Answer, entity: { type: Answer, key: 2 } }
        - { activity: Answer, entity: { type: Answer, key: 1 } }
        - { activity: Close, entity: { type: Close, key: 2 } }
        - { activity: Close, entity: { type: Close, key: 1 } }
`,
      {
        'both.entity.yaml': `version: 1\ndataSource: log\ndataObjects: [trail, callers]\nelements:\n${element('Open')}${joined}${element('Close')}`,
      },
    );
    deepStrictEqual(outcomes(report), ['one: passed']);
  });

  it('fail if values do not fit a type that only the engine knows', async () => {
    const report = await run(`graph: log.entity.yaml
columns: { trail: { number: 'ENUM (''a'', ''b'')' } }
tests:
  - name: one
    given: { trail: [{ number: c, updated: 2024-01-01T10:00:00Z, state: Done }] }
    expect: { events: [] }
`);
    deepStrictEqual(
      report.tests[0]?.failures.map(({ message, range }) => [report.text.slice(range.start, range.end), message]),
      [['trail', "The rows of trail do not fit its columns: Could not convert string 'c' to UINT8"]],
    );
  });
});
