import assert from 'node:assert/strict';
import type { ElementPatch, MasterDataPatch } from '../../../protocol/canvas-intents.ts';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { canvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { toGraphView } from '../../../server/src/language/to-graph-view.ts';
import { editGraph } from '../../../server/src/model/edits/edit-graph.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';

const text = `# the shop
version: 1
dataSource: shop
dataObjects: [orders, customers] # what we sell, and to whom
elements:
  - activityName: Order
    dataObject: orders
    startTimestamp: placed
    correlatesWith: # whom it concerns
      - { entityType: customer, key: customer_id, qualifier: by, x-note: kept } # the buyer
      - entityType: tag
        key: tags
        separator: ";" # as typed
      - entityType: line
        key: [order_id, line]
        each: list
entities: # who they are
  - entityType: customer # the buyers
    dataObject: customers
    key: id # never changes
    properties:
      - name # in full
  - { name: Tags, dataObject: tags }
relationships:
  - { source: Order, target: customer, mappings: [{ source: customer_id, target: id }] } # who bought
  - { name: again, source: Order, target: customer, path: [Order → customer] }
`;

const refused = (intent: CanvasIntent, of = text): string => {
  assert.equal(canvasIntent(intent, 'intent'), undefined);
  const result = editGraph({ text: of }, intent);
  assert.ok('refusal' in result, JSON.stringify(result));
  return result.refusal;
};
function edited(intent: CanvasIntent, select?: string): string {
  assert.equal(canvasIntent(intent, 'intent'), undefined);
  const result = editGraph({ text }, intent);
  assert.ok('edits' in result, JSON.stringify(result));
  if (select !== undefined) assert.equal(result.select, select);
  return applyEdits(text, result.edits);
}
const entry = (id: string, values: MasterDataPatch): string =>
  edited({ kind: 'configureMasterData', entry: id, values });
const element = (values: ElementPatch): string => edited({ kind: 'configureElement', element: 'Order', values });

describe('master data of the canvas', () => {
  const view = toGraphView(parseEntityGraph(text), { uri: 'file:///a', version: 1 });

  it('has cards after those of the elements, and relationships can end at them', () => {
    const [order, customer, tags] = view.elements;
    assert.deepEqual([order?.id, customer?.id, tags?.id], ['Order', 'customer', 'Tags']);
    assert.ok(customer?.isMasterData && tags?.isMasterData);
    assert.deepEqual(
      [customer.name, customer.entityType, customer.dataObject, customer.key, customer.properties],
      ['customer', 'customer', 'customers', ['id'], ['name']],
    );
    assert.deepEqual(customer.values, {
      ...{ entityType: 'customer', dataObject: 'customers' },
      ...{ key: ['id'], properties: ['name'] },
    });
    assert.deepEqual([tags.name, tags.entityType, tags.key, tags.unconfigured], ['Tags', 'tags', undefined, undefined]);
    assert.deepEqual(
      view.relationships.map(({ source, target }) => [source, target]),
      [
        ['Order', 'customer'],
        ['Order', 'customer'],
      ],
    );
  });

  it('says what an entry without a data object lacks', () => {
    const { elements } = toGraphView(parseEntityGraph('entities: [{ name: A }]'), { uri: 'file:///a', version: 1 });
    assert.deepEqual(elements[0]?.unconfigured, {
      message: 'Entry "A" of entities is not configured: Data Object is missing. Set dataObject.',
      ...{ problem: 'Data Object is missing.', remedy: 'Configure the master data to set it.' },
    });
  });

  it('has unique ids for repeated names', () => {
    const repeated = `elements: [{ activityName: A }]\nentities: [{ name: A }, { name: B }, { entityType: B }, {}]\n`;
    const { elements } = toGraphView(parseEntityGraph(repeated), { uri: 'file:///a', version: 1 });
    assert.deepEqual(
      elements.map(({ id }) => id),
      ['A', 'entities#0', 'B', 'entities#2', 'entities#3'],
    );
  });

  it('is appended, and its data object is selected', () => {
    assert.equal(
      edited({ kind: 'addMasterData', dataObject: 'products' }, 'element:products'),
      text
        .replace('[orders, customers]', '[orders, customers, products]')
        .replace('dataObject: tags }\n', 'dataObject: tags }\n  - dataObject: products\n'),
    );
    assert.match(
      edited({ kind: 'addMasterData', dataObject: 'customer' }),
      / {2}- name: customer 2\n {4}dataObject: customer\n/,
    );
  });

  it('names the data source of a data object that is selected in a group', () => {
    const before = `version: 1
dataSource: shop
dataObjects: [orders, { source: itsm, objects: [sys_user] }]
entities:
  - dataObject: orders
`;
    const result = editGraph({ text: before }, { kind: 'addMasterData', dataObject: 'sys_user' });
    assert.ok('edits' in result);
    assert.equal(applyEdits(before, result.edits), `${before}  - dataSource: itsm\n    dataObject: sys_user\n`);
  });

  it('gets a list of its own in a file without one, between elements and relationships', () => {
    const before = 'version: 1\nelements:\n  - activityName: A\n\n# links\nrelationships: []\n';
    const result = editGraph({ text: before }, { kind: 'addMasterData', dataObject: 'b' });
    assert.ok('edits' in result);
    const { graph } = parseEntityGraph(applyEdits(before, result.edits));
    assert.deepEqual([graph.elements.length, graph.entities.length, graph.relationships.length], [1, 1, 0]);
    assert.match(applyEdits(before, result.edits), /# links\nrelationships/);
  });

  it('is configured without touching its comments', () => {
    assert.equal(
      entry('customer', { where: 'active', properties: ['name', 'city'], key: ['number'] }),
      text
        .replace('key: id # never changes', 'key: number # never changes')
        .replace('- name # in full\n', '- name # in full\n      - city\n    where: active\n'),
    );
  });

  it('is renamed with the ends of relationships and the steps that are named after them', () => {
    const renamed = text
      .replace('target: customer, mappings', 'target: Buyers, mappings')
      .replace('target: customer, path: [Order → customer]', 'target: Buyers, path: [Order → Buyers]');
    assert.equal(
      entry('customer', { name: 'Buyers' }),
      renamed.replace('  - entityType: customer #', '  - name: Buyers\n    entityType: customer #'),
    );
    assert.equal(
      entry('customer', { entityType: 'Buyers' }),
      renamed.replace('- entityType: customer #', '- entityType: Buyers #'),
    );
  });

  it('is refused the name of another entry or element', () => {
    const named = (name: string) => refused({ kind: 'configureMasterData', entry: 'Tags', values: { name } });
    assert.match(named('Order'), /already called "Order"/);
    assert.match(named('customer'), /already called "customer"/);
    assert.match(named('self'), /reserved/);
    const activity = { kind: 'configureElement', element: 'Order', values: { activityName: 'Tags' } } as const;
    assert.match(refused(activity), /already called "Tags"/);
    const gone = { kind: 'configureMasterData', entry: 'Gone', values: {} } as const;
    assert.equal(refused(gone), 'The entry "Gone" of entities is no longer in the file.');
    assert.match(refused({ ...gone, entry: 'entities#4' }), /number 5/);
  });

  it('is duplicated below itself, under another name', () => {
    assert.match(
      edited({ kind: 'duplicateElement', element: 'Tags' }, 'element:Tags 2'),
      /- \{ name: Tags, dataObject: tags \}\n {2}- (\{ )?name: Tags 2/,
    );
  });

  it('is an end of new relationships', () => {
    const related = edited({ kind: 'addRelationship', source: 'Order', target: 'Tags' });
    assert.deepEqual(
      parseEntityGraph(related).graph.relationships.map(({ target }) => target?.value),
      ['customer', 'customer', 'Tags'],
    );
    const unnamed = 'elements: [{ activityName: A }]\nentities: [{ key: id }]\n';
    assert.match(
      refused({ kind: 'addRelationship', source: 'A', target: 'entities#0' }, unnamed),
      /Give the master data a Name/,
    );
  });

  it('is removed with its relationships', () => {
    const without = edited({ kind: 'remove', elements: ['customer'], relationships: [] });
    const { graph } = parseEntityGraph(without);
    assert.deepEqual([graph.entities.length, graph.relationships.length], [1, 0]);
    assert.match(without, /entities: # who they are\n {2}- \{ name: Tags, dataObject: tags \}\n/);
  });
});

describe('dialog of an element with row correlations', () => {
  const [order] = toGraphView(parseEntityGraph(text), { uri: 'file:///a', version: 1 }).elements;
  assert.ok(order && !order.isMasterData);
  const rows = order.values.correlatesWith ?? [];

  it('shows all of them', () => {
    assert.deepEqual(rows, [
      { entityType: 'customer', qualifier: 'by', key: ['customer_id'] },
      { entityType: 'tag', key: ['tags'], separator: ';' },
      { entityType: 'line', key: ['order_id', 'line'], each: 'list' },
    ]);
    assert.equal(order.values.ownEntity, undefined);
  });

  it('changes one and keeps the text of the others', () => {
    assert.equal(
      element({ correlatesWith: rows.with(1, { entityType: 'tag', key: ['tags'], separator: ' ' }) }),
      text.replace('separator: ";" # as typed', 'separator: " " # as typed'),
    );
    assert.equal(
      element({ correlatesWith: rows.with(0, { entityType: 'buyer', key: ['customer_id'], qualifier: 'by' }) }),
      text.replace('entityType: customer, key: customer_id', 'entityType: buyer, key: customer_id'),
    );
    const listed = element({ correlatesWith: rows.with(1, { entityType: 'tag', key: ['tags'], each: 'list' }) });
    assert.deepEqual(
      parseEntityGraph(listed).graph.elements[0]?.correlatesWith?.map(({ each, separator }) => [
        each?.value,
        separator?.value,
      ]),
      [
        [undefined, undefined],
        ['list', undefined],
        ['list', undefined],
      ],
    );
  });

  it('adds and removes row correlations', () => {
    assert.equal(
      element({ correlatesWith: [...rows, { entityType: 'item', key: ['item_id'] }] }),
      text.replace('        each: list\n', '        each: list\n      - entityType: item\n        key: item_id\n'),
    );
    const fewer = element({ correlatesWith: rows.toSpliced(1, 1) });
    assert.match(fewer, /x-note: kept \} # the buyer\n {6}- entityType: line\n/);
    assert.equal(parseEntityGraph(element({ correlatesWith: null })).graph.elements[0]?.correlatesWith, undefined);
  });

  it('turns the own entity off and on again', () => {
    const without = element({ ownEntity: false });
    assert.match(without, /\n {4}ownEntity: false\n/);
    const result = editGraph(
      { text: without },
      { kind: 'configureElement', element: 'Order', values: { ownEntity: null } },
    );
    assert.ok('edits' in result);
    assert.equal(applyEdits(without, result.edits), text);
  });
});
