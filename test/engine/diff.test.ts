import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { GraphDiff } from '../../protocol/graph-diff.ts';
import { englishMapWords } from '../../protocol/map-words.ts';
import { createElkLayout } from '../../server/src/event-graph/elk-layout.ts';
import { drawChangedMap } from '../../server/src/operations/stored-graphs/draw-changed-map.ts';
import { createGraphCache } from '../../server/src/operations/stored-graphs/event-graph.ts';
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

describe('a column that the source has lost', () => {
  const judged = (text: string): string => `${text}rules:
  - { name: Large, each: { activity: Place }, expect: [{ sql: amount > 4 }] }
measures:
  - { name: Amount, each: { activity: Place }, value: amount }
`;
  const lostFiles = (text: string) => ({ ...project, 'graph.entity.yaml': judged(text) });
  const without = 'id,customer,at,what,total,note\n1,7,2024-01-02,Place,5,a\n';

  for (const [what, text, sentence] of [
    ['a property', graph, 'Rule Large and measure Amount depend on it.'],
    [
      'a condition',
      graph.replace(
        'properties: [amount, note]',
        'where: orders.amount > 1, properties: [{ column: id, name: amount }, note]',
      ),
      'Rule Large and measure Amount depend on it.',
    ],
  ] as const) {
    it(`fails the import with the rules and measures that depend on it, as ${what}, and validate with the same`, () =>
      withProject(lostFiles(text), async ({ folder, import: run, write }) => {
        const first = await run();
        assert.equal(first.status, 'imported', first.error?.message);
        await write({ 'orders.csv': without });
        const failed = await run();
        assert.equal(failed.status, 'failed');
        assert.ok(failed.error?.message.endsWith(sentence), failed.error?.message);
        assert.match(failed.error?.message ?? '', /[.?!] Rule Large/);
        const args = ['validate', '--online', 'graph.entity.yaml', '--workspace', folder];
        const validated = await runCommand(args, folder);
        assert.equal(validated.code, 1);
        assert.ok(validated.stdout.includes(sentence), validated.stdout);
      }));
  }

  it('is told by diff with what used it, once the text does without', () =>
    withProject(lostFiles(graph), async ({ folder, import: run, write }) => {
      await run();
      await write({ 'orders.csv': without, 'graph.entity.yaml': graph.replace('[amount, note]', '[note]') });
      assert.equal((await run()).status, 'imported');
      const { stdout } = await runCommand(['diff', 'graph.entity.yaml', '--workspace', folder], folder);
      assert.match(stdout, /\nPlace, amount: BIGINT → gone \(used by rule Large, measure Amount\)\n/);
    }));
});

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
      const { before, after, changes, ...rest } = same.value;
      assert.deepEqual([before.store, after.store], [first.store, second.store]);
      assert.deepEqual(rest, { schema: [], changed: false });
      assert.ok(Object.values(changes.totals).every((total) => total.before === total.after));
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
      const { totals, relations, entities } = changed.changes;
      assert.deepEqual(
        (['events', 'entities', 'correlations', 'relations', 'paths'] as const).map((part) => [
          part,
          totals[part].before,
          totals[part].after,
        ]),
        [['events', 3, 5], ['entities', 3, 5], ['correlations', 7, 11], ['relations', 2, 3], ['paths', 4, 6]], // prettier-ignore
      );
      assert.deepEqual(
        relations.map(({ matches: _, ...counts }) => counts),
        [{ name: 'places', before: 2, after: 3, new: 2, gone: 1 }],
      );
      assert.deepEqual(entities, [
        { name: 'customer', before: 1, after: 2, new: 1, gone: 0 },
        { name: 'order', before: 2, after: 3, new: 2, gone: 1 },
      ]);
      const listed = await runCommand(
        ['diff', 'graph.entity.yaml', '--workspace', folder, '--format', 'json', '--rows'],
        folder,
      );
      const rows = (JSON.parse(listed.stdout) as GraphDiff).rows ?? [];
      assert.deepEqual(
        rows.flatMap(({ part, kind, rows: found }) => (part === 'entities' ? found.map((row) => [kind, ...row]) : [])),
        [['new', 'customer', '8'], ['new', 'order', '3'], ['new', 'order', '4'], ['gone', 'order', '1']], // prettier-ignore
      );
      assert.deepEqual(changed.schema, [
        { element: 'Place', property: 'amount', before: 'BIGINT', after: 'DOUBLE' },
        { element: 'Place', property: 'note', before: 'VARCHAR' },
        { element: 'Place', property: 'customer', after: 'BIGINT' },
      ]);
      const text = await runCommand(['diff', 'graph.entity.yaml', '--workspace', folder], folder);
      assert.match(text.stdout, /\norder +2 +3 +2 +1\n/);
      assert.match(text.stdout, /Place, note: VARCHAR → gone/);
    });
  });

  it('has a map with both numbers of each activity and path, also of types that only one graph has', () =>
    withProject(project, async (imported) => {
      const first = await imported.import();
      await imported.write({
        'orders.csv':
          'id,customer,at,what,amount,note\n1,7,2024-01-02,Place,5,a\n3,7,2024-01-04,Pay,7,c\n4,7,2024-01-05,Pay,8,d\n',
      });
      const second = await imported.import();
      const graphs = createGraphCache();
      const layOut = createElkLayout(createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js'));
      try {
        const labels = async (entityType: string): Promise<readonly string[]> => {
          const stores = { store: second.store ?? '', previous: first.store };
          const asked = { stores, entityType, words: englishMapWords };
          const { svg } = await drawChangedMap(asked, { graphs, layOut }, new AbortController().signal);
          return [...svg.matchAll(/aria-label="([^"]*[|][^"]*)"/g)].map(([, label = '']) => label).toSorted();
        };
        const nodes = (await labels('customer')).filter((label) => !label.includes('→') && !label.includes('Numbers'));
        assert.deepEqual(nodes, ['Pay: 2 | 0', 'Place: 1 | 1', 'Ship: 0 | 1', 'Win: 1 | 1']);
        assert.deepEqual(
          (await labels('customer')).filter((label) => label.includes('→')),
          ['Pay → Pay: 1 | 0', 'Place → Pay: 1 | 0', 'Place → Ship: 0 | 1', 'Win → Place: 1 | 1'],
        );
        await assert.rejects(labels('nothing'), /No entity of nothing has events/);
      } finally {
        await graphs.close();
      }
    }));

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
        const { changes, changed } = JSON.parse(stdout) as GraphDiff;
        const { entries, versions } = changes.totals;
        return [changed, ...[entries, versions].map(({ before, after }) => [before, after])];
      };
      assert.deepEqual(await tables(), [true, [1, 1], [1, 2]]);
      await imported.write({ 'graph.entity.yaml': graph });
      await imported.import();
      assert.deepEqual(await tables(), [true, [1, 0], [2, 0]]);
    }));
});
