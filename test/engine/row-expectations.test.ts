import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { RowExpectationResult } from '../../protocol/import-progress.ts';
import type { RuleResult } from '../../protocol/process-rules.ts';
import { readStatus } from '../../server/src/state/status-file.ts';
import { runCommand } from '../support/run-command.ts';
import { csvSources, graphText, withGraph, withProject } from '../support/import-text.ts';
import { sarifResults } from '../support/sarif-results.ts';

const orders = `id,line,state,amount,placed,note
1,1,1,10.50,2024-01-01 10:00,a
1,2,1.0,10.5,2024-01-01 10:00,a
2,1,3,,2024-01-02 10:00,
2,1,,7,2024-01-03 10:00,b
,3,4,7,2024-01-04 10:00,c
`;

function project(expect: string, where = ''): Readonly<Record<string, string>> {
  return {
    'entity-sources.yaml': csvSources(),
    'orders.csv': orders,
    'graph.entity.yaml': graphText(
      `  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: placed, ${where}expect: ${expect} }\n`,
    ),
  };
}

const result = (
  expectation: RowExpectationResult['expectation'],
  columns: readonly string[],
  judged: number,
  broken: number,
  examples: RowExpectationResult['examples'] = [],
  index = 0,
): RowExpectationResult => ({
  element: 'Place Order',
  severity: 'warning',
  expectation,
  index,
  columns,
  judged,
  broken,
  holds: broken === 0,
  examples,
});

