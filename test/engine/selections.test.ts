import assert from 'node:assert/strict';
import type { GraphFilter } from '../../protocol/event-graph.ts';
import { countSubjects } from '../../server/src/analysis/answer-measures.ts';
import { readFilter } from '../../server/src/analysis/read-filter.ts';
import { createSelections } from '../../server/src/analysis/selections.ts';
import type { StoreReader } from '../../server/src/store/duckdb-store.ts';
import { importedForSuite } from '../support/import-text.ts';

const hour = (index: number): string => new Date(Date.UTC(2026, 0, 1, index)).toISOString();
/** Twenty orders with an event every twenty hours. */
const rows = Array.from({ length: 60 }, (_, index) => `${index % 20},C${index % 4},Step ${index % 7},${hour(index)}`);
const files = {
  'entity-sources.yaml': 'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n',
  'orders.csv': ['id,country,step,at', ...rows].join('\n'),
  'graph.entity.yaml': `version: 1
name: Orders
dataSource: files
dataObjects: [orders]
elements:
  - { activityName: Order, dataObject: orders, key: id, entityType: order, startTimestamp: at, activityColumn: step, properties: [country] }
`,
};

describe('entities that several questions are about', () => {
  const project = importedForSuite(files);
  const withOrders = (use: (store: StoreReader, statements: readonly string[]) => Promise<void>): Promise<void> =>
    project().read((store) => {
      const statements: string[] = [];
      const run: StoreReader['run'] = (sql, options) => {
        statements.push(sql);
        return store.run(sql, options);
      };
      return use({ ...store, run }, statements);
    });

  it('are those of the filter, found once for each filter', async () => {
    await withOrders(async (store, statements) => {
      const selections = createSelections(store);
      for (const filter of filters) {
        const plain = await countSubjects(store, { ...(await readFilter(store, filter, {})), entityType: 'order' }, {});
        const before = statements.length;
        for (let time = 0; time < 3; time += 1) {
          const chosen = await selections.select(filter, {});
          assert.equal(
            await countSubjects(store, { ...chosen, entityType: 'order' }, {}),
            plain,
            JSON.stringify(filter),
          );
        }
        const created = statements.slice(before).filter((sql) => /^CREATE/u.test(sql));
        assert.equal(created.length, 1, JSON.stringify(filter));
      }
      const { chosen } = await selections.select({ entityType: 'order' }, {});
      assert.equal(chosen, undefined, 'without conditions');
    });
  });

  it('are found again when the question that began is cancelled, and after a mistake', async () => {
    await withOrders(async (store) => {
      const selections = createSelections(store);
      const filter = { entityType: 'order', values: [{ property: 'country', values: ['C1'] }] };
      const [first, second] = [new AbortController(), new AbortController()];
      const cancelled = selections.select(filter, { signal: first.signal });
      const other = selections.selectOfType(filter, { signal: second.signal });
      first.abort();
      await assert.rejects(cancelled);
      assert.equal(await countSubjects(store, await other, {}), 5);
      const wrong = { entityType: 'order', where: ['CAST(country AS INTEGER) > 1'] };
      await assert.rejects(selections.select(wrong, {}), /Could not convert/u);
      await assert.rejects(selections.select(wrong, {}), /Could not convert/u);
    });
  });

  it('keep the last filters and leave the others', async () => {
    await withOrders(async (store) => {
      const selections = createSelections(store);
      for (let index = 20; index < 60; index += 1) {
        const from = hour(index);
        const chosen = await selections.selectOfType({ entityType: 'order', from }, {});
        assert.equal(await countSubjects(store, chosen, {}), Math.min(20, 60 - index), from);
      }
      const [kept] = await store.query("SELECT count(*) AS n FROM duckdb_tables() WHERE table_name LIKE 'selection_%'");
      assert.equal(Number(kept?.['n']), 16);
    });
  });
});

const filters: readonly GraphFilter[] = [
  { entityType: 'order', values: [{ property: 'country', values: ['C1', 'C2'] }] },
  { entityType: 'order', activities: [{ activity: 'Step 3', occurs: false }] },
  { entityType: 'order', throughput: { slower: 40 * 3_600_000 - 1 }, where: ["country <> 'C0'"] },
  { entityType: 'order', paths: [{ source: 'Step 0', target: 'Step 6', follows: 'directly' }] },
];
