import assert from 'node:assert/strict';
import type { GraphListName } from '../../../protocol/graph-parts.ts';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { canvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import schema from '../../../schemas/entity-graph.schema.json' with { type: 'json' };
import { graphParts } from '../../../server/src/language/graph-parts.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { editGraph } from '../../../server/src/model/edits/edit-graph.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { catalog, sources } from '../language/shop-catalog.ts';

const mere = `version: 1
dataSource: shop
dataObjects: [orders]
elements:
  - activityName: Place Order
    dataObject: orders
    key: id
    startTimestamp: placed_at
`;

const full = `version: 1
name: Shop # of the north
description: Orders
dataSource: shop
elements: []
rules:
  # first
  - name: Paid
    each: { entityType: order }
    expect: [{ activity: Pay }]
  - { each: { entityType: order }, expect: [] }
measures: [{ name: Lead time, each: { entityType: order }, duration: {} }]
guards:
  - { element: Pay, losesAtMost: 10% }
  - { relationship: pays, unmatchedAtMost: 2% }
accepted:
  - { finding: midnight-times, element: Pay }
calendars:
  office: { timeZone: UTC, days: Mon-Fri, hours: "08:00-17:00" }
  plant: { timeZone: UTC, days: Mon-Sat, hours: "06:00-22:00" }
import: { engine: embedded }
`;

function edited(text: string, intent: CanvasIntent): string {
  assert.equal(canvasIntent(intent, 'intent'), undefined);
  const result = editGraph({ text }, intent);
  assert.ok('edits' in result, JSON.stringify(result));
  return applyEdits(text, result.edits);
}

const lists: readonly GraphListName[] = ['rules', 'measures', 'guards', 'accepted', 'calendars', 'import'];

describe('parts of a graph without card or line', () => {
  it('are all fields of the file that the canvas shows nowhere else', () => {
    const { texts, entries } = graphParts(parseEntityGraph(full));
    const elsewhere = ['version', 'dataObjects', 'elements', 'entities', 'relationships'];
    assert.deepEqual(
      [...elsewhere, ...Object.keys(texts), ...Object.keys(entries)].toSorted(),
      Object.keys(schema.properties).toSorted(),
    );
  });

  it('are shown as they are written', () => {
    const { texts, entries } = graphParts(parseEntityGraph(full));
    assert.deepEqual(texts, { name: 'Shop', description: 'Orders', dataSource: 'shop' });
    const shown = Object.entries(entries).map(([list, each]) => [list, ...each.map(({ name }) => name)]);
    assert.deepEqual(shown, [
      ['rules', 'Paid', ''],
      ['measures', 'Lead time'],
      ['guards', 'Pay', 'pays'],
      ['accepted', 'midnight-times'],
      ['calendars', 'office', 'plant'],
      ['import', ''],
    ]);
    assert.equal(entries.rules[0]?.detail, 'each: { entityType: order } · expect: [{ activity: Pay }]');
    assert.equal(entries.calendars[1]?.range.start.line, 19);
  });

  for (const list of lists) {
    it(`an added entry of ${list} has no problems, and is removed again`, () => {
      const text = edited(mere, { kind: 'addGraphEntry', list });
      assert.equal(graphParts(parseEntityGraph(text)).entries[list].length, 1);
      const problems = validateEntityGraph({ text, parsed: parseEntityGraph(text), sources, catalog });
      assert.deepEqual(
        problems.filter(({ severity }) => severity === 'error').map(({ message }) => message),
        [],
      );
      assert.equal(edited(text, { kind: 'removeGraphEntry', list, index: 0 }), mere);
      if (list === 'import') return;
      const twice = edited(text, { kind: 'addGraphEntry', list });
      assert.equal(graphParts(parseEntityGraph(twice)).entries[list].length, 2);
      assert.equal(edited(twice, { kind: 'removeGraphEntry', list, index: 1 }), text);
    });
  }

  it('are removed by their place, with their comments', () => {
    assert.equal(
      edited(full, { kind: 'removeGraphEntry', list: 'rules', index: 0 }),
      full.replace(/ {2}# first\n(.*\n){3}/, ''),
    );
    assert.equal(
      edited(full, { kind: 'removeGraphEntry', list: 'calendars', index: 0 }),
      full.replace(/ {2}office.*\n/, ''),
    );
  });

  it('are not added to a graph without activities, except calendars and settings', () => {
    const empty = 'version: 1\ndataSource: shop\n';
    assert.deepEqual(editGraph({ text: empty }, { kind: 'addGraphEntry', list: 'guards' }), {
      refusal: 'Add an element with an Activity Name first: the new entry is about it.',
    });
    assert.match(edited(empty, { kind: 'addGraphEntry', list: 'calendars' }), /calendars:\n {2}office:/);
  });

  it('change texts of the graph, and remove an empty one', () => {
    assert.equal(
      edited(full, { kind: 'setGraphText', field: 'name', text: 'Store' }),
      full.replace('name: Shop #', 'name: Store #'),
    );
    assert.equal(
      edited(full, { kind: 'setGraphText', field: 'description', text: ' ' }),
      full.replace('description: Orders\n', ''),
    );
  });
});
