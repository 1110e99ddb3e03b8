import assert from 'node:assert/strict';
import type { ActivityCondition, MapMeasure } from '../../protocol/event-graph.ts';
import { checkFile } from '../../server/src/check/check-file.ts';
import type { MapView } from '../../server/src/event-graph/map-query.ts';
import type { ProcessMap } from '../../server/src/event-graph/process-map.ts';
import { readProcessMap } from '../../server/src/event-graph/read-process-map.ts';
import { createBuildDatabase, openScratch, openStore, type StoreReader } from '../../server/src/store/duckdb-store.ts';
import { csvSources, graphText, withProject } from '../support/import-text.ts';

const minute = 60_000;
const at = (minutes: number): string => new Date(Date.UTC(2024, 0, 1) + minutes * minute).toISOString().slice(0, 19);
const rows = (count: number, row: (index: number) => string): string =>
  `${Array.from({ length: count }, (_, index) => row(index)).join('\n')}\n`;

const data = {
  'entity-sources.yaml': csvSources(),
  'customers.csv': `id,since\n${rows(7, (i) => `C${i},${at(i * 100)}`)}`,
  'none.csv': 'id,since\n',
  'log.csv': `id,items,at\n${rows(6, (i) => `${i},${i < 3 ? 'a;b' : ''},${at(i)}`)}`,
  'orders.csv': `id,customer,payer,placed,changed,step\n${rows(
    2000,
    (i) =>
      `O${(i * 31) % 83},C${(i * 5) % 9},C${(i * i) % 8},${at((i * 7919) % 40_000)}.${String((i * 977) % 1_000_000).padStart(6, '0')},${i % 3 ? at(((i * 7919) % 40_000) + (i % 500)) : ''},${['', 'pack', 'send "it"'][i % 3]}`,
  )}`,
};
const customers = '  - { activityName: Win Customer, dataObject: customers, key: id, startTimestamp: since }\n';
const orders = (rest: string): string =>
  `  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: placed${rest} }\n`;
const relation = (name: string, column: string): string =>
  `  - { name: ${name}, source: Place Order, target: Win Customer, mappings: [{ source: ${column}, target: id }] }\n`;

const graphs: readonly (readonly [string, string])[] = [
  ['one element', graphText(orders(''))],
  ['start and change', graphText(orders(', changeTimestamp: changed'))],
  ['activities of a column', graphText(orders(', changeTimestamp: changed, activityColumn: step'))],
  ['a relationship', graphText(customers + orders(', activityColumn: step'), relation('of', 'customer'))],
  [
    'two relationships that relate the same entities',
    graphText(
      orders(', changeTimestamp: changed') + customers,
      relation('of', 'customer') + relation('paid by', 'payer'),
    ),
  ],
  [
    'as many events without entities as events with a second one',
    graphText(
      '  - { activityName: Log, dataObject: log, key: id, ownEntity: false, startTimestamp: at, correlatesWith: [{ entityType: item, key: items, separator: ";" }] }\n',
    ),
  ],
  [
    'types of which rows name one entity, another one beside their own, or several',
    graphText(
      customers +
        orders(
          ', changeTimestamp: changed, activityColumn: step, correlatesWith: [{ entityType: payer, key: payer }, { entityType: orders, key: customer }, { entityType: nothing, key: payer }, { entityType: nothing, key: customer, qualifier: too }]',
        ),
    ),
  ],
  [
    'types in the order of their bytes, and an element without rows',
    graphText(
      orders(', entityType: 🦆, changeTimestamp: changed, activityColumn: step') +
        '  - { activityName: Win Customer, dataObject: customers, key: id, entityType: é, startTimestamp: since }\n' +
        '  - { activityName: Lose Customer, dataObject: none, key: id, entityType: Z, startTimestamp: since }\n' +
        '  - { activityName: pack, dataObject: customers, key: id, entityType: \uffff, startTimestamp: since }\n',
      relation('of', 'customer'),
    ),
  ],
];
const measures: readonly MapMeasure[] = ['events', 'objects', 'pairs'];
/** Of all entities, and of those of each type, with one that no entity has. */
const viewsOf = (trails: readonly Trail[]): readonly MapView[] =>
  [undefined, 'none', ...new Set(trails.map(({ entityType }) => entityType))].flatMap((entityType) =>
    [false, true].flatMap((lifecycle) =>
      (entityType === undefined ? measures : (['events'] as const)).map((measure) => ({
        filter: entityType === undefined ? {} : { entityType },
        lifecycle,
        measure,
      })),
    ),
  );
