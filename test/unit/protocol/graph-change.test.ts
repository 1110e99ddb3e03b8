import assert from 'node:assert/strict';
import { firstLineAt, movedDown, withFirstLines } from '../../../protocol/first-lines.ts';
import { applyChange, changeBetween } from '../../../protocol/graph-change.ts';
import type { CardView, GraphView, RelationshipView } from '../../../protocol/graph-view.ts';
import { toGraphView } from '../../../server/src/language/to-graph-view.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { type Random, editedTexts, pick, randomOf } from '../../support/random.ts';
import { element, graph, lineRange, relationship } from '../../webview/graph-views.ts';

/** A message as a page receives it: a copy. */
const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const problem = { id: 'x@0#0', severity: 'error', message: 'Wrong.', range: lineRange(13) } as const;
const before = graph(
  [element('Place', 4), element('Ship', 12, { problems: [problem] }), element('Pay', 20)],
  [relationship('ships', 30, { source: 'Place', target: 'Ship', label: 'id = id' })],
);

/** The graph after an edit, with every entry at its place. */
function after(edit: (view: GraphView) => GraphView, start = before): readonly [GraphView, GraphView] {
  const [old, now] = [withFirstLines(start), withFirstLines(edit(start))];
  return [now, applyChange(old, sent(changeBetween(old, now)))];
}

const moved = <T extends CardView | RelationshipView>(entry: T, lines: number): T => ({
  ...entry,
  range: movedDown(entry.range, lines),
  extent: movedDown(entry.extent, lines),
  ...(entry.problems && { problems: entry.problems.map((each) => ({ ...each, range: movedDown(each.range, lines) })) }),
});

describe('withFirstLines', () => {
  const view = withFirstLines(before);

  it('counts lines of entries and problems from the start of the entry', () => {
    assert.deepEqual(view.firstLines, { elements: [4, 12, 20], relationships: [30] });
    assert.deepEqual(
      view.elements.map(({ range, extent }) => [range, extent]),
      Array.from({ length: 3 }, () => [lineRange(0), lineRange(0)]),
    );
    assert.deepEqual(view.elements[1]?.problems, [{ ...problem, range: lineRange(1) }]);
    assert.deepEqual(movedDown(lineRange(1), firstLineAt(view, 'elements', 1)), problem.range);
  });

  it('does not change the result of an earlier call', () => assert.deepEqual(withFirstLines(view), view));
});

