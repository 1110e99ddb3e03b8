import assert from 'node:assert/strict';
import { countedTables, graphTables, graphViews } from '../../../server/src/graph-schema/graph-schema.ts';
import { storedTables } from '../../../server/src/graph-schema/stored-tables.ts';
import { declaredColumns, isGraphRelation, namedTables } from '../../../server/src/graph-schema/table-names.ts';

const names = (tables: readonly { readonly name: string }[]): readonly string[] => tables.map(({ name }) => name);

describe('graph schema', () => {
  it('namedTables › numbers the tables of each element', () => {
    const fixed = Object.keys(graphTables).filter((name) => !name.includes('<n>'));
    assert.deepEqual(names(namedTables([])), fixed);
    assert.deepEqual(names(namedTables([1, 12])).toSorted(), [...fixed, 'properties_1', 'properties_12'].toSorted());
  });

  it('isGraphRelation › recognises the relations created inside a source, and no others', () => {
    const made = namedTables([1, 20]).filter(({ table }) => table.isInSource);
    for (const name of [...names(made), ...Object.keys(graphViews)]) assert.equal(isGraphRelation(name), true, name);
    const others = [
      'process_map',
      'properties_',
      'properties_<n>',
      'properties_1x',
      'xproperties_1',
      'events',
      'Event',
    ];
    for (const name of [...others, 'toString', '']) assert.equal(isGraphRelation(name), false, name);
  });

  it('countedTables › exist in every store', () => {
    for (const name of Object.values(countedTables)) assert.equal(graphTables[name].isInEveryStore, true, name);
  });

  it('declaredColumns › list each column with its type', () => {
    assert.equal(declaredColumns('entity'), 'id BIGINT, entity_type VARCHAR, key VARCHAR');
  });

  it('storedTables › sorts elements by number, and omits optional tables that are missing', async () => {
    const store = {
      query: async () => ['properties_10', 'run', 'properties_9', 'mine', 'properties_x'].map((name) => ({ name })),
    };
    const fixed = names(namedTables([]).filter(({ table }) => table.isInEveryStore));
    const found = names(await storedTables(store));
    assert.deepEqual(
      found.filter((name) => name.startsWith('properties')),
      ['properties_9', 'properties_10'],
    );
    assert.deepEqual(
      found.filter((name) => !name.startsWith('properties')),
      fixed,
    );
  });
});
