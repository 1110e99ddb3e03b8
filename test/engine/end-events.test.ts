import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readActivities } from '../../server/src/analysis/read-activities.ts';
import { numberSql } from '../../server/src/event-graph/number-sql.ts';
import { readEventDistribution } from '../../server/src/event-graph/read-distributions.ts';
import { readProcessMap } from '../../server/src/event-graph/read-process-map.ts';
import { readVariants } from '../../server/src/analysis/read-variants.ts';
import { invariantsOf } from '../../server/src/graph-schema/invariants.ts';
import { storedTables } from '../../server/src/graph-schema/stored-tables.ts';
import { withDraftProject } from '../support/draft-projects.ts';
import { type GraphInMemory, type ReadGraph, csvSources, graphText, withGraph } from '../support/import-text.ts';

/** Two orders: one packed twice, once in no time; the end of the other is missing, and one end is before its start. */
const packed = `id,placed,touched,packed,state
1,2024-01-01 08:00:00,2024-01-01 09:00:00,2024-01-01 10:00:00,new
1,2024-01-02 08:00:00,,2024-01-02 08:00:00,new
2,2024-01-01 08:00:00,,,new
2,2024-01-03 08:00:00,,2024-01-02 08:00:00,old
`;
const paid = 'id,paid\n1,2024-01-01 09:30:00\n2,2024-01-05 00:00:00\n';

const files = (more = '', rules = ''): Readonly<Record<string, string>> => ({
  'entity-sources.yaml': csvSources(),
  'orders.csv': packed,
  'payments.csv': paid,
  'graph.entity.yaml': `${graphText(
    `  - { activityName: Pack, dataObject: orders, key: id, entityType: order, startTimestamp: placed, changeTimestamp: touched, endTimestamp: packed, properties: [state]${more} }
  - { activityName: Pay, dataObject: payments, key: id, entityType: order, startTimestamp: paid }
`,
  )}${rules}`,
});

async function imported(project: GraphInMemory, request?: { readonly since: string }): Promise<readonly string[]> {
  const { status, error, warnings } = await project.import({ request: { kind: 'build', ...request } });
  assert.equal(status, 'imported', error?.message);
  return warnings;
}

async function assertHolds(project: ReadGraph): Promise<void> {
  const points = await project.read(async (store) => invariantsOf(await storedTables(store)));
  const found = await project.rowsOfAll(points.map(({ violations }) => violations));
  assert.deepEqual(
    points.flatMap(({ holds }, index) => ((found[index]?.length ?? 0) > 0 ? [holds] : [])),
    [],
  );
}

const eventsSql = `SELECT key, activity, lifecycle, strftime(time, '%d %H:%M') FROM event JOIN entity ON entity.id = entity_id ORDER BY entity.id, event.id`;
const stepsSql = `SELECT key, s.activity || ' ' || s.lifecycle, t.activity || ' ' || t.lifecycle FROM directly_follows AS edge
  JOIN entity ON entity.id = edge.entity_id JOIN event AS s ON s.id = source_event_id JOIN event AS t ON t.id = target_event_id ORDER BY entity.id, s.id`;
const servicesSql = `SELECT key, activity, milliseconds FROM service_time JOIN event ON event.id = start_event_id JOIN entity ON entity.id = entity_id ORDER BY event.id`;
const whole = { filter: { entityType: 'order' }, lifecycle: false, measure: 'events' } as const;

