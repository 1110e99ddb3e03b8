import assert from 'node:assert/strict';
import type { GraphDiff } from '../../protocol/graph-diff.ts';
import { csvSources, graphText, withProject } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';

const graph = graphText(
  `  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at, activityColumn: what, properties: [amount, note] }
  - { activityName: Win, dataObject: customers, key: id, entityType: customer, startTimestamp: since }
`,
  `  - { name: places, source: Win, target: Place, mappings: [{ source: id, target: customer }] }\n`,
);
const project = {
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graph,
  'orders.csv': 'id,customer,at,what,amount,note\n1,7,2024-01-02,Place,5,a\n2,7,2024-01-03,Ship,6,b\n',
  'customers.csv': 'id,since\n7,2024-01-01\n',
};
const entries = `entities:
  - { name: Towns, entityType: customer, dataObject: towns, key: id, validFrom: since, properties: [town] }
`;
const towns = (more: string) => ({ 'towns.csv': `id,since,town\n7,2024-01-01,Rome\n${more}` });

describe('diff command', () => {
  it('lists added and removed rows, activities, entities, relations and properties', async () => {
    await withProject(project, async ({ folder, import: run, write }) => {
      const diff = async (): Promise<{ code: number | null; value: GraphDiff & { error?: { code: string } } }> => {
        const done = await runCommand(['diff', 'graph.entity.yaml', '--workspace', folder, '--format', 'json'], folder);
        return { code: done.code, value: JSON.parse(done.stdout) as GraphDiff };
      };
      const first = await run();
      const alone = await diff();
      assert.deepEqual([alone.code, alone.value.error?.code], [1, 'no-earlier-run']);
      const second = await run();
      const same = await diff();
      assert.equal(same.code, 0);
      const { before, after, tables, changes, ...rest } = same.value;
      assert.deepEqual([before.store, after.store], [first.store, second.store]);
      assert.deepEqual(rest, { activities: [], entities: [], relations: [], schema: [], changed: false });
      assert.ok(tables.every((table) => table.before === table.after));
      assert.equal(changes.changed, false);
      const words = await runCommand(['diff', 'graph.entity.yaml', '--workspace', folder], folder);
      assert.match(words.stdout, /\nNothing has changed: .*\.\n$/);

      await write({
        'orders.csv':
          'id,customer,at,what,amount,note\n2,7,2024-01-03,Ship,6.5,b\n3,8,2024-01-04,Ship,7,c\n4,8,2024-01-05,Pay,,d\n',
        'customers.csv': 'id,since\n7,2024-01-01\n8,2024-01-01\n',
        'graph.entity.yaml': graph.replace('[amount, note]', '[amount, customer]'),
      });
      const third = await run();
      assert.equal(third.status, 'imported', third.error?.message);
      const changed = (await diff()).value;
      assert.deepEqual([changed.before.store, changed.after.store, changed.changed], [second.store, third.store, true]);
      assert.notEqual(changed.before.configHash, changed.after.configHash);
      assert.deepEqual(changed.tables, [
        { name: 'event', before: 3, after: 5 },
        { name: 'entity', before: 3, after: 5 },
        { name: 'event_entity', before: 7, after: 11 },
        { name: 'relation', before: 2, after: 3 },
        { name: 'directly_follows', before: 4, after: 6 },
      ]);
      assert.deepEqual(changed.activities, [
        { name: 'Pay', before: 0, after: 1 },
        { name: 'Place', before: 1, after: 0 },
        { name: 'Ship', before: 1, after: 2 },
        { name: 'Win', before: 1, after: 2 },
      ]);
      assert.deepEqual(changed.relations, [{ name: 'places', before: 2, after: 3 }]);
      assert.deepEqual(changed.entities, [
        { entityType: 'customer', before: 1, after: 2, added: 1, removed: 0, addedKeys: ['8'], removedKeys: [] },
        { entityType: 'order', before: 2, after: 3, added: 2, removed: 1, addedKeys: ['3', '4'], removedKeys: ['1'] },
      ]);
      assert.deepEqual(changed.schema, [
        { element: 'Place', property: 'amount', before: 'BIGINT', after: 'DOUBLE' },
        { element: 'Place', property: 'note', before: 'VARCHAR' },
        { element: 'Place', property: 'customer', after: 'BIGINT' },
      ]);
      const text = await runCommand(['diff', 'graph.entity.yaml', '--workspace', folder], folder);
      assert.match(text.stdout, /order: 2 new, 1 gone\n {2}\+ 3, 4\n {2}- 1\n/);
      assert.match(text.stdout, /Place, note: VARCHAR → gone/);
    });
  });

  it('lists entries of entities, and their values over time', () =>
    withProject({ ...project, 'graph.entity.yaml': `${graph}${entries}`, ...towns('') }, async (imported) => {
      await imported.import();
      // A version more is a change, although events and entities are the same.
      await imported.write(towns('7,2024-02-01,Ulm\n'));
      await imported.import();
      const tables = async (): Promise<readonly unknown[]> => {
        const { stdout } = await runCommand(
          ['diff', 'graph.entity.yaml', '--workspace', imported.folder, '--format', 'json'],
          imported.folder,
        );
        const { tables: counts, changed } = JSON.parse(stdout) as GraphDiff;
        return [changed, ...counts.slice(5).map(({ name, before, after }) => [name, before, after])];
      };
      assert.deepEqual(await tables(), [true, ['entity_properties_1', 1, 1], ['entity_values_1', 1, 2]]);
      await imported.write({ 'graph.entity.yaml': graph });
      await imported.import();
      assert.deepEqual(await tables(), [true, ['entity_properties_1', 1, 0], ['entity_values_1', 2, 0]]);
    }));
});
