import assert from 'node:assert/strict';
import { relatedElements, elementNamedAt } from '../../../server/src/language/call-hierarchy.ts';
import { catalogUnknown } from '../../../server/src/language/catalog-knowledge.ts';
import { fieldAt } from '../../../server/src/language/validation/check-intent.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { columnTypeHints, entityCountHints } from '../../../server/src/language/inlay-hints.ts';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import { changesAt } from '../../../server/src/language/refactorings/index.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { loadPostgresqlValidator } from '../../../server/src/sql/postgresql-validator.ts';
import type { SqlValidator } from '../../../server/src/language/sql/sql-validator.ts';
import { catalog as shop, sources } from './shop-catalog.ts';

const [orders, ...others] = shop.objects;
const reference = { dataObject: 'customers', columns: ['id'] };
const foreignKeys = [{ name: 'orders_customer_fk', columns: ['customer_id'], references: reference }];
const catalog = { ...shop, objects: [...(orders ? [{ ...orders, foreignKeys }] : []), ...others] };

const text = `version: 1
dataSource: shop
dataObjects: [orders, customers]
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    where: id > 5
entities:
  - name: Buyers
    entityType: customer
    dataObject: customers
    key: id
    where: id > 5
relationships:
  - source: Place Order
    target: Buyers
    mappings:
      - { source: customer_id, target: id }
`;

/** The mistake that a replacement makes, the titles of its fixes, and the file after the first of them. */
const fixes: readonly (readonly [
  name: string,
  from: string,
  to: string,
  code: string,
  title: RegExp,
  mended: string,
])[] = [
  ['a missing key', '    key: id\n', '', 'missing-key', /^Identify the entity by "id"$/, '    key: id\n'],
  [
    'a name that is taken',
    'name: Buyers',
    'name: Place Order',
    'duplicate-activity-name',
    /^Rename it to "Place Order 2"$/,
    'name: Place Order 2',
  ],
  [
    'an entity type that is already a name',
    'name: Buyers\n    entityType: customer',
    'entityType: Place Order',
    'duplicate-activity-name',
    /^Name it "Place Order 2"$/,
    '  - name: Place Order 2\n    entityType: Place Order\n',
  ],
  [
    'SQL that is not closed',
    'customers\n    key: id\n    where: id > 5',
    'customers\n    key: id\n    where: (id > 5',
    'sql-not-contained',
    /^Close/,
    '',
  ],
  [
    'a word too much in SQL',
    'key: id\n    where: id > 5',
    'key: id\n    where: WHERE id > 5',
    'sql-syntax',
    /WHERE/,
    '',
  ],
  [
    'a draft to an entry',
    '    mappings:\n      - { source: customer_id, target: id }\n',
    '',
    'relationship-draft',
    /^Join by customer_id = id/,
    '',
  ],
];

