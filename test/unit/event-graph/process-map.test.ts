import assert from 'node:assert/strict';
import { durationText } from '../../../protocol/duration-text.ts';
import { countText } from '../../../server/src/event-graph/layout-map.ts';
import { type ProcessMap, reduceMap } from '../../../server/src/event-graph/process-map.ts';

const edge = (source: string, target: string, count: number) => ({
  ...{ source, target, count },
  ...{ median: 0, p90: 0, total: 0, medianText: '0 s', p90Text: '0 s', totalText: '0 s' },
});
const node = (activity: string, events: number) => ({ activity, count: events, events, starts: 0, ends: 0 });
const rest: Omit<ProcessMap, 'nodes' | 'edges'> = {
  ...{ entities: 3, events: 21, quantileError: 0 },
  subject: { kind: 'type', entityType: 'order' },
  typeOrder: ['order'],
};

const map: ProcessMap = {
  nodes: [node('A', 10), node('B', 8), node('C', 2), node('D', 1)],
  edges: [edge('A', 'B', 8), edge('B', 'A', 5), edge('A', 'A', 4), edge('B', 'C', 2), edge('C', 'D', 1)],
  ...rest,
};
const shown = ({ nodes, edges }: ProcessMap): string =>
  [nodes.map(({ activity }) => activity).join(''), ...edges.map(({ source, target }) => `${source}${target}`)].join(
    ' ',
  );

describe('reduced process map', () => {
  const cases: readonly (readonly [what: string, share: Parameters<typeof reduceMap>[1], expected: string])[] = [
    ['everything', {}, 'ABCD AB BA AA BC CD'],
    ['the most frequent activities, and paths between them', { activities: 0.5 }, 'AB AB BA AA'],
    ['at least one', { activities: 0, paths: 0 }, 'A AA'],
    ['few paths, but a way in and out for each', { paths: 0 }, 'ABCD AB BA BC CD'],
    ['shares beyond all', { activities: 7, paths: 3 }, 'ABCD AB BA AA BC CD'],
  ];
  for (const [what, share, expected] of cases) {
    it(what, () => assert.equal(shown(reduceMap(map, share)), expected));
  }

  it('shows the paths that take most time on a map of total times', () => {
    const slow = { ...edge('B', 'C', 2), total: 900 };
    const timed = {
      ...map,
      edges: map.edges.map((each) => (each.source === 'B' && each.target === 'C' ? slow : each)),
    };
    const few = { activities: 0.75, paths: 0.2 };
    assert.equal(shown(reduceMap(timed, few)), 'ABC AB BA BC');
    assert.equal(shown(reduceMap(timed, { ...few, pathMeasure: 'total' })), 'ABC BC AB BA');
  });

  it('shows a readable number of activities by default', () => {
    const nodes = Array.from({ length: 1500 }, (_, index) => node(`N${index}`, 1));
    assert.equal(reduceMap({ nodes, edges: [], ...rest }, {}).nodes.length, 60);
    assert.equal(reduceMap({ nodes, edges: [], ...rest }, { activities: 1 }).nodes.length, 1500);
  });

  it('leaves out starts and ends that are less frequent than the paths; a whole map keeps all', () => {
    assert.equal(reduceMap(map, { paths: 0.5 }).minShown, 4);
    assert.equal(reduceMap(map, { paths: 1 }).minShown, 0);
  });

  it('shows a readable number of paths by default', () => {
    const names = Array.from({ length: 20 }, (_, index) => `N${index}`);
    const edges = names.flatMap((source) => names.map((target) => edge(source, target, 1)));
    const reduced = reduceMap({ nodes: names.map((name) => node(name, 1)), edges, ...rest }, {});
    assert.ok(reduced.edges.length < 80, String(reduced.edges.length));
  });
});

describe('process map numbers', () => {
  it('durations have a suitable unit', () => {
    const texts = [0, 250, 1500, 90_000, 5_400_000, 200_000_000, 40 * 86_400_000].map(durationText);
    assert.deepEqual(texts, ['0 s', '250 ms', '1.5 s', '1.5 min', '1.5 h', '2.3 d', '40 d']);
  });
  it('thousands are grouped as in the language of the page', () =>
    assert.equal(countText(1_234_567, { separator: '.' }), '1.234.567'));
});
