import assert from 'node:assert/strict';
import { findingKinds } from '../../../protocol/shapes/finding-shapes.ts';
import entityGraphSchema from '../../../schemas/entity-graph.schema.json' with { type: 'json' };
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { nameAt, renameSymbol } from '../../../server/src/language/names.ts';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { editGraph } from '../../../server/src/model/edits/edit-graph.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { meaningOf } from '../../../server/src/model/meaning.ts';
import { meaningEdits } from '../../../server/src/model/meaning-edits.ts';
import { acceptedFindings } from '../../../server/src/model/accepted-entry.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withCursor } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const graph = (entry: string): string => `version: 1
dataSource: shop
dataObjects: [orders]
elements:
  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: placed_at }
accepted:
  - ${entry}
`;
const entry = '{ finding: midnight-times, element: Place Order, column: placed_at, reason: Days only. }';

function problemsOf(text: string): readonly string[] {
  const found = validateEntityGraph({ text, parsed: parseEntityGraph(text), catalog, sources });
  return found.map(({ code, message, range }) => `${code}: ${message} (${text.slice(range.start, range.end)})`);
}

/** docs/semantics.md#27-accepted-findings */
describe('accepted findings in the language', () => {
  it('have the kinds of findings', () => {
    assert.deepEqual(entityGraphSchema.definitions.acceptedFinding.properties.finding.enum, findingKinds);
  });

  it('are read, and are problems where they say nothing', () => {
    assert.deepEqual(acceptedFindings(parseEntityGraph(graph(entry)).graph.accepted), [
      { finding: 'midnight-times', element: 'Place Order', column: 'placed_at', reason: 'Days only.' },
    ]);
    assert.deepEqual(acceptedFindings(parseEntityGraph(graph('{ element: Place Order }')).graph.accepted), []);
    assert.deepEqual(problemsOf(graph(entry)), []);
    assert.deepEqual(problemsOf(graph('{ finding: whole-hours }')), []);
    for (const [written, code] of [
      ['{ finding: midnight-time }', 'schema-value'],
      ['{ element: Place Order }', 'schema-missing-property'],
      ['{ finding: whole-hours, colum: at }', 'schema-unknown-property'],
    ] as const) {
      assert.deepEqual([...new Set(problemsOf(graph(written)).map((each) => each.split(':')[0]))], [code], written);
    }
  });

  it('are of elements of the file, with a quick fix', () => {
    const text = graph(entry.replace('Place Order', 'Place Ordr'));
    assert.deepEqual(problemsOf(text), [
      'accepted-unknown-name: No element of this file has the activity name "Place Ordr". Did you mean "Place Order"? (Place Ordr)',
    ]);
    const parsed = parseEntityGraph(text);
    const [problem] = validateEntityGraph({ text, parsed, catalog, sources });
    const [fix] = fixesOf(problem ?? assert.fail(), { parsed, catalog, sources });
    assert.equal(applyEdits(text, fix?.edits ?? []), graph(entry));
  });

  it('are completed', () => {
    for (const [marked, expected] of [
      ['{ finding: <|> }', ['same-time-order', 'midnight-times']],
      ['{ finding: midnight-times, element: <|> }', ['Place Order']],
      ['{ finding: midnight-times, element: Place Order, column: <|> }', ['id', 'customer_id']],
    ] as const) {
      const { text, offset } = withCursor(graph(marked));
      const labels = completeEntityGraph({ parsed: parseEntityGraph(text), catalog, sources }, offset).map(
        ({ label }) => label,
      );
      assert.deepEqual(labels.slice(0, 2), expected, marked);
    }
  });

  it('have their old texts completed in activityNames, without those that have a name', () => {
    const texts = ['new', 'in progress', 'yes: or no'];
    const [orders, ...others] = catalog.objects;
    assert.ok(orders);
    const known = {
      ...catalog,
      objects: [
        {
          ...orders,
          columns: orders.columns.map((each) => (each.name === 'note' ? { ...each, samples: texts } : each)),
        },
        ...others,
      ],
    };
    for (const [marked, expected] of [
      ['{ new: Open, <|> }', ['in progress', "'yes: or no'"]],
      ['{ new: <|> }', ['Place Order']],
    ] as const) {
      const { text, offset } = withCursor(
        graph(entry).replace('startTimestamp: placed_at', `activityColumn: note, activityNames: ${marked}`),
      );
      const found = completeEntityGraph({ parsed: parseEntityGraph(text), catalog: known, sources }, offset);
      const written = found.map(({ insertText }) => insertText.replace(/: $/, '').trim());
      assert.deepEqual(written.slice(0, 2), expected, marked);
    }
  });

  it('follow a new name of their element, as guards do', () => {
    const text = `${graph(entry)}guards: [{ element: Place Order, losesAtMost: 10% }]\n`;
    const renamed = text.replaceAll('Place Order', 'Order');
    const parsed = parseEntityGraph(text);
    const symbol = nameAt(parsed.graph, text.indexOf('Place Order, column') + 1) ?? assert.fail();
    const result = renameSymbol(parsed, symbol, 'Order');
    assert.ok('edits' in result);
    assert.equal(applyEdits(text, result.edits), renamed);
    const onCanvas = editGraph(
      { text },
      { kind: 'configureElement', element: 'Place Order', values: { activityName: 'Order' } },
    );
    assert.ok('edits' in onCanvas);
    assert.equal(applyEdits(text, onCanvas.edits), renamed);
  });

  it('are edits of their own', () => {
    const [before, after] = [graph(entry), graph(`${entry}\n  - { finding: whole-hours }`)].map(
      (text) => meaningOf(parseEntityGraph(text).yaml) ?? assert.fail(),
    );
    assert.deepEqual(
      meaningEdits(before ?? {}, after ?? {}).edits.map(({ kind, section, title }) => [kind, section, title]),
      [['new', 'accepted', 'whole-hours']],
    );
  });
});
