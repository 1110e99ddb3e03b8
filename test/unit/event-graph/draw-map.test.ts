import assert from 'node:assert/strict';
import { SaxesParser } from 'saxes';
import { englishMapWords } from '../../../protocol/map-words.ts';
import { drawMap } from '../../../server/src/event-graph/draw-map.ts';
import { editorTheme, plainTheme } from '../../../server/src/event-graph/map-theme.ts';
import { themes } from '../../webview/themes.ts';

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

  it('draws what has fewer in another colour, and dashed', () => {
    const box = { x: 0, y: 0, width: 100, height: 40 };
    const points = [
      { x: 0, y: 0 },
      { x: 0, y: 90 },
    ];
    const edgeOf = (count: number, other: number) => ({
      edge: { source: 'a', target: 'b', count, compared: { count: other } },
      points,
      count,
      label: undefined,
    });
    const { svg } = drawMap(
      {
        ...{ width: 100, height: 100 },
        nodes: [
          { node: { activity: 'a', count: 1, otherCount: 3 }, box },
          { node: { activity: 'b', count: 3, otherCount: 1 }, box },
        ],
        edges: [edgeOf(1, 3), edgeOf(3, 1)],
      } as unknown as Parameters<typeof drawMap>[0],
      { subject: { kind: 'type', entityType: 'x' }, quantileError: 0, typeOrder: ['x'] },
      { name: 'map', look: plainTheme, words: englishMapWords, compare: { kind: 'imports' } },
    );
    const dashed = [...svg.matchAll(/stroke="([^"]+)" stroke-width="[^"]+" stroke-dasharray/g)].map(
      ([, colour]) => colour,
    );
    assert.deepEqual(dashed, [plainTheme.less, plainTheme.less]);
    assert.ok(svg.includes(`stroke="${plainTheme.more}"`) && svg.includes(`fill="${plainTheme.more}"`));
  });

  it('has two colours for more and fewer in each theme of the editor', () => {
    for (const [name, { variables }] of Object.entries(themes)) {
      const valueOf = (colour: string): string | undefined =>
        (variables as Readonly<Record<string, string>>)[/var\((.*)\)/.exec(colour)?.[1] ?? ''];
      const [more, less] = [valueOf(editorTheme.more), valueOf(editorTheme.less)];
      assert.ok(more !== undefined && less !== undefined, name);
      const [one, other] = [more, less].map((each) => parseInt(each.slice(1), 16));
      const blueOf = (each = 0): number => (each & 255) - (each >> 16);
      assert.ok(blueOf(one) > 0 && blueOf(other) < 0, `${name}: ${more}, ${less}`);
    }
  });
});
