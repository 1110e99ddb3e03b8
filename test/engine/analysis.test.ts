import assert from 'node:assert/strict';
import { createSelections } from '../../server/src/analysis/selections.ts';
import type { GraphFilter, TypeFilter } from '../../protocol/event-graph.ts';
import { answerMeasures, countSubjects } from '../../server/src/analysis/answer-measures.ts';
import { entityCondition } from '../../server/src/analysis/filter-entities.ts';
import { readCases } from '../../server/src/analysis/read-cases.ts';
import { readConditions } from '../../server/src/analysis/read-conditions.ts';
import { readFilter } from '../../server/src/analysis/read-filter.ts';
import { readHistogram } from '../../server/src/analysis/read-histogram.ts';
import { readVariants } from '../../server/src/analysis/read-variants.ts';
import { answers } from '../../server/src/event-graph/answer-question.ts';
import { csvSources, graphText, importedForSuite } from '../support/import-text.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Events of orders; items have none of their own, and payments belong to orders only by their relationship. */
const graph = `${graphText(
  `  - { activityName: Place Order, dataObject: placed, key: id, entityType: order, startTimestamp: at, changeTimestamp: changed, properties: [country, { column: amount, name: "Amount €" }] }
  - { activityName: Check, dataObject: checks, key: order, entityType: order, startTimestamp: at, properties: [result] }
  - { activityName: Pay -> Book, dataObject: payments, key: id, entityType: payment, startTimestamp: at }
`,
  `  - { name: for, source: Pay -> Book, target: Place Order, mappings: [{ source: order, target: id }] }
`,
)}rules:
  - name: Checked
    each: { entityType: order }
    expect: [{ activity: Check }]
`;

const files = {
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graph,
  'placed.csv': `id,at,changed,country,amount
A,2024-01-01 00:00:00,2024-01-01 06:00:00,DE,10
B,2024-01-02 00:00:00,,DE,20
C,2024-02-01 00:00:00,,FR,30
D,2024-02-02 00:00:00,,,
`,
  'checks.csv': `order,at,result
A,2024-01-01 12:00:00,bad
A,2024-01-02 00:00:00,good
B,2024-01-02 12:00:00,good
C,2024-02-01 06:00:00,bad
C,2024-02-01 07:00:00,bad
C,2024-02-01 08:00:00,bad
`,
  'payments.csv': `id,order,at
P1,A,2024-01-05 00:00:00
P2,C,2024-02-03 00:00:00
`,
};

