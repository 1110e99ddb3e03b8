import assert from 'node:assert/strict';
import type { Catalog, Column } from '../../../server/src/catalog/catalog.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { changesAt } from '../../../server/src/language/refactorings/index.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withCursor } from './marked-text.ts';
import { catalog as shop, sources } from './shop-catalog.ts';

const flag: Column = { name: 'Is Gift', type: 'boolean', sense: 'boolean', nullable: true, primaryKey: false };
const known: Readonly<Record<string, Column['values']>> = {
  note: [
    { value: 'new', label: 'New' },
    { value: "o'k", label: 'Done' },
    { value: 'shut', label: 'Done' },
  ],
  customer_id: [{ value: '1', label: 'Smith' }, { value: '2' }],
};
const catalog: Catalog = {
  ...shop,
  objects: shop.objects.map((object) => {
    if (object.name !== 'orders') return object;
    const columns = object.columns.map((column) => {
      const values = known[column.name];
      return values ? { ...column, values } : column;
    });
    return { ...object, columns: [...columns, flag] };
  }),
};

const head = 'version: 1\ndataSource: shop\ndataObjects: [orders]\nelements:\n';
const order = '  - activityName: Place Order # first\n    dataObject: orders\n    startTimestamp: placed_at\n';

function offered(marked: string, from: Catalog = catalog) {
  const { text, offset } = withCursor(marked);
  const parsed = parseEntityGraph(text);
  const changes = changesAt({ parsed, catalog: from, sources }, offset);
  return { text, splits: changes.filter(({ title }) => title.startsWith('Split ')) };
}

function split(marked: string, column: string): string {
  const { text, splits } = offered(marked);
  const edits = splits.find(({ title }) => title.endsWith(` ${column}`))?.edits();
  assert.ok(edits && 'edits' in edits, splits.map(({ title }) => title).join('; '));
  return applyEdits(text, edits.edits);
}

const at = (text: string): string => text.replace('Place', 'Pl<|>ace');

const cases: readonly (readonly [string, string, string, string])[] = [
  [
    'one element per value, with labels as names, and values added to equal labels',
    order,
    'note',
    `  - activityName: Place Order (New) # first
    dataObject: orders
    startTimestamp: placed_at
    where: orders.note = 'new'
  - activityName: Place Order (Done)
    dataObject: orders
    startTimestamp: placed_at
    where: orders.note = 'o''k'
  - activityName: 'Place Order (Done, shut)'
    dataObject: orders
    startTimestamp: placed_at
    where: orders.note = 'shut'
`,
  ],
  [
    'numbers bare, the filter kept, relationships on the first',
    `${order}    where: id > 1 OR id < 0\nrelationships:\n  - { source: Place Order, target: Place Order, mappings: [{ source: id, target: customer_id }] }\n`,
    'customer_id',
    `  - activityName: Place Order (Smith) # first
    dataObject: orders
    startTimestamp: placed_at
    where: (id > 1 OR id < 0) AND orders.customer_id = 1
  - activityName: Place Order (2)
    dataObject: orders
    startTimestamp: placed_at
    where: (id > 1 OR id < 0) AND orders.customer_id = 2
relationships:
  - { source: Place Order (Smith), target: Place Order (Smith), mappings: [{ source: id, target: customer_id }] }
`,
  ],
  [
    'truth values, a name that needs quotes, a comment at the end of the filter',
    `${order}    where: |\n      id > 1 -- not the first\n  - activityName: Last\n    dataObject: orders\n    startTimestamp: placed_at\n`,
    'Is Gift',
    `  - activityName: Place Order (Is Gift = true) # first
    dataObject: orders
    startTimestamp: placed_at
    where: |
      (id > 1 -- not the first
      ) AND orders."Is Gift" = true
  - activityName: Place Order (Is Gift = false)
    dataObject: orders
    startTimestamp: placed_at
    where: |
      (id > 1 -- not the first
      ) AND orders."Is Gift" = false
  - activityName: Last
    dataObject: orders
    startTimestamp: placed_at
`,
  ],
];

describe('Split by Column Values refactoring', () => {
  for (const [name, elements, column, expected] of cases) {
    it(name, () => {
      const after = split(head + at(elements), column);
      assert.equal(after, head + expected);
      const errors = validateEntityGraph({ text: after, catalog, sources }).filter(
        ({ severity }) => severity === 'error',
      );
      assert.deepEqual(errors, []);
    });
  }

  const offers: readonly (readonly [string, string, readonly string[], Catalog?])[] = [
    ['all columns whose values are known', at(order), ['customer_id', 'note', 'Is Gift']],
    [
      'the column at the cursor first',
      `${order}    properties: [note, <|>Is Gift]\n`,
      ['Is Gift', 'note', 'customer_id'],
    ],
    [
      'no column that the filter has decided on',
      at(`${order}    where: orders.note = 'new'\n`),
      ['customer_id', 'Is Gift'],
    ],
    ['nothing where no values are known', at(order), [], shop],
    ['nothing without an activity name', '  - data<|>Object: orders\n', []],
    ['nothing for an unknown object', at(order.replace('orders', 'order')), []],
  ];
  for (const [name, elements, expected, from] of offers) {
    it(`offers ${name}`, () => {
      const titles = offered(head + elements, from).splits.map(({ title }) => title);
      assert.deepEqual(
        titles.map((title) => title.replace(/^Split into \d elements by the values of /, '')),
        expected,
      );
    });
  }

  it('is refused when it would change an anchor used elsewhere', () => {
    const other = '  - activityName: Last\n    dataObject: orders\n    startTimestamp: placed_at\n    where: *one\n';
    const { splits } = offered(head + at(`${order}    where: &one id > 1\n`) + other);
    assert.ok(splits.length > 0);
    for (const { edits } of splits) assert.ok('refusal' in edits());
  });
});
