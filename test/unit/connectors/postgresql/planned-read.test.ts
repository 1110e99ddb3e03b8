import assert from 'node:assert/strict';
import { readPlan } from '../../../../server/src/connectors/postgresql/planned-read.ts';

const plan = (node: object): string => JSON.stringify([{ Plan: node }]);
const scan = { 'Node Type': 'Seq Scan', 'Relation Name': 'orders', Schema: 'public', Alias: 'o' };

describe('plannedRead', () => {
  it('finds tables in all levels of a plan, and functions', () => {
    const read = readPlan(
      plan({
        'Node Type': 'Hash Join',
        'Hash Cond': '(o.id = l.order_id)',
        Plans: [
          { ...scan, Filter: "(lower(o.note) <> upper('x'::text))", Output: ['o.id', '"My Fn"(o.id)'] },
          { 'Node Type': 'Index Scan', 'Relation Name': 'lines', Schema: 'sales', 'Index Cond': '(l.id > 3)' },
        ],
      }),
    );
    assert.deepEqual(read?.tables, [
      { schema: 'public', name: 'orders', isReadWhole: true },
      { schema: 'sales', name: 'lines', isReadWhole: false },
    ]);
    assert.deepEqual(read?.functions, ['lower', 'upper', 'My Fn']);
  });

  it('tells whether each row comes from one row of a table', () => {
    const single = (node: object): boolean | undefined => readPlan(plan(node))?.isOfSingleRows;
    assert.equal(single(scan), true);
    assert.equal(single({ 'Node Type': 'Gather', Plans: [scan] }), true);
    for (const type of ['Aggregate', 'WindowAgg', 'Limit', 'ProjectSet', 'Nested Loop', 'Append']) {
      assert.equal(single({ 'Node Type': type, Plans: [scan] }), false, type);
    }
    for (const place of ['SubPlan', 'InitPlan']) {
      assert.equal(single({ ...scan, Plans: [{ ...scan, 'Parent Relationship': place }] }), false, place);
    }
  });

  const unknown: Readonly<Record<string, string>> = {
    'a foreign table': plan({ 'Node Type': 'Foreign Scan', 'Relation Name': 'orders', Schema: 'public' }),
    'a sample': plan({ ...scan, 'Node Type': 'Sample Scan' }),
    'a step of an extension': plan({ 'Node Type': 'Custom Scan', Plans: [scan] }),
    'a table without schema': plan({ 'Node Type': 'Seq Scan', 'Relation Name': 'orders' }),
    'the time of day': plan({ ...scan, Filter: '(o.at < CURRENT_TIMESTAMP)' }),
    'the user': plan({ ...scan, Filter: '(o.owner = CURRENT_USER)' }),
    'a moment in words': plan({ ...scan, Filter: "(o.at < ('now'::cstring)::date)" }),
    'no JSON': 'QUERY PLAN',
  };
  for (const [what, text] of Object.entries(unknown)) {
    it(`returns nothing for ${what}`, () => assert.equal(readPlan(text), undefined));
  }
});
