import assert from 'node:assert/strict';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { hoverEntityGraph } from '../../../server/src/language/hover.ts';
import { nameAt, renameSymbol } from '../../../server/src/language/names.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withCursor } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const text = `version: 1
dataSource: shop
elements:
  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed_at }
entities:
  - { name: Customers, dataObject: customers, key: id, entityType: customer }
relationships:
  - { name: placed by, source: Place Order, target: Customers, mappings: [{ source: customer_id, target: id }] }
guards:
  - { element: Place Order, losesAtMost: 10%, severity: error }
  - { element: Customers, losesAtMost: 2.5 % }
  - { relationship: placed by, unmatchedAtMost: 2%, side: target }
`;

const problemsOf = (of: string): readonly (readonly string[])[] =>
  validateEntityGraph({ text: of, sources }).map(({ code, range }) => [code, of.slice(range.start, range.end)]);

describe('guards in the language', () => {
  it('have no problems if they are correct, and are read', () => {
    assert.deepEqual(problemsOf(text), []);
    const { guards } = parseEntityGraph(text).graph;
    assert.deepEqual(
      guards.map(({ element, relationship, losesAtMost, unmatchedAtMost, side, severity }) => [
        element?.value ?? relationship?.value,
        losesAtMost?.value ?? unmatchedAtMost?.value,
        side,
        severity,
      ]),
      [['Place Order', 0.1, 'source', 'error'], ['Customers', 0.025, 'source', 'warning'], ['placed by', 0.02, 'target', 'warning']], // prettier-ignore
    );
  });

  const mistakes: readonly (readonly [what: string, from: string, to: string, code: string, at: string])[] = [
    ['an unknown element', '{ element: Place Order', '{ element: Plaec Order', 'guard-unknown-name', 'Plaec Order'],
    ['an unknown relationship', '{ relationship: placed', '{ relationship: places', 'guard-unknown-name', 'places by'],
    ['no share', 'losesAtMost: 10%, ', '', 'guard-incomplete', '{ element: Place Order, severity: error }'],
    ['words', '10%', 'ten', 'guard-incomplete', 'ten'],
    ['more than all', '10%', '101%', 'guard-incomplete', '101%'],
    ['the share of a relationship', 'losesAtMost: 10%', 'unmatchedAtMost: 10%', 'guard-incomplete', '{ element: Place Order, unmatchedAtMost: 10%, severity: error }'], // prettier-ignore
    ['nothing', 'relationship: placed by, ', '', 'guard-incomplete', '{ unmatchedAtMost: 2%, side: target }'],
    ['two things', 'relationship: placed by', 'element: Customers, relationship: placed by', 'guard-incomplete', '{ element: Customers, relationship: placed by, unmatchedAtMost: 2%, side: target }'], // prettier-ignore
    ['a side of an element', 'losesAtMost: 2.5 %', 'losesAtMost: 2.5 %, side: target', 'guard-incomplete', 'target'],
    ['the same element and severity twice', 'element: Customers, losesAtMost: 2.5 %', 'element: Place Order, losesAtMost: 5%, severity: error', 'guard-incomplete', 'Place Order'], // prettier-ignore
    ['another severity', 'severity: error', 'severity: info', 'schema-value', 'info'],
    ['an unknown key', 'side: target', 'sides: target', 'schema-unknown-property', 'sides'],
  ];
  for (const [what, from, to, code, at] of mistakes) {
    it(`have a problem with ${what}`, () => {
      const wrong = text.replace(from, to);
      assert.notEqual(wrong, text);
      assert.deepEqual(problemsOf(wrong), [[code, at]]);
    });
  }

  it('may be two of one element or relationship, with different severities or sides', () => {
    const two = `${text}  - { element: Place Order, losesAtMost: 5% }\n  - { relationship: placed by, unmatchedAtMost: 5% }\n`;
    assert.deepEqual(problemsOf(two), []);
  });

  for (const [field, names] of [
    ['element: <|>', ['Place Order', 'Customers']],
    ['relationship: <|>', ['placed by']],
    ['side: <|>', ['source', 'target']],
    ['<|>', ['element', 'losesAtMost', 'relationship', 'unmatchedAtMost', 'side', 'severity']],
  ] as const) {
    it(`completion offers ${names.join(', ')}`, () => {
      const { text: plain, offset } = withCursor(`${text}  - ${field}\n`);
      const found = completeEntityGraph({ parsed: parseEntityGraph(plain), sources, catalog }, offset);
      assert.deepEqual(found.map(({ label }) => label).slice(0, names.length), names);
    });
  }

  it('are explained, and follow a renamed element, entry and relationship', () => {
    const parsed = parseEntityGraph(text);
    const hover = hoverEntityGraph({ parsed, sources, catalog }, text.indexOf('losesAtMost') + 2);
    assert.match(JSON.stringify(hover), /may lose since the last whole one/);
    for (const name of ['Place Order', 'Customers', 'placed by']) {
      const thing = nameAt(parsed.graph, text.lastIndexOf(name) + 1);
      assert.ok(thing?.definition, name);
      const outcome = renameSymbol(parsed, thing, 'Other');
      assert.ok('edits' in outcome);
      assert.equal(applyEdits(text, outcome.edits), text.replaceAll(name, 'Other'));
    }
  });
});
