import assert from 'node:assert/strict';
import { SaxesParser } from 'saxes';
import { englishMapWords } from '../../../protocol/map-words.ts';
import { drawMap } from '../../../server/src/event-graph/draw-map.ts';
import { plainTheme } from '../../../server/src/event-graph/map-theme.ts';

describe('process map as SVG', () => {
  it('is well-formed whatever an activity, a type or the name holds', () => {
    const odd = 'a\u0000\u0001\u001b[31m\n"<&>\uffff';
    const box = { x: 0, y: 0, width: 100, height: 40 };
    const edge = { source: 0, target: 0, entityType: odd, count: 1, median: 1, p90: 1 };
    const { svg } = drawMap(
      {
        width: 100,
        height: 100,
        nodes: [{ node: { activity: odd, count: 1 }, box }],
        edges: [{ edge, points: [{ x: 0, y: 0 }], count: 1, label: { text: odd, box } }],
      } as unknown as Parameters<typeof drawMap>[0],
      { subject: { kind: 'all', measure: 'pairs', entityTypes: [odd] }, quantileError: 0, typeOrder: [odd] },
      { name: odd, look: plainTheme, words: englishMapWords },
    );
    new SaxesParser().write(svg).close();
    assert.match(svg, />a\ufffd\ufffd\ufffd\[31m&#10;&quot;&lt;&amp;&gt;\ufffd<\/text>/);
  });
});
