import assert from 'node:assert/strict';
import { csvSources, graphText, withGraph } from '../support/import-text.ts';

const sources = csvSources(', nullValues: ["-"]');

/** The warnings of an import, and the keys of its graph. */
async function imported(orders: string, elements: string, entities = ''): Promise<readonly unknown[]> {
  const graph = `${graphText(elements)}${entities}`;
  const files = { 'entity-sources.yaml': sources, 'graph.entity.yaml': graph, 'orders.csv': orders };
  return withGraph(files, async (project) => {
    const { status, warnings, error } = await project.import();
    assert.equal(status, 'imported', error?.message);
    return [warnings, (await project.rows('SELECT key FROM entity ORDER BY key')).flat()];
  });
}

const said = (numbers: string, name: string): string =>
  `${numbers} rows of "${name}" have an empty text in their key, which is a value like any other: only NULL means that there is none.`;

const computed =
  'joins: "JOIN (SELECT id AS i, regexp_extract(note, \'[0-9]+\') AS n FROM orders) AS x ON x.i = orders.id"';
const orders = 'id,note,day\n1,no 5,2024-01-01\n2,none,2024-01-01\n3,,2024-01-01\n4,empty,2024-01-01\n';

/** docs/semantics.md#42-rows-without-a-key-are-left-out */
describe('the empty text as a key', () => {
  it('is counted in a warning', async () => {
    const element = `  - { activityName: Say, dataObject: orders, key: x.n, startTimestamp: day, ${computed} }\n`;
    assert.deepEqual(await imported(orders, element), [
      ['1 of 4 rows of "Say" have no key and are left out.', said('2 of 4', 'Say')],
      ['', '5'],
    ]);
  });

  it('is counted in keys of several columns, and not where a text looks like them', async () => {
    const element = `  - { activityName: Say, dataObject: orders, key: [id, x.n, note], startTimestamp: day, ${computed} }\n`;
    const odd = 'id,note,day\n1,"no 5,"""",",2024-01-01\n2,"[""5"",]",2024-01-01\n3,none,2024-01-01\n';
    assert.deepEqual(await imported(odd, element), [
      [said('1 of 3', 'Say')],
      ['["1","5","no 5,\\"\\","]', '["2","5","[\\"5\\",]"]', '["3","","none"]'],
    ]);
  });

  it('is counted in entries of entities', async () => {
    const element = '  - { activityName: Say, dataObject: orders, key: id, startTimestamp: day }\n';
    const entry = `entities:\n  - { entityType: number, dataObject: orders, key: x.n, ${computed} }\n`;
    const [warnings] = await imported(orders, element, entry);
    assert.deepEqual(warnings, ['1 of 4 rows of "number" have no key and are left out.', said('1 of 4', 'number')]);
  });
});
