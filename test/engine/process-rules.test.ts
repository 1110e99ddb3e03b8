import assert from 'node:assert/strict';
import type { RuleResult } from '../../protocol/process-rules.ts';
import type { Problem } from '../../server/src/model/problem.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { validateEntityGraph } from '../../server/src/language/validation/validate-graph.ts';
import { judgeRules } from '../../server/src/process-rules/judge-rules.ts';
import { graphJudged, readRule } from '../../server/src/process-rules/read-rule.ts';
import { randomOf } from '../support/random.ts';
import { randomCalendars } from '../support/random-measures.ts';
import { randomLines, randomOrders, randomRule } from '../support/random-rules.ts';
import { runCommand } from '../support/run-command.ts';
import { csvSources, withGraph, withProject } from '../support/import-text.ts';
import { graphRows } from '../support/graph-rows.ts';
import { judgeByHand } from '../support/judge-by-hand.ts';
import { sarifResults } from '../support/sarif-results.ts';
import { countSoak, soakSeeds } from '../support/soak.ts';

/** Orders with lines: 1 is shipped in time, 2 late, 3 never, 4 placed on the last day, 5 placed twice. */
const orders = `id,placed,shipped,paid,amount,late
1,2024-01-01 08:00,2024-01-03 08:00,2024-01-02 08:00,10,false
2,2024-01-01 09:00,2024-01-09 09:00,2024-01-10 09:00,20,true
3,2024-01-01 10:00,,,30,
4,2024-01-30 10:00,,,40,
`;
const lines = `number,order_id,added
a,1,2024-01-01 08:00
b,1,2024-01-01 08:30
c,2,2024-01-30 09:00
`;

const shop = `version: 1
dataSource: shop
elements:
  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed, properties: [amount, late] }
  - { activityName: Ship Order, dataObject: orders, key: id, entityType: order, startTimestamp: shipped, where: shipped IS NOT NULL }
  - { activityName: Pay Order, dataObject: orders, key: id, entityType: order, startTimestamp: paid, where: paid IS NOT NULL }
  - { activityName: Add Line, dataObject: lines, key: number, entityType: line, startTimestamp: added }
relationships:
  - { name: has, source: Place Order, target: Add Line, mappings: [{ source: id, target: order_id }], correlate: both }
`;

const files = { 'entity-sources.yaml': csvSources(), 'orders.csv': orders, 'lines.csv': lines };

/** kept, broken, pending, undecided */
const numbers = ({ kept, broken, pending, undecided }: RuleResult): readonly number[] => [
  kept,
  broken,
  pending,
  undecided,
];

