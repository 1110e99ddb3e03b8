import assert from 'node:assert/strict';
import type { MeasureResult } from '../../protocol/measures.ts';
import { measuredSql, isCompleteMeasure } from '../../server/src/measure-kinds/measure-sql.ts';
import { rankMeasuring } from '../../server/src/dialects/standard/measuring.ts';
import type { JudgedGraphTables } from '../../server/src/rule-kinds/judged-tables.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { judgedGraphTables } from '../../server/src/process-rules/judged-graph-tables.ts';
import { judgedStore } from '../../server/src/process-rules/judged-store.ts';
import { measured as foundMeasure, measureGraphBy, numbersSql } from '../../server/src/process-rules/measure-graph.ts';
import { graphRows } from '../support/graph-rows.ts';
import { csvSources, withGraph, withProject } from '../support/import-text.ts';
import { type ValueByHand, measureByHand, numbersByHand } from '../support/measure-by-hand.ts';
import { randomCalendars, randomMeasure } from '../support/random-measures.ts';
import { randomOf } from '../support/random.ts';
import { randomLines, randomOrders } from '../support/random-rules.ts';
import { runCommand } from '../support/run-command.ts';
import { sarifResults } from '../support/sarif-results.ts';
import { countSoak, soakSeeds } from '../support/soak.ts';

/** Orders with lines: 1 is shipped after two days, 2 after eight, 3 never; 4 is placed on the last day, and 1 twice. */
const orders = `id,placed,shipped,paid,amount,country
1,2024-01-01 08:00,2024-01-03 08:00,2024-01-02 08:00,10,DE
1,2024-01-04 08:00,,,15,DE
2,2024-01-01 09:00,2024-01-09 09:00,2024-01-10 09:00,20,FR
3,2024-01-01 10:00,,,30,FR
4,2024-01-30 10:00,,,,
`;
const lines = `number,order_id,added
a,1,2024-01-01 08:00
b,1,2024-01-01 08:30
c,2,2024-01-30 09:00
`;

const shop = `version: 1
dataSource: shop
elements:
  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed, properties: [amount, country] }
  - { activityName: Ship Order, dataObject: orders, key: id, entityType: order, startTimestamp: shipped, where: shipped IS NOT NULL }
  - { activityName: Pay Order, dataObject: orders, key: id, entityType: order, startTimestamp: paid, where: paid IS NOT NULL }
  - { activityName: Add Line, dataObject: lines, key: number, entityType: line, startTimestamp: added }
relationships:
  - { name: has, source: Place Order, target: Add Line, mappings: [{ source: id, target: order_id }], correlate: both }
`;

const files = { 'entity-sources.yaml': csvSources(), 'orders.csv': orders, 'lines.csv': lines };
const [hour, day] = [3_600_000, 86_400_000];

