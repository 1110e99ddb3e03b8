import assert from 'node:assert/strict';
import { codeLenses } from '../../../server/src/language/code-lens.ts';
import { importedExpectations } from '../../../server/src/language/imported-expectations.ts';
import { nameAt, renameSymbol } from '../../../server/src/language/names.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withCursor } from './marked-text.ts';

const text = `dataSource: shop
dataObjects: [orders]
elements:
  - activityName: Place Order
    dataObject: orders

  - { activityName: "Ship", dataObject: orders }
relationships:
  - source: Place Order
    target: 'Ship'
`;

describe('nameAt', () => {
  const cases: readonly (readonly [string, string, string | undefined, number])[] = [
    [
      'an activity where it is defined',
      text.replace('Place Order\n    data', 'Place<|> Order\n    data'),
      'activity',
      2,
    ],
    ['an activity where it is used', text.replace("'Ship'", "'Sh<|>ip'"), 'activity', 2],
    ['a data object', text.replace('[orders]', '[ord<|>ers]'), 'dataObject', 3],
    ['the data source', text.replace('shop', 'sh<|>op'), 'dataSource', 1],
    ['a key', text.replace('activityName: Place', 'activity<|>Name: Place'), undefined, 0],
  ];
  for (const [name, marked, kind, places] of cases) {
    it(`finds ${name}`, () => {
      const { text: plain, offset } = withCursor(marked);
      const found = nameAt(parseEntityGraph(plain).graph, offset);
      assert.deepEqual([found?.kind, found?.places.length ?? 0], [kind, places]);
    });
  }
});

describe('renameSymbol', () => {
  const rename = (cursor: string, name: string) => {
    const { text: plain, offset } = withCursor(cursor);
    const parsed = parseEntityGraph(plain);
    const thing = nameAt(parsed.graph, offset);
    assert.ok(thing);
    return renameSymbol(parsed, thing, name);
  };

  it('keeps the quoting of every use', () => {
    const result = rename(text.replace("'Ship'", "'Ship<|>'"), "Send, it's gone");
    assert.ok('edits' in result);
    const changed = applyEdits(text, result.edits);
    assert.ok(changed.includes('"Send, it\'s gone"') && changed.includes("'Send, it''s gone'"), changed);
    const { elements, relationships } = parseEntityGraph(changed).graph;
    assert.equal(elements[1]?.activityName?.value, relationships[0]?.target?.value);
  });

  it('refuses names that are in use, reserved or empty, and positions outside activity names', () => {
    const ship = text.replace("'Ship'", "'Ship<|>'");
    for (const [name, reason] of [
      ['Place Order', /already called/],
      ['self', /reserved/],
      [' ', /needs a name/],
      ['Send\nit', /one line/],
      ['Send\r', /one line/],
    ] as const) {
      const result = rename(ship, name);
      assert.ok('refusal' in result);
      assert.match(result.refusal, reason);
    }
    assert.ok('refusal' in rename(text.replace('shop', 'sh<|>op'), 'other'));
  });
});

describe('renameSymbol › relationships', () => {
  const graph = `elements:
  - { activityName: Order, dataObject: a }
  - { activityName: Ship, dataObject: b }
relationships:
  - { name: delivers, source: Ship, target: Order }
  - { source: Order, target: Ship }
  - name: both
    source: Order
    target: Order
    path: ["Order → Ship", { relationship: delivers, reverse: false }]
`;
  const rename = (marked: string, name: string): string => {
    const { text: plain, offset } = withCursor(marked);
    const parsed = parseEntityGraph(plain);
    const thing = nameAt(parsed.graph, offset);
    assert.ok(thing);
    const result = renameSymbol(parsed, thing, name);
    return 'refusal' in result ? result.refusal : applyEdits(plain, result.edits);
  };

  it('updates the steps that name it', () => {
    const expected = graph.replaceAll('delivers', 'brings');
    assert.equal(rename(graph.replace('name: delivers', 'name: deli<|>vers'), 'brings'), expected);
    assert.equal(rename(graph.replace('relationship: delivers', 'relationship: deli<|>vers'), 'brings'), expected);
  });

  it('updates steps that name a relationship by its ends', () => {
    const expected = graph.replaceAll('Ship', 'Send');
    assert.equal(rename(graph.replace('activityName: Ship', 'activityName: Sh<|>ip'), 'Send'), expected);
  });

  it('refuses names in use, and unnamed relationships', () => {
    assert.match(rename(graph.replace('name: delivers', 'name: deli<|>vers'), 'Order → Ship'), /already called/);
    assert.match(rename(graph.replace('"Order → Ship"', '"Order → Sh<|>ip"'), 'x'), /called by its ends/);
  });
});

describe('renameSymbol › process rules', () => {
  const graph = `elements:
  - { activityName: Order, dataObject: a, entityType: order }
  - { activityName: Ship, dataObject: b, entityType: parcel }
relationships:
  - { name: delivers, source: Ship, target: Order }
  - { source: Order, target: Ship }
rules:
  - { name: Shipped, each: { entityType: order }, expect: [{ activity: Ship, after: Order }, { relationship: delivers }] }
  - { name: Fast, each: { activity: Order }, expect: [{ from: Order, to: Ship, of: parcel }, { relationship: Order → Ship }] }
`;
  const rename = (marked: string, name: string): string => {
    const { text: plain, offset } = withCursor(marked);
    const parsed = parseEntityGraph(plain);
    const thing = nameAt(parsed.graph, offset);
    assert.ok(thing);
    const result = renameSymbol(parsed, thing, name);
    return 'refusal' in result ? result.refusal : applyEdits(plain, result.edits);
  };

  it('call activities by their new names, from either place', () => {
    const expected = graph.replaceAll('Ship,', 'Send,').replaceAll('Ship }', 'Send }');
    assert.equal(rename(graph.replace('activityName: Ship', 'activityName: Sh<|>ip'), 'Send'), expected);
    assert.equal(rename(graph.replace('to: Ship', 'to: Sh<|>ip'), 'Send'), expected);
  });

  it('call entity types and relationships by their new names', () => {
    assert.equal(
      rename(graph.replace('entityType: parcel', 'entityType: par<|>cel'), 'box'),
      graph.replaceAll('parcel', 'box'),
    );
    assert.equal(
      rename(graph.replace('name: delivers', 'name: deli<|>vers'), 'brings'),
      graph.replaceAll('delivers', 'brings'),
    );
  });
});