/** docs/semantics.md#58-end-events */
describe('ends in the same row', () => {
  it('give activities service times, which docs/measures.md selects; default measures are of entity types only', async () => {
    const [, sql = ''] =
      /^(SELECT activity, [^;]*?\nFROM service_time [^;]*);/mu.exec(
        await readFile(join(import.meta.dirname, '../../docs/measures.md'), 'utf8'),
      ) ?? [];
    const measure = 'measures:\n  - { name: Lead time, each: { entityType: order }, duration: {} }\n';
    await withGraph(files('', measure), async (project) => {
      await imported(project);
      assert.deepEqual(await project.rows(sql), [['Pack', '2', 3_600_000, 6_480_000]]);
      assert.deepEqual(
        await project.rows('SELECT name, entity_type, activity FROM measure WHERE is_default ORDER BY number'),
        [
          ['throughput', 'order', null],
          ['events', 'order', null],
          ['rework', 'order', null],
          ['idle', 'order', null],
        ],
      );
      const { rows } = await project.read((store) =>
        readActivities(store, { filter: { entityType: 'order' }, limit: 10 }, {}),
      );
      assert.deepEqual(
        rows.map(({ activity, service }) => [activity, service?.count, service?.median, service?.p90]),
        [
          ['Pack', 2, 3_600_000, 6_480_000],
          ['Pay', undefined, undefined, undefined],
        ],
      );
    });
  });

  it('are events after their starts, counted once with them on the map and in variants', () =>
    withGraph(
      files(),
      async (project) => {
        assert.deepEqual(await imported(project), [
          '1 of 4 rows of "Pack" end before they start: these ends are no events.',
        ]);
        assert.deepEqual(await project.rows(eventsSql), [
          ['1', 'Pack', 'start', '01 08:00'],
          ['1', 'Pack', 'change', '01 09:00'],
          ['1', 'Pay', 'start', '01 09:30'],
          ['1', 'Pack', 'end', '01 10:00'],
          ['1', 'Pack', 'start', '02 08:00'],
          ['1', 'Pack', 'end', '02 08:00'],
          ['2', 'Pack', 'start', '01 08:00'],
          ['2', 'Pack', 'start', '03 08:00'],
          ['2', 'Pay', 'start', '05 00:00'],
        ]);
        assert.deepEqual(await project.rows(stepsSql), [
          ['1', 'Pack start', 'Pack change'],
          ['1', 'Pack change', 'Pay start'],
          ['1', 'Pay start', 'Pack start'],
          ['2', 'Pack start', 'Pack start'],
          ['2', 'Pack start', 'Pay start'],
        ]);
        assert.deepEqual(await project.rows(servicesSql), [
          ['1', 'Pack', 7_200_000],
          ['1', 'Pack', 0],
        ]);
        assert.deepEqual(await project.rows('SELECT count(*), count(state) FROM properties_1'), [['7', '7']]);
        await assertHolds(project);
        await project.read(async (store) => {
          for (const usesStored of [true, false]) {
            const map = await readProcessMap(store, whole, {}, { usesStored, exactSteps: 1000 });
            assert.deepEqual(
              map.nodes.map(({ activity, count, starts, ends }) => [activity, count, starts, ends]),
              [
                ['Pack', 5, 2, 1],
                ['Pay', 2, 0, 1],
              ],
            );
          }
          const map = await readProcessMap(store, whole, {});
          assert.deepEqual(
            map.nodes.map(({ activity, service }) => [activity, service]),
            [
              ['Pack', { count: 2, median: 3_600_000, p90: 6_480_000, medianText: '1 h', p90Text: '1.8 h' }],
              ['Pay', undefined],
            ],
          );
          for (const [number, milliseconds] of [
            ['serviceMedian', 3_600_000],
            ['serviceP90', 6_480_000],
          ] as const) {
            const sql = numberSql({ number: { kind: 'node', activity: 'Pack', number }, filter: whole.filter });
            assert.deepEqual((await store.table(sql.number)).rows, [[milliseconds]]);
            assert.equal((await store.table(sql.events)).rows.length, 4);
            assert.equal((await store.table(sql.rows)).rows.length, 2);
          }
          const { variants } = await readVariants(store, { filter: {} }, {});
          assert.deepEqual(
            variants.map(({ activities }) => activities),
            [
              ['Pack', 'Pack', 'Pay'],
              ['Pack', 'Pack', 'Pay', 'Pack'],
            ],
          );
          const { activities } = await readEventDistribution(store, {}, {});
          assert.deepEqual(activities, [
            { name: 'Pack', events: 5 },
            { name: 'Pay', events: 2 },
          ]);
        });
      },
      { map: true },
    ));

  it('are left out of slices with their starts', () =>
    withGraph(files(), async (project) => {
      await imported(project, { since: '2024-01-01T09:15:00Z' });
      assert.deepEqual((await project.rows(eventsSql)).slice(0, 3), [
        ['1', 'Pay', 'start', '01 09:30'],
        ['1', 'Pack', 'start', '02 08:00'],
        ['1', 'Pack', 'end', '02 08:00'],
      ]);
      await assertHolds(project);
    }));

  it('may be computed, and dates may be the ends of their days', () =>
    withGraph(
      {
        ...files(),
        'graph.entity.yaml': graphText(
          `  - { activityName: Pack, dataObject: orders, key: id, startTimestamp: placed, endTimestamp: { expression: "CAST(packed AS DATE)", atEndOfDay: true } }\n`,
        ),
      },
      async (project) => {
        await imported(project);
        assert.deepEqual(await project.rows(servicesSql), [
          ['1', 'Pack', 57_599_999.999],
          ['1', 'Pack', 57_599_999.999],
        ]);
      },
    ));

  it('are what rules mean by lifecycle: end', () =>
    withGraph(
      files(
        '',
        `rules:
  - { name: Ended, each: { entityType: order }, expect: [{ activity: Pack, lifecycle: end, count: 1.. }] }
  - { name: All, each: { activity: Pack, lifecycle: any }, expect: [{ sql: state IS NOT NULL }] }
  - { name: Late, each: { activity: Pack, lifecycle: end }, expect: [{ activity: Pay, before: Pack }] }
`,
      ),
      async (project) => {
        await imported(project);
        assert.deepEqual(await project.rows('SELECT name, judged, broken FROM rule ORDER BY number'), [
          ['Ended', '2', '1'],
          ['All', '7', '0'],
          ['Late', '2', '0'],
        ]);
      },
    ));
});

