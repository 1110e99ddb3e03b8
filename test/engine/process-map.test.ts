import assert from 'node:assert/strict';
import type { GraphFilter } from '../../protocol/event-graph.ts';
import { checkFile } from '../../server/src/check/check-file.ts';
import { readProcessMap } from '../../server/src/event-graph/read-process-map.ts';
import { createBuildDatabase, openStore, type StoreReader } from '../../server/src/store/duckdb-store.ts';
import { csvSources, graphText, withProject } from '../support/import-text.ts';

const minute = 60_000;
const at = (minutes: number): string => new Date(Date.UTC(2024, 0, 1) + minutes * minute).toISOString().slice(0, 19);
const rows = (count: number, row: (index: number) => string): string =>
  `${Array.from({ length: count }, (_, index) => row(index)).join('\n')}\n`;

const data = {
  'entity-sources.yaml': csvSources(),
  'customers.csv': `id,since\n${rows(7, (i) => `C${i},${at(i * 100)}`)}`,
  'none.csv': 'id,since\n',
  'orders.csv': `id,customer,payer,placed,changed,step\n${rows(
    2000,
    (i) =>
      `O${(i * 31) % 83},C${(i * 5) % 9},C${(i * i) % 8},${at((i * 7919) % 40_000)},${i % 3 ? at(((i * 7919) % 40_000) + (i % 500)) : ''},${['', 'pack', 'send "it"'][i % 3]}`,
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
const views: readonly (readonly [GraphFilter, boolean])[] = [
  [{}, false],
  [{}, true],
  [{ entityType: 'orders' }, true],
  [{ entityType: 'customers' }, false],
  [{ entityType: 'nothing' }, false],
  [{ entityType: '🦆' }, true],
  [{ entityType: 'é' }, false],
  [{ entityType: '\uffff' }, true],
];

describe('process map counted by an import', () => {
  for (const [what, graph] of graphs) {
    it(`equals a count over the graph: ${what}`, () =>
      withStore(graph, async (store) => {
        for (const [filter, lifecycle] of views) {
          const stored = await readProcessMap(store, filter, lifecycle, {}, 0);
          const counted = await readProcessMap(store, filter, lifecycle, {}, Infinity);
          const counts = ({ nodes, edges, entities }: typeof stored) => ({
            nodes,
            entities,
            edges: edges.map(({ source, target, count }) => [source, target, count]),
          });
          assert.deepEqual(counts(stored), counts(counted), JSON.stringify([filter, lifecycle]));
          const exact = await exactQuantiles(store, filter, lifecycle);
          for (const { source, target, median, p90 } of stored.edges) {
            const [wantedMedian, wantedP90] = exact.get(`${source} → ${target}`) ?? [];
            assertNear(median, wantedMedian);
            assertNear(p90, wantedP90);
          }
        }
      }));
  }

  it('is not used for filters that it does not support', () =>
    withStore(graphText(orders('')), async (store) => {
      const filter = { from: '2024-01-20T00:00:00Z' };
      const [all, some] = [
        await readProcessMap(store, {}, false, {}, 0),
        await readProcessMap(store, filter, false, {}, 0),
      ];
      assert.ok(some.entities > 0 && some.entities <= all.entities);
      assert.deepEqual(some, await readProcessMap(store, filter, false, {}, Infinity));
    }));

  it('is covered by the check command', () =>
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
      const older = await createBuildDatabase({ path: store, temporaryFolder: project.folder });
      await older.run('DROP TABLE process_map');
      await older.close();
      assert.deepEqual(await failures(store), [], 'graphs of earlier versions have none');
      const reader = await openStore(store);
      try {
        assert.ok((await readProcessMap(reader, {}, false, {}, 0)).entities > 0);
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

/** Median and 90th percentile of each edge, of the times themselves. */
async function exactQuantiles(
  store: StoreReader,
  { entityType }: GraphFilter,
  lifecycle: boolean,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const place = (event: string): string =>
    lifecycle ? `${event}.activity || if(${event}.lifecycle = 'change', ' · change', '')` : `${event}.activity`;
  const found = await store.query(
    `SELECT ${place('s')} || ' → ' || ${place('t')} AS edge, quantile_disc(epoch_ms(t.time) - epoch_ms(s.time), 0.5) AS median,
       quantile_disc(epoch_ms(t.time) - epoch_ms(s.time), 0.9) AS p90
     FROM directly_follows JOIN event AS s ON s.id = source_event_id JOIN event AS t ON t.id = target_event_id JOIN entity ON entity.id = directly_follows.entity_id
     ${entityType === undefined ? '' : `WHERE entity_type = '${entityType}'`} GROUP BY 1`,
  );
  return new Map(found.map(({ edge, median, p90 }) => [String(edge), [Number(median), Number(p90)]]));
}

function assertNear(found: number, wanted: number | undefined): void {
  assert.ok(wanted !== undefined && Math.abs(found - wanted) <= wanted * 0.0201, `${found} is not near ${wanted}`);
}

async function failures(store: string): Promise<readonly string[]> {
  const { results } = await checkFile(store, new AbortController().signal);
  return results.filter(({ ok }) => !ok).map(({ name }) => name);
}
