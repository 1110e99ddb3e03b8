import assert from 'node:assert/strict';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import type { Removal } from '../../../protocol/removal.ts';
import { toGraphView } from '../../../server/src/language/to-graph-view.ts';
import { editGraph } from '../../../server/src/model/edits/edit-graph.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { removalCascade } from '../../../webview/src/canvas/removal-cascade.ts';

const text = `version: 1
dataSource: shop
dataObjects: [orders, lines, bridge, customers]
elements:
  - { activityName: Place, dataObject: orders, startTimestamp: placed_at }
  - { activityName: Ship, dataObject: orders, startTimestamp: shipped_at }
  - { activityName: Add, dataObject: lines, startTimestamp: added_at }
  - { dataObject: lines }
  - { activityName: Place, dataObject: lines, startTimestamp: placed_at }
entities:
  - { name: Customers, dataObject: customers, key: id }
  - { entityType: Place, dataObject: orders, key: id }
relationships:
  - { source: Place, target: Add, mappings: [{ source: id, target: order_id }] }
  - { name: ships, source: Add, target: Ship, mappings: [{ source: order_id, target: id }] }
  - { source: Place, target: Nobody, mappings: [{ source: id, target: id }] }
  - { name: '#3', source: '#3', target: Ship, mappings: [{ source: id, target: id }] }
  - name: bridged
    source: Ship
    target: Ship
    crossTable:
      dataObject: bridge
      sourceMappings: [{ source: id, cross: a }]
      targetMappings: [{ cross: b, target: id }]
  - { source: Place, target: Customers, mappings: [{ source: customer, target: id }] }
  - { name: again, source: Add, target: Ship, path: [longer] }
  - { name: longer, source: Add, target: Ship, path: [{ relationship: ships }, bridged] }
`;
const uri = 'file:///shop.entity.yaml';

const removals: readonly (readonly [what: string, removal: Removal, elements: number, relationships: number])[] = [
  ['an element with both ends of relationships', { elements: ['Place'] }, 6, 5],
  ['an element without a name, which no relationship can name', { elements: ['#3'] }, 6, 8],
  ['the second element with a name, which relationships do not mean', { elements: ['#4'] }, 6, 8],
  ['several elements', { elements: ['Add', 'Ship'] }, 5, 2],
  ['a path that others follow', { relationships: ['longer'] }, 7, 6],
  ['a relationship with the paths that follow it', { relationships: ['ships'] }, 7, 5],
  ['a data object with its elements', { dataObjects: [{ name: 'orders' }] }, 4, 0],
  ['master data with the relationships that end at it', { elements: ['Customers'] }, 6, 7],
  ['master data with the name of an element, which relationships do not mean', { elements: ['entities#1'] }, 6, 8],
  ['a data object with its master data', { dataObjects: [{ name: 'customers' }] }, 6, 7],
  ['a data object that is a cross table', { dataObjects: [{ name: 'bridge' }] }, 7, 5],
];

describe('removal from a graph', () => {
  const view = toGraphView(parseEntityGraph(text), { uri, version: 1 });
  for (const [what, removal, elements, relationships] of removals) {
    it(`removes from the file what the canvas announces: ${what}`, () => {
      const { elements: chosen = [], relationships: links = [], dataObjects = [] } = removal;
      const intent: CanvasIntent =
        dataObjects.length > 0
          ? {
              kind: 'selectDataObjects',
              dataObjects: view.dataObjects.filter(({ name }) => !dataObjects.some((gone) => gone.name === name)),
            }
          : { kind: 'remove', elements: chosen, relationships: links };
      const edit = editGraph({ text }, intent);
      assert.ok('edits' in edit);
      const { graph } = parseEntityGraph(applyEdits(text, edit.edits));
      const cards = graph.elements.length + graph.entities.length;
      assert.deepEqual([cards, graph.relationships.length], [elements, relationships]);
      const company = removalCascade(view, removal);
      assert.deepEqual(
        [
          view.elements.length - chosen.length - company.elements.length,
          view.relationships.length - links.length - company.relationships.length,
        ],
        [elements, relationships],
      );
    });
  }
});
