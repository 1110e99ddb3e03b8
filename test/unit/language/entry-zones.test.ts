import assert from 'node:assert/strict';
import { canvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import { toGraphView } from '../../../server/src/language/to-graph-view.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { editGraph } from '../../../server/src/model/edits/edit-graph.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { hoverEntityGraph } from '../../../server/src/language/hover.ts';
import { buildJoinPreview } from '../../../server/src/query/join-preview.ts';
import { withCursor } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const graph = (element: string, entry: string): string => `version: 1
dataSource: shop
dataObjects: [orders, customers]
elements:
  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: placed_at${element} }
entities:
  - { name: Customer, dataObject: customers, key: id${entry} }
relationships:
  - { source: Place Order, target: Customer, mappings: [{ source: customer_id, target: id }] }
`;

function problemsOf(text: string): readonly string[] {
  const found = validateEntityGraph({ text, parsed: parseEntityGraph(text), catalog, sources });
  return found.map(({ code, message, range }) => `${code}: ${message} (${text.slice(range.start, range.end)})`);
}

/** docs/semantics.md#88-the-time-zone-of-an-entry */
describe('timeZone of elements and entries of entities', () => {
  it('is a name of the IANA list, in its spelling', () => {
    assert.deepEqual(problemsOf(graph(', timeZone: Europe/Berlin', ', timeZone: UTC')), []);
    assert.deepEqual(problemsOf(graph(', timeZone: europe/berlin', '')), [
      'unknown-time-zone: "europe/berlin" is not a time zone. Did you mean "Europe/Berlin"? (europe/berlin)',
    ]);
    assert.deepEqual(
      problemsOf(graph('', ', timeZone: CEST')).map((each) => each.split(':')[0]),
      ['unknown-time-zone'],
    );
    assert.deepEqual(problemsOf(graph(', timeZone: ""', '')).length, 1);
    assert.deepEqual(
      problemsOf(graph(', timeZone: [UTC]', '')).map((each) => each.split(':')[0]),
      ['schema-type'],
    );
  });

  it('is mended by a quick fix', () => {
    const text = graph(', timeZone: europe/berlin', '');
    const parsed = parseEntityGraph(text);
    const [problem] = validateEntityGraph({ text, parsed, catalog, sources });
    const [fix] = fixesOf(problem ?? assert.fail(), { parsed, catalog, sources });
    assert.equal(applyEdits(text, fix?.edits ?? []), graph(', timeZone: Europe/Berlin', ''));
  });

  it('is that of the rows which the dialog of a relationship shows', () => {
    const text = graph(', timeZone: Europe/Berlin', ', timeZone: Asia/Tokyo').replace(
      '{ source: customer_id, target: id }',
      '{ source: placed_at, operator: ">=", target: since }',
    );
    const parsed = parseEntityGraph(text).graph;
    const built = buildJoinPreview(parsed, parsed.relationships[0] ?? assert.fail(), catalog);
    assert.ok('rows' in built);
    assert.deepEqual(built.rows.zones, {
      source_key_1: 'Europe/Berlin',
      target_key_1: 'Asia/Tokyo',
      'source placed_at': 'Europe/Berlin',
      'target since': 'Asia/Tokyo',
      'target name': 'Asia/Tokyo',
    });
    assert.match(built.rows.sql, /'Europe\/Berlin'[^]*'Asia\/Tokyo'/);
  });

  it('is completed and explained', () => {
    for (const marked of [graph(', timeZone: <|>', ''), graph('', ', timeZone: Eur<|>')]) {
      const { text, offset } = withCursor(marked);
      const labels = completeEntityGraph({ parsed: parseEntityGraph(text), catalog, sources }, offset).map(
        ({ label }) => label,
      );
      assert.ok(labels.includes('Europe/Berlin'), marked);
      assert.ok(!labels.includes('placed_at'));
    }
    const text = graph(', timeZone: Europe/Berlin', '');
    const hover = hoverEntityGraph({ parsed: parseEntityGraph(text), catalog, sources }, text.indexOf('Berlin'));
    assert.match(hover?.markdown.source ?? '', /time zone of the times without zone in the rows of this entry/);
  });

  it('is a value of both dialogs, which set and remove it', () => {
    const text = graph(', timeZone: Europe/Berlin', '');
    const { elements } = toGraphView(parseEntityGraph(text), { uri: 'file:///a', version: 1 });
    assert.deepEqual(
      elements.map(({ values }) => values.timeZone),
      ['Europe/Berlin', undefined],
    );
    const edited = (intent: Parameters<typeof editGraph>[1]): string => {
      assert.equal(canvasIntent(intent, ''), undefined);
      const result = editGraph({ text }, intent);
      assert.ok('edits' in result);
      return applyEdits(text, result.edits);
    };
    const element = 'Place Order';
    assert.equal(
      edited({ kind: 'configureElement', element, values: { timeZone: 'Asia/Tokyo' } }),
      graph(', timeZone: Asia/Tokyo', ''),
    );
    assert.equal(edited({ kind: 'configureElement', element, values: { timeZone: null } }), graph('', ''));
    assert.equal(
      edited({ kind: 'configureMasterData', entry: 'Customer', values: { timeZone: 'UTC' } }),
      graph(', timeZone: Europe/Berlin', ', timeZone: UTC'),
    );
    assert.match(
      canvasIntent({ kind: 'configureElement', element, values: { timeZone: 1 } }, '') ?? '',
      /must be a text, not 1/,
    );
  });
});
