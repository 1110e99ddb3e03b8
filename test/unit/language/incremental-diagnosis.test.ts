import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { createEntryMemo } from '../../../server/src/language/checks/entry-memo.ts';
import { diagnoseEntityGraph } from '../../../server/src/language/diagnose.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import type { Problem } from '../../../server/src/model/problem.ts';
import { catalog, sources } from './shop-catalog.ts';

const shop = `version: 1
dataSource: shop
dataObjects: [orders, customers]
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    properties: [note, customer_id]
  - activityName: Ship Order
    dataObject: orders
    startTimestamp: shipped_on
  - activityName: Win Customer
    dataObject: customers
    key: id
    startTimestamp: since
relationships:
  - { source: Place Order, target: Ship Order, mappings: [{ source: id, target: id }] }
  - name: buys
    source: Win Customer
    target: Place Order
    mappings:
      - { source: id, target: customer_id }
`;
const texts = [shop, readFileSync('samples/northwind/northwind.entity.yaml', 'utf8')];

/** Words that mean something in the file, and pieces that break it, so that entries come to be wrong and right again. */
const pieces = [
  'x',
  ' ',
  '\n',
  '- ',
  ': ',
  '"',
  'Place Order',
  'Ship Order',
  'orders',
  'id',
  'id, note',
  'note',
  '#',
].concat([
  '  - { activityName: Place Order, dataObject: customers, key: [id, name], startTimestamp: since }\n',
  '  - { source: Win Customer, target: Nobody, mappings: [{ source: id, target: id }] }\n',
]);

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  /** At the start of the line of that place, or right there. */
  byLine: fc.boolean(),
  remove: fc.nat({ max: 20 }),
  insert: fc.constantFrom('', ...pieces),
});

describe('problems of a file that is being typed', () => {
  it('are those of the same text read anew, whatever was typed before', () => {
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 15 }), (start, edits) => {
        const parser = createGraphParser();
        const memo = createEntryMemo();
        let text = start;
        diagnoseEntityGraph({ text, parsed: parser.parse(text), memo, sources, catalog });
        for (const { at, byLine, remove, insert } of edits) {
          const place = Math.round(at * text.length);
          const offset = byLine ? text.lastIndexOf('\n', place - 1) + 1 : place;
          text = text.slice(0, offset) + insert + text.slice(offset + remove);
          const kept = diagnoseEntityGraph({ text, parsed: parser.parse(text), memo, sources, catalog });
          const anew = diagnoseEntityGraph({ text, parsed: createGraphParser().parse(text), sources, catalog });
          assert.deepEqual(sorted(kept), sorted(anew), JSON.stringify(text));
        }
      }),
      { numRuns: 150 },
    );
  });
});

/** Two problems at one place are told in no order. */
function sorted(problems: readonly Problem[]): readonly string[] {
  return problems
    .map(({ code, severity, message, range, related, suggestions }) =>
      JSON.stringify({ code, severity, message, range, related, suggestions }),
    )
    .sort();
}
