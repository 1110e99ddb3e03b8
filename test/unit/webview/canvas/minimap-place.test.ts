import assert from 'node:assert/strict';
import { type Box, boxAround, overlaps } from '../../../../webview/src/canvas/geometry.ts';
import { minimapPlace } from '../../../../webview/src/canvas/minimap-place.ts';
import { type Picture, openingOf } from '../../../../webview/src/canvas/picture.ts';
import { openingView } from '../../../../webview/src/canvas/viewport.ts';
import { randomOf } from '../../../support/random.ts';

const card = (x: number, y: number): Box => ({ x, y, width: 220, height: 100 });

/** Only the boxes count for the place of the minimap, and that the first one is the root. */
function pictureOf(boxes: readonly Box[]): Picture {
  const cards = boxes.map((box, id) => ({ box, element: { id }, content: {}, collapsed: false }));
  const bounds = boxAround(boxes) ?? { x: 0, y: 0, width: 0, height: 0 };
  const correlations = boxes.slice(1).map((_, index) => ({ link: { source: 0, target: index + 1 } }));
  return { bounds, cards, relationships: [], correlations } as unknown as Picture;
}

describe('minimap', () => {
  const wide = { width: 800, height: 600 };

  it('is in the first free corner of the opening view, and stays there', () => {
    const row = pictureOf([0, 1, 2, 3, 4].map((column) => card(column * 300, 0)));
    const opening = openingView(openingOf(row), wide);
    assert.equal(minimapPlace(row, wide, opening)?.corner, 'bottom right');
    const full = pictureOf([card(0, 0), card(300, 0), card(0, 420), card(560, 420), card(1500, 420)]);
    const start = openingView(openingOf(full), wide);
    assert.equal(minimapPlace(full, wide, start)?.corner, 'top right');
    assert.equal(minimapPlace(full, wide, { ...start, x: start.x - 500 })?.corner, 'top right');
  });

  it('appears after scrolling or zooming where no corner is free', () => {
    const columns = [0, 1, 2, 3, 4, 5].flatMap((column) =>
      [0, 1, 2, 3, 4, 5].map((row) => card(column * 230, row * 110)),
    );
    const crowd = pictureOf(columns);
    const opening = openingView(openingOf(crowd), wide);
    assert.equal(minimapPlace(crowd, wide, opening), undefined);
    assert.equal(minimapPlace(crowd, wide, { ...opening, y: opening.y - 40 })?.corner, 'bottom right');
  });

  it('is smaller in a low panel, and absent from a narrow one', () => {
    const row = pictureOf([card(0, 0), card(1000, 0)]);
    const low = { width: 818, height: 240 };
    assert.ok((minimapPlace(row, low, openingView(openingOf(row), low))?.size.height ?? 99) <= 60);
    assert.equal(minimapPlace(row, { width: 599, height: 600 }, { x: 0, y: 0, zoom: 1 }), undefined);
  });

  it('covers no part of 500 random graphs as they open', () => {
    const random = randomOf(19);
    const integer = (least: number, end: number): number => least + Math.floor(random() * (end - least));
    let shown = 0;
    for (let round = 0; round < 500; round += 1) {
      const boxes = Array.from({ length: integer(1, 30) }, () => card(integer(0, 2000), integer(0, 1500)));
      const picture = pictureOf(boxes);
      const screen = { width: integer(600, 1400), height: integer(200, 900) };
      const view = openingView(openingOf(picture), screen);
      const place = minimapPlace(picture, screen, view);
      if (!place) continue;
      shown += 1;
      const { corner, size } = place;
      const minimap = {
        ...size,
        x: corner.endsWith('right') ? screen.width - size.width - 12 : 12,
        y: corner.startsWith('bottom') ? screen.height - size.height - 12 : 12,
      };
      for (const { x, y, width, height } of boxes) {
        const drawn = {
          ...{ x: view.x + x * view.zoom, y: view.y + y * view.zoom },
          ...{ width: width * view.zoom, height: height * view.zoom },
        };
        assert.ok(!overlaps(drawn, minimap), JSON.stringify({ round, corner, size, screen }));
      }
    }
    assert.ok(shown > 100, String(shown));
  });
});