/** The events of rows, built without SQL: their order, edges and service times. */
function builtByHand(rows: readonly Row[]) {
  const ms = (time: string): number => Date.parse(`${time}Z`);
  const events = rows.flatMap((row, index) => [
    { key: row.key, time: ms(row.start), phase: 0, index },
    ...(row.end !== '' && ms(row.end) >= ms(row.start) ? [{ key: row.key, time: ms(row.end), phase: 2, index }] : []),
  ]);
  events.sort((one, other) => one.time - other.time || one.phase - other.phase || one.index - other.index);
  const keys = [...new Set(rows.map(({ key }) => key))].sort();
  const idOf = (index: number, phase: number): number =>
    1 + events.findIndex((event) => event.index === index && event.phase === phase);
  const starts = (key: string) => events.filter((event) => event.key === key && event.phase === 0);
  return {
    lifecycles: events.map(({ key, phase }, index) => [String(index + 1), key, phase === 0 ? 'start' : 'end']),
    steps: keys.flatMap((key) =>
      starts(key).flatMap(({ index }, place, all) =>
        place === 0 ? [] : [[key, String(idOf(all[place - 1]?.index ?? 0, 0)), String(idOf(index, 0))]],
      ),
    ),
    services: events
      .flatMap((event, place) => (event.phase === 2 ? [{ event, end: place + 1 }] : []))
      .map(({ event, end }) => [
        String(idOf(event.index, 0)),
        String(end),
        event.time - ms(rows[event.index]?.start ?? ''),
      ])
      .sort(([one], [other]) => Number(one) - Number(other)),
  };
}

interface Row {
  readonly key: string;
  readonly start: string;
  readonly end: string;
}

describe('ends of random rows', () => {
  for (const seed of [1, 2, 3]) {
    it(`are those that are built by hand: ${seed}`, async () => {
      let state = seed * 7919;
      const below = (limit: number): number => {
        state = (state * 48271) % 2147483647;
        return state % limit;
      };
      const at = (minutes: number): string =>
        new Date(Date.UTC(2024, 0, 1, 0, minutes)).toISOString().slice(0, 19).replace('T', ' ');
      const rows = Array.from({ length: 400 }, (): Row => {
        const start = below(300);
        return { key: `k${below(40)}`, start: at(start), end: below(4) === 0 ? '' : at(start + below(40) - 4) };
      });
      const expected = builtByHand(rows);
      const text = ['key,began,ended', ...rows.map(({ key, start, end }) => [key, start, end].join(',')), ''].join(
        '\n',
      );
      const graph = graphText(
        '  - { activityName: Work, dataObject: work, key: key, startTimestamp: began, endTimestamp: ended }\n',
      );
      const project = { 'entity-sources.yaml': csvSources(), 'work.csv': text, 'graph.entity.yaml': graph };
      await withGraph(
        project,
        async (store) => {
          await imported(store);
          const found = await store.rowsOfAll([
            'SELECT event.id, key, lifecycle FROM event JOIN entity ON entity.id = entity_id ORDER BY event.id',
            'SELECT key, source_event_id, target_event_id FROM directly_follows JOIN entity ON entity.id = entity_id ORDER BY key, source_event_id',
            'FROM service_time',
          ]);
          assert.deepEqual(found, [expected.lifecycles, expected.steps, expected.services]);
          await assertHolds(store);
        },
        { map: true },
      );
    });
  }
});

interface Move {
  readonly key: string;
  readonly activity: string;
  readonly time: number;
  readonly transition: string;
}

