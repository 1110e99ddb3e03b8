import assert from 'node:assert/strict';
import type { ElementValues } from '../../../protocol/canvas-intents.ts';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { canvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { nameAt, renameSymbol } from '../../../server/src/language/names.ts';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import { toGraphView } from '../../../server/src/language/to-graph-view.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { editGraph } from '../../../server/src/model/edits/edit-graph.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withCursor } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const graph = (fields: string, activity = 'Pack', more = ''): string => `version: 1
dataSource: shop
dataObjects: [orders]
elements:
  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: placed_at${fields} }
${more}rules:
  - { name: Packed, each: { entityType: orders }, expect: [{ count: 1.., activity: ${activity} }] }
`;
const names = ', activityColumn: note, activityNames: { fragile: Pack, "a gift": Pack, 7: Ship }';

function problemsOf(text: string): readonly string[] {
  const found = validateEntityGraph({ text, parsed: parseEntityGraph(text), catalog, sources });
  return found.map(({ code, message, range }) => `${code}: ${message} (${text.slice(range.start, range.end)})`);
}

/** docs/semantics.md#55-activity-of-an-event */
describe('activityNames', () => {
  it('needs an activity column, and names', () => {
    assert.deepEqual(problemsOf(graph(names)), []);
    assert.deepEqual(problemsOf(graph(', activityNames: { fragile: Pack }', 'Place Order')), [
      'activity-names-unused: activityNames are names for texts of the activityColumn, which this element does not have. Add activityColumn, or remove activityNames. ({ fragile: Pack })',
    ]);
    for (const [value, code] of [
      ['{ fragile: 1 }', 'schema-type'],
      ['{ fragile: "" }', 'schema-value'],
      ['{}', 'schema-value'],
      ['[fragile]', 'schema-type'],
    ] as const) {
      const found = problemsOf(graph(`, activityColumn: note, activityNames: ${value}`, 'fragile'));
      assert.deepEqual([...new Set(found.map((each) => each.split(':')[0]))], [code], value);
    }
  });

  it('makes the old texts unknown in rules and measures, with a quick fix', () => {
    const text = graph(names, 'a gift');
    assert.deepEqual(problemsOf(text), [
      'rule-unknown-name: The text "a gift" of the activity column is called "Pack" (activityNames). Did you mean "Pack"? (a gift)',
    ]);
    const parsed = parseEntityGraph(text);
    const [problem] = validateEntityGraph({ text, parsed, catalog, sources });
    const [fix] = fixesOf(problem ?? assert.fail(), { parsed, catalog, sources });
    assert.equal(applyEdits(text, fix?.edits ?? []), graph(names));
    const measure = graph(names).replace(
      /rules:[^]*/,
      'measures: [{ name: Gifts, each: { activity: fragile }, count: {} }]\n',
    );
    assert.match(problemsOf(measure).join(), /measure-unknown-name: The text "fragile"/);
  });

  it('leaves texts that another column may still have', () => {
    const other =
      '  - { activityName: Other, dataObject: orders, key: id, startTimestamp: placed_at, activityColumn: note }\n';
    assert.deepEqual(problemsOf(graph(names, 'fragile', other)), []);
    const both = other.replace('note }', 'note, activityNames: { fragile: Wrap } }');
    assert.match(problemsOf(graph(names, 'fragile', both)).join(), /called "Pack"/);
    assert.deepEqual(problemsOf(graph(', activityColumn: note, activityNames: { a: b, b: a }', 'a')), []);
  });

  it('is completed in rules', () => {
    const { text, offset } = withCursor(graph(names, '<|>'));
    const labels = completeEntityGraph({ parsed: parseEntityGraph(text), catalog, sources }, offset).map(
      ({ label }) => label,
    );
    assert.deepEqual(labels, ['Place Order', 'Pack', 'Ship']);
  });

  it('is renamed with the rules that name it', () => {
    const text = graph(names);
    const parsed = parseEntityGraph(text);
    const expected = text.replaceAll(/\bPack\b/g, 'Wrap');
    for (const place of ['Pack,', 'activity: Pack']) {
      const symbol = nameAt(parsed.graph, text.indexOf(place) + place.indexOf('Pack') + 1);
      assert.equal(symbol?.kind, 'activity');
      assert.equal(symbol.places.length, 3);
      const result = renameSymbol(parsed, symbol, 'Wrap');
      assert.ok('edits' in result, JSON.stringify(result));
      assert.equal(applyEdits(text, result.edits), expected);
    }
    // Old texts are those of the data.
    assert.equal(nameAt(parsed.graph, text.indexOf('fragile:') + 1), undefined);
  });

  it('is a list of the dialog, which is written without unfinished lines', () => {
    const text = graph(names);
    const [element] = toGraphView(parseEntityGraph(text), { uri: 'file:///a', version: 1 }).elements;
    const values = [
      { text: 'fragile', name: 'Pack' },
      { text: 'a gift', name: 'Pack' },
      { text: '7', name: 'Ship' },
    ];
    assert.deepEqual((element?.values as ElementValues).activityNames, values);
    const edited = (activityNames: typeof values | null): string => {
      const intent: CanvasIntent = { kind: 'configureElement', element: 'Place Order', values: { activityNames } };
      assert.equal(canvasIntent(intent, ''), undefined);
      const result = editGraph({ text }, intent);
      assert.ok('edits' in result, JSON.stringify(result));
      return applyEdits(text, result.edits);
    };
    assert.equal(edited(values), text);
    assert.equal(edited(null), graph(', activityColumn: note'));
    assert.equal(edited([]), graph(', activityColumn: note'));
    assert.equal(
      edited([
        ...values.slice(0, 2),
        { text: '', name: 'Lost' },
        { text: 'x: y', name: ' ' },
        { text: 'b: c', name: 'Send' },
      ]),
      text.replace('7: Ship', "'b: c': Send").replace('"a gift"', 'a gift'),
    );
    assert.equal(edited(values.with(2, { text: '7', name: 'Send' })), text.replace('7: Ship', '7: Send'));
    assert.match(
      canvasIntent(
        { kind: 'configureElement', element: 'Place Order', values: { activityNames: [{ text: 'a' }] } } as never,
        '',
      ) ?? '',
      /name/,
    );
  });
});