const stored = { usesStored: true, exactSteps: 0 };
const counted = { usesStored: false, exactSteps: 10_000_000 };
const estimated = { usesStored: false, exactSteps: 0 };

describe('process maps', () => {
  for (const [what, graph] of graphs) {
    it(`equal a plain count of the graph, stored by the import or counted now: ${what}`, () =>
      withStore(graph, async (store) => {
        const steps = await readSteps(store);
        for (const view of viewsOf(steps)) {
          const expected = plainMap(steps, view);
          assert.deepEqual(shown(await readProcessMap(store, view, {}, stored)), expected, JSON.stringify(view));
          assert.deepEqual(shown(await readProcessMap(store, view, {}, counted)), expected, JSON.stringify(view));
          const about = await readProcessMap(store, view, {}, estimated);
          assert.deepEqual(
            shown(about).paths.map(([path, count]) => [path, count]),
            expected.paths.map(([path, count]) => [path, count]),
          );
          const exact = new Map(expected.paths.map(([path, , ...quantiles]) => [path, quantiles]));
          assert.equal(about.quantileError, about.edges.length > 0 ? 0.02 : 0);
          for (const edge of about.edges) {
            const [median = NaN, p90 = NaN] = exact.get(pathName(edge)) ?? [];
            assertWithin(edge.median, median, about.quantileError);
            assertWithin(edge.p90, p90, about.quantileError);
          }
        }
      }));
  }

  const placesOf = (activity: string) => [{ activity }, { activity, lifecycle: true }];
  const places = [
    ...['Place Order', 'send "it"'].flatMap(placesOf),
    ...[{ activity: 'Win Customer' }, { activity: 'nothing' }],
    { activity: 'Place Order · change', lifecycle: true },
  ];
  const conditions: readonly (readonly ActivityCondition[])[] = [
    ...places.flatMap((place) => [[{ ...place, occurs: true }], [{ ...place, occurs: false }]]),
    [
      { activity: 'pack', occurs: true },
      { activity: 'Place Order', occurs: true },
      { activity: 'send "it"', occurs: false },
    ],
  ];
  // Activities of a column with start and change, and entities that several rows name.
  for (const [what, graph] of [graphs[2], graphs[6]].flatMap((each) => (each ? [each] : []))) {
    it(`of entities with and without activities equal a plain count: ${what}`, () =>
      withStore(graph, async (store) => {
        const steps = await readSteps(store);
        const total = plainMap(steps, { filter: {}, lifecycle: false, measure: 'events' }).totals[0];
        const counts = new Set<number>();
        for (const activities of conditions) {
          const asked: readonly MapView[] = [
            ...measures.map((measure) => ({ filter: { activities }, lifecycle: measure === 'pairs', measure })),
            { filter: { activities, entityType: 'orders' }, lifecycle: false, measure: 'events' },
          ];
          for (const view of asked) {
            const expected = plainMap(steps, view);
            counts.add(expected.totals[0]);
            assert.deepEqual(shown(await readProcessMap(store, view, {})), expected, JSON.stringify(view));
          }
        }
        assert.ok(counts.has(total) && counts.has(0), 'an activity that nobody has leaves out nobody, or all');
      }));
  }

  it('estimate quantiles of many durations within two percent, and within a millisecond of shorter ones', async () => {
    const store = await openScratch();
    try {
      // Durations of each path: spread over eleven decades, at both ends of classes, of two sizes far apart, and below a millisecond.
      const durations = [
        ['spread', 'exp(25 * (i * 7919 % 100000) / 100000.0)'],
        [
          'ends',
          'CASE WHEN (i // 400) % 5 < 3 THEN pow(1.02, i % 400) + 0.001 ELSE pow(1.02, 1 + i % 400) - 0.001 END',
        ],
        ['apart', 'CASE WHEN i % 2 = 0 THEN 1001.7 ELSE 3600000.4 END'],
        ['short', '(i * 31 % 1000) / 1000.0'],
      ] as const;
      const steps = durations.map(
        ([name, milliseconds]) =>
          `SELECT '${name}' AS name, i, CAST(1000 * (${milliseconds}) AS BIGINT) AS us FROM range(100000) AS r(i)`,
      );
      await store.run(`CREATE TABLE step AS SELECT *, row_number() OVER () AS n FROM (${steps.join(' UNION ALL ')})`);
      await store.run(
        "CREATE TABLE entity AS SELECT n AS id, 'case' AS entity_type, CAST(n AS VARCHAR) AS key FROM step",
      );
      await store.run(`CREATE TABLE event AS SELECT 2 * n - 1 AS id, name AS element, 'from ' || name AS activity, 'start' AS lifecycle, TIMESTAMP '2024-01-01' AS time, n AS entity_id FROM step
        UNION ALL SELECT 2 * n, name, 'to ' || name, 'start', TIMESTAMP '2024-01-01' + to_microseconds(us), n FROM step`);
      await store.run("CREATE TABLE event_entity AS SELECT id AS event_id, entity_id, 'self' AS qualifier FROM event");
      await store.run(
        'CREATE TABLE directly_follows AS SELECT n AS entity_id, 2 * n - 1 AS source_event_id, 2 * n AS target_event_id FROM step',
      );
      await store.run(
        "CREATE TABLE run AS SELECT '{}' AS config, CAST('{\"entityTypes\":[]}' AS JSON) AS counts, CAST('[]' AS JSON) AS warnings, CAST(NULL AS JSON) AS slice, CAST(NULL AS TIMESTAMP) AS started",
      );
      const view: MapView = { filter: { entityType: 'case' }, lifecycle: false, measure: 'events' };
      const exact = (await readProcessMap(store, view, {}, counted)).edges;
      const about = (await readProcessMap(store, view, {}, estimated)).edges;
      assert.equal(exact.length, 4);
      const errors = exact.flatMap((edge) => {
        const other = about.find(({ source }) => source === edge.source);
        return [
          [edge.median, other?.median],
          [edge.p90, other?.p90],
        ].map(([value = NaN, estimate = NaN]) => {
          const error = Math.abs(estimate - value);
          assert.ok(error <= (value < 1 ? 1 : 0.02 * value), `${edge.source}: ${estimate} instead of ${value}`);
          return error / value;
        });
      });
      assert.ok(
        errors.filter((error) => error > 0.001).length >= 4,
        `estimates differ from exact values: ${errors.join(', ')}`,
      );
    } finally {
      await store.close();
    }
  });

  it('are counted from the events for filters that the stored map does not support', () =>
    withStore(graphText(orders('')), async (store) => {
      const view: MapView = { filter: { from: '2024-01-20T00:00:00Z' }, lifecycle: false, measure: 'events' };
      const all = await readProcessMap(store, { ...view, filter: {} }, {}, stored);
      const some = await readProcessMap(store, view, {}, { ...counted, usesStored: true });
      assert.ok(some.entities > 0 && some.entities <= all.entities);
      assert.deepEqual(some, await readProcessMap(store, view, {}, counted));
    }));

  it('are covered by the check command', () =>
    withProject({ ...data, 'graph.entity.yaml': graphText(orders('')) }, async (project) => {
      const { store } = await project.import();
      assert.ok(store);
      assert.deepEqual(await failures(store), []);
      const database = await createBuildDatabase({ path: store, temporaryFolder: project.folder });
      await database.run(`UPDATE process_map SET steps = steps + 1 WHERE source_activity IS NOT NULL`);
      await database.close();
      assert.deepEqual(await failures(store), [
        'The process map counts the first event of each entity and every pair of neighbours once',
      ]);
      const wrong = await createBuildDatabase({ path: store, temporaryFolder: project.folder });
      await wrong.run(`UPDATE process_map SET steps = steps - 1 WHERE source_activity IS NOT NULL`);
      await wrong.run(`UPDATE process_map_activity SET events = events + 1`);
      await wrong.run(`UPDATE process_map_path SET median = median + 0.001`);
      await wrong.close();
      assert.deepEqual(await failures(store), [
        'The process map counts the distinct events of each activity by type of entity',
        'Quantiles of the process map are those of the times between the events',
      ]);
      const older = await createBuildDatabase({ path: store, temporaryFolder: project.folder });
      for (const table of ['process_map', 'process_map_activity', 'process_map_path']) {
        await older.run(`DROP TABLE ${table}`);
      }
      await older.close();
      assert.deepEqual(await failures(store), [], 'a graph may have none');
      const reader = await openStore(store);
      try {
        const view: MapView = { filter: {}, lifecycle: false, measure: 'events' };
        assert.ok((await readProcessMap(reader, view, {})).entities > 0);
      } finally {
        await reader.close();
      }
    }));
});