/** Pairs of places of rows, first in, first out. */
function pairedByHand(moves: readonly Move[]): readonly (readonly [start: number, end: number])[] {
  const rank = (transition: string): number => (transition === 'complete' ? 1 : 0);
  const order = moves
    .map((move, index) => ({ ...move, index }))
    .sort(
      (one, other) => one.time - other.time || rank(one.transition) - rank(other.transition) || one.index - other.index,
    );
  const open = new Map<string, number[]>();
  const pairs: (readonly [number, number])[] = [];
  for (const [place, { key, activity, transition }] of order.entries()) {
    const own = `${key} ${activity}`;
    const queue = open.get(own) ?? [];
    open.set(own, queue);
    if (transition === 'start') queue.push(place + 1);
    if (transition !== 'complete') continue;
    const start = queue.shift();
    if (start !== undefined) pairs.push([start, place + 1]);
  }
  return pairs.toSorted(([one], [other]) => one - other);
}

/** docs/semantics.md#58-end-events */
describe('starts and ends in two rows', () => {
  const lifecycle = '{ column: transition, start: [start], end: [complete] }';
  const project = (rows: string): Readonly<Record<string, string>> => ({
    'entity-sources.yaml': csvSources(),
    'log.csv': `case,activity,at,transition\n${rows}`,
    'graph.entity.yaml': graphText(
      `  - { activityName: Work, dataObject: log, key: case, entityType: case, startTimestamp: at, activityColumn: activity, lifecycle: ${lifecycle} }\n`,
    ),
  });

  it('are paired by entity and activity, first in, first out; others are events of their own', () =>
    withGraph(
      project(`1,Check,2024-01-01 08:00:00,complete
1,Check,2024-01-01 09:00:00,start
1,Check,2024-01-01 10:00:00,start
1,Wait,2024-01-01 10:30:00,suspend
1,Check,2024-01-01 11:00:00,complete
1,Check,2024-01-01 14:00:00,complete
1,Check,2024-01-01 14:00:00,start
2,Check,2024-01-01 15:00:00,complete
`),
      async (graph) => {
        assert.deepEqual(await imported(graph), [
          '"Work" has 1 start without an end and 2 ends without a start: they are events without service time.',
        ]);
        assert.deepEqual(await graph.rows(eventsSql), [
          ['1', 'Check', 'start', '01 08:00'],
          ['1', 'Check', 'start', '01 09:00'],
          ['1', 'Check', 'start', '01 10:00'],
          ['1', 'Wait', 'start', '01 10:30'],
          ['1', 'Check', 'end', '01 11:00'],
          ['1', 'Check', 'start', '01 14:00'],
          ['1', 'Check', 'end', '01 14:00'],
          ['2', 'Check', 'start', '01 15:00'],
        ]);
        assert.deepEqual(await graph.rows('SELECT * FROM service_time'), [
          ['2', '5', 7_200_000],
          ['3', '7', 14_400_000],
        ]);
        await assertHolds(graph);
      },
      { map: true },
    ));

  it('have a warning where the column never has the values of the graph, or has them in another case', async () => {
    const warned = (rows: readonly string[]): Promise<readonly string[]> => {
      let found: readonly string[] = [];
      const lines = rows.map((transition, index) => `1,Check,2024-01-01 0${index}:00:00,${transition}\n`);
      return withGraph(project(lines.join('')), async (graph) => {
        found = await imported(graph);
      }).then(() => found);
    };
    assert.deepEqual(await warned(['begin', 'finish', 'it', "it's", 'done', 'a']), [
      'The column "transition" of "Work" never has the values "start" and "complete" of lifecycle. It has "a", "begin", "done", "finish" and others.',
    ]);
    assert.deepEqual(await warned(['START', 'start', 'finish']), [
      'The column "transition" of "Work" never has the value "complete" of lifecycle. It has "start", "START" and "finish".',
      '"Work" has 1 start without an end: it is an event without service time.',
    ]);
    assert.deepEqual(await warned(['start', 'complete', 'START', 'x']), [
      'The column "transition" of "Work" also has "START", which lifecycle does not list: these rows are neither starts nor ends.',
    ]);
    assert.deepEqual(await warned(['', '']), [
      'The column "transition" of "Work" never has the values "start" and "complete" of lifecycle. It is empty.',
    ]);
    assert.deepEqual(await warned(['start', 'complete', 'suspend']), []);
  });

  for (const seed of [1, 2, 3]) {
    it(`are those that are paired by hand: ${seed}`, async () => {
      let state = seed * 104_729;
      const below = (limit: number): number => {
        state = (state * 48271) % 2147483647;
        return state % limit;
      };
      const moves = Array.from({ length: 500 }, (): Move => {
        const transition = ['start', 'start', 'complete', 'complete', 'suspend'][below(5)] ?? '';
        return { key: `c${below(12)}`, activity: `a${below(3)}`, time: below(200), transition };
      });
      const at = (minutes: number): string =>
        new Date(Date.UTC(2024, 0, 1, 0, minutes)).toISOString().slice(0, 19).replace('T', ' ');
      const rows = moves.map(({ key, activity, time, transition }) => [key, activity, at(time), transition].join(','));
      await withGraph(
        project(`${rows.join('\n')}\n`),
        async (graph) => {
          await imported(graph);
          const pairs = await graph.rows('SELECT start_event_id, end_event_id FROM service_time');
          assert.deepEqual(
            pairs.map((pair) => pair.map(Number)),
            pairedByHand(moves),
          );
          await assertHolds(graph);
        },
        { map: true },
      );
    });
  }
});

