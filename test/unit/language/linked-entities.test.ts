import assert from 'node:assert/strict';
import { codeLenses } from '../../../server/src/language/code-lens.ts';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { createEntryCache } from '../../../server/src/language/checks/entry-cache.ts';
import { hoverEntityGraph } from '../../../server/src/language/hover.ts';
import { nameAt, renameThing } from '../../../server/src/language/names.ts';
import { outlineEntityGraph } from '../../../server/src/language/document-symbols.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withCursor } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';
import { formattingEdits } from './formatting-edits.ts';

const text = `version: 1
dataSource: shop
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    correlatesWith:
      - { entityType: customer, key: customer_id, qualifier: by }
      - entityType: tag
        key: note
        separator: ";"
entities:
  - name: Buyers
    entityType: customer
    dataObject: customers
    key: id
    properties: [name]
relationships:
  - source: Place Order
    target: Buyers
    mappings: [{ source: customer_id, target: id }]
`;

const problemsOf = (of: string): readonly (readonly string[])[] =>
  validateEntityGraph({ text: of, sources, catalog }).map(({ code, range }) => [
    code,
    of.slice(range.start, range.end),
  ]);

describe('correlatesWith, ownEntity and entities in the language', () => {
  it('a correct graph has no problems', () => assert.deepEqual(problemsOf(text), []));

  const mistakes: readonly (readonly [what: string, from: string, to: string, code: string, at: string])[] = [
    ['a column that is not there', 'key: customer_id,', 'key: customer,', 'unknown-column', 'customer'],
    ['a column of an entry that is not there', '[name]', '[nam]', 'unknown-column', 'nam'],
    ['an object that is not there', 'dataObject: customers', 'dataObject: customer', 'unknown-data-object', 'customer'],
    ['an entry without data object', '    dataObject: customers\n', '', 'schema-missing-property', 'name'],
    ['a correlation without key', ', key: customer_id,', ',', 'schema-missing-property', '{'],
    ['a list of several columns', 'key: note', 'key: [note, id]', 'list-key', '";"'],
    ['each with another word', 'separator: ";"', 'each: line', 'schema-value', 'line'],
    ['a list of a number', 'key: note\n        separator: ";"', 'key: id\n        each: list', 'type-mismatch', 'id'],
    ['an empty separator', '";"', '""', 'schema-value', '""'],
    ['a key of another width', 'key: customer_id,', 'key: [customer_id, id],', 'key-width', 'id'],
    ['a reserved qualifier', 'qualifier: by', 'qualifier: self', 'reserved-name', 'self'],
    ['a reserved type as qualifier', 'entityType: tag', 'entityType: self', 'reserved-name', 'self'],
    ['a name like another', 'entityType: customer, key', 'entityType: custmer, key', 'similar-entity-type', 'custmer'],
    ['a name that is taken', 'name: Buyers', 'name: Place Order', 'duplicate-activity-name', 'Place Order'],
    ['an end that is not there', 'target: Buyers', 'target: Buyer', 'unknown-activity', 'Buyer'],
    ['a missing key', '    key: id\n', '', 'missing-key', 'Buyers'],
    ['events without anything', 'correlatesWith:', 'ownEntity: false\n    x-links:', 'no-own-entity', 'false'],
    [
      'a relationship of such events',
      'correlatesWith:',
      'ownEntity: false\n    correlatesWith:',
      'no-own-entity',
      'Place Order',
    ],
    ['SQL that does not end', '    key: id\n', '    key: id\n    where: (id\n', 'sql-not-contained', '('],
  ];
  for (const [what, from, to, code, at] of mistakes) {
    it(`a problem reports ${what}`, () => {
      const wrong = text.replace(from, to);
      assert.notEqual(wrong, text);
      const found = problemsOf(wrong);
      assert.ok(
        found.some(([is, place = '']) => is === code && (place === at || place.startsWith(at))),
        JSON.stringify(found),
      );
    });
  }

  it('a problem reports a relationship whose entry is renamed, until the old name is typed again', () => {
    const parser = createGraphParser();
    const memo = createEntryCache();
    const codes = (of: string): readonly string[] =>
      validateEntityGraph({ text: of, parsed: parser.parse(of), memo, sources, catalog }).map(({ code }) => code);
    assert.deepEqual(codes(text), []);
    assert.deepEqual(codes(text.replace('name: Buyers', 'name: Others')), ['unknown-activity']);
    assert.deepEqual(codes(text.replace('    key: id\n    prop', '    key: [id, name]\n    prop')), ['key-width']);
    assert.deepEqual(codes(text), []);
  });

  const completions: readonly (readonly [what: string, marked: string, first: readonly string[]])[] = [
    ['types of all that makes entities', text.replace('entityType: tag', 'entityType: <|>'), ['orders', 'customer']],
    ['columns of the element', text.replace('key: note', 'key: <|>'), ['id', 'customer_id']],
    ['columns of the entry', text.replace('[name]', '[<|>]'), ['id', 'name', 'since']],
    ['names of entries as ends', text.replace('target: Buyers', 'target: <|>'), ['Place Order', 'Buyers']],
    [
      'keys of a correlation',
      text.replace('        separator: ";"', '        <|>'),
      ['qualifier', 'each', 'separator'],
    ],
    [
      'a new correlation',
      text.replace('      - entityType: tag', '      - <|>\n      - entityType: tag'),
      ['New row correlation'],
    ],
    ['new entities', text.replace('relationships:', '  - <|>\nrelationships:'), ['New entities']],
    [
      'columns in the filter of an entry',
      text.replace('    key: id\n', '    key: id\n    where: <|>\n'),
      ['id', 'name', 'since'],
    ],
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

  it('hover explains keys, columns and ends', () => {
    const at = (marked: string): string => {
      const { text: plain, offset } = withCursor(marked);
      return hoverEntityGraph({ parsed: parseEntityGraph(plain), sources, catalog }, offset)?.markdown.source ?? '';
    };
    assert.match(at(text.replace('correlatesWith', 'correlates<|>With')), /this row's event is also about these/);
    assert.match(at(text.replace('customer_id,', 'customer<|>_id,')), /customer.?_id/);
    assert.match(at(text.replace('target: Buyers', 'target: Buy<|>ers')), /Buyers.*entities of customers/s);
  });

  it('rename changes entries and entity types with all their uses', () => {
    const renamed = (marked: string, name: string): string => {
      const { text: plain, offset } = withCursor(marked);
      const parsed = parseEntityGraph(plain);
      const thing = nameAt(parsed.graph, offset);
      assert.ok(thing);
      const outcome = renameThing(parsed, thing, name);
      assert.ok('edits' in outcome, JSON.stringify(outcome));
      return applyEdits(plain, outcome.edits);
    };
    assert.equal(
      renamed(text.replace('target: Buyers', 'target: Buy<|>ers'), 'Clients'),
      text.replaceAll('Buyers', 'Clients'),
    );
    assert.equal(
      renamed(text.replace('entityType: customer,', 'entityType: cust<|>omer,'), 'client'),
      text.replaceAll('entityType: customer', 'entityType: client'),
    );
    // Without a name, the type is the name used by relationships.
    const unnamed = text
      .replace('  - name: Buyers\n    entityType', '  - entityType')
      .replace('target: Buyers', 'target: customer');
    assert.equal(
      renamed(unnamed.replace('target: customer', 'target: cust<|>omer'), 'client'),
      unnamed.replaceAll('entityType: customer', 'entityType: client').replace('target: customer', 'target: client'),
    );
  });

  it('the outline lists entries, and code lenses offer their queries', () => {
    const parsed = parseEntityGraph(text);
    assert.deepEqual(
      outlineEntityGraph(parsed).map(({ name, children }) => [name, children.map((child) => child.name)]),
      [
        ['Elements', ['Place Order']],
        ['Entities', ['Buyers']],
        ['Relationships', ['Place Order → Buyers']],
      ],
    );
    const counts = {
      elements: [],
      entities: [{ name: 'Buyers', entities: 2 }],
      relationships: [],
      totals: { events: 0, entities: 2 },
    };
    assert.deepEqual(
      codeLenses(parsed.graph, counts)
        .filter(({ range }) => text.startsWith('name: Buyers', range.start))
        .map(({ title }) => title),
      ['Test Query', 'Show Query', '2 entities'],
    );
  });

  it('formatting leaves a formatted text unchanged', () => {
    assert.deepEqual(formattingEdits({ text }), []);
  });
});
