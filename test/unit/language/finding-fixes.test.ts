import assert from 'node:assert/strict';
import type { Catalog } from '../../../server/src/catalog/catalog.ts';
import type { Finding, FindingFix } from '../../../protocol/findings.ts';
import { findingFixes } from '../../../server/src/language/finding-fixes.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { catalog as shop, sources } from './shop-catalog.ts';

/** The conditions that fixes write at an element with these further fields. */
function conditions(hint: Finding['hint'], fields: string, catalog: Catalog = shop): readonly unknown[] {
  return fixes(hint, fields, catalog).flatMap(({ elements }) => elements.map(({ values }) => values.where));
}

function fixes(hint: Finding['hint'], fields: string, catalog: Catalog = shop): readonly FindingFix[] {
  const text = `version: 1
dataSource: shop
dataObjects: [orders]
elements:
  - activityName: Place Order
    dataObject: orders
    key: note
    startTimestamp: placed_at
${fields}`;
  const finding = {
    ...{ kind: 'duplicate-events', severity: 'warning', message: '', remedy: '', counts: 'events', explains: null },
    ...{ explainsVariants: null, explainsViolations: null },
    ...{ element: 'Place Order', column: 'note', count: 1, of: 2, examples: [], hint },
  } as const satisfies Partial<Finding>;
  const { graph } = parseEntityGraph(text);
  return findingFixes(finding as Finding, { graph, sources, catalog });
}

describe('fixes of findings', () => {
  const leaveOut = {
    kind: 'leaveOut',
    value: 'N/A',
    places: [{ element: 'Place Order', column: 'note' }],
  } as const;
  const keepOne = { kind: 'keepOne', columns: ['note', 'placed_at'] } as const;

  it('keep a comment behind a condition apart from the one that they add', () => {
    const added = `("orders"."note" IS NULL OR "orders"."note" <> 'N/A')`;
    assert.deepEqual(conditions(leaveOut, '    where: |\n      id > 1 -- the first is a test\n'), [
      `(id > 1 -- the first is a test\n) AND ${added}\n`,
    ]);
    assert.deepEqual(conditions(leaveOut, '    where: id > 1\n'), [`(id > 1) AND ${added}`]);
  });

  it('read the table of the catalog where they compare rows', () => {
    const objects = shop.objects.map((object) =>
      object.name === 'orders' ? { ...object, path: ['sales', 'orders'] } : object,
    );
    const [where] = conditions(keepOne, '', { ...shop, objects });
    assert.match(String(where), /^"orders"\."id" = \(SELECT min\(twin\."id"\) FROM "sales"\."orders" AS twin WHERE /);
  });

  it('have titles of one line, whatever the data is', () => {
    const titles = fixes({ ...leaveOut, value: 'N/A\r\n\u2028 gone' }, '').map(({ title }) => title);
    assert.deepEqual(titles, ['Leave out the rows of "N/A gone"']);
  });

  it('leave out a key of all elements that have it, or of none', () => {
    const places = [...leaveOut.places, { element: 'Gone', column: 'note' }];
    assert.deepEqual(fixes({ ...leaveOut, places }, ''), []);
    const second = `  - { activityName: Ship, dataObject: orders, key: note, startTimestamp: placed_at }\n`;
    const both = { ...leaveOut, places: [...leaveOut.places, { element: 'Ship', column: 'note' }] };
    assert.deepEqual(
      fixes(both, second).map(({ elements }) => elements.map(({ element }) => element)),
      [['Place Order', 'Ship']],
    );
  });

  it('keep a sequence that is written, and offer its column to the others only', () => {
    const second = `    sequence: id\n  - { activityName: Ship, dataObject: orders, key: note, startTimestamp: placed_at }\n`;
    const sequence = { kind: 'sequence', elements: ['Place Order', 'Ship'], columns: ['customer_id', 'id'] } as const;
    assert.deepEqual(
      fixes(sequence, second).map(({ title, elements }) => [title, elements]),
      [['Write sequence: id', [{ element: 'Ship', values: { sequence: 'id' } }]]],
    );
    assert.deepEqual(
      fixes(sequence, second.replace('sequence: id', '')).map(({ title }) => title),
      ['Write sequence: customer_id', 'Write sequence: id'],
    );
    assert.deepEqual(fixes({ ...sequence, columns: ['customer_id'] }, second), []);
  });

  it('keep no row of several beside a condition, which may leave out the one that would stay', () =>
    assert.deepEqual(conditions(keepOne, '    where: id > 1\n'), []));
});