const transitions = ['start', 'suspend', 'COMPLETE'];
const csvLog = (): string => {
  const lines = ['case_id,activity,timestamp,transition,resource'];
  for (let ofCase = 1; ofCase <= 30; ofCase++) {
    ['receive', 'check', 'decide'].forEach((activity, step) => {
      transitions.forEach((transition, part) => {
        const time = new Date(Date.UTC(2024, 0, ofCase, 8 + 2 * step, 10 * part)).toISOString();
        lines.push(`C${ofCase},${activity},${time},${transition},r${(ofCase + step) % 4}`);
      });
    });
  }
  return `${lines.join('\n')}\n`;
};

const xesLog = `<?xml version="1.0"?><log xes.version="1849.2023"><trace><string key="concept:name" value="c1"/>${[
  ['A', 8, 'schedule'],
  ['A', 9, 'start'],
  ['A', 12, 'complete'],
  ['B', 13, 'complete'],
]
  .map(
    ([activity, hour, transition]) =>
      `<event><string key="concept:name" value="${String(activity)}"/><date key="time:timestamp" value="2024-01-01T${String(hour).padStart(2, '0')}:00:00Z"/><string key="lifecycle:transition" value="${String(transition)}"/></event>`,
  )
  .join('')}</trace></log>`;

describe('first graphs of logs with starts and ends', () => {
  it('pair the rows of CSV logs', async () => {
    await withDraftProject({ 'entity-sources.yaml': csvSources(), 'log.csv': csvLog() }, async ({ draft, project }) => {
      const { text, chosen } = await draft();
      assert.deepEqual(
        chosen.filter(({ role }) => role === 'lifecycle').map(({ columns, reason }) => [columns, reason]),
        [[['transition'], 'says which rows are starts and ends']],
      );
      assert.match(text, /lifecycle: \{ column: transition, start: \[ start \], end: \[ COMPLETE \] \}/);
      assert.equal((await project.import()).status, 'imported');
      assert.deepEqual(await project.rows('SELECT count(*), min(milliseconds), max(milliseconds) FROM service_time'), [
        ['90', 1_200_000, 1_200_000],
      ]);
      await assertHolds(project);
    });
  });

  it('say in which share of the rows the end is not before its start', async () => {
    const lines = Array.from({ length: 120 }, (_, row) => {
      const at = (minutes: number): string => new Date(Date.UTC(2024, 0, 1, row, minutes)).toISOString();
      return `C${Math.floor(row / 3)},${['receive', 'check', 'decide'][row % 3] ?? ''},${at(30)},${at(row === 7 ? 20 : 40)}`;
    });
    const log = `case_id,activity,started,ended\n${lines.join('\n')}\n`;
    await withDraftProject({ 'entity-sources.yaml': csvSources(), 'log.csv': log }, async ({ draft }) => {
      const { text } = await draft();
      assert.match(
        text,
        /# Chosen as endTimestamp because it is called ended, is not before\n {4}# started in 99\.1 % of the rows\n {4}endTimestamp: ended/,
      );
    });
  });

  it('pair the events of XES logs', async () => {
    const sources = 'version: 1\ndataSources:\n  shop: { kind: xes, path: log.xes }\n';
    await withDraftProject({ 'entity-sources.yaml': sources, 'log.xes': xesLog }, async ({ draft, project }) => {
      const { text } = await draft();
      assert.match(text, /\n {4}lifecycle:\n {6}column: lifecycle:transition\n/);
      assert.equal((await project.import()).status, 'imported');
      assert.deepEqual(await project.rows('SELECT start_event_id, end_event_id, milliseconds FROM service_time'), [
        ['2', '3', 10_800_000],
      ]);
    });
  });
});