describe('changes of a graph', () => {
  it('send only the edited entry, and all others stay the same objects', () => {
    const old = withFirstLines(before);
    const now = withFirstLines({
      ...before,
      version: 2,
      elements: before.elements.map((each, index) => (index === 1 ? { ...each, dataObject: 'orders' } : each)),
    });
    const change = changeBetween(old, now);
    assert.deepEqual(change, {
      fields: { uri: before.uri, version: 2, name: before.name, importSettings: before.importSettings },
      elements: { entries: [[1, now.elements[1]]] },
      relationships: { entries: [] },
    });
    const applied = applyChange(old, sent(change));
    assert.deepEqual(applied, now);
    assert.deepEqual(
      applied.elements.map((each, index) => each === old.elements[index]),
      [true, false, true],
    );
    assert.equal(applied.relationships, old.relationships);
  });

  it('send no entry that another one moved down, only its line', () => {
    const old = withFirstLines(before);
    const [first, ...rest] = before.elements.map((each, index) => (index === 0 ? each : moved(each, 2)));
    const taller = { ...first, extent: { ...lineRange(4), end: { line: 6, character: 20 } } } as CardView;
    const now = withFirstLines({
      ...before,
      elements: [taller, ...rest],
      relationships: before.relationships.map((each) => moved(each, 2)),
    });
    const change = changeBetween(old, now);
    assert.deepEqual(change.elements, { entries: [[0, now.elements[0]]], firstLines: [4, 14, 22] });
    assert.deepEqual(change.relationships, { entries: [], firstLines: [32] });
    assert.deepEqual(applyChange(old, sent(change)), now);
  });

  const edits: readonly (readonly [what: string, edit: (view: GraphView) => GraphView])[] = [
    ['an added entry', (view) => ({ ...view, elements: [element('New', 0), ...view.elements] })],
    ['a removed entry', (view) => ({ ...view, elements: view.elements.slice(1) })],
    ['reordered entries', (view) => ({ ...view, elements: view.elements.toReversed() })],
    ['all entries removed', (view) => ({ ...view, elements: [], relationships: [] })],
    ['a field that goes', ({ dataSource: _, ...view }) => view],
    ['other data objects', (view) => ({ ...view, dataObjects: [{ name: 'orders' }] })],
    ['no longer readable', (view) => ({ ...view, syntaxError: { message: 'x', range: lineRange(1) } })],
    [
      'two entries of one id',
      (view) => ({ ...view, elements: [element('Pay', 1), element('Pay', 2, { dataObject: 'other' })] }),
    ],
  ];
  for (const [what, edit] of edits) {
    it(`${what}: the applied change equals the whole`, () => {
      const [now, applied] = after(edit, { ...before, dataSource: 'shop' });
      assert.deepEqual(applied, now);
      assert.deepEqual(after(() => before, edit(before))[1], withFirstLines(before));
    });
  }

  it('random edits of entries and lines: the applied changes equal the whole', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = randomOf(seed);
      let [now, held] = [withFirstLines(before), withFirstLines(before)];
      let view: GraphView = before;
      for (let edit = 0; edit < 25; edit += 1) {
        view = randomEdit(view, random, edit);
        const next = withFirstLines(view);
        held = applyChange(held, sent(changeBetween(now, next)));
        now = next;
        assert.deepEqual(held, now, `seed ${seed}, edit ${edit}`);
      }
    }
  });

  it('random edits of a text: the applied changes equal the whole', () => {
    for (let seed = 1; seed <= 15; seed += 1) {
      let known = withFirstLines(viewOf(text));
      let held = known;
      for (const next of editedTexts(text, randomOf(seed), pieces)) {
        const now = withFirstLines(viewOf(next));
        held = applyChange(held, sent(changeBetween(known, now)));
        known = now;
        assert.deepEqual(sent(held), sent(now), `seed ${seed}: ${next}`);
      }
    }
  });
});

function randomEdit(view: GraphView, random: Random, turn: number): GraphView {
  const edit = <T extends CardView | RelationshipView>(list: readonly T[], fresh: () => T): readonly T[] => {
    const at = Math.floor(random() * (list.length + 1));
    const lines = Math.floor(random() * 3);
    const rest = list.slice(at).map((each) => moved(each, lines));
    switch (Math.floor(random() * 5)) {
      case 0:
        return [...list.slice(0, at), fresh(), ...rest];
      case 1:
        return [...list.slice(0, at), ...rest.slice(1)];
      case 2:
        return list.toSorted(() => random() - 0.5);
      case 3:
        return list.map((each, index) => (index === at ? fresh() : each));
      default:
        return [...list.slice(0, at), ...rest];
    }
  };
  const label = pick(random, ['a = b', 'c = d']);
  return {
    ...view,
    version: turn + 2,
    elements: edit(view.elements, () => element(`Step ${turn}`, Math.floor(random() * 50))),
    relationships: edit(view.relationships, () => relationship(`link ${turn}`, Math.floor(random() * 50), { label })),
  };
}

const text = `version: 1
name: Orders
dataSource: shop
dataObjects: [orders, lines]
elements:
  - activityName: Place
    dataObject: orders
    startTimestamp: placed_at
  - { activityName: Ship, dataObject: orders, startTimestamp: shipped_at }
  - dataObject: lines
entities:
  - { name: Customers, dataObject: customers, key: id }
relationships:
  - { source: Place, target: Ship, mappings: [{ source: id, target: id }] }
  - { name: to, source: Ship, target: Customers, mappings: [{ source: customer, target: id }] }
`;
const pieces = ['\n', '\n\n', '', 'a', ' ', '  - dataObject: x\n', '# c\n', ']', '#3', 'Place'];

function viewOf(given: string): GraphView {
  return toGraphView(parseEntityGraph(given), { uri: 'file:///o.entity.yaml', version: 1 });
}