async function withStore(graph: string, use: (store: StoreReader) => Promise<void>): Promise<void> {
  await withProject({ ...data, 'graph.entity.yaml': graph }, async (project) => {
    const { store: path, error } = await project.import();
    assert.ok(path, error?.message);
    const store = await openStore(path);
    try {
      await use(store);
    } finally {
      await store.close();
    }
  });
}

interface PlainEvent {
  readonly id: number;
  readonly place: readonly [activity: string, lifecycle: string];
  /** Microseconds. */
  readonly time: number;
}

interface Trail {
  readonly entity: number;
  readonly entityType: string;
  readonly events: readonly PlainEvent[];
}

/** The distinct events of each entity in their order. */
async function readSteps(store: StoreReader): Promise<readonly Trail[]> {
  const found = await store.query(
    `SELECT DISTINCT entity.id AS entity, entity_type, event.id AS event, activity, lifecycle, epoch_us(time) AS time
     FROM event_entity JOIN entity ON entity.id = event_entity.entity_id JOIN event ON event.id = event_id ORDER BY entity.id, event.id`,
  );
  const trails = new Map<number, { entity: number; entityType: string; events: PlainEvent[] }>();
  for (const row of found) {
    const entity = Number(row['entity']);
    const trail = trails.get(entity) ?? { entity, entityType: String(row['entity_type']), events: [] };
    const place = [String(row['activity']), String(row['lifecycle'])] as const;
    trail.events.push({ id: Number(row['event']), place, time: Number(row['time']) });
    trails.set(entity, trail);
  }
  return [...trails.values()];
}

