import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { csvSources, graphText } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';
import { sarifResults } from '../support/sarif-results.ts';
import { folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';

const graph = graphText('  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: at }\n');

const file = (tests: string, name = 'shop'): string => `graph: ${name}.entity.yaml\ntests:\n${tests}`;

const passing = `  - name: an order is an event
    given: { orders: [{ id: 1, at: 2024-01-01T08:00:00Z }] }
    expect: { events: [{ activity: Place Order, entity: 1 }] }
`;
const failing = `  - name: "<two> & more"
    given: { orders: [{ id: 1, at: 2024-01-01T08:00:00Z }] }
    expect:
      events:
        - { activity: Place Order, entity: 2 }
`;

describe('entity-graph test', () => {
  let folder = '';
  before(async () => {
    const postgres = `${csvSources()}  db: { kind: mysql, host: localhost, database: d, user: u }\n`;
    folder = await folderWith({
      'entity-sources.yaml': postgres,
      'shop.entity.yaml': graph,
      'db.entity.yaml': graph.replace(/dataSource: .*/, 'dataSource: db'),
      'good/shop.entity.test.yaml': file(passing, '../shop'),
      'bad/shop.entity.test.yaml': file(passing + failing, '../shop'),
      'server/db.entity.test.yml': file(passing, '../db'),
      'broken/a.entity.test.yaml': 'graph: ../shop.entity.yaml\ntests: []\n',
      'none/readme.md': '',
    });
  });
  after(() => removeFolder(folder));

  const run = (...args: readonly string[]): ReturnType<typeof runCommand> =>
    runCommand(['test', ...args, '--workspace', folder], folder);

  it('exits with 0 when all tests pass', async () => {
    const { code, stdout } = await run('good');
    strictEqual(code, 0, stdout);
    match(stdout, /^good\/shop\.entity\.test\.yaml\n {2}passed an order is an event \d+ ms\n1 passed, 0 failed\n$/);
  });

  it('shows line, expected and actual result of a failed test', async () => {
    const { code, stdout } = await run('bad');
    strictEqual(code, 1, stdout);
    deepStrictEqual(stdout.replaceAll(/\d+ ms/g, 'N ms').split('\n'), [
      'bad/shop.entity.test.yaml',
      '  passed an order is an event N ms',
      '  failed <two> & more N ms',
      '    bad/shop.entity.test.yaml:10: events: Missing: { activity: Place Order, entity: 2 }.',
      '      - { activity: Place Order, entity: 2 }',
      '      + { activity: Place Order, entity: 1 }',
      '1 passed, 1 failed',
      '',
    ]);
  });

  it('exits with 1 for tests that are not run, unless that is allowed', async () => {
    const { code, stdout } = await run('server');
    strictEqual(code, 1);
    match(stdout, /not run an order is an event .*MySQL.*\n0 passed, 0 failed, 1 not run\n$/);
    strictEqual((await run('server', '--allow-not-run')).code, 0);
  });

  it('exits with 1 for a file without tests, and if there are no test files', async () => {
    const broken = await run('broken');
    deepStrictEqual([broken.code, /error 2: "tests" must not be empty\./.test(broken.stdout)], [1, true]);
    const none = await run('none');
    deepStrictEqual([none.code, /There are no tests/.test(none.stdout)], [1, true]);
    strictEqual((await run('nowhere.entity.test.yaml')).code, 1);
  });

  it('prints JSON, and JUnit XML for CI servers', async () => {
    const json = await run('bad', '--format', 'json');
    const [report] = JSON.parse(json.stdout) as [
      { file: string; diagnostics: unknown[]; tests: { name: string; outcome: string; failures: unknown[] }[] },
    ];
    deepStrictEqual(
      [report.file, report.diagnostics, report.tests.map(({ name, outcome, failures }) => [name, outcome, failures])],
      [
        join(folder, 'bad/shop.entity.test.yaml'),
        [],
        [
          ['an order is an event', 'passed', []],
          [
            '<two> & more',
            'failed',
            [
              {
                message: 'events: Missing: { activity: Place Order, entity: 2 }.',
                range: { start: { line: 9, character: 10 }, end: { line: 9, character: 46 } },
                expected: '- { activity: Place Order, entity: 2 }',
                actual: '- { activity: Place Order, entity: 1 }',
              },
            ],
          ],
        ],
      ],
    );
    const { code, stdout } = await run('.', '--format', 'junit');
    strictEqual(code, 1);
    deepStrictEqual(
      stdout
        .replaceAll(/time="[\d.]+"/g, 'time=""')
        .split('\n')
        .filter((line) => /<testsuite |<testcase/.test(line)),
      [
        '  <testsuite name="bad/shop.entity.test.yaml" tests="2" failures="1" skipped="0" time="">',
        '    <testcase name="an order is an event" classname="bad/shop.entity.test.yaml" time=""/>',
        '    <testcase name="&lt;two&gt; &amp; more" classname="bad/shop.entity.test.yaml" time=""><failure message="events: Missing: { activity: Place Order, entity: 2 }.">bad/shop.entity.test.yaml:10&#10;- { activity: Place Order, entity: 2 }&#10;+ { activity: Place Order, entity: 1 }</failure></testcase>',
        '  <testsuite name="broken/a.entity.test.yaml" tests="1" failures="1" skipped="0" time="">',
        '    <testcase name="file" classname="broken/a.entity.test.yaml" time=""><failure message="&quot;tests&quot; must not be empty.">broken/a.entity.test.yaml:2</failure></testcase>',
        '  <testsuite name="good/shop.entity.test.yaml" tests="1" failures="0" skipped="0" time="">',
        '    <testcase name="an order is an event" classname="good/shop.entity.test.yaml" time=""/>',
        '  <testsuite name="server/db.entity.test.yml" tests="1" failures="0" skipped="1" time="">',
        '    <testcase name="an order is an event" classname="server/db.entity.test.yml" time=""><skipped message="Tests of graphs on MySQL run in the data source only: give --online, or choose Run Online in the Test Explorer."/></testcase>',
      ],
    );
  });

  it('prints SARIF with the position of each failed expectation, each mistake of a file once, and the tests not run', async () => {
    await writeFiles(folder, {
      'sarif/wrong.entity.test.yaml': file(passing + passing.replace('is an event', 'stays one'), '../nowhere'),
    });
    const results = async (of: string) => {
      const { code, stdout } = await run(of, '--format', 'sarif');
      return [
        code,
        sarifResults(stdout).map(({ ruleId, level, message, locations: [{ physicalLocation }] }) => {
          const { artifactLocation, region } = physicalLocation;
          const place = `${basename(fileURLToPath(artifactLocation.uri))}:${region.startLine}:${region.startColumn}`;
          return [place, level, ruleId, message.text];
        }),
      ] as const;
    };
    deepStrictEqual(await results('good'), [0, []]);
    deepStrictEqual(await results('bad'), [
      1,
      [
        [
          'shop.entity.test.yaml:10:11',
          'error',
          'test-failed',
          '"<two> & more" fails: events: Missing: { activity: Place Order, entity: 2 }.\n' +
            '- { activity: Place Order, entity: 2 }\n+ { activity: Place Order, entity: 1 }',
        ],
      ],
    ]);
    const [code, [mistake, ...others]] = await results('sarif');
    deepStrictEqual([code, mistake?.slice(0, 2), others], [1, ['wrong.entity.test.yaml:1:8', 'error'], []]);
    deepStrictEqual(await results('server'), [
      1,
      [
        [
          'db.entity.test.yml:3:11',
          'warning',
          'test-not-run',
          '"an order is an event" is not run: Tests of graphs on MySQL run in the data source only: give --online, or choose Run Online in the Test Explorer.',
        ],
      ],
    ]);
  });

  it('--update writes the actual results as expectations, and the tests pass', async () => {
    await writeFiles(folder, { 'update/shop.entity.test.yaml': file(passing + failing, '../shop') });
    const { code, stdout, stderr } = await run('update', '--update');
    deepStrictEqual(
      [code, /2 passed, 0 failed/.test(stdout), stderr],
      [0, true, 'update/shop.entity.test.yaml: 1 expectation updated.\n'],
    );
    const after = file(passing + failing.replace('entity: 2', 'entity: 1'), '../shop');
    strictEqual(await readFile(join(folder, 'update/shop.entity.test.yaml'), 'utf8'), after);
  });

  it('validate checks test files, and other commands refuse them', async () => {
    const cli = (...args: readonly string[]) => runCommand([...args, '--workspace', folder], folder);
    const validated = await cli('validate', 'broken/a.entity.test.yaml', 'good/shop.entity.test.yaml');
    deepStrictEqual(
      [validated.code, validated.stdout],
      [
        1,
        'broken/a.entity.test.yaml:2:1: error: "tests" must not be empty. [schema-value]\ngood/shop.entity.test.yaml: no problems\n',
      ],
    );
    const imported = await cli('import', 'good/shop.entity.test.yaml');
    deepStrictEqual(
      [imported.code, imported.stderr],
      [
        2,
        'entity-graph import: good/shop.entity.test.yaml is a file of tests, not an entity graph: entity-graph test good/shop.entity.test.yaml runs it. Run entity-graph import --help.\n',
      ],
    );
  });

  it('test files are not listed as entity graphs', async () => {
    const { stdout } = await runCommand(['status', '.', '--format', 'json', '--workspace', folder], folder);
    const listed = (JSON.parse(stdout) as { file: string }[]).map((each) => each.file);
    deepStrictEqual(listed, [join(folder, 'db.entity.yaml'), join(folder, 'shop.entity.yaml')]);
  });
});
