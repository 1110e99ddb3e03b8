import assert from 'node:assert/strict';
import type { Catalog } from '../../../server/src/catalog/catalog.ts';
import type { Finding } from '../../../protocol/findings.ts';
import { findingFixes } from '../../../server/src/language/finding-fixes.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { catalog as shop, sources } from './shop-catalog.ts';

/** The conditions that fixes write at an element with these further fields. */
function conditions(hint: Finding['hint'], fields: string, catalog: Catalog = shop): readonly unknown[] {
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
  return findingFixes(finding as Finding, { graph, sources, catalog }).flatMap(({ elements }) =>
    elements.map(({ values }) => values.where),
  );
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

  it('keep no row of several beside a condition, which may leave out the one that would stay', () =>
    assert.deepEqual(conditions(keepOne, '    where: id > 1\n'), []));
});
