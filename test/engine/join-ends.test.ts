import assert from 'node:assert/strict';
import type { Catalog, Column, ColumnSense } from '../../server/src/catalog/catalog.ts';
import { duckdbBuild } from '../../server/src/import/build/build-dialect.ts';
import { type StagedEnd, joinEnds, joinEndsStep } from '../../server/src/import/join-ends.ts';
import { type RelationshipPlan, planImport } from '../../server/src/import/plan-import.ts';
import { QueryFailure } from '../../server/src/import/query-failure.ts';
import { parseDataSources } from '../../server/src/model/parse-data-sources.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { combineCatalogs } from '../../server/src/project/combine-catalogs.ts';
import { type BuildDatabase, DuckDbError } from '../../server/src/store/duckdb-store.ts';
import { withBuildDatabase } from '../support/build-database.ts';

describe('the join of ends that belong to two data sources', () => {
  const mappings = '{ source: caller, target: contact }, { expression: "source.weight < target.most" }';
  // T1 has two rows that match order 1, and order 1 has two rows that they match.
  const pairs = [
    { source_key_1: 'T1', target_key_1: '1' },
    { source_key_1: 'T2', target_key_1: '2' },
  ];

  it('is one statement if memory suffices, and returns each pair once', async () => {
    await withBuildDatabase(async (staging) => {
      const { found, ran } = await joined(staging, planOf(mappings));
      assert.deepEqual(found, pairs);
      assert.deepEqual(ran, ['CREATE TABLE "relationship_1" AS']);
    });
  });

  it('returns the same pairs if memory is short, and removes equal ones in a second statement', async () => {
    await withBuildDatabase(async (staging) => {
      const { found, ran } = await joined(shortOfMemory(staging), planOf(mappings));
      assert.deepEqual(found, pairs);
      assert.deepEqual(ran, [
        'CREATE TABLE "relationship_1" AS',
        'CREATE TABLE "relationship_1_matches" AS',
        'CREATE TABLE "relationship_1" AS',
        'DROP TABLE "relationship_1_matches"',
      ]);
      assert.deepEqual(await staging.query(`SELECT 1 FROM duckdb_tables() WHERE table_name LIKE '%_matches'`), []);
    });
  });

  it('uses more memory if the disk cannot hold all matches', async () => {
    await withBuildDatabase(async (staging) => {
      const { found, ran } = await joined(shortOfDisk(shortOfMemory(staging)), planOf(mappings));
      assert.deepEqual(found, pairs);
      assert.deepEqual(ran, [
        'CREATE TABLE "relationship_1" AS',
        'CREATE TABLE "relationship_1_matches" AS',
        'DROP TABLE IF EXISTS "relationship_1_matches"',
        'CREATE TABLE "relationship_1" AS',
      ]);
    });
  });

  for (const isShort of [false, true]) {
    it(`reports the position of an error in its SQL${isShort ? ', also if memory was short' : ''}`, async () => {
      await withBuildDatabase(async (staging) => {
        const plan = planOf(
          '{ source: caller, target: contact }, { expression: "source.weight < no_such(target.most)" }',
        );
        const database = isShort ? shortOfMemory(staging) : staging;
        const failure = await joined(database, plan).then(
          () => undefined,
          (error: unknown) => error,
        );
        assert.ok(failure instanceof QueryFailure);
        const { position } = (failure.reason as { readonly details: { readonly position?: number } }).details;
        assert.ok(position !== undefined);
        assert.match(failure.query.sql.slice(position), /^no_such\(/);
      });
    });
  }
});

const { signal } = new AbortController();

/** A database in which a statement that must do with its memory runs out of it. */
function shortOfMemory(staging: BuildDatabase): BuildDatabase {
  return {
    ...staging,
    async run(sql, options) {
      if (options?.isWithinMemory !== true) return staging.run(sql, options);
      const failure = { kind: 'out-of-memory', message: 'could not allocate', candidates: [] } as const;
      throw new DuckDbError(failure, undefined);
    },
  };
}

/** A database whose disk has no room for the matches of a join. */
function shortOfDisk(staging: BuildDatabase): BuildDatabase {
  return {
    ...staging,
    async run(sql, options) {
      if (!/^CREATE TABLE "\w+_matches"/.test(sql)) return staging.run(sql, options);
      throw new DuckDbError({ kind: 'disk-full', message: 'no space left', candidates: [] }, undefined);
    },
  };
}

/** Notes the first lines of the statements that create tables or drop them. */
function noting(database: BuildDatabase, ran: string[]): BuildDatabase {
  return {
    ...database,
    run(sql, options) {
      if (/^(CREATE|DROP) TABLE/.test(sql)) ran.push(sql.split('\n')[0] ?? '');
      return database.run(sql, options);
    },
  };
}

const place = { dialect: duckdbBuild, timeZone: 'UTC' } as const;

const { sources } = parseDataSources(
  'version: 1\ndataSources:\n  shop: { kind: duckdb, path: shop.duckdb }\n  desk: { kind: duckdb, path: desk.duckdb }\n',
);

function planOf(mappings: string): RelationshipPlan {
  const { graph } = parseEntityGraph(`version: 1
name: Orders and tickets
dataSource: shop
elements:
  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: placed }
  - { activityName: Open Ticket, dataSource: desk, dataObject: tickets, key: id, startTimestamp: opened }
relationships:
  - { name: about, source: Open Ticket, target: Place Order, mappings: [${mappings}] }
`);
  const catalogs = new Map([
    ['shop', catalogOf('shop', 'orders', { id: 'text', contact: 'text', most: 'integer', placed: 'timestamp' })],
    ['desk', catalogOf('desk', 'tickets', { id: 'text', caller: 'text', weight: 'integer', opened: 'timestamp' })],
  ]);
  const catalog = combineCatalogs(graph, sources, ({ name }) => catalogs.get(name.value));
  assert.ok(catalog);
  const planned = planImport(graph, catalog);
  assert.ok('plan' in planned, JSON.stringify(planned));
  const [plan] = planned.plan.relationships;
  assert.ok(plan);
  return plan;
}

const types: Partial<Record<ColumnSense, string>> = { text: 'VARCHAR', integer: 'INTEGER', timestamp: 'TIMESTAMP' };

function catalogOf(dataSource: string, name: string, senses: Readonly<Record<string, ColumnSense>>): Catalog {
  const columns = Object.entries(senses).map(([column, sense]): Column => ({
    ...{ name: column, type: types[sense] ?? '', sense, nullable: true, primaryKey: false },
  }));
  const statistics = { columnCount: columns.length };
  const object = { name, kind: 'table', path: [name], columns, primaryKey: [], foreignKeys: [], statistics } as const;
  const of = { dataSource, kind: 'duckdb', dialect: 'duckdb', complete: true, warnings: [] };
  return { ...of, readAt: '2024-01-01T00:00:00.000Z', objects: [object] };
}

/** The rows of the ends, each as an object. */
const rowsOf: Readonly<Record<string, readonly Readonly<Record<string, string | number>>[]>> = {
  desk: [
    { id: 'T1', caller: 'ann', weight: 1 },
    { id: 'T1', caller: 'ann', weight: 2 },
    { id: 'T2', caller: 'bob', weight: 1 },
    { id: 'T3', caller: 'eve', weight: 1 },
  ],
  shop: [
    { id: '1', contact: 'ann', most: 3 },
    { id: '1', contact: 'ann', most: 5 },
    { id: '2', contact: 'bob', most: 3 },
    { id: '3', contact: 'cyd', most: 3 },
  ],
};

/** The ends as they are staged. */
function endsOf({ query }: RelationshipPlan): readonly StagedEnd[] {
  return (query.ends ?? []).map((end) => ({
    end,
    loaded: {
      ...{ sourceRows: 4, warnings: [] },
      columns: end.query.columns.map((name) => {
        const [type, sense] = isNumber(name) ? (['INTEGER', 'integer'] as const) : (['VARCHAR', 'text'] as const);
        return { name, type, sense, stagedAs: name, stagedType: type };
      }),
    },
  }));
}

function isNumber(column: string): boolean {
  return column === 'weight' || column === 'most';
}

/** Stages the rows and joins them. */
async function joined(database: BuildDatabase, plan: RelationshipPlan) {
  const ends = endsOf(plan);
  for (const { end } of ends) {
    const { columns } = end.query;
    const rows = rowsOf[end.dataSource] ?? [];
    const values = rows.map((row) => `(${columns.map((name) => `'${row[name]}'`).join(', ')})`);
    const items = columns.map((name) => (isNumber(name) ? `CAST(${name} AS INTEGER) AS ${name}` : name));
    const from = `(VALUES ${values.join(', ')}) AS v(${columns.join(', ')})`;
    await database.run(`CREATE TABLE "${end.table}" AS SELECT ${items.join(', ')} FROM ${from}`);
  }
  const ran: string[] = [];
  await joinEnds(noting(database, ran), plan, joinEndsStep(plan, ends, place), signal);
  return { found: await database.query(`SELECT * FROM "${plan.table}" ORDER BY ALL`), ran };
}
