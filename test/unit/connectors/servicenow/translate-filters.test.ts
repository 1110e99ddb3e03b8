import assert from 'node:assert/strict';
import type { Column } from '../../../../server/src/catalog/catalog.ts';
import { translateFilters } from '../../../../server/src/connectors/servicenow/records/translate-filters.ts';

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

/** One row per condition: the part sent to the platform, and the part it does not get. */
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
  // Conditions that the platform might evaluate differently are left to the query.
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
  ["'2024-02-01' <= opened_at AND 3 > state", 'opened_at>=2024-01-30 22:00:00^state<3'],
  ["'x' = lower(category)", '', "'x' = lower(category)"],
  ["opened_at >= '2024-02-01 10:00:00+02'", '', "opened_at >= '2024-02-01 10:00:00+02'"],
];

/**
 * One row per condition relative to now, as requested at 2024-03-15 10:30 by an import over a day: bounds of whole
 * days, 41 hours wider than in SQL, the upper one also by the day.
 */
const rolling: readonly (readonly [sql: string, encoded: string])[] = [
  ['opened_at >= now() - INTERVAL 30 DAY', 'opened_at>=2024-02-12 00:00:00'],
  ["opened_at >= now() - INTERVAL '30' DAYS", 'opened_at>=2024-02-12 00:00:00'],
  ["opened_at > current_timestamp - INTERVAL '30 days'", 'opened_at>=2024-02-12 00:00:00'],
  ['opened_at > localtimestamp - INTERVAL (30) DAY', 'opened_at>=2024-02-12 00:00:00'],
  ['opened_at > get_current_timestamp() - to_days(30)', 'opened_at>=2024-02-12 00:00:00'],
  ['opened_at >= current_date - 30', 'opened_at>=2024-02-11 00:00:00'],
  ['opened_at >= today() - 30', 'opened_at>=2024-02-11 00:00:00'],
  ['opened_at >= (now()::date - 30)', 'opened_at>=2024-02-11 00:00:00'],
  ['opened_at >= CAST(now() AS DATE) - 30', 'opened_at>=2024-02-11 00:00:00'],
  ['now() - INTERVAL 30 DAY < opened_at', 'opened_at>=2024-02-12 00:00:00'],
  ["opened_at >= date_trunc('month', now())", 'opened_at>=2024-02-28 00:00:00'],
  ["opened_at >= date_trunc('quarter', current_date) - INTERVAL 1 QUARTER", 'opened_at>=2023-09-29 00:00:00'],
  ["opened_at >= date_trunc('week', now())", 'opened_at>=2024-03-09 00:00:00'],
  // Months have different lengths: three days more.
  ["opened_at >= now() - INTERVAL '1 month 2 days'", 'opened_at>=2024-02-08 00:00:00'],
  ['opened_at <= now()', 'opened_at<=2024-03-19 00:00:00'],
  ['opened_at < current_date - 7', 'opened_at<=2024-03-12 00:00:00'],
  ['install_date = current_date', 'install_date>=2024-03-12^install_date<=2024-03-19'],
  [
    'opened_at BETWEEN now() - INTERVAL 2 HOUR AND now() AND state = 1',
    'opened_at>=2024-03-13 00:00:00^opened_at<=2024-03-19 00:00:00^state=1',
  ],
  ["opened_at >= TIMESTAMP '2024-02-01 10:00:00' - INTERVAL 1 DAY", 'opened_at>=2024-01-30 08:00:00'],
  ["opened_at >= DATE '2024-03-31' - INTERVAL 1 MONTH", 'opened_at>=2024-02-27 22:00:00'],
];

/** Conditions whose time is not certain. */
const uncertain: readonly string[] = [
  'opened_at >= now() - 30',
  'opened_at <> now()',
  'opened_at >= now() - INTERVAL 30 FORTNIGHT',
  'opened_at >= now() - INTERVAL (state) DAY',
  "opened_at >= now() AT TIME ZONE 'Europe/Berlin'",
  "opened_at >= '2024-02-01' - INTERVAL 1 DAY",
  "opened_at >= date_trunc('decade', now())",
  'opened_at >= now() - (current_date - install_date)',
  'opened_at >= now() - INTERVAL 9000 YEAR',
  'opened_at + INTERVAL 30 DAY >= now()',
  'opened_at >= "now"()',
  'state >= now()',
];

describe('ServiceNow filter', () => {
  const period = { from: Date.UTC(2024, 2, 15, 10, 30), forMs: 86_400_000 };
  for (const [sql, encoded] of rolling) {
    it(`translates ${sql}`, () => {
      assert.deepEqual(translateFilters([sql], 'incident', columns, period), { branches: [encoded], local: [] });
    });
  }

  for (const sql of uncertain) {
    it(`leaves ${sql} to local evaluation`, () => {
      assert.deepEqual(translateFilters([sql], 'incident', columns, period), { branches: [], local: [sql] });
    });
  }

  it('widens upper bounds relative to now by the time that the filter stays in use', () => {
    const branches = (days: number): readonly string[] =>
      translateFilters(['opened_at BETWEEN current_date - 7 AND now()'], 'incident', columns, {
        ...period,
        forMs: days * 86_400_000,
      }).branches;
    assert.deepEqual(branches(1), ['opened_at>=2024-03-05 00:00:00^opened_at<=2024-03-19 00:00:00']);
    assert.deepEqual(branches(8), ['opened_at>=2024-03-05 00:00:00^opened_at<=2024-03-26 00:00:00']);
    // A bound beyond all times is omitted.
    assert.deepEqual(branches(4_000_000_000), []);
  });

  for (const [sql, encoded, ...local] of translations) {
    it(`translates ${sql}`, () => {
      assert.deepEqual(translateFilters([sql], 'incident', columns), {
        branches: encoded === '' ? [] : [encoded],
        local,
      });
    });
  }

  it('leaves lists too long for a URL to local evaluation', () => {
    const list = `state IN (${Array.from({ length: 900 }, (_, index) => index).join(', ')})`;
    assert.deepEqual(translateFilters([`${list} AND active`], 'incident', columns), {
      branches: ['active=true'],
      local: [list],
    });
  });

  it('combines the filters of all elements that read a table', () => {
    const branches = (...filters: readonly string[]) => translateFilters(filters, 'incident', columns).branches;
    assert.deepEqual(branches('state = 1', 'active', 'state = 1'), ['state=1', 'active=true']);
    assert.deepEqual(branches('state = 1', "category <> 'x'"), []);
    assert.deepEqual(translateFilters(undefined, 'incident', columns).branches, []);
  });

  it('uses the common conditions when the filters of all elements exceed a URL', () => {
    const states = Array.from({ length: 60 }, (_, index) => `state = ${index}`);
    const active = states.map((each) => `${each} AND active AND category = 'a'`);
    const shared = { branches: ['active=true^category=a'], local: active };
    assert.deepEqual(translateFilters(active, 'incident', columns), shared);
    assert.deepEqual(translateFilters(states, 'incident', columns), { branches: [], local: states });
    assert.equal(translateFilters(states.slice(0, 30), 'incident', columns).branches.length, 30);
  });
});
