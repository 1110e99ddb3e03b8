import assert from 'node:assert/strict';
import type { Column } from '../../../server/src/catalog/catalog.ts';
import { translateFilter, translateFilters } from '../../../server/src/query/servicenow-filter.ts';

const columns: readonly Column[] = (
  [
    ['sys_id', 'GUID'],
    ['state', 'integer'],
    ['active', 'boolean'],
    ['category', 'string'],
    ['caller_id', 'reference'],
    ['opened_at', 'glide_date_time'],
    ['install_date', 'glide_date'],
    ['duration', 'glide_duration'],
    ['cost', 'decimal'],
    ['shown', undefined],
  ] as const
).map(([name, sourceType]) => ({
  name,
  type: 'VARCHAR',
  sense: 'text',
  nullable: true,
  primaryKey: false,
  ...(sourceType && { sourceType }),
}));

/** One row a condition: what the platform is asked, and what it knows nothing of. */
const translations: readonly (readonly [sql: string, encoded: string, ...local: string[]])[] = [
  ['state = 1', 'state=1'],
  ['incident.state = 1', 'state=1'],
  ['"incident"."state" <> -4', 'state!=-4'],
  ["INCIDENT.State >= '2'", 'state>=2'],
  ['state IN (1, 2,3) AND active', 'stateIN1,2,3^active=true'],
  ["category IN ('a', 'b, c')", 'category=a^ORcategory=b, c'],
  ['state BETWEEN 1 AND 3 AND active = false', 'state>=1^state<=3^active=false'],
  ['(state = 1 OR state = 2) AND NOT active', 'state=1^ORstate=2^active=false'],
  ['((state = 1))', 'state=1'],
  ["category = 'it''s ^ that'", "category=it's ^^ that"],
  ['category IS NULL AND caller_id IS NOT NULL', 'categoryISEMPTY^caller_idISNOTEMPTY'],
  [
    "category LIKE 'net%' AND category LIKE '%work' AND category LIKE '%two%'",
    'categorySTARTSWITHnet^categoryENDSWITHwork^categoryLIKEtwo',
  ],
  ["opened_at >= '2024-02-01'", 'opened_at>=2024-01-30 22:00:00'],
  ["opened_at < TIMESTAMP '2024-02-01 10:00:00'", 'opened_at<=2024-02-02 12:00:00'],
  ["install_date = DATE '2024-02-10'", 'install_date>=2024-02-08^install_date<=2024-02-11'],
  ['active IS TRUE -- only those', 'active=true'],
  // What the platform might decide otherwise is left to the query.
  ["category <> 'network'", '', "category <> 'network'"],
  ["category > 'a' AND state = 1", 'state=1', "category > 'a'"],
  ["category ILIKE 'a%'", '', "category ILIKE 'a%'"],
  ["category NOT LIKE 'a%'", '', "category NOT LIKE 'a%'"],
  ["category LIKE 'a_b%'", '', "category LIKE 'a_b%'"],
  ["caller_id LIKE 'a%'", '', "caller_id LIKE 'a%'"],
  ["category = ''", '', "category = ''"],
  ["category = 'javascript:gs.log(1)'", '', "category = 'javascript:gs.log(1)'"],
  ["category = 'NULL'", '', "category = 'NULL'"],
  ['duration > 60', '', 'duration > 60'],
  ['cost = 1.5', '', 'cost = 1.5'],
  ["shown = 'x'", '', "shown = 'x'"],
  ['NOT (state = 1)', '', 'NOT (state = 1)'],
  ["state = 1 OR lower(category) = 'x'", '', "state = 1 OR lower(category) = 'x'"],
  ['state = 1 AND active OR state = 2', '', 'state = 1 AND active OR state = 2'],
  ['caller.active = true AND state = 1', 'state=1', 'caller.active = true'],
  [
    'CASE WHEN active AND state = 1 THEN true ELSE false END AND state = 2',
    'state=2',
    'CASE WHEN active AND state = 1 THEN true ELSE false END',
  ],
  [
    'state = other AND state = 1::int AND state = 1.5 AND state = (SELECT 1)',
    '',
    'state = other',
    'state = 1::int',
    'state = 1.5',
    'state = (SELECT 1)',
  ],
  ['opened_at >= now() - INTERVAL 1 DAY', '', 'opened_at >= now() - INTERVAL 1 DAY'],
  ["opened_at >= '2024-02-01 10:00:00+02'", '', "opened_at >= '2024-02-01 10:00:00+02'"],
];

describe('filter of the platform', () => {
  for (const [sql, encoded, ...local] of translations) {
    it(`translates ${sql}`, () => {
      assert.deepEqual(translateFilter(sql, 'incident', columns), { encoded, local });
    });
  }

  it('leaves lists to the query that no address has room for', () => {
    const list = `state IN (${Array.from({ length: 900 }, (_, index) => index).join(', ')})`;
    assert.deepEqual(translateFilter(`${list} AND active`, 'incident', columns), {
      encoded: 'active=true',
      local: [list],
    });
  });

  it('asks for the rows of every element that reads a table, or for all', () => {
    const branches = (...filters: readonly string[]) => translateFilters(filters, 'incident', columns).branches;
    assert.deepEqual(branches('state = 1', 'active', 'state = 1'), ['state=1', 'active=true']);
    assert.deepEqual(branches('state = 1', "category <> 'x'"), []);
    assert.deepEqual(translateFilters(undefined, 'incident', columns).branches, []);
  });

  it('asks for what more elements than an address can hold have in common, and leaves the rest to SQL', () => {
    const states = Array.from({ length: 60 }, (_, index) => `state = ${index}`);
    const active = states.map((each) => `${each} AND active AND category = 'a'`);
    const shared = { branches: ['active=true^category=a'], local: active };
    assert.deepEqual(translateFilters(active, 'incident', columns), shared);
    assert.deepEqual(translateFilters(states, 'incident', columns), { branches: [], local: states });
    assert.equal(translateFilters(states.slice(0, 30), 'incident', columns).branches.length, 30);
  });
});
