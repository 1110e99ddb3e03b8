import assert from 'node:assert/strict';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { fixAll } from '../../../server/src/language/quick-fixes/fix-all.ts';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import { changesAt } from '../../../server/src/language/refactorings/index.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withCursor } from './marked-text.ts';
import { catalog as shop, sources } from './shop-catalog.ts';

const [orders, ...others] = shop.objects;
const reference = { dataObject: 'customers', columns: ['id'] };
const foreignKeys = [{ name: 'orders_customer_fk', columns: ['customer_id'], references: reference }];
const catalog = { ...shop, objects: [...(orders ? [{ ...orders, foreignKeys }] : []), ...others] };

const text = `version: 1
dataSource: shop
dataObjects: [orders, customers]
elements:
  - activityName: Place Order   # first
    dataObject: orders
    startTimestamp: placed_at
    properties: [note, id]
    where: &no orders.id > 0
  - activityName: Ship Order
    dataObject: orders
    startTimestamp: shipped_on
    properties: all
    where: orders.note = 'x'
  - activityName: Return Order
    dataObject: orders
    startTimestamp: shipped_on
    where: orders.note = 'x'   # the same
  - activityName: Win Customer
    dataObject: customers
    key: id
    startTimestamp: since
`;

/** The proposed titles at the first occurrence of a word, and the text after the chosen one. */
function changed(at: string, title: RegExp): string {
  const parsed = parseEntityGraph(text);
  const offered = changesAt({ parsed, catalog, sources }, text.indexOf(at));
  const made = offered.find((each) => title.test(each.title))?.edits();
  assert.ok(made && 'edits' in made, `${String(title)} is not among ${offered.map((each) => each.title).join('; ')}`);
  return applyEdits(text, made.edits);
}

