import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ElkNode } from 'elkjs/lib/elk-api.js';
import ELK from 'elkjs/lib/elk.bundled.js';
import { createLayouter } from '../../../../webview/src/canvas/layouter.ts';
import type { Picture } from '../../../../webview/src/canvas/picture.ts';
import { element, graph } from '../../../webview/graph-views.ts';
import { plainTextMetrics } from '../plain-text-metrics.ts';

const screen = { width: 1000, height: 640 };

describe('createLayouter', () => {
  it('requests no further layout of an overtaken graph, and shows the newer one', async () => {
    const elk = new ELK();
    const requests: { readonly names: readonly string[]; readonly answer: () => void }[] = [];
    const pictures: Picture[] = [];
    const layouter = createLayouter(
      {
        layout: (node: ElkNode) =>
          new Promise((resolve) => {
            const names = (node.children ?? []).map(({ id }) => id);
            requests.push({ names, answer: () => resolve(elk.layout(structuredClone(node))) });
          }),
      },
      plainTextMetrics,
      { onPicture: (picture) => void pictures.push(picture), onChosen: () => undefined },
    );
    const options = { again: false, collapsed: new Set<string>() };
    layouter.show(graph([element('Old', 1)]), screen, options);
    layouter.show(graph([element('New', 2)]), screen, options);
    for (let answered = 0; pictures.length === 0;) {
      const request = requests[answered];
      if (request) answered += 1;
      request?.answer();
      await nextTurn();
    }
    assert.equal(requests.filter(({ names }) => names.includes('element:Old')).length, 1);
    assert.deepEqual(
      pictures.map(({ cards }) => cards.map(({ element: { id } }) => id)),
      [['New']],
    );
  });
});
