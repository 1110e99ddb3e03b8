import assert from 'node:assert/strict';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { hoverEntityGraph } from '../../../server/src/language/hover.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withCursor } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const text = `version: 1
dataSource: shop
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    expect:
      unique: [id, [customer_id, note]]
      notNull: [customer_id]
      values: { note: [paid, 1, true] }
      rows: "10.."
`;

const ofEntities = `version: 1
dataSource: shop
entities:
  - dataObject: orders
    expect:
      unique: [id, [customer_id, note]]
      notNull: [customer_id]
`;

const problemsOf = (of: string): readonly (readonly string[])[] =>
  validateEntityGraph({ text: of, sources, catalog }).map(({ code, range }) => [
    code,
    of.slice(range.start, range.end),
  ]);

describe('expectations of rows in the language', () => {
  it('have no problems if they are correct', () => assert.deepEqual(problemsOf(text), []));

  const mistakes: readonly (readonly [what: string, from: string, to: string, code: string, at: string])[] = [
    ['a unique column that is not there', '[id,', '[idd,', 'unknown-column', 'idd'],
    ['a column of several that is not there', 'note]]', 'nota]]', 'unknown-column', 'nota'],
    ['a column with values that is not there', 'note: [paid', 'nope: [paid', 'unknown-column', 'nope'],
    ['a column that should have a value and is not there', '[customer_id]', '[customer]', 'unknown-column', 'customer'],
    ['no expectation', text.slice(text.indexOf('expect:')), 'expect: {}\n', 'schema-value', 'expect'],
    ['no values', '[paid, 1, true]', '[]', 'schema-value', 'note'],
    ['a value that is none', '[paid, 1, true]', '[paid, [1]]', 'schema-type', '[1]'],
    ['a number of rows that is none', '"10.."', 'many', 'schema-value', 'many'],
    ['a negative number of rows', '"10.."', '-1', 'schema-value', '-1'],
    ['limits in the wrong order', '"10.."', '10..9', 'impossible-count', '10..9'],
    ['a severity that is none', 'rows: "10.."', 'severity: bad', 'schema-value', 'bad'],
    [
      'a severity without expectations',
      text.slice(text.indexOf('      unique')),
      '      severity: error\n',
      'rule-incomplete',
      'severity: error\n',
    ],
    ['a misspelt key', 'notNull:', 'notnull:', 'schema-unknown-property', 'notnull'],
  ];
  for (const [what, from, to, code, at] of mistakes) {
    it(`a problem reports ${what}`, () => {
      const wrong = text.replace(from, to);
      assert.notEqual(wrong, text);
      assert.deepEqual(problemsOf(wrong), [[code, at]]);
    });
  }

  const completions: readonly (readonly [what: string, marked: string, first: readonly string[]])[] = [
    ['unique columns', text.replace('[id,', '[<|>,'), ['id', 'customer_id']],
    ['columns that have a value', text.replace('[customer_id]', '[<|>]'), ['id', 'customer_id']],
    ['unique columns of entities', ofEntities.replace('[id,', '[<|>,'), ['id', 'customer_id']],
    ['columns of entities that have a value', ofEntities.replace('[customer_id]', '[<|>]'), ['id', 'customer_id']],
    ['keys', text.replace('      rows: "10.."', '      <|>'), ['rows']],
  ];
  for (const [what, marked, first] of completions) {
    it(`completion offers ${what}`, () => {
      const { text: plain, offset } = withCursor(marked);
      const found = completeEntityGraph({ parsed: parseEntityGraph(plain), sources, catalog }, offset);
      const labels = found.toSorted((left, right) => ((left.sortText ?? '') < (right.sortText ?? '') ? -1 : 1));
      assert.deepEqual(
        labels.slice(0, first.length).map(({ label }) => label),
        first,
      );
    });
  }

  it('are explained by hover, with their columns', () => {
    const at = (marked: string): string => {
      const { text: plain, offset } = withCursor(marked);
      return hoverEntityGraph({ parsed: parseEntityGraph(plain), sources, catalog }, offset)?.markdown.source ?? '';
    };
    assert.match(at(text.replace('expect:', 'exp<|>ect:')), /What should hold of the rows/);
    for (const graph of [text, ofEntities]) {
      const marked = graph.replace('notNull: [customer_id]', 'notNull: [customer<|>_id]');
      assert.match(at(marked), /^\*\*customer.?_id\*\*/);
    }
  });
});
