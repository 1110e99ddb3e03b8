import assert from 'node:assert/strict';
import { toolbarFit } from '../../../../webview/src/canvas/toolbar-labels.ts';
import { detailAt, gridLines, nameSizeAt } from '../../../../webview/src/canvas/zoom-detail.ts';
import { plainTextMetrics } from '../plain-text-metrics.ts';

const texts = {
  drawing: 'Add Data Relationships',
  name: 'Northwind orders',
  facts: ['6 elements · 6 relationships · northwind', '6 elements · 6 relationships'],
  problems: '',
  modified: '',
};
const labelsAt = (width: number, more: Partial<typeof texts> = {}) => {
  const { labels, facts } = toolbarFit(width, { ...texts, ...more }, plainTextMetrics);
  return [...labels, ...(facts === '' ? [] : [facts])];
};

describe('toolbar', () => {
  it('keeps labels as long as they fit, the most important ones longest', () => {
    const all = ['find', 'fit', 'arrange', 'grid'];
    assert.deepEqual(labelsAt(1300), [...all, '6 elements · 6 relationships · northwind']);
    assert.deepEqual(labelsAt(1100), [...all, '6 elements · 6 relationships']);
    assert.deepEqual(labelsAt(900), all);
    assert.deepEqual(labelsAt(800), ['find', 'fit']);
    assert.deepEqual(labelsAt(740), ['find']);
    assert.deepEqual(labelsAt(560), []);
  });
  it('leaves buttons to the menu where the name would not be legible', () => {
    const inMenu = (width: number, more: Partial<typeof texts> = {}) => [
      ...toolbarFit(width, { ...texts, ...more }, plainTextMetrics).inMenu,
    ];
    assert.deepEqual(inMenu(740), []);
    assert.deepEqual(inMenu(670), ['grid']);
    assert.deepEqual(inMenu(540, { name: 'Visits' }), ['grid', 'arrange']);
  });
  it('makes room for problems', () => {
    assert.deepEqual(labelsAt(980, { problems: '2 to configure · 12 problems' }), ['find']);
  });
  it('shows labels before the end of a long name', () => {
    assert.deepEqual(labelsAt(900, { name: 'Orders of the whole year '.repeat(4) }), [
      ...['find', 'fit', 'arrange', 'grid'],
    ]);
  });
});

describe('detail of a zoom', () => {
  it('is reduced to names if small text would be unreadable', () => {
    assert.deepEqual(
      [1, 0.7, 0.69, 0.5, 0.49, 0.25, 0.1].map((zoom) => detailAt(zoom)),
      [...['full', 'full', 'names', 'names', 'card-names', 'card-names', 'states']],
    );
  });
  it('shows names in a readable size at every zoom', () => {
    for (let zoom = 0.25; zoom < 0.7; zoom += 0.01) assert.ok(nameSizeAt(zoom) * zoom >= 11, String(zoom));
  });
  it('changes the size of names rarely, and not at all where everything is legible', () => {
    const zooms = Array.from({ length: 100 }, (_, index) => 0.1 * 1.04 ** index);
    const sizes = new Set(zooms.map((zoom) => nameSizeAt(zoom)));
    assert.ok(sizes.size <= 9, String([...sizes]));
    assert.equal(nameSizeAt(0.7), nameSizeAt(3));
  });
  it('keeps the lines of the grid apart', () => {
    for (let zoom = 0.12; zoom < 2; zoom += 0.05) assert.ok(gridLines(zoom).small >= 12, String(zoom));
  });
});
