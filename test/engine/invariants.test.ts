import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkFile } from '../../server/src/check/check-file.ts';
import { graphTables } from '../../server/src/graph-schema/graph-schema.ts';
import { importCounts } from '../../server/src/graph-schema/import-counts.ts';
import { invariantsOf } from '../../server/src/graph-schema/invariants.ts';
import { namedTables } from '../../server/src/graph-schema/table-names.ts';
import { createBuildDatabase } from '../../server/src/store/duckdb-store.ts';
import { makeAllTables } from '../support/tables-of-store.ts';
import { type ImportedProject, csvSources, graphText, withProject } from '../support/import-text.ts';
import { withAllProcessors } from '../support/with-all-processors.ts';

/** A statement that damages a store, and the counts of an import afterwards. */
const damages: readonly (readonly [sql: string, counts: string])[] = [
  ["INSERT INTO entity VALUES (3, 'customers', 'C')", 'entities that are there twice or out of order'],
  ['UPDATE entity SET id = 1', 'entities that share an id, or whose ids go back'],
  ['UPDATE entity SET id = 9 WHERE id = 2', 'gaps in the ids of entities'],
  ['UPDATE event SET id = 9 WHERE id = 1', 'gaps in the ids of events'],
  ['UPDATE event SET entity_id = 9 WHERE id = 1', 'events of an entity that does not exist'],
  ["UPDATE event SET time = TIMESTAMP '2030-01-01' WHERE id = 1", 'events out of order'],
  ["INSERT INTO event_entity VALUES (9, 1, 'of')", 'correlations without event'],
  ["INSERT INTO event_entity VALUES (1, 9, 'of')", 'correlations without entity'],
  ['UPDATE relation SET source_entity_id = 9', 'relations without their source'],
  ['UPDATE relation SET target_entity_id = 9', 'relations without their target'],
  ['UPDATE directly_follows SET target_event_id = 1', 'directly-follows edges that do not lead forward'],
];

const files = {
  'entity-sources.yaml': csvSources(),
  'customers.csv': 'id,since\nC,2024-01-01\n',
  'orders.csv': 'id,customer,placed,changed\nO,C,2024-01-02,2024-01-03\n',
  'graph.entity.yaml': graphText(
    '  - { activityName: Win Customer, dataObject: customers, key: id, startTimestamp: since }\n  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: placed, changeTimestamp: changed }\n',
    '  - { name: of, source: Place Order, target: Win Customer, mappings: [{ source: customer, target: id }] }\n',
  ),
};

describe('store invariants', () => {
  withAllProcessors();
  it('cover every table but the run record, which is one row', () => {
    const all = invariantsOf(namedTables([1], [1], [1])).length;
    for (const name of Object.keys(graphTables).filter((each) => each !== 'run')) {
      const without = namedTables([1], [1], [1]).filter(({ schema }) => schema !== name);
      assert.ok(invariantsOf(without).length < all, name);
    }
  });

  it('have an injected violation for everything that an import counts', () => {
    assert.deepEqual(
      damages.map(([, counts]) => counts).toSorted(),
      importCounts({ keepsRows: true, sortsTexts: true })
        .map(({ counts }) => counts)
        .toSorted(),
    );
  });

  it('are the same in the import and the check command', () =>
    withProject(files, async (project) => {
      const { store, error } = await project.import();
      assert.ok(store, error?.message);
      assert.deepEqual(await found(project, store, 'SELECT 1'), { counted: [], failed: [] });
      for (const [sql, counts] of damages) {
        const { counted, failed } = await found(project, store, sql);
        assert.ok(counted.includes(counts), `${sql}: ${counted.join()}`);
        const wanted = invariantsOf(namedTables([])).filter(({ atImport }) =>
          atImport.some((each) => counted.includes(each.counts)),
        );
        for (const { holds } of wanted)
          assert.ok(failed.includes(holds), `${sql}: ${holds} is not in ${failed.join()}`);
      }
    }));
});

/** The counts of an import and the findings of check, in a copy of a store after a statement. */
async function found(
  project: ImportedProject,
  store: string,
  sql: string,
): Promise<{ readonly counted: readonly string[]; readonly failed: readonly string[] }> {
  const copy = join(project.folder, 'damaged.duckdb');
  await copyFile(store, copy);
  const database = await createBuildDatabase({ path: copy, temporaryFolder: project.folder });
  const counted: string[] = [];
  try {
    await makeAllTables(database);
    await database.run(sql);
    for (const count of importCounts({ keepsRows: true, sortsTexts: true })) {
      const [row] = await database.query(`SELECT (${count.sql('main', (number) => number)}) AS n`);
      if (Number(row?.['n']) > 0) counted.push(count.counts);
    }
  } finally {
    await database.close();
  }
  const { results } = await checkFile(copy, new AbortController().signal);
  return { counted, failed: results.filter(({ ok }) => !ok).map(({ name }) => name) };
}