describe('questions about entities', () => {
  const project = importedForSuite(files);
  const namedFilter = async (): Promise<GraphFilter> => ({ values: [{ property: 'country', values: ['DE'] }] });

  const keysOf = (conditions: readonly string[], entityType = 'order'): Promise<string> =>
    project().read(async (store) => {
      const filter = await readConditions(conditions, { store, entityType, namedFilter }, {});
      const where = entityCondition(filter, 'id');
      return (await store.query(`SELECT key FROM entity WHERE ${where} ORDER BY key`)).map(({ key }) => key).join('');
    });

  const measured = (
    filter: TypeFilter,
    question: { readonly measures?: readonly string[]; readonly by?: readonly string[]; readonly compare?: TypeFilter },
  ) =>
    project().read(async (store) => {
      const { compare, ...others } = question;
      const read = async (of: TypeFilter) => ({ ...(await readFilter(store, of, {})), entityType: of.entityType });
      return answerMeasures(
        store,
        { ...others, filter: await read(filter), compare: compare && (await read(compare)) },
        {},
      );
    });

  const cases: readonly (readonly [conditions: readonly string[], keys: string])[] = [
    [[], 'ABCD'],
    [["country = 'DE'"], 'AB'],
    [['"Amount €" >= 20', "country <> 'FR' -- a comment"], 'B'],
    // The last known value counts.
    [["result = 'good'"], 'AB'],
    [['with:Check'], 'ABC'],
    [['without:Check'], 'D'],
    [['with:Pay -> Book', 'with:Check'], 'AC'],
    [['path:Place Order -> Check'], 'ABC'],
    [['path:Check -> Check'], 'AC'],
    [['path:Check -> Pay -> Book'], 'AC'],
    [['path: Place Order → Pay -> Book'], ''],
    [['eventually:Place Order -> Pay -> Book'], 'AC'],
    [['eventually:Pay -> Book -> Check'], ''],
    [['slower:2d'], 'A'],
    [['slower:12h'], 'AC'],
    [['faster:1d'], 'BD'],
    [['slower:1h', 'faster:2d'], 'B'],
    [['from:2024-01-05'], 'ACD'],
    [['from:2024-01-02T12:00:00Z', 'to:2024-01-05'], 'B'],
    [['to:2024-01-01 06:00:00'], 'A'],
    [['broken:Checked'], 'D'],
    [['filter:German'], 'AB'],
    [['filter:German', 'slower:1d'], 'A'],
  ];
  for (const [conditions, keys] of cases) {
    it(`conditions: ${conditions.join(' and ') || 'none'} keeps ${keys || 'nothing'}`, async () => {
      assert.equal(await keysOf(conditions), keys);
    });
  }

  it('conditions: variants are numbered by frequency, whatever else is asked', async () => {
    const variants = await Promise.all(['1', '2', '3', '4'].map((number) => keysOf([`variant:${number}`])));
    // Each order has its own; of equally frequent ones the shortest is first.
    assert.deepEqual(variants, ['D', 'B', 'A', 'C']);
    assert.equal(await keysOf(['variant:3', 'with:Check']), 'A');
    assert.equal(await keysOf(['variant:3', 'variant:4']), '');
    await assert.rejects(keysOf(['variant:5']), {
      message: 'There is no variant 5: entities of the type order have 4.',
    });
  });

  const mistakes: readonly (readonly [condition: string, message: string, remedy?: string])[] = [
    ['with:Chek', 'The graph has no activity "Chek".', 'Did you mean "Check"?'],
    ['path:Check', '"path:Check" needs two activities with an arrow between.', 'Write path:A -> B.'],
    ['path:Check -> Plac Order', 'The graph has no activity "Plac Order".', 'Did you mean "Place Order"?'],
    ['slower:5', '"slower:5" has no duration.', 'Write a number with a unit, such as 90min, 12h, 5d or 2w.'],
    ['from:May', '"from:May" has no time.', 'Write a date or a time in UTC: 2026-03-01 or 2026-03-01T08:00:00Z.'],
    ['from:2024-13-01', '"from:2024-13-01" has no time.'],
    ['from:2024-04-31', '"from:2024-04-31" has no time.'],
    ['to:2023-02-29T08:00:00+01:00', '"to:2023-02-29T08:00:00+01:00" has no time.'],
    ['broken:Cheked', 'The import judged no rule "Cheked".', 'Did you mean "Checked"?'],
    ['with:', '"with:" has nothing after the colon.'],
    ['variant:0', '"variant:0" has no number of a variant.'],
    ['Without:Check', '"Without:Check" is no condition.', 'Did you mean "without:Check"?'],
    ['slow:5d', '"slow:5d" is no condition.', 'Did you mean "slower:5d"?'],
    ["contry = 'DE'", `contry = 'DE': The graph has no property "contry". Did you mean "country"?`],
    ["country = 'DE') OR (true", "country = 'DE') OR (true: This parenthesis has no opening one. Remove it."],
  ];
  for (const [condition, message, remedy] of mistakes) {
    it(`conditions: ${condition} is refused`, async () => {
      await assert.rejects(keysOf([condition]), { name: 'QuestionError', message, ...(remedy && { remedy }) });
    });
  }

  it('filters: values are texts, none, or in a range of their type; related entities in either direction', async () => {
    const keys = (filter: Omit<GraphFilter, 'entityType'>): Promise<string> =>
      project().read(async (store) => {
        const where = entityCondition(await readFilter(store, { entityType: 'order', ...filter }, {}), 'id');
        return (await store.query(`SELECT key FROM entity WHERE ${where} ORDER BY key`)).map(({ key }) => key).join('');
      });
    assert.equal(await keys({ values: [{ property: 'country', values: ['FR', null] }] }), 'CD');
    assert.equal(await keys({ values: [{ property: 'country', values: [] }] }), '');
    assert.equal(await keys({ values: [{ property: 'Amount €', from: '9.5', to: '30' }] }), 'AB');
    assert.equal(await keys({ values: [{ property: 'Amount €', values: ['30'] }], where: ['true'] }), 'C');
    const [[payment]] = (await project().rows("SELECT id FROM entity WHERE key = 'P1'")) as [[string]];
    assert.equal(await keys({ related: [Number(payment)] }), 'A');
    const path = { source: 'Place Order', target: 'Check', follows: 'eventually' } as const;
    assert.equal(await keys({ paths: [{ ...path, slower: 6 * hour }] }), 'AB');
    assert.equal(await keys({ paths: [{ ...path, slower: 6 * hour, faster: 12 * hour }] }), '');
    assert.equal(await keys({ paths: [{ ...path, follows: 'directly', faster: 7 * hour }] }), 'AC');
  });

  it('measures: the default ones of each entity type', async () => {
    // The last event of the graph is that of 3 February.
    assert.deepEqual(await measured({ entityType: 'order' }, {}), [
      {
        name: 'throughput',
        unit: 'ms',
        entityType: 'order',
        groups: [{ by: {}, count: 4, missing: 0, mean: 1.625 * day, median: 1.25 * day, p90: 3.4 * day }],
      },
      {
        name: 'events',
        unit: 'count',
        entityType: 'order',
        groups: [{ by: {}, count: 4, missing: 0, mean: 3.25, median: 3.5, p90: 5 }],
      },
      {
        name: 'rework',
        unit: 'count',
        entityType: 'order',
        groups: [{ by: {}, count: 4, missing: 0, mean: 0.75, median: 0.5, p90: 1.7 }],
      },
      {
        name: 'idle',
        unit: 'ms',
        entityType: 'order',
        groups: [{ by: {}, count: 4, missing: 0, mean: 15.375 * day, median: 15 * day, p90: 30.75 * day }],
      },
    ]);
    const [rate] = await measured({ entityType: 'order' }, { measures: ['rework rate'] });
    assert.equal(rate?.groups[0]?.mean, 0.5);
    await assert.rejects(measured({ entityType: 'order' }, { measures: ['thruput'] }), {
      message: 'There is no measure "thruput".',
      remedy: 'Did you mean "throughput"?',
    });
  });

  it('measures: groups by property, variant and period, the largest first', async () => {
    const groups = async (by: readonly string[]) => {
      const [throughput] = await measured({ entityType: 'order' }, { measures: ['throughput'], by });
      return throughput?.groups.map((group) => [...Object.values(group.by), group.count, (group.median ?? 0) / day]);
    };
    assert.deepEqual(await groups(['country']), [
      ['DE', 2, 2.25],
      ['FR', 1, 2],
      [null, 1, 0],
    ]);
    assert.deepEqual(await groups(['month']), [
      ['2024-01', 2, 2.25],
      ['2024-02', 2, 1],
    ]);
    assert.deepEqual(await groups(['quarter', 'country']), [
      ['2024-Q1', 'DE', 2, 2.25],
      ['2024-Q1', 'FR', 1, 2],
      ['2024-Q1', null, 1, 0],
    ]);
    assert.deepEqual(await groups(['variant']), [
      ['1', 1, 0],
      ['2', 1, 0.5],
      ['3', 1, 4],
      ['4', 1, 2],
    ]);
    await assert.rejects(groups(['contry']), { message: 'The graph has no property "contry".' });
  });

  it('measures: compares the groups of two filters, with an interval of the difference', async () => {
    const [events] = await measured(
      { entityType: 'order', where: ["country = 'DE'"] },
      { measures: ['events'], by: ['month'], compare: { entityType: 'order' } },
    );
    assert.deepEqual(
      events?.groups.map(({ by, count, mean, compare }) => [by['month'], count, mean, compare?.count, compare?.mean]),
      [
        ['2024-01', 2, 3.5, 2, 3.5],
        ['2024-02', 0, null, 2, 3],
      ],
    );
    const [january, february] = events?.groups.map(({ compare }) => compare?.difference) ?? [];
    assert.equal(january?.mean, 0);
    assert.ok((january?.low ?? 0) < -5 && (january?.high ?? 0) > 5);
    assert.equal(february, null);
  });

  it('cases: entities with measures and properties, sorted and in pages', async () => {
    await project().read(async (store) => {
      const filter = { entityType: 'order' };
      const page = await readCases(store, { filter, limit: 2 }, {});
      assert.equal(page.all, 4);
      assert.deepEqual(page.cases[0], {
        id: page.cases[0]?.id,
        key: 'A',
        first: '2024-01-01T00:00:00.000000Z',
        last: '2024-01-05T00:00:00.000000Z',
        events: 5,
        rework: 1,
        throughput: 4 * day,
        idle: 29 * day,
        properties: { country: 'DE', 'Amount €': '10', result: 'good' },
      });
      const keys = async (question: object): Promise<string> =>
        (await readCases(store, { filter, limit: 10, ...question }, {})).cases.map(({ key }) => key).join('');
      assert.equal(await keys({}), 'ACBD');
      assert.equal(await keys({ ascending: true, offset: 1 }), 'BCA');
      assert.equal(await keys({ sort: 'key', ascending: true, limit: 3 }), 'ABC');
      assert.equal(await keys({ sort: 'Amount €' }), 'CBAD');
      assert.equal(await keys({ offset: 9 }), '');
      assert.equal((await readCases(store, { filter, limit: 10, offset: 9 }, {})).all, 4);
      await assert.rejects(keys({ sort: 'amount' }), {
        message: 'The entities have no column "amount".',
        remedy: 'Did you mean "Amount €"?',
      });
      await assert.rejects(keys({ sort: 'working days' }), {
        remedy: /^The columns are: key, first, last, throughput, events, rework, idle, .*Amount €/,
      });
    });
  });

  it('histogram: classes of equal width; equal values are one', async () => {
    await project().read(async (store) => {
      const filter = { entityType: 'order' };
      const { bins, numbers } = await readHistogram(store, { filter, measure: 'throughput', bins: 4 }, {});
      assert.deepEqual(
        bins.map(({ from, to, count }) => [from / day, to / day, count]),
        [
          [0, 1, 2],
          [1, 2, 0],
          [2, 3, 1],
          [3, 4, 1],
        ],
      );
      assert.equal(numbers.count, 4);
      const unchecked = { ...filter, activities: [{ activity: 'Check', occurs: false }] };
      const equal = await readHistogram(store, { filter: unchecked, measure: 'throughput', bins: 4 }, {});
      assert.deepEqual(equal.bins, [{ from: 0, to: 0, count: 1 }]);
    });
  });

  it('histogram: each of a few whole numbers is a class', async () => {
    await project().read(async (store) => {
      const { bins } = await readHistogram(store, { filter: { entityType: 'order' }, measure: 'events', bins: 40 }, {});
      const counted = await store.query(
        `SELECT n, count(*) AS entities FROM (SELECT count(DISTINCT event_id) AS n FROM event_entity AS c JOIN entity AS e ON e.id = c.entity_id WHERE e.entity_type = 'order' GROUP BY e.id) GROUP BY n ORDER BY n`,
        {},
      );
      assert.deepEqual(
        bins.filter(({ count }) => count > 0),
        counted.map(({ n, entities }) => ({ from: Number(n), to: Number(n), count: Number(entities) })),
      );
      assert.ok(bins.every(({ from, to }) => Number.isInteger(from) && from === to));
    });
  });
});

