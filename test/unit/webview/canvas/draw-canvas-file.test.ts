import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createElkLayout } from '../../../../server/src/event-graph/elk-layout.ts';
import { toGraphView } from '../../../../server/src/language/to-graph-view.ts';
import { parseEntityGraph } from '../../../../server/src/model/parse-model.ts';
import { drawCanvasFile } from '../../../../webview/src/canvas/draw-canvas-file.ts';
import { projectFolder } from '../../../support/vscode-host.ts';

describe('the canvas as a file', () => {
  it('has lines of right angles where ELK leaves a slanted one', async () => {
    const sample = await readFile(join(projectFolder, 'samples/order-to-cash/order-to-cash.entity.yaml'), 'utf8');
    const text = sample.replace(/ {2}- activityName: Reject Item\n(?: {4}.*\n)+/, '');
    assert.notEqual(text, sample);
    const elk = createElkLayout(createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js'));
    const view = toGraphView(parseEntityGraph(text), { uri: '', version: 0 });
    const svg = await drawCanvasFile({ view, layout: { elements: {} }, compared: undefined }, elk);
    const lines = [...svg.matchAll(/<path d="(M [^"]*)" fill="none"/g)].map(([, path = '']) => path);
    assert.ok(lines.length > 8);
    for (const line of lines) {
      // Corners are rounded by curves between straight parts.
      const straight = [...line.matchAll(/([\d.-]+) ([\d.-]+) L ([\d.-]+) ([\d.-]+)/g)].map((part) => part.map(Number));
      for (const [, fromX = 0, fromY = 0, x = 0, y = 0] of straight)
        assert.ok(Math.abs(fromX - x) < 0.5 || Math.abs(fromY - y) < 0.5, line);
    }
  });

  it('draws the beginning of a text for which a card has no room, with all of it as tooltip', async () => {
    const long = 'opened_at, closed_at, created_at, resolved_at, activated_at, assigned_at';
    const text = `version: 1
dataSource: itsm
elements:
  - { activityName: Open, dataObject: incident, key: id, entityType: incident, startTimestamp: { expression: "coalesce(${long})" } }
`;
    const elk = createElkLayout(createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js'));
    const view = toGraphView(parseEntityGraph(text), { uri: '', version: 0 });
    const svg = await drawCanvasFile({ view, layout: { elements: {} }, compared: undefined }, elk);
    const lines = [...svg.matchAll(/<text ([^>]*)>(?:<title>([^<]*)<\/title>)?([^<]*)<\/text>/g)];
    const [, , whole = '', shown = ''] = lines.find(([, , title]) => title !== undefined) ?? [];
    assert.equal(whole, `ƒ(${long})`);
    assert.ok(shown.endsWith('…') && whole.startsWith(shown.slice(0, -1)) && shown.length > 15, shown);
    for (const [, attributes = '', , said = ''] of lines) {
      const room = /textLength="([\d.]+)"/.exec(attributes)?.[1];
      // Compressed letters of less than 6 px are not read.
      if (room !== undefined) assert.ok(Number(room) / said.length > 6, said);
    }
  });
});