describe('measures', () => {
  const order = '{ entityType: order }';
  /** Expected values in ascending order, and how many are missing. */
  const cases: readonly (readonly [what: string, text: string, values: readonly number[], missing: number])[] = [
    ['from first to last event', `each: ${order}, duration: {}`, [0, 0, 3 * day, 29 * day], 0],
    ['to the next event', `each: ${order}, duration: { from: Place Order, to: Ship Order }`, [2 * day, 8 * day], 2],
    ['from the last one', `each: ${order}, duration: { from: Place Order, to: Ship Order, take: last }`, [8 * day], 3],
    [
      'from each one',
      `each: ${order}, duration: { from: Place Order, to: Ship Order, take: each }`,
      [2 * day, 8 * day],
      3,
    ],
    [
      'since the last event',
      `each: ${order}, duration: { sinceLast: true }`,
      [0, hour, 26 * day + 2 * hour, 29 * day],
      0,
    ],
    [
      'of an event since the one before',
      'each: { activity: Ship Order }, duration: { sincePrevious: true }',
      [day, 8 * day],
      0,
    ],
    [
      'of an event to the next one',
      'each: { activity: Place Order }, duration: { from: Place Order, to: Pay Order }',
      [day, 9 * day],
      3,
    ],
    [
      'of an event from the first one',
      'each: { activity: Pay Order }, duration: { from: Place Order, to: Pay Order }',
      [day, 9 * day],
      0,
    ],
    [
      'of an event in entities of another type',
      'each: { activity: Add Line }, duration: { from: Add Line, to: Pay Order, of: order }',
      [day - hour / 2, day],
      1,
    ],
    ['the number of events', `each: ${order}, count: {}`, [1, 1, 4, 6], 0],
    ['the number of events of an activity', `each: ${order}, count: { activity: Ship Order }`, [0, 0, 1, 1], 0],
    ['repeated events', `each: ${order}, count: { activity: Place Order, repeats: true }`, [0, 0, 0, 1], 0],
    ['all repeated events', `each: ${order}, count: { repeats: true }`, [0, 0, 0, 2], 0],
    ['related entities', `each: ${order}, count: { relationship: has }`, [0, 0, 1, 2], 0],
    ['events beside an event', 'each: { activity: Pay Order }, count: { activity: Place Order }', [1, 2], 0],
    ['the last known value', `each: ${order}, value: amount`, [15, 20, 30], 1],
    ['the value of an event', 'each: { activity: Place Order }, value: amount', [10, 15, 20, 30], 1],
    ['an expression', `each: { entityType: order, where: amount > 15 }, sql: amount * 2`, [40, 60], 0],
    ['nothing', 'each: { entityType: order, where: amount > 99 }, count: {}', [], 0],
  ];

  it('are found as they say', async () => {
    const measures = cases.map(([what, text]) => `  - { name: "${what}", ${text} }\n`);
    const graph = `${shop}measures:\n${measures.join('')}`;
    await withGraph({ ...files, 'graph.entity.yaml': graph }, async ({ import: run, read }) => {
      const { status, error } = await run();
      assert.equal(status, 'imported', error?.message);
      const results = await read((store) => measureText(graph, judgedStore(store)));
      for (const [index, [what, , values, missing]] of cases.entries()) {
        const result = results[index];
        assert.equal(result?.error, undefined, what);
        const expected = numbersByHand([
          ...values.map((value) => ({ entity: 1, event: null, value })),
          ...Array.from({ length: missing }, () => ({ entity: 1, event: null, value: undefined })),
        ]);
        assertNear(numbersIn(result), expected, what);
      }
    });
  });

  it('count working time by the clock on the wall, over holidays and changes of the clock', async () => {
    // 27 March 2026 is a Friday; in Berlin, the clock is put forward in the night to the 29th.
    const begun = `id,placed,shipped
1,2026-03-27 15:00,2026-03-30 08:00
2,2026-03-27 11:30,2026-03-27 12:15
3,2026-04-02 15:00,2026-04-07 07:00
4,2026-03-28 09:00,2026-03-29 09:00
5,2026-03-26 09:00,2026-03-31 09:00
6,1969-12-31 07:00,1970-01-05 16:30
`;
    const expected = [1 + 2, 0.25, 1, 0, 6 + 8 + 8 + 3, 8 + 8 + 8 + 8];
    const graph = `${shop.replace(', properties: [amount, country]', '')}calendars:
  office: { timeZone: Europe/Berlin, days: Mon-Fri, hours: "08:00-12:00, 13:00-17:00", holidays: [2026-04-03, 2026-04-06, 2026-04-04] }
measures:
  - { name: Worked, each: { entityType: order }, duration: { from: Place Order, to: Ship Order }, target: { max: { atMost: 3bd }, median: { atMost: 3bh }, share: { atMost: 8bh, atLeast: 60% } } }
`;
    const project = {
      ...files,
      'orders.csv': begun.replaceAll('\n', ',\n').replace('shipped,', 'shipped,paid'),
      'graph.entity.yaml': graph,
    };
    await withProject(project, async ({ import: run, rows }) => {
      const { status, error, measures: [found] = [] } = await run();
      assert.equal(status, 'imported', error?.message);
      const values = await rows('SELECT value FROM measure_value JOIN entity ON entity.id = entity_id ORDER BY key');
      assert.deepEqual(
        values.map(([value]) => Number(value) / hour),
        expected,
      );
      assert.deepEqual(
        found?.target.map(({ text, foundText, met }) => [text, foundText, met]),
        [
          ['max at most 3 bd', '32 bh', false],
          ['median at most 3 bh', '2 bh', true],
          ['share of values of at most 8 bh at least 60 %', '66.67 %', true],
        ],
      );
      assert.equal(found?.unit, 'working ms');
    });
  });

  it('count an hour that the clock shows twice only once', async () => {
    const graph = `${shop.replace(', properties: [amount, country]', '')}calendars:
  night: { timeZone: Europe/Berlin, days: [Sun], hours: "00:00-06:00" }
measures:
  - { name: Worked, each: { entityType: order }, duration: { from: Place Order, to: Ship Order }, calendar: night }
`;
    // On 27 October 2024 at 01:00 UTC, the clock of Berlin is put back from 3 to 2.
    const orders = `id,placed,shipped,paid
1,2024-10-27 00:30,2024-10-27 01:15,
2,2024-10-27 01:15,2024-10-27 01:45,
3,2024-10-27 00:00,2024-10-27 02:30,
4,2024-10-26 12:00,2024-10-27 12:00,
`;
    const project = { ...files, 'orders.csv': orders, 'graph.entity.yaml': graph };
    await withProject(project, async ({ import: run, rows }) => {
      const { status, error } = await run();
      assert.equal(status, 'imported', error?.message);
      const values = await rows('SELECT value FROM measure_value JOIN entity ON entity.id = entity_id ORDER BY key');
      assert.deepEqual(
        values.map(([value]) => Number(value) / hour),
        [0.5, 0, 1.5, 6],
      );
    });
  });

  it('agree with a plain implementation on random measures over random graphs', async () => {
    for (const seed of soakSeeds(2)) {
      const random = randomOf(seed);
      const graph = `${shop}${randomCalendars}measures:\n${Array.from({ length: 40 }, (_, index) => randomMeasure(random, index)).join('')}`;
      const project = {
        ...files,
        'orders.csv': randomOrders(random).replace(/,late$/mu, ',country'),
        'lines.csv': randomLines(random),
        'graph.entity.yaml': graph,
      };
      await withGraph(project, async ({ import: run, read }) => {
        const { status, error } = await run();
        assert.equal(status, 'imported', error?.message);
        const { measures } = parseEntityGraph(graph).graph;
        await read(async (store) => {
          const rows = await graphRows(store);
          const tables = await judgedGraphTables(store, {});
          const results = await measureText(graph, judgedStore(store));
          for (const [index, measure] of measures.entries()) {
            const text = `seed ${seed}: ${graph.slice(measure.range.start, measure.range.end)}`;
            assert.ok(isCompleteMeasure(measure), text);
            const found = await store.query(measuredSql(measure, tables));
            const expected = measureByHand(measure, rows);
            const values = found.map((row) =>
              rowText({
                entity: idOf(row['entity_id']),
                event: idOf(row['event_id']),
                value: row['value'] === null ? undefined : Number(row['value']),
              }),
            );
            assert.deepEqual(values.toSorted(), expected.map(rowText).toSorted(), text);
            assertNear(numbersIn(results[index]), numbersByHand(expected), text);
            const [byRank] = await store.query(numbersSql(measure, byRanks(tables)));
            assertNear(numbersIn(foundMeasure(measure, '', byRank ?? {})), numbersByHand(expected), text);
          }
        });
      });
      countSoak();
    }
  });
});

