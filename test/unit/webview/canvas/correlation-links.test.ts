import assert from 'node:assert/strict';
import { toGraphView } from '../../../../server/src/language/to-graph-view.ts';
import { parseEntityGraph } from '../../../../server/src/model/parse-model.ts';
import { correlationLinks, kinOfIslands } from '../../../../webview/src/canvas/correlation-links.ts';

const viewOf = (text: string) => toGraphView(parseEntityGraph(text), { uri: 'file:///a', version: 1 });

const text = `version: 1
entities:
  - { entityType: customer, dataObject: c, key: id }
elements:
  - { activityName: Place, dataObject: o, key: id, entityType: order, correlatesWith: [{ entityType: customer, key: c, qualifier: by }, { entityType: shop, key: s }] }
  - { activityName: Change, dataObject: log, key: id, ownEntity: false, correlatesWith: [{ entityType: order, key: o }] }
  - { activityName: Win, dataObject: c, key: id, entityType: customer }
  - { activityName: Split, dataObject: o, key: id, entityType: order, correlatesWith: [{ entityType: order, key: from }] }
  - { activityName: Ship, dataObject: o, key: id, entityType: order }
`;

describe('lines of row correlations', () => {
  it('lead to the master data of their type, else to its first element, else to the type alone', () => {
    const { links, types } = correlationLinks(viewOf(text));
    const shown = links.map(({ source, target, entityType }) => [source, target ?? entityType]);
    assert.deepEqual(shown, [
      ['Place', 'customer'],
      ['Place', 'shop'],
      ['Change', 'Place'],
      ['Split', 'Place'],
    ]);
    assert.deepEqual(types, ['shop']);
  });

  it('are joined by cards without lines, which stand beside the card of their type', () => {
    assert.deepEqual(kinOfIslands(viewOf(text)), [
      { island: 'Win', kin: 'customer' },
      { island: 'Ship', kin: 'Place' },
    ]);
  });

  it('are those of the same graph each time, so that nothing is drawn again', () => {
    const view = viewOf(text);
    assert.equal(correlationLinks(view), correlationLinks(view));
  });
});
