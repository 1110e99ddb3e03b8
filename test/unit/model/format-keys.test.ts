import assert from 'node:assert/strict';
import entityGraphSchema from '../../../schemas/entity-graph.schema.json' with { type: 'json' };
import entitySourcesSchema from '../../../schemas/entity-sources.schema.json' with { type: 'json' };
import { inKeyOrder, keysBefore } from '../../../server/src/model/edits/key-order.ts';
import { createIncrementalYaml } from '../../../server/src/model/incremental-yaml.ts';

/** The keys of each kind of group, as in the schemas. */
const groups = [entityGraphSchema, entitySourcesSchema].flatMap((schema) => [
  ['the file', Object.keys(schema.properties)] as const,
  ...Object.entries(schema.definitions).flatMap(([name, definition]) =>
    'properties' in definition ? [[name, Object.keys(definition.properties)] as const] : [],
  ),
]);

describe('fields of the format', () => {
  for (const [name, keys] of groups) {
    it(`are written in schema order: ${name}`, () => {
      assert.deepEqual(inKeyOrder(keys.toReversed(), keys), keys);
      for (const [index, key] of keys.entries()) assert.deepEqual(keysBefore(key, keys), keys.slice(0, index));
    });
  }

  for (const key of Object.keys(entityGraphSchema.properties)) {
    it(`belong to the file level without indentation: ${key}`, () => {
      const below = 'relationships:\n  - source: A\n';
      const text = `elements:\n  - activityName: A\n${key}: x\n${below}`;
      const { sections } = createIncrementalYaml().parse(text);
      const keys = sections?.map(({ start }) => text.slice(start, text.indexOf(':', start)));
      assert.deepEqual(keys, ['elements', key, 'relationships']);
    });
  }

  it('of an entry that lost its indentation do not belong to the file level', () => {
    const text = 'elements:\n  - activityName: A\nkey: x\n    entityType: y\nrelationships: []\n';
    assert.equal(createIncrementalYaml().parse(text).sections?.length, 2);
  });
});
