import assert from 'node:assert/strict';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { catalog, sources } from './shop-catalog.ts';

/** The problems of a start, as `code: message (text)`. */
function problemsOf(start: string): readonly string[] {
  const text = `version: 1
dataSource: shop
dataObjects: [orders]
elements:
  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: ${start} }
`;
  const parsed = parseEntityGraph(text);
  const found = validateEntityGraph({ text, parsed, catalog, sources });
  return found.map(({ code, message, range }) => `${code}: ${message} (${text.slice(range.start, range.end)})`);
}

describe('atEndOfDay', () => {
  it('is valid for dates', () => {
    for (const start of [
      '{ column: shipped_on, atEndOfDay: true }',
      '{ column: shipped_on }',
      '{ column: placed_at, atEndOfDay: false }',
      '{ expression: orders.shipped_on, atEndOfDay: true, x-why: dated }',
    ]) {
      assert.deepEqual(problemsOf(start), [], start);
    }
  });

  it('is a problem at columns of other types', () => {
    assert.deepEqual(problemsOf('{ column: placed_at, atEndOfDay: true }'), [
      'timestamp-type: "placed_at" is of type timestamp without time zone: atEndOfDay is for dates without time of day. Remove it. (true)',
    ]);
    assert.deepEqual(
      problemsOf('{ column: note, atEndOfDay: true }').at(-1),
      'timestamp-type: "note" is of type text: atEndOfDay is for dates without time of day. Remove it. (true)',
    );
    assert.match(
      problemsOf('{ column: id, atEndOfDay: true }').join(),
      /^timestamp-type: "id" is of type \w+, which holds no time/,
    );
  });

  it('belongs to one column or expression', () => {
    assert.deepEqual(problemsOf('{ column: shipped_on, expression: orders.shipped_on }'), [
      'schema-value: "startTimestamp" takes "column" or "expression", not both. Remove one of them. (expression)',
    ]);
    assert.deepEqual(
      problemsOf('{ atEndOfDay: true }').filter((problem) => problem.startsWith('schema')),
      ['schema-missing-property: "startTimestamp" needs "expression" or "column". Add one of them. (startTimestamp)'],
    );
    assert.deepEqual(
      problemsOf('{ column: shipped_on, atEndOfDay: 1 }').map((problem) => problem.split(':')[0]),
      ['schema-type'],
    );
  });

  it('finds wrong columns', () => {
    assert.match(problemsOf('{ column: shiped_on, atEndOfDay: true }').join(), /^unknown-column: .*shipped_on/);
  });
});
