import assert from 'node:assert/strict';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { canvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { toGraphView } from '../../../server/src/language/to-graph-view.ts';
import { editGraph } from '../../../server/src/model/edits/edit-graph.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';

const text = `version: 1
dataSource: shop
elements:
  - activityName: Work
    dataObject: log
    startTimestamp: at
    lifecycle: { column: phase, start: [begin], end: [done] } # as the machine writes them
    expect:
      unique: [id, [line, number]] # both
      notNull: [who]
      values:
        state: [1, 2.0, x] # known states
      rows: 1000
      severity: error
  - { activityName: Ship, dataObject: deliveries, startTimestamp: shipped }
entities:
  - { name: Staff, dataObject: staff, expect: { rows: 5.. } }
relationships:
  - { source: Work, target: Staff, mappings: [{ source: who, target: id }] }
  - { name: whole, source: Work, target: Ship, path: [Work → Staff] }
`;

function edited(intent: CanvasIntent): string {
  assert.equal(canvasIntent(intent, 'intent'), undefined);
  const result = editGraph({ text }, intent);
  assert.ok('edits' in result, JSON.stringify(result));
  return applyEdits(text, result.edits);
}
const work = (values: Extract<CanvasIntent, { kind: 'configureElement' }>['values']): string =>
  edited({ kind: 'configureElement', element: 'Work', values });

const expect = {
  unique: [['id'], ['line', 'number']],
  notNull: ['who'],
  values: [{ column: 'state', texts: ['1', '2.0', 'x'] }],
  rows: '1000',
  severity: 'error',
};

describe('dialogs and canvas edits of lifecycles, expectations, data sources and ends', () => {
  it('show them as they are written', () => {
    const { elements, relationships } = toGraphView(parseEntityGraph(text), { uri: 'file:///a', version: 1 });
    const [element, , staff] = elements.map(({ values }) => values);
    assert.deepEqual(element, {
      activityName: 'Work',
      dataObject: 'log',
      startTimestamp: 'at',
      lifecycle: { column: 'phase', start: ['begin'], end: ['done'] },
      expect,
    });
    assert.deepEqual(staff, {
      name: 'Staff',
      dataObject: 'staff',
      expect: { unique: [], notNull: [], values: [], rows: '5..' },
    });
    assert.deepEqual(
      relationships.map(({ values: { source, target } }) => [source, target]),
      [
        ['Work', 'Staff'],
        ['Work', 'Ship'],
      ],
    );
  });

  it('change one part of a lifecycle, and remove it', () => {
    const lifecycle = { column: 'phase', start: ['begin', 'resume', ''], end: ['done'] };
    assert.equal(work({ lifecycle }), text.replace('[begin]', '[begin, resume]'));
    assert.equal(work({ lifecycle: null }), text.replace(/ {4}lifecycle.*\n/, ''));
    const mere = { start: [], end: [] };
    assert.equal(work({ lifecycle: mere }), text.replace(/ {4}lifecycle.*\n/, ''));
  });

  it('change one expectation and keep the others with their numbers and comments', () => {
    assert.equal(work({ expect }), text);
    const added = { ...expect, values: [{ column: 'state', texts: ['1', '2.0', 'x', '3'] }] };
    assert.equal(work({ expect: added }), text.replace('[1, 2.0, x]', '[1, 2.0, x, 3]'));
    assert.equal(
      work({ expect: { ...expect, unique: [['id'], ['line', 'number'], ['code'], []] } }),
      text.replace('[line, number]]', '[line, number], code]'),
    );
    assert.equal(work({ expect: { ...expect, rows: '2000' } }), text.replace('rows: 1000', 'rows: 2000'));
    assert.equal(work({ expect: { ...expect, rows: '1000..' } }), text.replace('rows: 1000', 'rows: 1000..'));
    assert.equal(work({ expect: { ...expect, notNull: [] } }), text.replace(/ {6}notNull.*\n/, ''));
  });

  it('write a data source, and the first expectations', () => {
    const changed = edited({
      kind: 'configureElement',
      element: 'Ship',
      values: { dataSource: 'archive', expect: { unique: [['id']], notNull: [], values: [], rows: '..50' } },
    });
    assert.equal(
      changed,
      text.replace(
        'startTimestamp: shipped }',
        'startTimestamp: shipped, dataSource: archive, expect: { unique: [id], rows: ..50 } }',
      ),
    );
  });

  it('change an end, and the paths that call the relationship by its ends', () => {
    const changed = edited({
      kind: 'configureRelationship',
      relationship: 'Work → Staff',
      values: { target: 'Ship' },
    });
    assert.equal(
      changed,
      text
        .replace('source: Work, target: Staff', 'source: Work, target: Ship')
        .replace('[Work → Staff]', '[Work → Ship]'),
    );
  });

  it('refuse an end with which the relationship would be called like another one', () => {
    const twice = text.replace('name: whole, source: Work', 'source: Work');
    assert.deepEqual(
      editGraph(
        { text: twice },
        { kind: 'configureRelationship', relationship: 'Work → Staff', values: { target: 'Ship' } },
      ),
      { refusal: 'Another relationship is already called "Work → Ship". Choose another name.' },
    );
  });
});