describe('expectations of rows', () => {
  it('are counted over all rows read, also those without a key, by the texts of keys', async () => {
    const expect =
      '{ unique: [placed, [id, line], note], notNull: [id, line], values: { state: [1, 3], amount: [7, 10.50] }, rows: 2..9 }';
    await withGraph(project(expect), async ({ import: run }) => {
      const { status, error, expectations, warnings } = await run();
      assert.equal(status, 'imported', error?.message);
      assert.deepEqual(expectations, [
        result('unique', ['placed'], 5, 2, [{ value: '2024-01-01 10:00', rows: 2 }]),
        result('unique', ['id', 'line'], 4, 2, [{ value: '["2","1"]', rows: 2 }], 1),
        result('unique', ['note'], 4, 2, [{ value: 'a', rows: 2 }], 2),
        result('notNull', ['id'], 5, 1),
        result('notNull', ['line'], 5, 0, [], 1),
        result('values', ['state'], 4, 2, [
          { value: '1.0', rows: 1 },
          { value: '4', rows: 1 },
        ]),
        result('values', ['amount'], 4, 0, [], 1),
        { ...result('rows', [], 5, 0), expected: '2 to 9' },
      ]);
      assert.deepEqual(warnings, [
        '1 of 5 rows of "Place Order" have no key and are left out.',
        '2 of 5 rows of "Place Order" share a value of placed, which should be unique: "2024-01-01 10:00" in 2.',
        '2 of 4 rows of "Place Order" share values of id, line, which should be unique: "2, 1" in 2.',
        '2 of 4 rows of "Place Order" share a value of note, which should be unique: "a" in 2.',
        '1 of 5 rows of "Place Order" has no id, which is expected in every row.',
        '2 of 4 rows of "Place Order" have another state than expected: "1.0" in 1, "4" in 1.',
      ]);
    });
  });

  it('apply to the rows that match where, and to their number', async () => {
    await withGraph(project('{ unique: [line], rows: "4.." }', 'where: "note = \'a\'", '), async (of) => {
      const { expectations, warnings } = await of.import();
      assert.deepEqual(expectations, [
        result('unique', ['line'], 2, 0),
        { ...result('rows', [], 2, 1), expected: 'at least 4' },
      ]);
      assert.deepEqual(warnings, ['"Place Order" has 2 rows, but at least 4 are expected.']);
      const stored = await of.rows("SELECT CAST(counts->'$.expectations[*].holds' AS VARCHAR) FROM run");
      assert.deepEqual(stored, [['[true, false]']]);
      assert.deepEqual(await of.rows("SELECT column_name FROM duckdb_columns() WHERE table_name = 'properties_1'"), [
        ['event_id'],
      ]);
    });
  });

  it('find missing values without reading the columns as text as well', async () => {
    const text = (expect: string): string =>
      graphText(
        `  - { activityName: Place Order, dataObject: orders, key: line, startTimestamp: placed, properties: [amount, state], expect: ${expect} }\n`,
      );
    const files = project('');
    const missing = { ...files, 'graph.entity.yaml': text('{ notNull: [placed, amount, state] }') };
    await withGraph(missing, async ({ folder, import: run }) => {
      const { stdout } = await runCommand(['plan', 'graph.entity.yaml'], folder);
      assert.match(stdout, /"orders"\."amount" AS "amount"/);
      assert.doesNotMatch(stdout, /as text/);
      const { expectations } = await run();
      assert.deepEqual(expectations, [
        result('notNull', ['placed'], 5, 0),
        result('notNull', ['amount'], 5, 1, [{ value: '1', rows: 1 }], 1),
        result('notNull', ['state'], 5, 1, [{ value: '1', rows: 1 }], 2),
      ]);
    });
    const compared = { ...files, 'graph.entity.yaml': text('{ notNull: [amount], values: { amount: [7, 10.50] } }') };
    await withGraph(compared, async ({ folder, import: run }) => {
      assert.match((await runCommand(['plan', 'graph.entity.yaml'], folder)).stdout, /AS "amount as text"/);
      const { expectations } = await run();
      assert.deepEqual(
        expectations?.map(({ judged, broken }) => [judged, broken]),
        [
          [5, 1],
          [4, 0],
        ],
      );
    });
  });

  it('are listed by the command line, and examples end with … if there are more', async () => {
    await withGraph(project('{ unique: [id], values: { line: [9] }, rows: 5 }'), async ({ folder }) => {
      const { code, stdout, stderr } = await runCommand(['import', 'graph.entity.yaml'], folder);
      assert.equal(code, 0, stderr);
      assert.match(
        stdout,
        /Expectation of +What +Judged +Broken\n.*\nPlace Order +unique id +4 +4\nPlace Order +values of line +5 +5\nPlace Order +rows: 5 +5 +0\n/,
      );
      assert.match(
        stderr,
        /5 of 5 rows of "Place Order" have another line than expected: "1" in 3, "2" in 1, "3" in 1\./,
      );
    });
    await withGraph(project('{ values: { placed: [x] } }'), async ({ import: run }) => {
      const { warnings } = await run();
      assert.match(
        warnings.at(-1) ?? '',
        /"2024-01-01 10:00" in 2, "2024-01-02 10:00" in 1, "2024-01-03 10:00" in 1, …\.$/,
      );
    });
  });

  it('are stored for the editor with the rows that break them, if the import read all rows', async () => {
    const expect = '{ unique: [[id, line]], values: { state: [1, 3] }, rows: 9 }';
    await withProject(project(expect), async ({ import: run, folder }) => {
      const kept = async () => {
        const { counts } = await readStatus(join(folder, '.entity-graph'), 'graph');
        return counts?.expectations?.map(({ expectation, holds, warning, rows }) => [
          ...[expectation, holds, warning?.slice(0, 20), rows],
        ]);
      };
      const { status, error } = await run();
      assert.equal(status, 'imported', error?.message);
      const of = { kind: 'element', name: 'Place Order' } as const;
      assert.deepEqual(await kept(), [
        ['unique', false, '2 of 4 rows of "Plac', { ...of, only: { kind: 'repeated', columns: ['id', 'line'] } }],
        [
          ...['values', false, '2 of 4 rows of "Plac'],
          { ...of, only: { kind: 'otherValue', column: 'state', expected: ['1', '3'] } },
        ],
        ['rows', false, '"Place Order" has 5 ', of],
      ]);
      await run({ request: { kind: 'build', since: '2024-01-02' } });
      assert.equal(await kept(), undefined);
    });
  });

  it('are not judged for a sample, and absent where nothing is expected', async () => {
    await withProject(project('{ rows: "100.." }'), async (of) => {
      const sample = await of.import({ request: { kind: 'build', sample: 2 } });
      assert.equal(sample.status, 'imported', sample.error?.message);
      assert.equal(sample.expectations, undefined);
      assert.deepEqual(sample.warnings, []);
      const without = graphText(
        '  - { activityName: Place Order, dataObject: orders, key: line, startTimestamp: placed }\n',
      );
      await of.write({ 'graph.entity.yaml': without });
      const summary = await of.import();
      assert.equal(summary.status, 'imported', summary.error?.message);
      assert.equal('expectations' in summary, false);
    });
  });

  it('of a column that does not exist prevent the import, with a position', async () => {
    await withGraph(project('{ notNull: [lime] }'), async ({ import: run }) => {
      const { status, error } = await run();
      assert.equal(status, 'failed');
      assert.equal(error?.code, 'unknown-column');
      assert.match(error?.message ?? '', /lime/);
    });
  });

  describe('asked of the source alone', () => {
    const graph = `version: 1
dataSource: shop
elements:
  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: placed, properties: all, expect: { severity: error, unique: [[id, line]], rows: "9.." } }
  - { activityName: Note Order, dataObject: orders, key: id, startTimestamp: placed }
entities:
  - { entityType: line, dataObject: orders, key: line, expect: { severity: info, values: { state: [1, 1.0, 3] }, notNull: [line] } }
`;
    const files = { 'entity-sources.yaml': csvSources(), 'orders.csv': orders, 'graph.entity.yaml': graph };
    const names = [
      'Place Order: id, line are unique together',
      'Place Order: at least 9 rows',
      'line: line has a value',
      'line: state has one of the expected values',
    ];

    it('need no import, have positions and examples, and exit with 1 if one of severity error is broken', async () => {
      await withGraph(files, async ({ folder }) => {
        const cli = (...words: readonly string[]) =>
          runCommand(['rules', 'graph.entity.yaml', '--source', ...words], folder);
        const { code, stdout, stderr } = await cli('--format', 'json');
        const results = JSON.parse(stdout) as readonly RuleResult[];
        assert.equal(code, 1, stderr);
        assert.deepEqual(
          results.map(({ name, severity, judged, broken, holds, violations }) => [
            ...[name, severity, judged, broken, holds],
            violations.map(({ detail }) => detail),
          ]),
          [
            [names[0], 'error', 4, 2, false, ['"2, 1" in 2 rows']],
            [names[1], 'error', 1, 1, false, ['5 rows']],
            [names[2], 'info', 5, 0, true, []],
            [names[3], 'info', 4, 1, false, ['"4" in 1 row']],
          ],
        );
        assert.match(results[0]?.sql ?? '', /^SELECT[^]*"line"[^]*FROM[^]*"orders"/u);
        assert.doesNotMatch(results[0]?.sql ?? '', /"amount"|"placed"/u);
        // Rows of two entries are read once.
        assert.deepEqual(new Set(results.map(({ sql }) => sql)).size, 1);
        const text = await cli();
        assert.match(text.stdout, /^BROKEN {2}Place Order: id, line are unique together {2}graph\.entity\.yaml:4$/mu);
        assert.match(text.stdout, /^ {8}"2, 1" in 2 rows$/mu);
        assert.doesNotMatch(text.stdout, /more$/mu);
        assert.match(text.stdout, /^broken {2}line: state has one of the expected values {2}graph\.entity\.yaml:7$/mu);
        assert.deepEqual(
          sarifResults((await cli('--format', 'sarif')).stdout).map(({ level, ruleId }) => [level, ruleId]),
          [
            ['error', 'expectation-broken'],
            ['error', 'expectation-broken'],
            ['note', 'expectation-broken'],
          ],
        );
        assert.match((await cli('--format', 'junit')).stdout, /failures="3"/u);
        assert.match((await cli('--format', 'markdown')).stdout, /\*\*broken\*\* \(error\)/u);
        assert.match((await runCommand(['status'], folder)).stdout, /graph\.entity\.yaml/u);
      });
    });

    it('are counted as an import counts them', async () => {
      await withGraph(files, async ({ folder, import: run }) => {
        const { stdout } = await runCommand(['rules', 'graph.entity.yaml', '--source', '--format', 'json'], folder);
        const { expectations, status, error } = await run();
        assert.equal(status, 'imported', error?.message);
        assert.deepEqual(
          (JSON.parse(stdout) as readonly RuleResult[]).map(({ broken }) => broken),
          expectations?.map(({ broken }) => broken),
        );
        assert.deepEqual(
          expectations?.map(({ isOfEntities = false }) => isOfEntities),
          [false, false, true, true],
        );
      });
    });

    it('connect only to data sources whose rows have expectations', async () => {
      const sources = `${csvSources()}  away: { kind: postgresql, host: localhost, port: 1, database: d, user: u }\n`;
      const also = graph.replace(
        'entities:',
        '  - { activityName: Pay Order, dataSource: away, dataObject: payment, key: id, startTimestamp: paid }\nentities:',
      );
      await withGraph(
        { ...files, 'entity-sources.yaml': sources, 'graph.entity.yaml': also },
        async ({ folder, write }) => {
          const cli = () => runCommand(['rules', 'graph.entity.yaml', '--source', '--format', 'json'], folder);
          const { stdout, stderr } = await cli();
          assert.notEqual(stdout, '', stderr);
          assert.deepEqual(
            (JSON.parse(stdout) as readonly RuleResult[]).map(({ name }) => name),
            names,
          );
          await write({ 'graph.entity.yaml': also.replace('startTimestamp: paid', '$&, expect: { notNull: [id] }') });
          const asked = await cli();
          assert.equal(asked.code, 1);
          assert.match(asked.stderr, /localhost:1/u);
        },
      );
    });

    it('name the key of the entry, for rows that match its where, even if entries are read together', async () => {
      const text = `version: 1
dataSource: shop
elements:
  - { activityName: Place Order, dataObject: orders, entityType: position, key: [line, id], startTimestamp: placed, expect: { notNull: [amount, note] } }
  - { activityName: Note Order, dataObject: orders, key: id, startTimestamp: placed, expect: { notNull: [note], unique: [line], values: { id: [1] } } }
  - { activityName: Count Order, dataObject: orders, key: id, startTimestamp: placed, where: state = 3, expect: { rows: 2 } }
`;
      await withGraph({ ...files, 'graph.entity.yaml': text }, async ({ folder }) => {
        const { stdout, stderr } = await runCommand(
          ['rules', 'graph.entity.yaml', '--source', '--format', 'json'],
          folder,
        );
        assert.notEqual(stdout, '', stderr);
        assert.deepEqual(
          (JSON.parse(stdout) as readonly RuleResult[]).map(({ name, broken, violations: [first] }) => [
            ...[name, broken, first?.detail],
          ]),
          [
            ['Place Order: amount has a value', 1, 'the row with the key ["1","2"]'],
            ['Place Order: note has a value', 1, 'the row with the key ["1","2"]'],
            ['Note Order: line is unique', 3, '"1" in 3 rows'],
            ['Note Order: note has a value', 1, 'the row with the key 2'],
            ['Note Order: id has one of the expected values', 2, '"2" in 2 rows'],
            ['Count Order: 2 rows', 1, '1 row'],
          ],
        );
      });
    });

    it('exit with 0 if all hold, with 1 if there are none, and with 2 for contradictory options', async () => {
      const held = graph.replace('unique: [[id, line]], rows: "9.."', 'rows: 5');
      await withGraph({ ...files, 'graph.entity.yaml': held }, async ({ folder, write }) => {
        const cli = (...words: readonly string[]) => runCommand(['rules', 'graph.entity.yaml', ...words], folder);
        // The broken expectation that is left has the severity info.
        assert.equal((await cli('--source')).code, 0);
        assert.equal((await cli('--source', '--suggest')).code, 2);
        await write({ 'graph.entity.yaml': held.replace(/, expect: \{.*\} \}$/gmu, ' }') });
        const none = await cli('--source');
        assert.deepEqual([none.code, none.stdout], [1, '']);
        assert.match(none.stderr, /expects nothing of the rows of its sources/u);
        await write({ 'graph.entity.yaml': held.replace('notNull: [line]', 'notNull: [lime]') });
        const unknown = await cli('--source');
        assert.equal(unknown.code, 1);
        assert.match(unknown.stderr, /lime/u);
      });
    });

    it('fail ci if one of severity error is broken', async () => {
      await withGraph(files, async ({ folder }) => {
        const { code, stdout } = await runCommand(['ci', '.'], folder);
        assert.equal(code, 1, stdout);
        const said = [...stdout.matchAll(/(error|warning|info): .*(id, line|"Place Order" has|another state)/gu)];
        assert.deepEqual(
          said.map(([, severity, what]) => [severity, what]),
          [
            ['error', 'id, line'],
            ['error', '"Place Order" has'],
            ['info', 'another state'],
          ],
          stdout,
        );
      });
      const warned = graph.replace('severity: error, ', '');
      await withGraph({ ...files, 'graph.entity.yaml': warned }, async ({ folder }) => {
        const { code, stdout } = await runCommand(['ci', '.'], folder);
        assert.equal(code, 0, stdout);
      });
    });
  });
});