describe('measures of an import', () => {
  const measures = `measures:
  - { name: Lead time, each: { entityType: order }, duration: { from: Place Order, to: Ship Order }, by: [country], target: { median: { atMost: 5d }, share: { atMost: 3d, atLeast: 40% } }, severity: error }
  - { name: From each, each: { entityType: order }, duration: { from: Place Order, to: Ship Order, take: each }, target: { p90: { atMost: 1d } } }
  - { name: Value, each: { activity: Place Order }, value: amount, target: { mean: { atLeast: 18, atMost: 20 } } }
  - { name: None, each: { entityType: order, where: amount > 99 }, count: {}, target: { max: { atMost: 1 } } }
  - { name: Misspelt, each: { entityType: order }, sql: (SELECT amuont) }
`;
  const graph = `${shop}${measures}`;
  const numbers = ['name', 'count', 'missing', 'median', 'met'].join(', ');

  it('are in its summary, its tables and its status, and are found again by rules', async () => {
    await withProject({ ...files, 'graph.entity.yaml': graph }, async ({ folder, import: run, rows }) => {
      const { status, error, measures: found, steps } = await run();
      assert.equal(status, 'imported', error?.message);
      assert.deepEqual(
        found?.map(({ name, count, met, target }) => [name, count, met, target.map(({ text, met }) => [text, met])]),
        [
          [
            'Lead time',
            2,
            true,
            [
              ['median at most 5 d', true],
              ['share of values of at most 3 d at least 40 %', true],
            ],
          ],
          ['From each', 2, false, [['p90 at most 1 d', false]]],
          ['Value', 4, true, [['mean at least 18 and at most 20', true]]],
          ['None', 0, null, [['max at most 1', null]]],
          ['Misspelt', 0, null, []],
        ],
      );
      assert.match(found?.[4]?.error ?? '', /no property "amuont".*"amount"/u);
      assert.equal(steps?.at(-1)?.name, 'measures');
      assert.deepEqual(await rows(`SELECT ${numbers} FROM measure WHERE NOT is_default ORDER BY number`), [
        ['Lead time', '2', '2', 5 * day, true],
        ['From each', '2', '3', 5 * day, false],
        ['Value', '4', '1', 17.5, true],
        ['None', '0', '0', null, null],
        ['Misspelt', '0', '0', null, null],
      ]);
      assert.deepEqual(
        await rows('SELECT entity_type, name, count, sum FROM measure WHERE is_default ORDER BY entity_type, number'),
        [
          ['line', 'throughput', '3', 35 * day],
          ['line', 'events', '3', 14],
          ['line', 'rework', '3', 2],
          ['line', 'idle', '3', 52 * day + 5 * hour],
          ['order', 'throughput', '4', 32 * day],
          ['order', 'events', '4', 12],
          ['order', 'rework', '4', 2],
          ['order', 'idle', '4', 55 * day + 3 * hour],
        ],
      );
      // `analyze` finds them in another way, in one statement.
      const analyzed = await runCommand(
        ['analyze', 'graph.entity.yaml', '--entity-type', 'line', '--format', 'json'],
        folder,
      );
      const answers = JSON.parse(analyzed.stdout) as { name: string; groups: { count: number; mean: number }[] }[];
      assert.deepEqual(
        answers.map(({ name, groups: [group] }) => [
          name,
          group?.count,
          Number(((group?.mean ?? 0) * (group?.count ?? 0)).toPrecision(12)),
        ]),
        [
          ['throughput', 3, 35 * day],
          ['events', 3, 14],
          ['rework', 3, 2],
          ['idle', 3, 52 * day + 5 * hour],
        ],
      );
      assert.deepEqual(
        await rows(
          'SELECT key, activity, value FROM measure_value LEFT JOIN entity ON entity.id = entity_id LEFT JOIN event ON event.id = event_id WHERE measure = 2 ORDER BY key, event.id',
        ),
        [
          ['1', 'Place Order', 2 * day],
          ['1', 'Place Order', null],
          ['2', 'Place Order', 8 * day],
          ['3', 'Place Order', null],
          ['4', 'Place Order', null],
        ],
      );
      const { code, stdout } = await runCommand(['check', 'graph.entity.yaml'], folder);
      assert.equal(code, 0, stdout);
      const again = await runCommand(['rules', 'graph.entity.yaml', '--format', 'json'], folder);
      const withoutSql = ({ sql: _, ...result }: MeasureResult): unknown => result;
      assert.deepEqual((JSON.parse(again.stdout) as MeasureResult[]).map(withoutSql), found?.map(withoutSql));
      // One of them cannot be found.
      assert.equal(again.code, 1);
    });
  });

  it('leave out what is no number, infinite or too large for sums, everywhere', async () => {
    const odd = `${shop}measures:
  - { name: Odd, each: { entityType: order }, sql: "CASE amount WHEN 15 THEN 'NaN'::DOUBLE WHEN 20 THEN 1 / (amount - 20) ELSE amount END", target: { median: { atMost: 30 } } }
  - { name: Huge, each: { entityType: order }, sql: "CASE amount WHEN 15 THEN -1e307 WHEN 20 THEN 1e307 ELSE amount * 1e30 END" }
`;
    await withProject({ ...files, 'graph.entity.yaml': odd }, async ({ folder, import: run, rows }) => {
      const { status, error, measures: found } = await run();
      assert.equal(status, 'imported', error?.message);
      assert.deepEqual(
        found?.map(({ count, missing, sum, max, met }) => [count, missing, sum, max, met]),
        [
          [1, 3, 30, 30, true],
          [1, 3, 3e31, 3e31, null],
        ],
      );
      assert.deepEqual(await rows('SELECT DISTINCT value FROM measure_value WHERE measure = 1 ORDER BY 1 NULLS LAST'), [
        [30],
        [null],
      ]);
      const cli = (...words: readonly string[]): ReturnType<typeof runCommand> =>
        runCommand([words[0] ?? '', 'graph.entity.yaml', ...words.slice(1)], folder);
      const check = await cli('check');
      assert.equal(check.code, 0, check.stdout);
      const rules = await cli('rules');
      assert.match(rules.stdout, /median 3e31, p90 3e31 · 1 value · 3 missing/u);
      const analyzed = await cli('analyze', '--measure', 'Odd', '--measure', 'Huge');
      assert.match(analyzed.stdout, /^Odd +1 +3 +30 +30 +30\nHuge +1 +3 +3e31 +3e31 +3e31$/mu, analyzed.stderr);
    });
  });

  it('fail a build by missed errors only', async () => {
    const missed = (severity: string): string =>
      `${shop}measures:\n  - { name: Lead time, each: { entityType: order }, duration: {}, severity: ${severity}, target: { max: { atMost: 3d } } }\n`;
    await withProject({ ...files, 'graph.entity.yaml': missed('warning') }, async ({ folder, import: run, write }) => {
      await run();
      const rules = (...words: readonly string[]): ReturnType<typeof runCommand> =>
        runCommand(['rules', 'graph.entity.yaml', ...words], folder);
      const warned = await rules();
      assert.equal(warned.code, 0);
      assert.match(
        warned.stdout,
        /^missed {2}Lead time {2}graph\.entity\.yaml:11\n +median 1\.5 d, p90 21 d · 4 values\n +max at most 3 d: 29 d$/mu,
      );
      await write({ 'graph.entity.yaml': missed('error') });
      assert.equal((await rules()).code, 1);
      const sarif = sarifResults((await rules('--format', 'sarif')).stdout);
      assert.deepEqual(
        sarif.map(({ ruleId, level }) => [ruleId, level]),
        [['measure-missed', 'error']],
      );
      assert.match(
        (await rules('--format', 'junit')).stdout,
        /<failure message="median 1\.5 d.*max at most 3 d: 29 d"/u,
      );
      assert.match(
        (await rules('--format', 'markdown')).stdout,
        /\| \*\*missed\*\* \(error\) \| Lead time \| 4 \| 0 \| 8 d \|/u,
      );
      const ci = await runCommand(['ci', '.'], folder);
      assert.equal(ci.code, 1);
      assert.match(ci.stdout, /rules +FAILED +1 of 1 measure misses its target/u);
    });
  });
});