describe('entries of entities in the language', () => {
  let sqlValidator: SqlValidator;
  before(async () => {
    sqlValidator = await loadPostgresqlValidator();
  });

  const problemsOf = (of: string) => validateEntityGraph({ text: of, sources, catalog, sqlValidator });

  it('have no problems in a correct file', () => assert.deepEqual(problemsOf(text), []));

  for (const [name, from, to, code, title, mended] of fixes) {
    it(`get the quick fixes of elements: ${name}`, () => {
      const wrong = text.replace(from, to);
      assert.notEqual(wrong, text);
      const problems = problemsOf(wrong);
      const problem = problems.find((each) => each.code === code);
      assert.ok(problem, JSON.stringify(problems));
      const [fix] = fixesOf(problem, { parsed: parseEntityGraph(wrong), catalog, sources });
      assert.match(fix?.title ?? '', title);
      const after = applyEdits(wrong, fix?.edits ?? []);
      assert.deepEqual(
        problemsOf(after).filter((each) => each.code === code),
        [],
      );
      if (mended !== '') assert.ok(after.includes(mended), after);
    });
  }

  it('have names that are not given to new activities', () => {
    const wrong = text
      .replace(
        'entities:\n',
        '  - activityName: Place Order\n    dataObject: orders\n    startTimestamp: placed_at\nentities:\n',
      )
      .replaceAll('Buyers', 'Place Order 2');
    const problem = problemsOf(wrong).find(({ code }) => code === 'duplicate-activity-name');
    assert.ok(problem);
    const [fix] = fixesOf(problem, { parsed: parseEntityGraph(wrong), catalog, sources });
    assert.equal(fix?.title, 'Rename it to "Place Order 3"');
  });

  it('count as a use of their data object, also in a graph without elements', () => {
    const unused = text.replace(/elements:[^]*(?=entities:)/, '').replace(/relationships:[^]*/, '');
    assert.deepEqual(
      problemsOf(unused).flatMap(({ code, range }) =>
        code === 'selected-object-unused' ? [unused.slice(range.start, range.end)] : [],
      ),
      ['orders'],
    );
  });

  it('have a problem if an incomplete catalog lacks their data object', () => {
    const [known] = catalog.objects;
    assert.ok(known);
    const partial = { ...catalog, complete: false, objects: [known] };
    const { graph } = parseEntityGraph(text.replace('[orders, customers]', '[orders]'));
    assert.match(catalogUnknown(graph, partial, undefined)[0]?.message ?? '', /"customers" and its columns/);
  });

  it('have inlay hints', () => {
    const { graph } = parseEntityGraph(text);
    const at = (offset: number): string => text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim();
    assert.deepEqual(
      columnTypeHints(graph, catalog).map(({ offset, label }) => [at(offset), label]),
      [
        ['startTimestamp: placed_at', 'timestamp without time zone'],
        ['key: id', 'integer'],
      ],
    );
    const counts = {
      elements: [],
      entities: [{ name: 'Buyers', entities: 7 }],
      relationships: [],
      totals: { events: 0, entities: 7 },
    };
    assert.deepEqual(
      entityCountHints(graph, counts).map(({ offset, label }) => [at(offset), label]),
      [['- name: Buyers', '7 entities']],
    );
  });

  it('are ends in the call hierarchy', () => {
    const { graph } = parseEntityGraph(text);
    assert.deepEqual(
      relatedElements(graph, 'Place Order', 'outgoing').map(({ element }) => element.range),
      [graph.entities[0]?.range],
    );
    assert.equal(elementNamedAt(graph, text.indexOf('Buyers')), graph.entities[0]);
  });

  it('share filters with elements', () => {
    const parsed = parseEntityGraph(text);
    const offered = changesAt({ parsed, catalog, sources }, text.lastIndexOf('where: id'));
    const made = offered.find(({ title }) => title === 'Write this filter once for 2 entries')?.edits();
    assert.ok(made && 'edits' in made);
    assert.equal(
      applyEdits(text, made.edits),
      text
        .replace('where: id > 5', 'where: &filter id > 5')
        .replace('key: id\n    where: id > 5', 'key: id\n    where: *filter'),
    );
  });

  it('have fields that are found by their range', () => {
    const start = text.lastIndexOf('id > 5');
    assert.deepEqual(fieldAt(parseEntityGraph(text), { start, end: start + 2 }), {
      property: 'where',
      excerpt: 'id',
    });
  });

  it('an element is reachable if rows of another element name its entity type', () => {
    const related = `version: 1
dataSource: shop
elements:
  - { activityName: Place Order, dataObject: orders, startTimestamp: placed_at, correlatesWith: [{ entityType: client, key: customer_id }] }
  - { activityName: Win Customer, dataObject: customers, key: id, entityType: client, startTimestamp: since }
relationships: [{ source: Place Order, target: Place Order, mappings: [{ source: id, target: customer_id }] }]
`;
    assert.deepEqual(problemsOf(related), []);
    assert.deepEqual(
      problemsOf(related.replace('entityType: client, key: customer_id', 'entityType: buyer, key: customer_id')).map(
        ({ code }) => code,
      ),
      ['unreachable-element'],
    );
  });
});