describe('refactorings', () => {
  const cases: readonly (readonly [string, string, RegExp, string, string])[] = [
    ['sorts properties', 'Place Order', /^Sort the properties$/, '[note, id]', '[id, note]'],
    [
      'takes the end of a day',
      'shipped_on\n    properties',
      /^Take the end of the day of "shipped_on"$/,
      'startTimestamp: shipped_on',
      'startTimestamp:\n      column: shipped_on\n      atEndOfDay: true',
    ],
    [
      'lists all properties',
      'Ship Order',
      /^List all 5 properties$/,
      'properties: all',
      'properties: [id, customer_id, note, placed_at, shipped_on]',
    ],
    [
      'relates by a foreign key',
      'Place Order',
      /^Relate to "Win Customer" \(foreign key orders_customer_fk\)$/,
      '    startTimestamp: since\n',
      '    startTimestamp: since\nrelationships:\n  - source: Place Order\n    target: Win Customer\n    mappings:\n      - { source: customer_id, target: id }\n',
    ],
  ];
  for (const [name, at, title, from, to] of cases) {
    it(name, () => assert.equal(changed(at, title), text.replace(from, to)));
  }

  it('move a repeated filter to one place', () => {
    assert.equal(
      changed('Ship Order', /^Write this filter once for 2 entries$/),
      text
        .replace("where: orders.note = 'x'\n", "where: &filter orders.note = 'x'\n")
        .replace("where: orders.note = 'x'   # the same", 'where: *filter   # the same'),
    );
  });

  describe('of master data', () => {
    const entities = `entities:
  - entityType: buyer   # who pays
    dataObject: customers
    key: id
    properties: [since, id]
  - { name: All Orders, entityType: order, dataObject: orders, key: id, properties: all }
`;
    const graph = `${text.replace(/ {2}- activityName: Win Customer[^]*/, '')}${entities}`;
    const after = (at: string, title: RegExp): string => {
      const parsed = parseEntityGraph(graph);
      const offered = changesAt({ parsed, catalog, sources }, graph.indexOf(at));
      const made = offered.find((each) => title.test(each.title))?.edits();
      assert.ok(
        made && 'edits' in made,
        `${String(title)} is not among ${offered.map((each) => each.title).join('; ')}`,
      );
      return applyEdits(graph, made.edits);
    };
    const mappings = '    mappings:\n      - { source: customer_id, target: id }\n';

    it('sort its properties', () =>
      assert.equal(after('buyer', /^Sort the properties$/), graph.replace('[since, id]', '[id, since]')));
    it('list all of its properties', () =>
      assert.equal(
        after('All Orders', /^List all 5 properties$/),
        graph.replace('properties: all }', 'properties: [id, customer_id, note, placed_at, shipped_on] }'),
      ));
    it('relate an element to it by a foreign key', () =>
      assert.equal(
        after('Place Order', /^Relate to "buyer" \(foreign key orders_customer_fk\)$/),
        `${graph}relationships:\n  - source: Place Order\n    target: buyer\n${mappings}`,
      ));
    it('relate it to other master data by a foreign key', () =>
      assert.equal(
        after('All Orders', /^Relate to "buyer" \(foreign key orders_customer_fk\)$/),
        `${graph}relationships:\n  - source: All Orders\n    target: buyer\n${mappings}`,
      ));
    it('create it from a selected data object', () => {
      const first = 'version: 1\ndataSource: shop\ndataObjects: [customers]\n';
      const parsed = parseEntityGraph(first);
      const offered = changesAt({ parsed, catalog, sources }, first.indexOf('customers'));
      const made = offered.find(({ title }) => title === 'Add "customers" as master data')?.edits();
      assert.ok(made && 'edits' in made);
      assert.equal(applyEdits(first, made.edits), `${first}entities:\n  - dataObject: customers\n`);
    });
  });

  for (const [name, elements] of [
    ['empty', 'elements: []\n'],
    ['not written', ''],
    ['begun', 'elements:\n'],
  ] as const) {
    it(`create the first element when the list is ${name}`, () => {
      const head = 'version: 1\ndataSource: shop\ndataObjects: [orders]\n';
      const first = `${head}${elements}`;
      const parsed = parseEntityGraph(first);
      const offered = changesAt({ parsed, catalog, sources }, first.indexOf('orders'));
      const made = offered.find(({ title }) => title === 'Create an element for "orders"')?.edits();
      assert.ok(made && 'edits' in made);
      assert.equal(
        applyEdits(first, made.edits),
        `${head}elements:\n  - activityName: Change orders\n    dataObject: orders\n    startTimestamp: placed_at\n`,
      );
    });
  }

  describe('of a data object that is selected in a group of another data source', () => {
    const head = 'version: 1\ndataSource: shop\ndataObjects:\n  - customers\n  - source: itsm\n    objects: [orders]\n';
    const known = { sources, catalog: { ...catalog, objects: others, others: [{ ...shop, dataSource: 'itsm' }] } };
    const made = (graph: string, title: string): string => {
      const parsed = parseEntityGraph(graph);
      const edits = changesAt({ parsed, ...known }, graph.indexOf('orders'))
        .find((each) => each.title === title)
        ?.edits();
      assert.ok(edits && 'edits' in edits);
      return applyEdits(graph, edits.edits);
    };
    const element = '  - activityName: Change orders\n    dataSource: itsm\n    dataObject: orders\n';

    it('create an element that names the data source, from its own catalog', () =>
      assert.equal(
        made(head, 'Create an element for "orders"'),
        `${head}elements:\n${element}    startTimestamp: placed_at\n`,
      ));
    it('create master data that names the data source', () =>
      assert.equal(
        made(head, 'Add "orders" as master data'),
        `${head}entities:\n  - dataSource: itsm\n    dataObject: orders\n`,
      ));
    it('do not name the data source of the file', () => {
      const own = head.replace('source: itsm', 'source: shop');
      assert.equal(made(own, 'Add "orders" as master data'), `${own}entities:\n  - dataObject: orders\n`);
    });

    for (const [objects, left] of [
      ['    objects: [notes, orders]\n', '  - source: itsm\n    objects: [notes]\n'],
      ['    objects: [orders]\n', ''],
    ] as const) {
      it(`remove it from ${objects.trim()}`, () => {
        const rest =
          'elements:\n  - { activityName: Win Customer, dataObject: customers, key: id, startTimestamp: since }\n';
        const graph = `${head.replace('    objects: [orders]\n', objects)}${rest}`;
        const parsed = parseEntityGraph(graph);
        const start = graph.indexOf('orders');
        const problem = {
          code: 'selected-object-unused',
          severity: 'warning',
          message: '',
          range: { start, end: start + 6 },
        } as const;
        const fixes = fixesOf(problem, { parsed, ...known });
        assert.deepEqual(
          fixes.map(({ title }) => title),
          ['Create an element for "orders"', 'Add "orders" as master data', 'Remove "orders" from dataObjects'],
        );
        assert.equal(
          applyEdits(graph, fixes[2]?.edits ?? []),
          `version: 1\ndataSource: shop\ndataObjects:\n  - customers\n${left}${rest}`,
        );
      });
    }
  });

  /** The position in the text, and the kinds of changes proposed and not proposed there. */
  const places: readonly (readonly [
    from: string,
    marked: string,
    offered: readonly RegExp[],
    not: readonly RegExp[],
  ])[] = [
    ['Place Order', 'Place<|> Order', [/^Sort the properties/, /^Relate to/], [/^List all/, /^Write this filter/]],
    ['properties: [note', 'prop<|>erties: [note', [/^Sort the properties/], [/^List all/]],
    ['properties: all', 'properties: a<|>ll', [/^List all 5 properties/, /^Write this filter/], [/^Sort/]],
    ["where: orders.note = 'x'\n", "where: orders.<|>note = 'x'\n", [/^Write this filter once/], [/^Sort/]],
    ['Win Customer', 'Win<|> Customer', [], [/^Sort/, /^List all/, /^Write this filter/]],
    ['version', 'ver<|>sion', [], [/./]],
  ];
  for (const [from, marked, offered, not] of places) {
    it(`are offered at ${marked.trim()}`, () => {
      const { text: plain, offset } = withCursor(text.replace(from, marked));
      const parsed = parseEntityGraph(plain);
      const titles = changesAt({ parsed, catalog, sources }, offset).map(({ title }) => title);
      for (const title of offered)
        assert.ok(
          titles.some((each) => title.test(each)),
          `${String(title)}: ${titles.join()}`,
        );
      for (const title of not)
        assert.ok(!titles.some((each) => title.test(each)), `${String(title)}: ${titles.join()}`);
    });
  }

  it('are not offered in an unreadable text', () => {
    const parsed = parseEntityGraph(`${text}  - [`);
    assert.deepEqual(changesAt({ parsed, catalog, sources }, text.indexOf('Place Order')), []);
  });
});