interface ShownMap {
  readonly nodes: readonly (readonly [activity: string, count: number, events: number, starts: number, ends: number])[];
  readonly paths: readonly (readonly [path: string, count: number, median: number, p90: number, total: number])[];
  readonly totals: readonly [entities: number, events: number];
}

function shown({ nodes, edges, entities, events }: ProcessMap): ShownMap {
  return {
    nodes: nodes
      .map((node) => [node.activity, node.count, node.events, node.starts, node.ends] as const)
      .toSorted(byName),
    paths: edges
      .map((edge) => [pathName(edge), edge.count, rounded(edge.median), rounded(edge.p90), edge.total] as const)
      .toSorted(byName),
    totals: [entities, events],
  };
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 1e6) / 1e6;
const byName = ([one]: readonly [string, ...unknown[]], [other]: readonly [string, ...unknown[]]): number =>
  one < other ? -1 : Number(one > other);
const pathName = ({
  source,
  target,
  entityType = '',
}: {
  source: string;
  target: string;
  entityType?: string | undefined;
}): string => JSON.stringify([source, target, entityType]);

/** The same by counting step by step. */
function plainMap(trails: readonly Trail[], { filter, lifecycle, measure }: MapView): ShownMap {
  const isOfAll = filter.entityType === undefined;
  const nameOf = ({ place: [activity, cycle] }: PlainEvent, isApart: boolean): string =>
    isApart && cycle === 'change' ? `${activity} · change` : activity;
  const placeOf = (event: PlainEvent): string => nameOf(event, lifecycle);
  const of = trails.filter(
    ({ entityType, events }) =>
      (isOfAll || entityType === filter.entityType) &&
      (filter.activities ?? []).every(
        ({ activity, occurs, lifecycle: isApart = false }) =>
          events.some((event) => nameOf(event, isApart) === activity) === occurs,
      ),
  );
  const nodes = new Map<
    string,
    { events: Set<number>; objects: Set<number>; pairs: number; starts: number; ends: number }
  >();
  const paths = new Map<string, { events: Set<string>; objects: Set<number>; times: number[] }>();
  for (const { entity, entityType, events } of of) {
    for (const [index, event] of events.entries()) {
      const place = placeOf(event);
      const node = nodes.get(place) ?? { events: new Set(), objects: new Set(), pairs: 0, starts: 0, ends: 0 };
      nodes.set(place, node);
      node.events.add(event.id);
      node.objects.add(entity);
      node.pairs += 1;
      node.starts += Number(index === 0);
      node.ends += Number(index === events.length - 1);
      const before = events[index - 1];
      if (!before) continue;
      const name = pathName({ source: placeOf(before), target: place, entityType: isOfAll ? entityType : undefined });
      const path = paths.get(name) ?? { events: new Set(), objects: new Set(), times: [] };
      paths.set(name, path);
      path.events.add(`${before.id} ${event.id}`);
      path.objects.add(entity);
      path.times.push((event.time - before.time) / 1000);
    }
  }
  const countNode = (node: { events: Set<number>; objects: Set<number>; pairs: number }): number =>
    !isOfAll || measure === 'events' ? node.events.size : measure === 'objects' ? node.objects.size : node.pairs;
  return {
    nodes: [...nodes]
      .map(([name, node]) => [name, countNode(node), node.events.size, node.starts, node.ends] as const)
      .toSorted(byName),
    paths: [...paths]
      .map(([name, { events, objects, times }]) => {
        const count =
          !isOfAll || measure === 'pairs' ? times.length : measure === 'events' ? events.size : objects.size;
        const total = Math.round(times.reduce((sum, time) => sum + Math.round(1000 * time), 0) / 1000);
        return [name, count, rounded(quantile(times, 0.5)), rounded(quantile(times, 0.9)), total] as const;
      })
      .toSorted(byName),
    totals: [of.length, [...nodes.values()].reduce((sum, { events }) => sum + events.size, 0)],
  };
}

/** By linear interpolation, as in pandas. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = share * (sorted.length - 1);
  const [low = NaN, high = NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}

function assertWithin(found: number, exact: number, share: number): void {
  // Below a millisecond there is one class.
  assert.ok(Math.abs(found - exact) <= Math.max(1, exact * share), `${found} is not near ${exact}`);
}

async function failures(store: string): Promise<readonly string[]> {
  const { results } = await checkFile(store, new AbortController().signal);
  return results.filter(({ ok }) => !ok).map(({ name }) => name);
}