describe('rules of the process', () => {
  const order = '{ entityType: order }';
  const cases: readonly (readonly [what: string, each: string, expect: string, expected: readonly number[]])[] = [
    ['events of the entity are counted', order, '{ activity: Ship Order }', [2, 2, 0, 0]],
    ['no events are expected', order, '{ never: Ship Order }', [2, 2, 0, 0]],
    ['a number of events is expected', order, '{ activity: Add Line, count: "1..2" }', [2, 2, 0, 0]],
    ['an event follows another', order, '{ activity: Ship Order, after: Pay Order }', [1, 1, 0, 0]],
    ['an event comes before another', order, '{ activity: Pay Order, before: Ship Order }', [1, 1, 0, 0]],
    [
      'an event follows in time, and the deadline may be to come',
      order,
      '{ activity: Ship Order, after: Place Order, within: 5d }',
      [1, 2, 1, 0],
    ],
    [
      'the last moment of a deadline counts',
      order,
      '{ activity: Ship Order, after: Place Order, within: 2d }',
      [1, 2, 1, 0],
    ],
    ['a moment too late does not', order, '{ activity: Ship Order, after: Place Order, within: 2879m }', [0, 3, 1, 0]],
    [
      'what must not follow in time is pending until then',
      order,
      '{ never: Ship Order, after: Place Order, within: 3d }',
      [2, 1, 1, 0],
    ],
    ['an event is next in line', order, '{ activity: Ship Order, after: Pay Order, directly: true }', [1, 1, 0, 0]],
    ['an event never follows another', order, '{ never: Pay Order, after: Ship Order }', [1, 1, 0, 0]],
    [
      'one expectation that concerns all makes a rule concern them',
      order,
      '{ activity: Ship Order, after: Pay Order }, { activity: Place Order }',
      [3, 1, 0, 0],
    ],
    [
      'what is counted from never happened',
      '{ entityType: order, where: amount > 20 }',
      '{ activity: Pay Order, after: Ship Order }',
      [0, 0, 0, 0],
    ],
    ['a time is not too long', order, '{ from: Place Order, to: Ship Order, atMost: 1w }', [1, 2, 1, 0]],
    ['a time is not too short', order, '{ from: Place Order, to: Ship Order, atLeast: 3d }', [2, 1, 1, 0]],
    ['related entities are counted', order, '{ relationship: has, count: "1.." }', [2, 2, 0, 0]],
    ['SQL sees the last values of an entity, and no value is undecided', order, '{ sql: NOT late }', [1, 1, 0, 2]],
    [
      'SQL judges entities that match the filter',
      '{ entityType: order, where: amount > 10 }',
      '{ sql: amount < 35 }',
      [2, 1, 0, 0],
    ],
    ['events are judged by what follows them', '{ activity: Place Order }', '{ activity: Ship Order }', [2, 2, 0, 0]],
    [
      'events are judged by their values',
      '{ activity: Place Order, where: late IS NOT NULL }',
      '{ sql: late }',
      [1, 1, 0, 0],
    ],
    [
      'events are judged in entities of another type',
      '{ activity: Add Line }',
      '{ activity: Ship Order, of: order }',
      [2, 1, 0, 0],
    ],
    [
      'a judged event that ends a time',
      '{ activity: Ship Order }',
      '{ from: Place Order, to: Ship Order, atMost: 3d }',
      [1, 1, 0, 0],
    ],
    [
      'the worst of several counts',
      order,
      '{ activity: Ship Order, after: Place Order, within: 5d }, { sql: NOT late }',
      [1, 2, 1, 0],
    ],
    ['there is nothing to judge', '{ entityType: line, where: 1 = 0 }', '{ activity: Add Line }', [0, 0, 0, 0]],
  ];
  it('judge entities and events as the rule says', async () => {
    const rules = cases.map(([what, each, expect]) => `  - { name: "${what}", each: ${each}, expect: [${expect}] }\n`);
    const graph = `${shop}rules:\n${rules.join('')}`;
    // Some of them cannot both be kept.
    assert.deepEqual(
      problemsOfRules(graph).flatMap(({ code, message }) => (code === 'rule-contradiction' ? [] : [message])),
      [],
    );
    await withGraph({ ...files, 'graph.entity.yaml': graph }, async ({ import: run, read }) => {
      const { status, error } = await run();
      assert.equal(status, 'imported', error?.message);
      const results = await read((store) => judgeRules(parseEntityGraph(graph).graph.rules, store, {}));
      assert.deepEqual(
        results.map((result) => [result.name, result.error, numbers(result)]),
        cases.map(([what, , , expected]) => [what, undefined, expected]),
      );
      const recorded = await read((store) =>
        store.query(`SELECT name, concerned, kept, broken, pending, undecided, found
          FROM rule LEFT JOIN (SELECT rule, count(DISTINCT coalesce(event_id, entity_id)) AS found FROM rule_violation GROUP BY rule) ON rule = number
          ORDER BY number`),
      );
      assert.deepEqual(
        recorded.map((row) => [
          row['name'],
          ...['concerned', 'kept', 'broken', 'pending', 'undecided'].map((each) => Number(row[each])),
        ]),
        cases.map(([what, , , expected]) => [what, expected.reduce((sum, each) => sum + each), ...expected]),
      );
      assert.ok(recorded.every((row) => Number(row['found']) === Number(row['broken'])));
    });
  });

  it('list violations with entity and expectation, and whether enough entities keep the rule', async () => {
    const graph = `${shop}rules:
  - name: Shipped in five days
    severity: error
    each: { entityType: order }
    expect: [{ activity: Ship Order, after: Place Order, within: 5d }, { from: Place Order, to: Ship Order, atMost: 1w }]
    atLeast: 33%
  - { name: Added once, each: { activity: Add Line }, expect: [{ sql: (SELECT amuont) > 1 }] }
`;
    await withGraph({ ...files, 'graph.entity.yaml': graph }, async ({ import: run, read }) => {
      await run();
      const [shipped, added] = await read((store) =>
        judgeRules(parseEntityGraph(graph).graph.rules, store, { limit: 1 }),
      );
      assert.deepEqual([shipped?.holds, shipped?.share, shipped?.broken], [true, 1 / 3, 2]);
      assert.deepEqual(shipped?.violations, [
        {
          entity: { type: 'order', key: '2' },
          detail:
            'Ship Order at least 1 time within 5 d after Place Order: found 0 events; at most 7 d from Place Order to Ship Order: it took 8 d',
        },
      ]);
      assert.deepEqual([added?.holds, added?.judged], [false, 0]);
      assert.equal(added?.error, 'The graph has no property "amuont". Did you mean "amount"?');
    });
  });

  it('are grouped by time and by values, with the entities that break them', async () => {
    const graph = `${shop}rules:
  - { name: Shipped, each: { entityType: order }, expect: [{ activity: Ship Order, after: Place Order, within: 5d }] }
  - { name: Cheap, each: { activity: Place Order }, expect: [{ sql: amount < 15 }] }
`;
    await withGraph({ ...files, 'graph.entity.yaml': graph }, async ({ import: run, read }) => {
      await run();
      const details = (text: string | undefined, rule: number, property?: string) =>
        read(async (store) => {
          const judged = await graphJudged(store, text, {});
          const wanted = judged.rules[rule - 1];
          assert.ok(wanted);
          return readRule(store, wanted, judged, { property }, {});
        });
      const element = (name: string) => ({ kind: 'element', name });
      const shipped = await details(undefined, 1, 'late');
      assert.deepEqual(shipped.trend, {
        unit: 'day',
        buckets: [
          { start: '2024-01-01T00:00:00.000Z', concerned: 3, broken: 2 },
          { start: '2024-01-30T00:00:00.000Z', concerned: 1, broken: 0 },
        ],
      });
      assert.deepEqual(shipped.values, {
        property: 'late',
        values: [
          { value: null, concerned: 2, broken: 1 },
          { value: 'true', concerned: 1, broken: 1 },
          { value: 'false', concerned: 1, broken: 0 },
        ],
        others: 0,
      });
      assert.deepEqual(
        shipped.violations.map(({ entity, event, rows }) => [entity?.entityType, entity?.key, event, rows]),
        [
          ['order', '2', undefined, ['Place Order', 'Ship Order', 'Pay Order'].map(element)],
          ['order', '3', undefined, [element('Place Order')]],
        ],
      );
      assert.deepEqual([shipped.imported, shipped.properties], [1, ['amount', 'late']]);
      const cheap = await details(graph, 2);
      assert.deepEqual(
        cheap.violations.map(({ entity, event }) => [entity?.key, typeof event]),
        [
          ['2', 'number'],
          ['3', 'number'],
          ['4', 'number'],
        ],
      );
      assert.deepEqual([cheap.imported, cheap.result.broken], [2, 3]);
      const changed = await details(graph.replace('amount < 15', 'amount < 25'), 2);
      assert.deepEqual([changed.imported, changed.result.broken], [undefined, 2]);
    });
  });

  it('that cannot list their violations are not judged, and the others are recorded', async () => {
    const once = "CASE WHEN current_query() LIKE 'INSERT INTO%' THEN error('not twice') ELSE amount < 15 END";
    const graph = `${shop}rules:
  - { name: Cheap, each: { activity: Place Order }, expect: [{ sql: amount < 15 }] }
  - { name: Once, each: { activity: Place Order }, expect: [{ sql: "${once}" }] }
`;
    await withGraph({ ...files, 'graph.entity.yaml': graph }, async ({ import: run, rows }) => {
      const { status, rules = [] } = await run();
      assert.equal(status, 'imported');
      assert.equal(rules[0]?.broken, 3);
      assert.match(rules[1]?.error ?? '', /Listing what breaks it: .*not twice/u);
      assert.deepEqual(
        (await rows('SELECT name, error IS NULL, broken FROM rule ORDER BY number')).map((row) => row.map(String)),
        [
          ['Cheap', 'true', '3'],
          ['Once', 'false', '0'],
        ],
      );
      assert.deepEqual((await rows('SELECT DISTINCT rule FROM rule_violation')).flat().map(String), ['1']);
    });
  });

  it('are part of the summary of an import, and are printed in all formats', async () => {
    const graph = `${shop}rules:
  - { name: Shipped, severity: error, each: { entityType: order }, expect: [{ activity: Ship Order }] }
  - { name: Placed, each: { entityType: order }, expect: [{ activity: Place Order }] }
`;
    await withProject({ ...files, 'graph.entity.yaml': graph }, async ({ import: run, folder }) => {
      const cli = (...words: readonly string[]): ReturnType<typeof runCommand> => runCommand(words, folder);
      const before = await cli('rules', 'graph.entity.yaml');
      assert.deepEqual([before.code, before.stdout], [1, '']);
      assert.match(before.stderr, /has not been imported yet/u);
      const { status, rules } = await run();
      assert.equal(status, 'imported');
      assert.deepEqual(
        rules?.map((rule) => [rule.name, numbers(rule)]),
        [
          ['Shipped', [2, 2, 0, 0]],
          ['Placed', [4, 0, 0, 0]],
        ],
      );
      const sample = await run({ request: { kind: 'build', sample: 2 } });
      assert.deepEqual([sample.status, sample.rules], ['imported', undefined]);
      const imported = await cli('import', 'graph.entity.yaml');
      assert.deepEqual(
        [imported.code, /^BROKEN {2}Shipped: 50 % kept: 2 of 4 broken$/mu.test(imported.stdout)],
        [0, true],
      );
      const text = await cli('rules', 'graph.entity.yaml');
      assert.equal(text.code, 1);
      assert.match(
        text.stdout,
        /^BROKEN {2}Shipped {2}graph\.entity\.yaml:11\n +50 % kept: 2 of 4 broken\n +order 3: Ship Order at least 1 time: found 0 events\n/u,
      );
      assert.match(text.stdout, /\nholds {3}Placed {2}.*\n1 of 2 rules hold\.\n$/su);
      const json = JSON.parse(
        (await cli('rules', 'graph.entity.yaml', '--format', 'json', '--limit', '1')).stdout,
      ) as RuleResult[];
      assert.deepEqual(
        json.map(({ name, holds, violations }) => [name, holds, violations.length]),
        [
          ['Shipped', false, 1],
          ['Placed', true, 0],
        ],
      );
      const sarif = await cli('rules', 'graph.entity.yaml', '--format', 'sarif');
      assert.deepEqual(
        sarifResults(sarif.stdout).map(({ level, ruleId, locations: [{ physicalLocation }] }) => [
          level,
          ruleId,
          physicalLocation.region.startLine,
        ]),
        [['error', 'rule-broken', 11]],
      );
      assert.match((await cli('rules', 'graph.entity.yaml', '--format', 'junit')).stdout, /tests="2" failures="1"/u);
      assert.match(
        (await cli('rules', 'graph.entity.yaml', '--format', 'markdown')).stdout,
        /\n\| \*\*broken\*\* \(error\) \| Shipped \| 50 % \| 100 % \| 4 \| 4 \| 2 \| 2 \| 0 \|\n/u,
      );
      const ci = await cli('ci', '.');
      assert.equal(ci.code, 1);
      assert.match(ci.stdout, /1 of 2 rules hold/u);
    });
  });

  it('never happened if they concern nothing, which is neither kept nor broken', async () => {
    const graph = `${shop}rules:
  - { name: Paid, severity: error, each: { entityType: order, where: amount > 20 }, expect: [{ activity: Pay Order, after: Ship Order }] }
  - { name: Shipped, each: { entityType: order }, expect: [{ activity: Ship Order, after: Pay Order }], atLeast: 50% }
`;
    await withProject({ ...files, 'graph.entity.yaml': graph }, async ({ import: run, folder }) => {
      const { rules = [] } = await run();
      assert.deepEqual(
        rules.map(({ judged, concerned, kept, share, holds }) => [judged, concerned, kept, share, holds]),
        [
          [2, 0, 0, null, false],
          [4, 2, 1, 0.5, true],
        ],
      );
      const rulesAs = (format: string): ReturnType<typeof runCommand> =>
        runCommand(['rules', 'graph.entity.yaml', '--format', format], folder);
      const text = await rulesAs('text');
      assert.equal(text.code, 0);
      assert.match(
        text.stdout,
        /^note {4}Paid {2}.*\n +never happened: it concerns none of 2\nholds {3}Shipped {2}.*\n +50 % kept: 1 of 2 broken · 2 not concerned, at least 50 % expected\n/u,
      );
      assert.match(
        (await rulesAs('junit')).stdout,
        /tests="2" failures="0" skipped="1".*<skipped message="never happened: it concerns none of 2"\/>/su,
      );
      assert.match(
        (await rulesAs('markdown')).stdout,
        /\n\| never happened \| Paid \| {2}\| 100 % \| 2 \| 0 \| 0 \| 0 \| 0 \|\n\| holds \| Shipped \| 50 % \| 50 % \| 4 \| 2 \| 1 \| 1 \| 0 \|\n/u,
      );
      assert.deepEqual(
        sarifResults((await rulesAs('sarif')).stdout).map(({ level }) => level),
        ['note'],
      );
      const ci = await runCommand(['ci', '.', '--strict'], folder);
      assert.equal(ci.code, 0, ci.stdout);
      assert.match(ci.stdout, /Paid: never happened/u);
    });
  });

  it('are refused at their position if they contain a mistake', async () => {
    const graph = `${shop}rules:\n  - { name: Shipped, each: { entityType: ordr }, expect: [{ activity: Ship Order }] }\n`;
    await withGraph({ ...files, 'graph.entity.yaml': shop }, async ({ import: run, write, folder }) => {
      await run();
      await write({ 'graph.entity.yaml': graph });
      const { code, stderr } = await runCommand(['rules', 'graph.entity.yaml'], folder);
      assert.equal(code, 1);
      assert.match(stderr, /graph\.entity\.yaml:11:.*ordr/su);
      await write({ 'graph.entity.yaml': shop });
      const none = await runCommand(['rules', 'graph.entity.yaml'], folder);
      assert.match(none.stderr, /has no rules/u);
    });
  });

  it('agree with a plain implementation on random rules over random graphs', async () => {
    for (const seed of soakSeeds(2)) {
      const random = randomOf(seed);
      const graph = `${shop}${randomCalendars}rules:\n${Array.from({ length: 30 }, (_, index) => randomRule(random, index)).join('')}`;
      const project = {
        ...files,
        'orders.csv': randomOrders(random),
        'lines.csv': randomLines(random),
        'graph.entity.yaml': graph,
      };
      await withGraph(project, async ({ import: run, read }) => {
        const { status, error } = await run();
        assert.equal(status, 'imported', error?.message);
        const { rules } = parseEntityGraph(graph).graph;
        const [results, rows] = await read(async (store) => [
          await judgeRules(rules, store, {}),
          await graphRows(store),
        ]);
        rules.forEach((rule, index) => {
          const { judged, concerned, ...verdicts } = judgeByHand(rule, rows);
          const { kept, broken, pending, undecided } = verdicts;
          const result = results[index];
          assert.ok(result);
          const text = graph.slice(rule.range.start, rule.range.end);
          assert.deepEqual(
            [result.error, result.judged, result.concerned, numbers(result)],
            [undefined, judged, concerned, [kept, broken, pending, undecided]],
            `seed ${seed}: ${text}`,
          );
        });
      });
      countSoak();
    }
  });
});

function problemsOfRules(text: string): readonly Problem[] {
  const from = text.indexOf('rules:');
  return validateEntityGraph({ text }).filter(({ range }) => range.start > from);
}