/** With quantiles as in Trino, which has no aggregate for them. */
function byRanks(graph: JudgedGraphTables): JudgedGraphTables {
  const { dialect } = graph;
  return { ...graph, dialect: { ...dialect, build: { ...dialect.build, measuring: rankMeasuring } } };
}

function idOf(value: unknown): number | null {
  return value === null ? null : Number(value);
}

function rowText({ entity, event, value }: ValueByHand): string {
  return JSON.stringify([entity, event, value ?? null]);
}

function measureText(text: string, store: ReturnType<typeof judgedStore>): Promise<readonly MeasureResult[]> {
  return measureGraphBy(parseEntityGraph(text).graph.measures, store, {});
}

function numbersIn(result: MeasureResult | undefined): Readonly<Record<string, number | null>> {
  assert.ok(result);
  const { count, missing, sum, mean, min, max, median, p90 } = result;
  return { count, missing, sum, mean, min, max, median, p90 };
}

function assertNear(
  found: Readonly<Record<string, number | null>>,
  expected: Readonly<Record<string, number | null>>,
  what: string,
): void {
  for (const [name, value] of Object.entries(expected)) {
    const number = found[name] ?? null;
    const isNear =
      number === value || (number !== null && value !== null && Math.abs(number - value) <= 1e-9 * Math.abs(value));
    assert.ok(isNear, `${what}: ${name} is ${number}, not ${value}`);
  }
}