describe('questions of the page', () => {
  const project = importedForSuite(files);
  const filter = { entityType: 'order' };
  const { signal } = new AbortController();
  const layOut = Object.assign(() => Promise.reject(new Error('Nothing is drawn.')), {});
  const ask = <Q extends 'propertyValues' | 'comparison' | 'flow' | 'dots' | 'handover'>(
    question: Q,
    params: Parameters<(typeof answers)[Q]>[0],
  ) =>
    project().read(async (store) => {
      const graph = {
        path: '',
        store,
        maps: new Map(),
        selections: createSelections(store),
        filling: {},
        findings: () => Promise.resolve([]),
        confined: () => Promise.resolve(store),
      };
      const answer: unknown = await answers[question](params as never, graph, { signal }, layOut);
      return answer as Awaited<ReturnType<(typeof answers)[Q]>>;
    });

  it('values of a property: texts by frequency, few numbers in their order, of the entities of the filter', async () => {
    const country = { filter, property: 'country', bins: 20 };
    assert.deepEqual(await ask('propertyValues', country), {
      ...{ property: 'country', type: 'text', others: 0, classes: [] },
      values: [
        { value: 'DE', entities: 2 },
        { value: 'FR', entities: 1 },
        { value: null, entities: 1 },
      ],
    });
    const found = await ask('propertyValues', { ...country, search: 'd' });
    assert.deepEqual(found.values, [{ value: 'DE', entities: 2 }]);
    const amounts = await ask('propertyValues', { filter, property: 'Amount €', bins: 20 });
    assert.equal(amounts.type, 'number');
    assert.deepEqual(
      amounts.values.map(({ value }) => value),
      ['10', '20', '30', null],
    );
    await assert.rejects(ask('propertyValues', { ...country, property: 'county' }), {
      message: 'The graph has no property "county".',
    });
  });

  it('arrivals, completions and work in progress, in parts without events, too', async () => {
    const { unit, parts } = await ask('flow', { filter });
    assert.equal(unit, 'day');
    assert.equal(parts[0]?.start, '2024-01-01T00:00:00Z');
    const told = parts.map(({ start, ...numbers }) => [start.slice(0, 10), ...Object.values(numbers)].join(' '));
    assert.deepEqual(told.slice(0, 4), [
      '2024-01-01 1 0 1',
      '2024-01-02 1 1 2',
      '2024-01-03 0 0 1',
      '2024-01-04 0 0 1',
    ]);
    assert.deepEqual(told.slice(-4), ['2024-01-31 0 0 0', '2024-02-01 1 0 1', '2024-02-02 1 1 2', '2024-02-03 0 1 1']);
    assert.equal(parts.length, 34);
  });

  it('dotted chart: a cell for each place of the grid with events, by time and from the first event', async () => {
    const chart = await ask('dots', { filter, time: 'absolute', columns: 10, rows: 100 });
    assert.deepEqual([chart.entities, chart.rows, chart.columns], [4, 4, 10]);
    assert.deepEqual([chart.from, chart.to], ['2024-01-01T00:00:00.000Z', '2024-02-03T00:00:00.000Z']);
    const events = chart.activities.reduce((sum, each) => sum + each.events, 0);
    assert.equal(
      chart.cells.reduce((sum, [, , count]) => sum + count, 0),
      events,
    );
    assert.deepEqual([...new Set(chart.cells.map(([, row]) => row))], [0, 1, 2, 3]);
    const aligned = await ask('dots', { filter, time: 'relative', columns: 10, rows: 2 });
    assert.deepEqual([aligned.from, aligned.to, aligned.rows], [0, 4 * day, 2]);
    assert.deepEqual([...new Set(aligned.cells.map(([, row]) => row))], [0, 1]);
    assert.ok(aligned.cells.some(([column]) => column === 0));
  });

  it('handover: pairs of different values of events that follow each other', async () => {
    assert.deepEqual(await ask('handover', { filter, property: 'result' }), {
      rows: [{ source: 'bad', target: 'good', count: 1, median: 12 * hour, p90: 12 * hour, total: 12 * hour }],
      all: 1,
    });
    await assert.rejects(ask('handover', { filter, property: 'results' }), {
      message: 'The events of the graph have no property "results".',
    });
  });

  it('comparison: shares of paths and variants, measures with their difference', async () => {
    const german = { ...filter, values: [{ property: 'country', values: ['DE'] }] };
    const others = await ask('comparison', { filter: german, compare: { kind: 'others' } });
    assert.deepEqual(others.entities, { one: 2, other: 2 });
    assert.deepEqual(
      others.measures.map(({ name }) => name),
      ['throughput', 'events', 'rework', 'idle'],
    );
    assert.equal(others.measures[0]?.groups[0]?.compare?.count, 2);
    const pathOf = (source: string, target: string) =>
      others.paths.find((path) => path.source === source && path.target === target);
    // An entity that takes a path several times counts once.
    const { one, other, difference } = pathOf('Check', 'Check') ?? assert.fail();
    assert.deepEqual([one.entities, other.entities], [1, 1]);
    assert.ok(difference.low < 0 && difference.value === 0 && difference.high > 0);
    assert.equal(
      others.variants.reduce((sum, variant) => sum + variant.one.entities + variant.other.entities, 0),
      4,
    );
    const french = { ...filter, values: [{ property: 'country', values: ['FR'] }] };
    const two = await ask('comparison', { filter: german, compare: { kind: 'filter', filter: french } });
    assert.deepEqual(two.entities, { one: 2, other: 1 });
  });
});

