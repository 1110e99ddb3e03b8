import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import type { GraphFilter, MapMeasure } from '../../protocol/event-graph.ts';
import type {
  EventGraphQuestion,
  QuestionAnswer,
  QuestionParams,
} from '../../protocol/requests/event-graph-requests.ts';
import type { Outcome } from '../../protocol/query-results.ts';
import { createElkLayout } from '../../server/src/event-graph/elk-layout.ts';
import { askGraph, createGraphCache } from '../../server/src/operations/stored-graphs/event-graph.ts';
import { openScratch } from '../../server/src/store/duckdb-store.ts';
import { csvSources, graphText, withProject } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const layOut = createElkLayout(createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js'));

const graph = graphText(
  `  - { activityName: Win Customer, dataObject: customers, key: id, startTimestamp: since }
  - { activityName: Place <Order>, dataObject: orders, key: id, startTimestamp: placed, changeTimestamp: changed, properties: [state] }
`,
  `  - { name: of, source: Place <Order>, target: Win Customer, mappings: [{ source: customer, target: id }] }
`,
);
const files = {
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graph,
  'customers.csv': 'id,since\nC1,2024-01-01 00:00:00\nC2,2024-06-01 00:00:00\n',
  'orders.csv': `id,customer,placed,changed,state
O1,C1,2024-01-03 00:00:00,2024-01-03 12:00:00,open
O2,C1,2024-01-05 00:00:00,,closed
O3,C2,2024-06-02 00:00:00,,open
`,
};

type Ask = <Q extends EventGraphQuestion>(
  question: Q,
  params: QuestionParams<Q>,
  signal?: AbortSignal,
) => Promise<Outcome<QuestionAnswer<Q>>>;

async function withGraph(use: (ask: Ask, store: string) => Promise<void>, of = files): Promise<void> {
  await withProject(of, async (project) => {
    const { store, error } = await project.import();
    assert.ok(store, error?.message);
    const graphs = createGraphCache();
    try {
      await use(
        (question, params, signal = new AbortController().signal) =>
          askGraph({ graphs, layOut }, store, question, params, signal),
        store,
      );
    } finally {
      await graphs.close();
    }
  });
}

async function answer<Q extends EventGraphQuestion>(
  ask: Ask,
  question: Q,
  params: QuestionParams<Q>,
): Promise<QuestionAnswer<Q>> {
  const outcome = await ask(question, params);
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return outcome.value;
}

describe('event graph queries', () => {
  it('overview: counts and names', () =>
    withGraph(async (ask, store) => {
      const overview = await answer(ask, 'overview', {});
      assert.deepEqual(overview.totals, { events: 6, entities: 5, correlations: 13, relations: 3, directlyFollows: 8 });
      assert.deepEqual(overview.entityTypes, [
        { name: 'orders', entities: 3, colour: 'var(--vscode-charts-green)' },
        { name: 'customers', entities: 2, colour: 'var(--vscode-charts-blue)' },
      ]);
      assert.equal(overview.mapEntityType, 'orders');
      assert.deepEqual(overview.activities, [
        { name: 'Place <Order>', events: 4 },
        { name: 'Win Customer', events: 2 },
      ]);
      assert.deepEqual(overview.elements, [
        { number: 1, name: 'Win Customer', properties: [] },
        { number: 2, name: 'Place <Order>', properties: ['state'] },
      ]);
      assert.deepEqual(
        [overview.from, overview.to, overview.store],
        ['2024-01-01T00:00:00Z', '2024-06-02T00:00:00Z', store],
      );
    }));

  it('map: one entity type counts distinct events and directly-follows pairs, with durations', () =>
    withGraph(async (ask) => {
      const map = await answer(ask, 'map', { filter: { entityType: 'customers' } });
      assert.deepEqual(
        map.nodes.map(({ activity, count, events, starts, ends }) => [activity, count, events, starts, ends]),
        [
          ['Place <Order>', 4, 4, 0, 2],
          ['Win Customer', 2, 2, 2, 0],
        ],
      );
      assert.deepEqual([map.entities, map.events, map.measure], [2, 6, undefined]);
      // Nothing says that the times are estimates.
      assert.deepEqual(map.legend.sentences, [
        'Entities of type customers.',
        'Activities: distinct events.',
        'Paths: directly-follows pairs · median time between.',
      ]);
      const first = map.edges.find(({ source }) => source === 'Win Customer');
      assert.deepEqual([first?.count, first?.median, first?.entityType], [2, 129_600_000, undefined]);
      // An event of a customer belongs to each of its orders, but is one event.
      const orders = await answer(ask, 'map', { filter: { entityType: 'orders' } });
      assert.deepEqual(
        orders.nodes.map(({ activity, count }) => [activity, count]),
        [
          ['Place <Order>', 4],
          ['Win Customer', 2],
        ],
      );
      assert.match(orders.svg, /aria-label="Win Customer: 2"/);
      assert.match(
        orders.svg,
        /aria-label="Win Customer → Place &lt;Order&gt;: 3 times, median 2 d, 90 % within [^",]+, total [^",]+"/,
      );
      assert.match(orders.svg, /Entities of type orders\. Activities: distinct events\. Paths:/);
    }));

  it('map: all types have a path per type, in three measures', () =>
    withGraph(async (ask) => {
      const counts = async (measure: MapMeasure) => {
        const map = await answer(ask, 'map', { filter: {}, measure, paths: 1 });
        assert.equal(map.measure, measure);
        return [
          map.nodes.map(({ activity, count }) => [activity, count]),
          map.edges.map(({ source, target, entityType, count }) => [source, target, entityType, count]),
        ];
      };
      const [win, place] = ['Win Customer', 'Place <Order>'];
      assert.deepEqual(await counts('events'), [
        [
          [place, 4],
          [win, 2],
        ],
        [
          [win, place, 'orders', 3],
          [place, place, 'customers', 2],
          [win, place, 'customers', 2],
          [place, place, 'orders', 1],
        ],
      ]);
      assert.deepEqual(await counts('objects'), [
        [
          [place, 5],
          [win, 5],
        ],
        [
          [win, place, 'orders', 3],
          [win, place, 'customers', 2],
          [place, place, 'customers', 1],
          [place, place, 'orders', 1],
        ],
      ]);
      assert.deepEqual(await counts('pairs'), [
        [
          [place, 8],
          [win, 5],
        ],
        [
          [win, place, 'orders', 3],
          [place, place, 'customers', 2],
          [win, place, 'customers', 2],
          [place, place, 'orders', 1],
        ],
      ]);
      const { svg } = await answer(ask, 'map', { filter: {}, measure: 'objects', paths: 1 });
      assert.match(
        svg,
        /aria-label="Win Customer → Place &lt;Order&gt;: 3 objects, median 2 d, 90 % within [^,]+, total [^,]+, orders"/,
      );
      assert.match(svg, /Entities of all types, a colour each\. Activities: distinct objects\./);
      const colours = new Set([...svg.matchAll(/data-edge=[\s\S]*? stroke="(var[^"]+)"/g)].map(([, colour]) => colour));
      assert.equal(colours.size, 2);
    }));

  const placed = { activity: 'Place <Order>' };
  const changed = { activity: 'Place <Order> · change', lifecycle: true };
  const filters: readonly (readonly [string, QuestionParams<'map'>['filter'], number])[] = [
    ['entities of a type', { entityType: 'orders' }, 3],
    ['entities with an event in a time', { entityType: 'orders', from: '2024-06-02T00:00:00Z' }, 1],
    ['the end of the time left out', { entityType: 'orders', to: '2024-01-03T00:00:00Z' }, 2],
    ['entities with a value', { entityType: 'orders', property: { element: 2, name: 'state', value: 'open' } }, 2],
    ['nothing', { entityType: "o'rders" }, 0],
    ['entities with an activity', { activities: [{ activity: 'Win Customer', occurs: true }] }, 5],
    ['entities without an activity', { activities: [{ activity: 'Win Customer', occurs: false }] }, 0],
    ['entities with start events of an activity', { activities: [{ ...placed, lifecycle: true, occurs: true }] }, 5],
    ['entities with change events of an activity', { activities: [{ ...changed, occurs: true }] }, 2],
    ['entities without change events of an activity', { activities: [{ ...changed, occurs: false }] }, 3],
    ['a quote in an activity', { activities: [{ activity: "' OR true --", occurs: true }] }, 0],
  ];
  for (const [what, filter, entities] of filters) {
    it(`map: ${what}`, () =>
      withGraph(async (ask) => assert.equal((await answer(ask, 'map', { filter })).entities, entities)));
  }

  it('variants: the orders of activities of a type, the most frequent first, each a filter of the map', () =>
    withGraph(async (ask) => {
      const filter = { entityType: 'orders' };
      const view = await answer(ask, 'variants', { filter });
      const [win, place] = ['Win Customer', 'Place <Order>'];
      assert.deepEqual(
        view.variants.map(({ activities, events, entities }) => [activities, events, entities]),
        [
          [[win, place], 2, 2],
          [[win, place, place], 3, 1],
        ],
      );
      assert.deepEqual([view.all, view.entities], [2, 3]);
      const [common, rare] = view.variants;
      assert.ok(common && rare);
      const map = await answer(ask, 'map', { filter: { ...filter, variant: rare }, paths: 1 });
      assert.deepEqual([map.entities, map.events], [1, 3]);
      assert.deepEqual(
        map.edges.map(({ source, target, count }) => [source, target, count]),
        [
          [place, place, 1],
          [win, place, 1],
        ],
      );
      assert.equal((await answer(ask, 'map', { filter: { ...filter, variant: common } })).entities, 2);
      // Customers have another variant: the list of a filter is that of its entities.
      const customers = await answer(ask, 'variants', { filter: { entityType: 'customers' } });
      assert.deepEqual(
        customers.variants.map(({ events, entities }) => [events, entities]),
        [
          [2, 1],
          [4, 1],
        ],
      );
      assert.deepEqual(await answer(ask, 'variants', { filter: { entityType: 'none' } }), {
        ...{ variants: [], all: 0, entities: 0 },
      });
    }));

  it('variants: start and change events are told apart on request, in the list and in its filters', () =>
    withGraph(async (ask) => {
      const filter = { entityType: 'orders' };
      const { variants } = await answer(ask, 'variants', { filter, lifecycle: true });
      const changed = variants.find(({ activities }) => activities.includes('Place <Order> · change'));
      assert.deepEqual(changed?.activities, ['Win Customer', 'Place <Order>', 'Place <Order> · change']);
      const variant = { id: changed.id, events: 3, lifecycle: true };
      assert.equal((await answer(ask, 'map', { filter: { ...filter, variant } })).entities, 1);
      // Not told apart, no entity has this order.
      const other = { id: changed.id, events: 3 };
      assert.equal((await answer(ask, 'map', { filter: { ...filter, variant: other } })).entities, 0);
    }));

  it('variants of an event log: equal a plain count, and their names are not mistaken for each other', () => {
    const rows = Array.from({ length: 600 }, (_, i) => ({ id: `E${i % 97}`, step: `s:${(i * i) % 3}`, i }));
    const more = [
      ['X', 'a', 1],
      ['X', 'b1:c', 2],
      ['Y', 'a1:b', 1],
      ['Y', 'c', 2],
    ] as const;
    const all = [...rows, ...more.map(([id, step, i]) => ({ id, step, i }))];
    const time = (i: number): string => new Date(Date.UTC(2024, 0, 1) + i * 60_000).toISOString().slice(0, 19);
    const log = {
      ...files,
      'log.csv': `id,at,step\n${all.map(({ id, step, i }) => `${id},${time(i).replace('T', ' ')},${step}`).join('\n')}\n`,
      'graph.entity.yaml': graphText(
        '  - { activityName: Log, dataObject: log, key: id, startTimestamp: at, activityColumn: step }\n',
      ),
    };
    const counts = new Map<string, number>();
    for (const id of new Set(all.map((row) => row.id))) {
      const path = JSON.stringify(all.filter((row) => row.id === id).map(({ step }) => step));
      counts.set(path, (counts.get(path) ?? 0) + 1);
    }
    return withGraph(async (ask) => {
      const view = await answer(ask, 'variants', { filter: { entityType: 'log' } });
      assert.deepEqual([view.all, view.entities], [counts.size, 99]);
      const found = view.variants.map(({ activities, entities }) => [JSON.stringify(activities), entities] as const);
      assert.deepEqual(new Map(found.toSorted()), new Map([...counts].toSorted()));
      assert.deepEqual(
        view.variants.map(({ entities }) => entities),
        [...counts.values()].toSorted((one, other) => other - one),
      );
    }, log);
  });

  for (const filter of [{}, { from: '2024-03-01T00:00:00Z', to: '2024-04-01T00:00:00Z' }, { entityType: 'log' }]) {
    it(`map of an event log: equals a plain count, ${JSON.stringify(filter)}`, () => {
      const rows = Array.from({ length: 3000 }, (_, i) => {
        const at = new Date(Date.UTC(2024, 0, 1) + ((i * 7919) % 3000) * 3_600_000);
        return { id: `E${(i * 31) % 97}`, at, step: `step ${(i * i) % 7}` };
      });
      const csv = rows.map(({ id, at, step }) => `${id},${at.toISOString().slice(0, 19).replace('T', ' ')},${step}`);
      const log = {
        ...files,
        'log.csv': `id,at,step\n${csv.join('\n')}\n`,
        'graph.entity.yaml': graphText(
          '  - { activityName: Log, dataObject: log, key: id, startTimestamp: at, activityColumn: step }\n',
        ),
      };
      const counts = new Map<string, number>();
      const add = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
      let entities = 0;
      for (const id of new Set(rows.map((row) => row.id))) {
        const trail = rows
          .filter((row) => row.id === id)
          .toSorted((one, other) => one.at.getTime() - other.at.getTime());
        const { from, to } = { from: '', to: '', ...filter };
        const isIn = ({ at }: { at: Date }): boolean => at >= new Date(from) && at < new Date(to);
        if (from !== '' && !trail.some(isIn)) continue;
        entities += 1;
        add(`${trail[0]?.step} starts`);
        add(`${trail.at(-1)?.step} ends`);
        trail.forEach(({ step }, index) => index > 0 && add(`${trail[index - 1]?.step} → ${step}`));
      }
      return withGraph(async (ask) => {
        const map = await answer(ask, 'map', { filter, paths: 1 });
        assert.equal(map.entities, entities);
        const found = [
          ...map.edges.map(({ source, target, count }) => [`${source} → ${target}`, count] as const),
          ...map.nodes.flatMap(({ activity, starts, ends }) => [
            [`${activity} starts`, starts] as const,
            [`${activity} ends`, ends] as const,
          ]),
        ];
        assert.deepEqual(new Map(found.filter(([, count]) => count > 0).toSorted()), new Map([...counts].toSorted()));
      }, log);
    });
  }

  it('map: sliders keep the most frequent paths, start and change are separate, texts are escaped', () =>
    withGraph(async (ask) => {
      const one = await answer(ask, 'map', { filter: {}, activities: 0 });
      assert.deepEqual([one.activities, one.nodes[0]?.activity], [{ shown: 1, all: 2 }, 'Place <Order>']);
      const apart = await answer(ask, 'map', { filter: {}, lifecycle: true });
      assert.ok(apart.nodes.some(({ activity }) => activity === 'Place <Order> · change'));
      assert.match(one.svg, /Place &lt;Order&gt;/);
      assert.doesNotMatch(one.svg, /<Order>/);
      new SaxesParser().write(one.svg).close();
      assert.match(one.svg, /data-node="0"/);
    }));

  it('every number can be opened: its SQL returns the number, and its events, entities and rows are listed', () =>
    withGraph(async (ask) => {
      const open = async (params: QuestionParams<'numberSql'>, shown: number) => {
        const { number, ...parts } = await answer(ask, 'numberSql', params);
        const run = async (sql: string) => (await answer(ask, 'sql', { sql, limit: 1000 })).rows;
        assert.deepEqual(
          (await run(number)).map((row) => row.map(Number)),
          [[shown]],
          JSON.stringify([params, number]),
        );
        const [events, entities, rows] = [await run(parts.events), await run(parts.entities), await run(parts.rows)];
        return { events: events.length, entities: entities.length, rows: rows.length };
      };
      const late = { from: '2024-01-04T00:00:00Z' };
      const views: readonly Omit<QuestionParams<'map'>, 'activities' | 'paths'>[] = [
        { filter: { entityType: 'orders' }, lifecycle: true },
        { filter: late, measure: 'objects' },
        { filter: {}, measure: 'pairs', lifecycle: true },
        { filter: { entityType: 'customers', property: { element: 2, name: 'state', value: 'closed' } } },
        { filter: { activities: [{ ...changed, occurs: true }] }, lifecycle: true },
        { filter: { entityType: 'orders', activities: [{ ...changed, occurs: false }] } },
      ];
      for (const view of views) {
        const { filter, measure } = view;
        const map = await answer(ask, 'map', { ...view, paths: 1 });
        for (const { activity, count, events, starts, ends } of map.nodes) {
          for (const [number, shown] of Object.entries({ count, events, starts, ends })) {
            const which = number as 'count';
            const behind = await open({ ...view, number: { kind: 'node', activity, number: which } }, shown);
            if (which === 'count' && measure !== 'objects') assert.equal(behind.events, events);
            if (measure === 'objects' && which === 'count') assert.equal(behind.entities, count);
          }
        }
        for (const { source, target, entityType, count, median, p90, total } of map.edges) {
          const path = {
            kind: 'path',
            source,
            target,
            ...(entityType === undefined ? {} : { entityType }),
          } as const;
          for (const [number, shown] of Object.entries({ count, median, p90, total })) {
            const which = number as 'count';
            const behind = await open({ ...view, number: { ...path, number: which } }, shown);
            if (which === 'count' && (measure === undefined || measure === 'pairs')) assert.equal(behind.rows, count);
            if (which === 'count' && measure === 'objects') assert.equal(behind.entities, count);
          }
        }
        const all = await open({ ...view, number: { kind: 'entities' } }, map.entities);
        assert.deepEqual([all.entities, all.events], [map.entities, map.events]);
        await open({ ...view, number: { kind: 'events' } }, map.events);
        const { unit, buckets } = await answer(ask, 'events', { filter });
        for (const { start, events } of buckets) {
          const behind = await open({ filter, number: { kind: 'time', unit, start } }, events);
          assert.deepEqual([behind.events, behind.rows], [events, events]);
        }
        const { values } = await answer(ask, 'property', { element: 2, property: 'state', filter });
        for (const { value, events } of values) {
          const number = { kind: 'value', element: 2, property: 'state', value } as const;
          const behind = await open({ filter, number }, events);
          assert.deepEqual([behind.events, behind.rows], [events, events]);
        }
      }
      const property = { element: 2, property: 'state' } as const;
      for (const [shown, values, events] of [
        [['open'], 1, 1],
        [['closed', null], 1, 3],
        [[], 2, 4],
      ] as const) {
        const other = { kind: 'otherValues', ...property, shown } as const;
        await open({ filter: {}, number: { ...other, number: 'values' } }, values);
        assert.equal((await open({ filter: {}, number: { ...other, number: 'events' } }, events)).events, events);
      }
      const ofTables = [
        [{ kind: 'table', table: 'event' }, 6],
        [{ kind: 'table', table: 'properties_2' }, 4],
        [{ kind: 'entityType', entityType: 'orders' }, 3],
        [{ kind: 'relationship', relationship: 'of' }, 3],
      ] as const;
      for (const [number, shown] of ofTables) assert.equal((await open({ filter: {}, number }, shown)).rows, shown);
      const { totals } = await answer(ask, 'overview', {});
      for (const [total, shown] of Object.entries(totals) as [keyof typeof totals, number][]) {
        assert.equal((await open({ filter: {}, number: { kind: 'total', total } }, shown)).rows, shown);
      }
      for (const { id, events } of await answer(ask, 'findEntities', { search: '' })) {
        assert.equal((await open({ filter: {}, number: { kind: 'entity', id } }, events)).events, events);
      }
    }));

  it('lists the entities of a number with the last values of their properties', () =>
    withGraph(async (ask) => {
      const list = async (filter: QuestionParams<'map'>['filter']) => {
        const params = { number: { kind: 'entities' }, filter, withProperties: true } as const;
        const { entities } = await answer(ask, 'numberSql', params);
        const { columns, rows } = await answer(ask, 'sql', { sql: entities, limit: 1000 });
        return { columns: columns.map(({ name }) => name), rows };
      };
      const own = ['entity_id', 'entity_type', 'key', 'events', 'first', 'last', 'throughput'];
      const orders = await list({ entityType: 'orders' });
      const cases = await answer(ask, 'cases', { filter: { entityType: 'orders' }, limit: 1000, sort: 'key' });
      const properties = Object.keys(cases.cases[0]?.properties ?? {});
      assert.ok(properties.includes('state'), properties.join());
      assert.deepEqual(orders.columns, [...own, ...properties]);
      const valuesOf = (key: string) => orders.rows.find((row) => row[2] === key)?.slice(own.length);
      assert.equal(orders.rows.length, cases.cases.length);
      for (const { key, properties: values } of cases.cases)
        assert.deepEqual(
          valuesOf(key)?.map((value) => (value === null ? null : String(value))),
          Object.values(values),
          key,
        );
      // Of several types, each entity has the values of its own.
      const all = await list({});
      assert.deepEqual(all.columns.slice(0, own.length), own);
      assert.ok(all.columns.includes('state'));
      assert.equal(all.rows.length, 5);
    }));

  it('an event that belongs to an entity for two reasons is counted once', () =>
    withGraph(
      async (ask) => {
        const [customer] = await answer(ask, 'findEntities', { search: 'C1' });
        assert.equal(customer?.events, 4);
        const timeline = await answer(ask, 'timeline', { entity: customer?.id ?? -1 });
        assert.equal(timeline.entity.events, 4);
        assert.deepEqual(
          timeline.events.map(({ qualifier }) => qualifier),
          ['self', 'of, paid by', 'of, paid by', 'of, paid by'],
        );
      },
      {
        ...files,
        'graph.entity.yaml': `${graph}  - { name: paid by, source: Place <Order>, target: Win Customer, mappings: [{ source: customer, target: id }] }
`,
      },
    ));

  it('entities and timelines: events in order, with events of related entities', () =>
    withGraph(async (ask) => {
      const [order] = await answer(ask, 'findEntities', { search: 'o1' });
      assert.deepEqual([order?.entityType, order?.key, order?.events], ['orders', 'O1', 3]);
      const timeline = await answer(ask, 'timeline', { entity: order?.id ?? -1 });
      assert.deepEqual(
        timeline.events.map(({ time, activity, lifecycle, qualifier, entity }) =>
          [time.slice(0, 13), activity, lifecycle, qualifier, entity?.key].join(' '),
        ),
        [
          '2024-01-01T00 Win Customer start of C1',
          '2024-01-03T00 Place <Order> start self O1',
          '2024-01-03T12 Place <Order> change self O1',
        ],
      );
      assert.deepEqual(
        timeline.related.map(({ key, relationship }) => [key, relationship]),
        [['C1', 'of']],
      );
      const most = await answer(ask, 'findEntities', { search: '' });
      assert.equal(most[0]?.key, 'C1');
      assert.deepEqual(await answer(ask, 'findEntities', { search: "x' OR 1=1 --" }), []);
      const byState = await answer(ask, 'findEntities', { search: 'OPE' });
      assert.deepEqual(
        byState.map(({ key, events, found }) => [key, events, found?.property, found?.value]),
        [
          ['O1', 3, 'state', 'open'],
          ['O3', 2, 'state', 'open'],
        ],
      );
      const ofOther = { search: 'ope', filter: { entityType: 'customers' } };
      assert.deepEqual(await answer(ask, 'findEntities', ofOther), []);
      const gone = await ask('timeline', { entity: 999 });
      assert.ok(!gone.ok && gone.error.code === 'not-in-graph');
    }));

  it('distributions: over time and over values', () =>
    withGraph(async (ask) => {
      const events = await answer(ask, 'events', { filter: {} });
      assert.equal(events.unit, 'week');
      assert.equal(
        events.buckets.reduce((sum, bucket) => sum + bucket.events, 0),
        6,
      );
      const values = await answer(ask, 'property', { element: 2, property: 'state' });
      assert.deepEqual(values, {
        values: [
          { value: 'open', events: 3 },
          { value: 'closed', events: 1 },
        ],
        others: { values: 0, events: 0 },
      });
      assert.equal((await ask('property', { element: 2, property: 'x" FROM event --' })).ok, false);
    }));

  it('distributions: only events and values of the filtered entities, with the counts of the map', () =>
    withGraph(async (ask) => {
      const cases: readonly (readonly [filter: GraphFilter, activities: object, values: object])[] = [
        [{ entityType: 'orders' }, { 'Place <Order>': 4, 'Win Customer': 2 }, { open: 3, closed: 1 }],
        [
          { entityType: 'customers', from: '2024-06-01T00:00:00Z' },
          { 'Place <Order>': 1, 'Win Customer': 1 },
          { open: 1 },
        ],
        [
          { entityType: 'orders', property: { element: 2, name: 'state', value: 'closed' } },
          { 'Place <Order>': 1, 'Win Customer': 1 },
          { closed: 1 },
        ],
        [{ entityType: 'nothing' }, {}, {}],
        [
          { entityType: 'orders', activities: [{ ...changed, occurs: false }] },
          { 'Place <Order>': 2, 'Win Customer': 2 },
          { closed: 1, open: 1 },
        ],
        [
          { entityType: 'customers', activities: [{ ...changed, occurs: true }] },
          { 'Place <Order>': 3, 'Win Customer': 1 },
          { open: 2, closed: 1 },
        ],
      ];
      for (const [filter, activities, values] of cases) {
        const events = await answer(ask, 'events', { filter });
        assert.deepEqual(Object.fromEntries(events.activities.map((each) => [each.name, each.events])), activities);
        const overTime = events.buckets.reduce((sum, bucket) => sum + bucket.events, 0);
        assert.equal(overTime, (await answer(ask, 'map', { filter })).events, JSON.stringify(filter));
        const property = await answer(ask, 'property', { element: 2, property: 'state', filter });
        assert.deepEqual(Object.fromEntries(property.values.map(({ value, events: n }) => [value, n])), values);
        assert.deepEqual(property.others, { values: 0, events: 0 });
      }
    }));

  it('SQL console: allows reading only', () =>
    withGraph(async (ask) => {
      const rows = await answer(ask, 'sql', {
        sql: '-- counted\nSELECT activity, count(*) AS n FROM event GROUP BY ALL ORDER BY n DESC;',
        limit: 1,
      });
      assert.deepEqual([rows.rows, rows.truncated], [[['Place <Order>', '4']], true]);
      assert.ok((await answer(ask, 'sql', { sql: 'SUMMARIZE event', limit: 10 })).rows.length > 3);
      for (const sql of [
        'DELETE FROM event',
        'CREATE TABLE x (a INT)',
        `SELECT * FROM read_csv('${join(process.cwd(), 'package.json')}')`,
        "COPY event TO '/tmp/x.csv'",
        "ATTACH '/tmp/x.duckdb'",
        'SELECT 1; DROP TABLE event',
        'SET memory_limit = 1',
        'SELEC 1',
      ]) {
        const outcome = await ask('sql', { sql, limit: 10 });
        assert.ok(!outcome.ok && outcome.error.code === 'sql-error', sql);
      }
      const tables = await answer(ask, 'tables', {});
      assert.ok(
        tables.some(({ name, columns }) => name === 'event' && columns.some((column) => column.name === 'activity')),
      );
      assert.ok(tables.some(({ name, kind }) => name === 'node_event' && kind === 'view'));
    }));

  it('snippet: opens the store in DuckDB', () =>
    withGraph(async (ask, store) => {
      assert.equal(await answer(ask, 'snippet', { kind: 'path', file: 'graph.entity.yaml' }), store);
      const sql = await answer(ask, 'snippet', { kind: 'duckdb', file: 'graph.entity.yaml' });
      const scratch = await openScratch();
      try {
        const [attach = '', select = ''] = sql.split('\n');
        await scratch.run(attach);
        const rows = await scratch.query(select);
        assert.deepEqual(
          rows.map(({ activity, events }) => [activity, Number(events)]),
          [
            ['Place <Order>', 4],
            ['Win Customer', 2],
          ],
        );
      } finally {
        await scratch.close();
      }
    }));

  it('a cancelled request is interrupted', () =>
    withGraph(async (ask) => {
      const abort = new AbortController();
      const asked = ask('sql', { sql: 'SELECT count(*) FROM range(100000000000) AS a', limit: 1 }, abort.signal);
      setTimeout(() => abort.abort(new Error('Cancelled.')), 50);
      const outcome = await asked;
      assert.ok(!outcome.ok && outcome.error.code === 'cancelled');
    }));

  it('a request that takes longer than the idle timeout of the store is answered', () =>
    withGraph(async (_ask, store) => {
      const graphs = createGraphCache(1);
      const { signal } = new AbortController();
      const slow = 'SELECT count(*) AS n FROM range(30000000) AS a WHERE hash(a.range) % 7 = 0';
      const [answered, other] = await Promise.all([
        askGraph({ graphs, layOut }, store, 'sql', { sql: slow, limit: 1 }, signal),
        askGraph({ graphs, layOut }, store, 'overview', {}, signal),
      ]);
      assert.ok(answered.ok && other.ok, JSON.stringify([answered, other]));
      const again = await askGraph({ graphs, layOut }, store, 'overview', {}, signal);
      assert.ok(again.ok);
      await graphs.close();
    }));

  it('SQL console: fetches only the rows that it shows, for any statement', () =>
    withGraph(async (ask) => {
      const cases: readonly (readonly [sql: string, first: unknown])[] = [
        ['TABLE event', 'Win Customer'],
        ['/* all */ FROM event SELECT activity', 'Win Customer'],
        ['SELECT activity FROM event ORDER BY id; -- the end', 'Win Customer'],
        ["SELECT 'a; -- b' AS text FROM event", 'a; -- b'],
        ['WITH e AS (FROM event) SELECT activity FROM e ORDER BY id;', 'Win Customer'],
        ['SHOW TABLES', 'customers'],
        ['SUMMARIZE event', 'id'],
        ['-- how wide\nDESCRIBE event', 'id'],
      ];
      for (const [sql, first] of cases) {
        const outcome = await ask('sql', { sql, limit: 2 });
        assert.ok(outcome.ok, JSON.stringify([sql, outcome]));
        assert.deepEqual([outcome.value.rows.length, outcome.value.truncated], [2, true], sql);
        const place = sql === 'TABLE event' ? outcome.value.columns.findIndex(({ name }) => name === 'activity') : 0;
        assert.equal(outcome.value.rows[0]?.[place], first, sql);
      }
      const nothing = await ask('sql', { sql: '-- nothing', limit: 2 });
      assert.ok(
        !nothing.ok && /Expected one SQL statement, found 0/.test(nothing.error.message),
        JSON.stringify(nothing),
      );
    }));

  it('SQL console: statements of one run see its temporary tables, and nothing is kept for the next run', () =>
    withGraph(async (ask) => {
      const rowsOf = async (sql: string) => (await answer(ask, 'sql', { sql, limit: 10 })).rows;
      const events = await rowsOf('SELECT count(*)::INT FROM event');
      const number = await answer(ask, 'numberSql', {
        filter: {},
        number: { kind: 'node', activity: 'Place <Order>', number: 'count' },
      });
      const counted = await rowsOf(number.number);
      assert.deepEqual(
        await rowsOf(
          "CREATE TEMP TABLE event AS SELECT 'mine' AS activity; BEGIN; SET VARIABLE n = 1; FROM event; SELECT activity, getvariable('n') FROM event;",
        ),
        [['mine', 1]],
      );
      assert.ok(!(await ask('sql', { sql: 'BEGIN; SELEC 1', limit: 10 })).ok);
      assert.ok(!(await ask('sql', { sql: "BEGIN; SELECT error('stop')", limit: 10 })).ok);
      assert.deepEqual(await rowsOf("SELECT 1, getvariable('n')"), [[1, null]]);
      assert.deepEqual(await rowsOf('SELECT count(*)::INT FROM event'), events);
      assert.deepEqual(await rowsOf(number.number), counted);
      // At the same time, too.
      const both = await Promise.all([
        rowsOf('CREATE TEMP TABLE event AS SELECT 7 AS id; SELECT id FROM event'),
        rowsOf('SELECT count(*)::INT FROM event'),
      ]);
      assert.deepEqual(both, [[[7]], events]);
    }));

  it('filters escape values that look like SQL', () =>
    withGraph(
      async (ask) => {
        const { entities } = await answer(ask, 'map', {
          filter: { property: { element: 2, name: 'state', value: 'id IN progress' } },
        });
        // The orders that are in progress, and their customers.
        assert.equal(entities, 4);
        const events = await answer(ask, 'events', {
          filter: { property: { element: 2, name: 'state', value: 'id IN progress' } },
        });
        assert.ok(events.buckets.length > 0);
      },
      { ...files, 'orders.csv': files['orders.csv'].replaceAll('open', 'id IN progress') },
    ));

  it('a condition that fails for some entity is named, and SQL of a filter reads no file', () =>
    withGraph(async (ask, store) => {
      const of = (filter: object) => ask('countEntities', { filter: { entityType: 'orders', ...filter } });
      const failed = async (filter: object): Promise<string> => {
        const outcome = await of(filter);
        assert.ok(!outcome.ok, JSON.stringify(outcome));
        return outcome.error.message;
      };
      assert.match(
        await failed({ where: ["state <> 'x'", 'CAST(state AS INTEGER) > 1'] }),
        /^CAST\(state AS INTEGER\) > 1: /,
      );
      const outcome = await ask('measures', {
        filter: { entityType: 'orders' },
        compare: { entityType: 'orders', where: ['CAST(state AS INTEGER) > 1'] },
      });
      assert.match(outcome.ok ? '' : outcome.error.message, /^CAST\(state AS INTEGER\) > 1: /);
      const path = join(process.cwd(), 'package.json');
      assert.match(await failed({ where: [`(SELECT count(*) FROM read_csv('${path}')) > 0`] }), /read_csv/);
      // What the page asks later is answered.
      assert.ok((await ask('overview', {})).ok && (await of({})).ok, store);
    }));

  it('a graph that the page shows is answered during and after another import', () =>
    withProject(files, async (project) => {
      const { store = '' } = await project.import();
      const graphs = createGraphCache();
      const { signal } = new AbortController();
      const filter = { entityType: 'orders', where: ["state = 'open'"] };
      const count = async (path: string): Promise<unknown> => {
        const outcome = await askGraph({ graphs, layOut }, path, 'countEntities', { filter }, signal);
        return outcome.ok ? outcome.value : outcome.error;
      };
      try {
        assert.equal(await count(store), 2);
        const [again, meanwhile] = await Promise.all([project.import(), count(store)]);
        assert.equal(meanwhile, 2);
        assert.equal(await count(store), 2, 'the old graph');
        assert.equal(await count(again.store ?? ''), 2, 'the new one');
      } finally {
        await graphs.close();
      }
    }));

  it('a missing store is explained', async () => {
    const graphs = createGraphCache();
    const outcome = await askGraph(
      { graphs, layOut },
      '/nowhere/at/all.duckdb',
      'overview',
      {},
      new AbortController().signal,
    );
    assert.ok(!outcome.ok && outcome.error.code === 'store-unreadable');
    await graphs.close();
  });
});

describe('map command', () => {
  let folder = '';
  before(async () => (folder = await folderWith(files)));
  after(() => removeFolder(folder));
  const run = (...args: readonly string[]) => runCommand([...args, '--workspace', folder], folder);

  it('writes the map of an imported graph, and explains when there is no import', async () => {
    const early = await run('map', 'graph.entity.yaml', '--output', 'map.svg');
    assert.deepEqual([early.code, /has not been imported yet/.test(early.stderr)], [1, true]);
    assert.equal((await run('import', 'graph.entity.yaml')).code, 0);
    const drawn = await run(
      'map',
      'graph.entity.yaml',
      '--output',
      'out/map.svg',
      '--entity-type',
      'orders',
      '--format',
      'json',
    );
    assert.equal(drawn.code, 0, drawn.stderr);
    assert.deepEqual(JSON.parse(drawn.stdout), {
      files: [join(folder, 'out/map.svg')],
      entityType: 'orders',
      activities: [
        { activity: 'Place <Order>', count: 4 },
        { activity: 'Win Customer', count: 2 },
      ],
      paths: [
        {
          source: 'Win Customer',
          target: 'Place <Order>',
          count: 3,
          median: 172_800_000,
          p90: 311_040_000,
          total: 604_800_000,
        },
        {
          source: 'Place <Order>',
          target: 'Place <Order>',
          count: 1,
          median: 43_200_000,
          p90: 43_200_000,
          total: 43_200_000,
        },
      ],
      quantileError: 0,
    });
    const svg = await readFile(join(folder, 'out/map.svg'), 'utf8');
    new SaxesParser().write(svg).close();
    assert.match(svg, /Win Customer/);
    assert.doesNotMatch(svg, /var\(--/);
    assert.equal((await run('map', 'graph.entity.yaml', '--output', 'x.svg', '--paths', '2')).code, 2);
    const picture = await run('map', 'graph.entity.yaml', '--output', 'x.png');
    assert.equal(picture.code, 2);
    assert.match(picture.stderr, /--output takes an SVG file, not "x\.png"\./);
    assert.equal((await run('map', 'graph.entity.yaml', '--output', 'x.svg', '--entity-type', 'none')).code, 1);
  });

  it('draws the default entity type of the panel, and all types on request', async () => {
    assert.equal((await run('import', 'graph.entity.yaml')).code, 0);
    const draw = async (...options: readonly string[]) => {
      const drawn = await run('map', 'graph.entity.yaml', '--output', 'map.svg', '--format', 'json', ...options);
      return drawn.code === 0
        ? { ...JSON.parse(drawn.stdout), files: undefined, svg: await readFile(join(folder, 'map.svg'), 'utf8') }
        : { code: drawn.code, said: drawn.stderr };
    };
    await draw('--entity-type', 'customers');
    const first = await draw();
    assert.equal(first.entityType, 'orders', 'nothing is remembered');
    assert.match(first.svg, /Entities of type orders\. Activities: distinct events\. Paths:/);
    const all = await draw('--all-types', '--measure', 'pairs');
    assert.equal(all.measure, 'pairs');
    assert.match(all.svg, /aria-label="Place &lt;Order&gt;: 8"/);
    assert.equal((await draw('--all-types')).measure, 'events');
    const unchanged = await draw('--entity-type', 'customers', '--with', 'Win Customer', '--without', 'nothing');
    assert.equal(unchanged.code, 1);
    assert.match(unchanged.said, /The graph has no activity "nothing"\./);
    const misspelt = await draw('--with', 'Win Custommer');
    assert.match(misspelt.said, /no activity "Win Custommer"\.[\s\S]+Did you mean "Win Customer"\?/);
    const both = await draw('--with', 'Win Customer', '--with', 'Place <Order>');
    assert.match(both.svg, /Filter: with Win Customer · with Place &lt;Order&gt;\. Activities:/);
    assert.deepEqual(both.activities, first.activities);
    const none = await draw('--without', 'Win Customer');
    assert.deepEqual([none.code, /nothing to draw/.test(none.said)], [1, true]);
    for (const [options, said] of [
      [['--with', 'a', '--with', 'b', '--without', 'b'], /Choose one of --with and --without for "b"\./],
      [['--measure', 'pairs'], /--measure goes with --all-types/],
      [['--all-types', '--entity-type', 'orders'], /Choose one of --entity-type and --all-types\./],
      [['--all-types', '--measure', 'times'], /--measure takes events, objects or pairs, not "times"\./],
    ] as const) {
      const refused = await draw(...options);
      assert.equal(refused.code, 2);
      assert.match(refused.said, said);
    }
  });
});
