import assert from 'node:assert/strict';
import { countedTables, graphTables, graphViews } from '../../../server/src/graph-schema/graph-schema.ts';
import { storedTables } from '../../../server/src/graph-schema/stored-tables.ts';
import {
  declaredColumns,
  isGraphRelation,
  isRelationOf,
  namedTables,
  namedViews,
  namesOfViews,
} from '../../../server/src/graph-schema/table-names.ts';

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

  it('namedViews › folds names, and keeps them apart from each other and from tables', () => {
    const viewsOf = (entityTypes: readonly string[], elements: readonly string[] = []): readonly string[] =>
      namesOfViews(namedViews({ entityTypes, elements })).slice(0, -1);
    assert.deepEqual(viewsOf(['Order', 'sales order', 'Größe'], ['Place Order', 'Order']), [
      ...['order', 'sales_order', 'grosse', 'place_order', 'order_events'],
    ]);
    assert.deepEqual(
      viewsOf(['Event', 'RUN', 'edge_df', 'process map', 'properties_1', 'entity event', 'ranked', 'rows 2']),
      [
        ...['event_entities', 'run_entities', 'edge_df_entities', 'process_map_entities', 'properties_1_entities'],
        ...['entity_event_entities', 'ranked_entities', 'rows_2_entities'],
      ],
    );
    assert.deepEqual(viewsOf([], ['A', 'a', 'A!', 'a?', 'a-']), ['a', 'a_events', 'a_', 'a__events', 'a__events_2']);
    assert.deepEqual(viewsOf(['注文', '顧客'], ['出荷']), ['entities', 'entities_entities', 'events']);
    assert.deepEqual(viewsOf(['x'.repeat(70), 'x'.repeat(80)]), ['x'.repeat(63), `${'x'.repeat(54)}_entities`]);
  });

  it('isRelationOf › knows the views of the graph of a run', () => {
    const counts = JSON.stringify({ entityTypes: ['order'], elements: [{ activityName: 'Place Order' }] });
    for (const name of ['event', 'order', 'place_order', 'entity_event']) assert.ok(isRelationOf(counts, name), name);
    for (const name of ['orders', 'mine']) assert.ok(!isRelationOf(counts, name), name);
    assert.ok(!isRelationOf(undefined, 'order'));
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