describe('fix all', () => {
  it('applies unambiguous fixes only', () => {
    const wrong = text.replace('placed_at', 'placed_a').replace('since', 'sinc').replace('[note, id]', '[zzz, id]');
    const parsed = parseEntityGraph(wrong);
    const known = { parsed, catalog, sources };
    const edits = fixAll(known.parsed.yaml, validateEntityGraph({ text: wrong, ...known }), (problem) =>
      fixesOf(problem, known),
    );
    assert.equal(applyEdits(wrong, edits), text.replace('[note, id]', '[zzz, id]'));
  });

  it('skips the second of two keys that would become equal, and fixes the others', () => {
    const wrong = (first: string): string =>
      `version: 1\ndataSource: shop\nelements:\n  - activityName: A\n    dataObject: orders\n    ${first}: placed_at\n    startTimestap: shipped_on\n    propertes: all\n`;
    const parsed = parseEntityGraph(wrong('startTimestmp'));
    const known = { parsed, catalog, sources };
    const { text: before } = parsed.yaml;
    const edits = fixAll(known.parsed.yaml, validateEntityGraph({ text: before, ...known }), (problem) =>
      fixesOf(problem, known),
    );
    assert.equal(applyEdits(before, edits), wrong('startTimestamp').replace('propertes', 'properties'));
  });

  it('keeps the value of a key without a colon in braces', () => {
    const mapped = text.replace(/relationships:[^]*/, '');
    const wrong = (mapping: string): string =>
      `${mapped}relationships:\n  - { source: Place Order, target: Place Order, mappings: [${mapping}] }\n`;
    const parsed = parseEntityGraph(wrong('{ source id, target:id }'));
    const known = { parsed, catalog, sources };
    const { text: before } = parsed.yaml;
    const edits = fixAll(known.parsed.yaml, validateEntityGraph({ text: before, ...known }), (problem) =>
      fixesOf(problem, known),
    );
    assert.equal(applyEdits(before, edits), wrong('{ source: id, target: id }'));
  });

  it('skips values without a similar valid one', () => {
    const wrong = 'version: 1\nrelationships:\n  - { source: A, target: B, correlate: all }\n';
    const parsed = parseEntityGraph(wrong);
    const known = { parsed };
    const problems = validateEntityGraph({ text: wrong, ...known });
    assert.ok(problems.some(({ code }) => code === 'schema-value'));
    assert.equal(
      applyEdits(
        wrong,
        fixAll(known.parsed.yaml, problems, (problem) => fixesOf(problem, known)),
      ),
      wrong,
    );
  });
});
