import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ElkNode } from 'elkjs/lib/elk-api.js';
import ELK from 'elkjs/lib/elk.bundled.js';
import type { GraphView } from '../../../../protocol/graph-view.ts';
import { createLayouter } from '../../../../webview/src/canvas/layouter.ts';
import type { Picture } from '../../../../webview/src/canvas/picture.ts';
import { element, graph, relationship } from '../../../webview/graph-views.ts';
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

  it('leaves cards and lines in their places when an import brings numbers, also a line to its own card', async () => {
    const elk = new ELK();
    let told: ((picture: Picture) => void) | undefined;
    const layouter = createLayouter({ layout: (node) => elk.layout(structuredClone(node)) }, plainTextMetrics, {
      onPicture: (picture) => told?.(picture),
      onChosen: () => undefined,
    });
    const show = (view: GraphView): Promise<Picture> =>
      new Promise((resolve) => {
        told = resolve;
        layouter.show(view, screen, { again: false, collapsed: new Set<string>() });
      });
    const joined = { source: 'Hire', target: 'Hire', label: 'reports_to = id' };
    const view = graph(
      [
        element('Hire', 1, { dataObject: 'employees', startTimestamp: 'hired' }),
        element('Open', 2, { dataObject: 'orders', startTimestamp: 'opened' }),
      ],
      [relationship('reports to', 3, joined), relationship('takes', 4, { ...joined, target: 'Open' })],
    );
    const placesOf = ({ cards, relationships }: Picture) => [
      cards.map(({ box }) => box),
      relationships.map(({ lines }) => lines),
    ];
    const before = placesOf(await show(view));
    const imported = { events: 1830, entities: 830 };
    const after = await show({ ...view, elements: view.elements.map((card) => ({ ...card, imported })) });
    assert.ok(after.cards.every(({ content }) => content.imported !== undefined));
    assert.deepEqual(placesOf(after), before);
  });

  it('brings back the lines from before a drop that is undone', async () => {
    const elk = new ELK();
    let told: ((picture: Picture) => void) | undefined;
    const layouter = createLayouter({ layout: (node) => elk.layout(structuredClone(node)) }, plainTextMetrics, {
      onPicture: (picture) => told?.(picture),
      onChosen: () => undefined,
    });
    const options = { again: false, collapsed: new Set<string>() };
    const show = (view: GraphView): Promise<Picture> =>
      new Promise((resolve) => {
        told = resolve;
        layouter.show(view, screen, options);
      });
    const before = graph(
      [element('Open', 1), element('Close', 2)],
      [relationship('is closed by', 3, { source: 'Open', target: 'Close', label: 'id = id' })],
    );
    const first = await show(before);
    const [line] = first.relationships[0]?.lines ?? [];
    const [start, end] = [line?.[0], line?.at(-1)];
    assert.ok(start && end);
    layouter.expectAt({ x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 });
    const dropped = await show({ ...before, elements: [...before.elements, element('Dropped', 4)] });
    assert.notDeepEqual(dropped.relationships[0]?.lines, first.relationships[0]?.lines);
    const undone = await show(before);
    assert.deepEqual(undone.relationships[0]?.lines, first.relationships[0]?.lines);
  });
});
