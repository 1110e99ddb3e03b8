import assert from 'node:assert/strict';
import type { ElementPatch, RelationshipPatch } from '../../../protocol/canvas-intents.ts';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { canvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { toGraphView } from '../../../server/src/language/to-graph-view.ts';
import { editGraph } from '../../../server/src/model/edits/edit-graph.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';

const text = `version: 1
dataSource: shop
elements:
  - activityName: Order
    dataObject: orders
    startTimestamp: { expression: "day + time", x-why: two columns } # computed
    changeTimestamp:
      expression: |
        changed
        + interval '1 day'
    properties:
      - amount
      - { column: c.name, name: customer, x-note: kept } # renamed
  - { activityName: Ship, dataObject: deliveries, startTimestamp: shipped }
relationships:
  - { name: delivers, source: Ship, target: Order, mappings: [{ source: order_id, target: id }] }
  - { source: Order, target: Ship, mappings: [{ source: id, target: order_id }] }
  - name: siblings
    source: Order
    target: Order
    path: # through deliveries
      - Order → Ship
      - { relationship: delivers, reverse: false }
    correlate: none
`;

function edited(intent: CanvasIntent): string {
  assert.equal(canvasIntent(intent, 'intent'), undefined);
  const result = editGraph({ text }, intent);
  assert.ok('edits' in result, JSON.stringify(result));
  return applyEdits(text, result.edits);
}
const element = (values: ElementPatch): string => edited({ kind: 'configureElement', element: 'Order', values });
const relationship = (name: string, values: RelationshipPatch): string =>
  edited({ kind: 'configureRelationship', relationship: name, values });

describe('dialogs and canvas edits of computed times, renamed properties and paths', () => {
  const view = toGraphView(parseEntityGraph(text), { uri: 'file:///a', version: 1 });

  it('show all of them', () => {
    const [order] = view.elements;
    assert.ok(order && !order.isMasterData);
    assert.deepEqual(
      [order?.startTimestamp, order?.changeTimestamp, order?.properties, order?.unconfigured],
      ['day + time', 'ƒ(changed)', ['amount', 'customer'], undefined],
    );
    assert.deepEqual(order?.values, {
      activityName: 'Order',
      dataObject: 'orders',
      properties: ['amount', { column: 'c.name', name: 'customer' }],
      startExpression: 'day + time',
      changeExpression: "changed\n+ interval '1 day'\n",
    });
    const siblings = view.relationships[2];
    assert.deepEqual(
      [siblings?.steps, siblings?.label, siblings?.draft, siblings?.values.path],
      [
        ['Order → Ship', 'delivers'],
        'Order → Ship → delivers',
        undefined,
        [{ relationship: 'Order → Ship' }, { relationship: 'delivers', reverse: false }],
      ],
    );
  });

  it('keep them when other fields change', () => {
    assert.equal(
      element({ where: 'amount > 1' }),
      text.replace('x-note: kept } # renamed\n', 'x-note: kept } # renamed\n    where: amount > 1\n'),
    );
    assert.equal(relationship('siblings', { correlate: null }), text.replace('    correlate: none\n', ''));
    assert.equal(
      element({ properties: ['amount', { column: 'c.name', name: 'customer' }, 'id'] }),
      text.replace('x-note: kept } # renamed\n', 'x-note: kept } # renamed\n      - id\n'),
    );
  });

  it('replace an expression by a column, and vice versa', () => {
    const { graph } = parseEntityGraph(element({ startTimestamp: 'placed', changeExpression: 'now()' }));
    const [order] = graph.elements;
    assert.deepEqual(
      [order?.startTimestamp?.value, order?.startExpression, order?.changeExpression?.value, order?.changeTimestamp],
      ['placed', undefined, 'now()', undefined],
    );
    const computed = parseEntityGraph(element({ startExpression: 'day', startTimestamp: null })).graph.elements[0];
    assert.deepEqual([computed?.startTimestamp, computed?.startExpression?.value], [undefined, 'day']);
    assert.equal(parseEntityGraph(element({ changeExpression: null })).graph.elements[0]?.changeExpression, undefined);
  });

  describe('ends of days', () => {
    const dated = `version: 1
elements:
  - activityName: Pay
    dataObject: payments
    startTimestamp: { column: paid, atEndOfDay: true } # dated
    changeTimestamp: changed
entities:
  - { entityType: order, dataObject: orders, validFrom: since }
`;
    const editedTo = (intent: CanvasIntent): string => {
      assert.equal(canvasIntent(intent, 'intent'), undefined);
      const result = editGraph({ text: dated }, intent);
      assert.ok('edits' in result, JSON.stringify(result));
      return applyEdits(dated, result.edits);
    };
    const pay = (values: ElementPatch): string => editedTo({ kind: 'configureElement', element: 'Pay', values });

    it('show', () => {
      const { elements } = toGraphView(parseEntityGraph(dated), { uri: 'file:///a', version: 1 });
      assert.deepEqual(elements[0]?.values, {
        activityName: 'Pay',
        dataObject: 'payments',
        startTimestamp: 'paid',
        startAtEndOfDay: true,
        changeTimestamp: 'changed',
      });
    });

    for (const [what, values, before, after] of [
      ['removed', { startAtEndOfDay: null }, '{ column: paid, atEndOfDay: true }', 'paid'],
      ['with another column', { startTimestamp: 'due' }, 'column: paid', 'column: due'],
      [
        'with another time',
        { startTimestamp: 'placed', startAtEndOfDay: null },
        '{ column: paid, atEndOfDay: true }',
        'placed',
      ],
      [
        'with SQL',
        { startTimestamp: null, startExpression: 'due + 1' },
        '{ column: paid, atEndOfDay: true }',
        '{ expression: due + 1, atEndOfDay: true }',
      ],
    ] as const) {
      it(`are written › ${what}`, () => {
        assert.equal(pay(values), dated.replace(before, after));
      });
    }

    it('are written › added', () => {
      const [element] = parseEntityGraph(pay({ changeAtEndOfDay: true })).graph.elements;
      assert.deepEqual(
        [element?.changeTimestamp?.value, element?.changeAtEndOfDay?.value, element?.startAtEndOfDay?.value],
        ['changed', true, true],
      );
      const master = editedTo({ kind: 'configureMasterData', entry: 'order', values: { validFromAtEndOfDay: true } });
      const [entry] = parseEntityGraph(master).graph.entities;
      assert.deepEqual([entry?.validFrom?.value, entry?.validFromAtEndOfDay?.value], ['since', true]);
    });
  });

  it('write property names and path steps', () => {
    const named = element({ properties: [{ column: 'amount', name: 'value' }] });
    assert.match(named, /- column: amount\n {8}name: value\n/);
    assert.match(relationship('siblings', { path: [{ relationship: 'delivers', reverse: true }] }), /reverse: true/);
    assert.equal(parseEntityGraph(relationship('siblings', { path: null })).graph.relationships[2]?.path, undefined);
  });

  it('rename steps with their relationships, by explicit and by derived names', () => {
    assert.equal(
      relationship('delivers', { name: 'brings' }),
      text.replace('name: delivers', 'name: brings').replace('relationship: delivers', 'relationship: brings'),
    );
    const renamed = parseEntityGraph(element({ activityName: 'Buy' })).graph.relationships;
    assert.equal(renamed[2]?.path?.steps[0]?.relationship.value, 'Buy → Ship');
  });
});