describe('questions about entities without relationships', () => {
  const alone = graph.replace(/relationships:\n.*\n/, '');
  const project = importedForSuite({ ...files, 'graph.entity.yaml': alone });

  it('measures: only own events count', async () => {
    const answer = (entityType: string) =>
      project().read((store) => answerMeasures(store, { filter: { entityType, selected: undefined } }, {}));
    const means = async (entityType: string) => (await answer(entityType)).map(({ groups }) => groups[0]?.mean);
    assert.deepEqual(await means('payment'), [0, 1, 0, 14.5 * day]);
    assert.deepEqual(await means('order'), [
      (1 + 0.5 + 8 / 24) * (day / 4),
      2.75,
      0.75,
      ((32 + 31.5 + 1) * day + 40 * hour) / 4,
    ]);
  });
});

describe('questions about entities with ends of activities', () => {
  const project = importedForSuite({
    'entity-sources.yaml': csvSources(),
    'graph.entity.yaml': graphText(
      ['Pick', 'Pack']
        .map(
          (name) =>
            `  - { activityName: ${name}, dataObject: ${name.toLowerCase()}, key: id, entityType: order, startTimestamp: at, endTimestamp: done }\n`,
        )
        .join(''),
    ),
    'pick.csv': 'id,at,done\nA,2024-01-01 00:00:00,2024-01-05 00:00:00\n',
    'pack.csv': 'id,at,done\nA,2024-01-02 00:00:00,2024-01-03 00:00:00\n',
  });

  it('an end is an event, but no activity of its own', () =>
    project().read(async (store) => {
      const entityType = 'order';
      const named = { store, entityType, namedFilter: () => Promise.resolve({}) };
      const countOf = async (condition: string): Promise<number> =>
        countSubjects(store, await readConditions([condition], named, {}), {});
      assert.deepEqual(
        [
          await countOf('eventually:Pick -> Pack'),
          await countOf('eventually:Pack -> Pick'),
          await countOf('slower:3d'),
        ],
        [1, 0, 1],
      );
      const answers = await answerMeasures(store, { filter: { entityType } }, {});
      assert.deepEqual(
        answers.map(({ groups }) => groups[0]?.mean),
        [4 * day, 4, 0, 0],
      );
      const { variants } = await readVariants(store, { filter: { entityType }, isNumbered: true }, {});
      assert.deepEqual(
        variants.map(({ number, activities, median }) => [number, activities, median]),
        [[1, ['Pick', 'Pack'], 4 * day]],
      );
    }));
});