describe('renameSymbol › names of process rules', () => {
  const text = `version: 1
dataSource: shop
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    processContext: { businessRules: [Orders are paid, Somebody looks at it] }
rules:
  - { name: Orders are paid, each: { entityType: orders }, expect: [{ sql: id > 0 }] }
  - { name: Orders are dear, each: { entityType: orders }, expect: [{ sql: id > 1 }] }
`;
  const at = (words: string) => {
    const parsed = parseEntityGraph(text);
    return { parsed, thing: nameAt(parsed.graph, text.indexOf(words) + 3) };
  };

  it('are renamed together with the business rules of activities, from either place', () => {
    for (const place of ['Orders are paid, Somebody', 'Orders are paid, each']) {
      const { parsed, thing } = at(place);
      assert.ok(thing?.kind === 'rule' && thing.definition);
      const outcome = renameSymbol(parsed, thing, 'Orders are paid soon');
      assert.ok('edits' in outcome);
      assert.equal(applyEdits(text, outcome.edits), text.replaceAll('Orders are paid', 'Orders are paid soon'));
    }
  });

  it('are refused when another rule has the name; other words of a business rule are not names', () => {
    const { parsed, thing } = at('Orders are paid, each');
    assert.ok(thing);
    assert.deepEqual(renameSymbol(parsed, thing, 'Orders are dear'), {
      refusal: 'Another rule or measure is already called "Orders are dear".',
    });
    assert.equal(at('Somebody looks').thing, undefined);
  });
});

describe('codeLenses', () => {
  const { graph } = parseEntityGraph(text);

  it('offer actions above the file, elements and relationships', () => {
    assert.deepEqual(
      codeLenses(graph).map(({ title, target }) => [title, target?.name]),
      [
        ['Import', undefined],
        ['Open Canvas', undefined],
        ['Test Query', 'Place Order'],
        ['Show Query', 'Place Order'],
        ['Test Query', 'Ship'],
        ['Show Query', 'Ship'],
        ['Test Query', 'Place Order → Ship'],
        ['Show Query', 'Place Order → Ship'],
      ],
    );
  });

  it('show the result of the last import', () => {
    const counts = {
      elements: [{ activityName: 'Ship', events: 12345, entities: 1 }],
      entities: [],
      relationships: [{ name: 'Place Order → Ship', pairs: 7 }],
      totals: { events: 12345, entities: 1 },
    };
    const titles = codeLenses(graph, counts).flatMap(({ title, action }) => (action ? [] : [title]));
    assert.deepEqual(titles, ['Last import: 12,345 events · 1 entity', '12,345 events · 1 entity', '7 pairs']);
  });

  it('show how many expectations the rows break, unless their text was changed', () => {
    const expecting = (expect: string): string =>
      text.replace('{ activityName: "Ship"', `{ expect: { ${expect} }, activityName: Ship`);
    const found = { element: 'Ship', columns: ['id'], judged: 3, warning: '' } as const;
    const judged = (['unique', 'notNull'] as const).map((expectation, index) => ({
      ...{ ...found, expectation, index: 0, broken: index, holds: index === 0 },
    }));
    const counts = {
      elements: [{ activityName: 'Ship', events: 3, entities: 1 }],
      entities: [],
      relationships: [],
      totals: { events: 3, entities: 1 },
    };
    const imported = importedExpectations(expecting('unique: [id], notNull: [id]'), judged);
    const titles = (now: string): readonly string[] =>
      codeLenses(parseEntityGraph(now).graph, counts, { text: now, imported })
        .filter(({ action, range }) => !action && range.start > 0)
        .map(({ title }) => title);
    assert.deepEqual(titles(expecting('unique: [id], notNull: [id]')), ['3 events · 1 entity · 1 expectation broken']);
    assert.deepEqual(titles(expecting('unique: [id], notNull: [no]')), ['3 events · 1 entity']);
  });

  it('show the result of each rule', () => {
    const ruled = parseEntityGraph(`${text}rules:\n  - { name: Fast }\n  - { name: Never }\n  - { name: New }\n`).graph;
    const rules = [
      { name: 'Fast', judged: 31_509, broken: 1204, pending: 61 },
      { name: 'Never', judged: 0, broken: 0, pending: 0 },
    ];
    const counts = { elements: [], entities: [], relationships: [], totals: { events: 1, entities: 1 }, rules };
    const lenses = codeLenses(ruled, counts).filter(({ rule }) => rule !== undefined);
    assert.deepEqual(
      lenses.map(({ title, action, rule }) => [title, action, rule]),
      [
        ['1,204 of 31,509 broken · 61 pending', 'openEventGraph', 1],
        ['judges nothing', 'openEventGraph', 2],
      ],
    );
  });
});
