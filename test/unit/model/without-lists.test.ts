import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withoutLists } from '../../../server/src/model/yaml-chunks.ts';

const head = 'version: 1\nname: |\n  A name\n';
const lists = 'elements:\n  - activityName: A\n    dataObject: orders\nrelationships:\n  - { source: A, target: A }\n';
const texts = [
  `${head}${lists}dataSource: shop # theirs\n`,
  `dataSource: &source shop\n${lists}name: *source\n`,
  `${lists.replace('orders', '&name orders')}name: *name\ndataSource: shop\n`,
  JSON.stringify({ version: 1, name: 'A', dataSource: 'shop', elements: [{ activityName: 'A' }] }, null, 2),
  readFileSync('samples/northwind/northwind.entity.yaml', 'utf8'),
];

describe('withoutLists', () => {
  it('keeps the values and ranges of name and data source', () => {
    for (const text of texts) {
      const [whole, part] = [parseEntityGraph(text).graph, parseEntityGraph(withoutLists(text)).graph];
      assert.ok(whole.name && whole.dataSource, text);
      assert.deepEqual(part.name, whole.name, text);
      assert.deepEqual(part.dataSource, whole.dataSource, text);
    }
  });

  it('removes entries where that is safe', () => {
    const read = texts.map((text) => parseEntityGraph(withoutLists(text)).graph.elements.length > 0);
    assert.deepEqual(read, [false, true, true, true, false]);
  });
});
