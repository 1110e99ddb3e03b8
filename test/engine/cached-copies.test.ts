import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { dropCopy } from '../../server/src/connectors/cached-copy.ts';
import { attachRowsSql, useRowsSql } from '../../server/src/import/build/staging-steps.ts';
import { createBuildDatabase, openUnpublishedStore } from '../../server/src/store/duckdb-store.ts';
import { beforeStatements } from '../support/at-statement.ts';
import { type ImportedProject, csvSources, graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { importLikeFull, rowsFromCache, wholeImport } from '../support/compare-with-full.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { fullImport } from '../support/whole-graph.ts';

const header = 'ticket,at,note\n';
const elements =
  '  - { activityName: Update Ticket, dataObject: log, key: ticket, startTimestamp: at, properties: [note] }\n';
const row = (ticket: string, day: number, note = 'a'): string => `${ticket},2024-01-0${day} 00:00:00,${note}\n`;
const files = {
  'entity-sources.yaml': csvSources(', parts: { log: "log-*.csv" }'),
  'graph.entity.yaml': graphText(elements),
  'log-1.csv': `${header}${row('t1', 1)}${row('t2', 2)}`,
  'log-2.csv': `${header}${row('t3', 3)}`,
};
const more = { 'log-3.csv': `${header}${row('t2', 4)}` };

/** Statements that write cached rows again. */
const isCopying = (sql: string): boolean => /SELECT (k\.)?\* FROM kept\.main\."/.test(sql);

async function copiesIn(work: () => Promise<ImportSummary>): Promise<[ImportSummary, readonly string[]]> {
  const copies: string[] = [];
  const note = (sql: string): void => void (isCopying(sql) && copies.push(sql));
  return [await beforeStatements(note, work), copies];
}

describe('the staging file begins as a copy of the row cache', () => {
  it('in which tables without changes, or with new rows only, stay', () =>
    withProject(files, async (project) => {
      await project.import();
      const [unchanged, copied] = await copiesIn(() => project.import());
      assert.equal(rowsFromCache(unchanged), 3);
      assert.deepEqual(copied, []);
      await project.write(more);
      const [longer, copies] = await copiesIn(() => project.import());
      assert.deepEqual(copies, []);
      assert.equal(rowsFromCache(longer), 3);
      const found = await wholeImport(project);
      await withProject({ ...files, ...more }, async (copy) => {
        await copy.import(fullImport);
        assert.deepEqual(found, await wholeImport(copy));
      });
    }));

  it('whose room is used again when tables are copied row by row', () => {
    const rows = (note: string): string =>
      Array.from({ length: 30_000 }, (_, index) => row(`t${index}`, 1 + (index % 9), `${note} ${index * 7919}`)).join(
        '',
      );
    const parts = (note: string) => ({
      'log-1.csv': `${header}${row('t1', 1, note)}`,
      'log-2.csv': header + rows('b'),
    });
    return withProject({ ...files, ...parts('a') }, async (project) => {
      const size = (): number => statSync(join(project.folder, '.entity-graph/graphs/graph/rows.kept')).size;
      await project.import();
      const first = size();
      for (const note of ['b', 'c', 'd', 'e', 'f']) {
        await project.write(parts(note));
        assert.equal((await project.import()).status, 'imported');
      }
      assert.ok(size() <= 2.5 * first, `${size()} bytes, and ${first} at first`);
    });
  });

  it('not if most of that file is free, so that it shrinks again', () =>
    withProject(files, async (project) => {
      await project.import();
      const path = join(project.folder, '.entity-graph/graphs/graph/rows.kept');
      const small = statSync(path).size;
      const cache = await openUnpublishedStore(path);
      for (const sql of [
        'CREATE TABLE large AS SELECT hash(range) AS value FROM range(3_000_000)',
        'CHECKPOINT',
        'CREATE TABLE behind AS SELECT hash(range) AS value FROM range(200_000)',
        'CHECKPOINT',
        'DROP TABLE large',
        'CHECKPOINT',
      ])
        await cache.run(sql);
      await cache.close();
      assert.ok(statSync(path).size > 5 * small);
      const [summary, copies] = await copiesIn(() => importLikeFull(project));
      assert.equal(rowsFromCache(summary), 3);
      assert.equal(copies.length, 1);
      assert.ok(statSync(path).size <= 2 * small);
    }));

  it('not in a full import', () =>
    withProject(files, async (project) => {
      await project.import();
      let copies = 0;
      const note = (sql: string): void => void (sql.includes('RENAME TO "element_1_kept"') && (copies += 1));
      const request = { kind: 'build', isFull: true, usesKeptRows: true } as const;
      await beforeStatements(note, () => project.import({ request }));
      assert.equal(copies, 0);
    }));

  it('in which dropping a copy does not write other tables again', async () => {
    const staging = await createBuildDatabase({ path: ':memory:', temporaryFolder: await folderWith({}) });
    try {
      await staging.run(attachRowsSql(join(staging.temporaryFolder, 'rows.duckdb')));
      await staging.run(useRowsSql);
      await staging.run('CREATE TABLE staged AS SELECT range AS c1 FROM range(500_000)');
      await staging.run('CREATE TABLE element_1_kept AS SELECT 1 AS c1');
      // Leaves row groups partly filled.
      await staging.run('DELETE FROM staged WHERE c1 % 3 > 0');
      const setting = "SELECT current_setting('max_vacuum_tasks') AS tasks";
      const groups = "SELECT count(DISTINCT row_group_id) AS groups FROM pragma_storage_info('staged')";
      const [before, tasks] = [await staging.query(groups), await staging.query(setting)];
      await dropCopy(staging, 'element_1_kept');
      assert.deepEqual(await staging.query(groups), before);
      assert.deepEqual(await staging.query(setting), tasks);
    } finally {
      await staging.close();
      await removeFolder(staging.temporaryFolder);
    }
  });

  for (const [what, pattern] of [
    ['the file cannot be attached', /^ATTACH .* AS entity_graph_rows/],
    ['its tables cannot be renamed', /RENAME TO "element_1_kept"/],
    ['a table is gone', /RENAME TO "element_1"$/],
    ['a table is damaged', /any_value\(COLUMNS\(\*\)\) FROM "element_1"/],
  ] as const) {
    it(`or is empty, and rows are copied, when ${what}`, () =>
      withProject(files, async (project) => {
        await project.import();
        await project.write(more);
        let attached = 0;
        let failed = 0;
        const summary = await beforeStatements(
          (sql) => {
            if (!pattern.test(sql)) return;
            // The first ATTACH is that of the empty staging file.
            if (sql.startsWith('ATTACH') && ++attached !== 2) return;
            failed += 1;
            if (failed === 1) throw new Error('It is damaged.');
          },
          () => importLikeFull(project),
        );
        assert.ok(failed > 0);
        assert.equal(rowsFromCache(summary), 3);
      }));
  }

  it('with watermarks, if no row has changed', async () => {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    const run = (sql: string): Promise<unknown> => server.query(database, sql);
    await run(
      `CREATE TABLE orders (id int PRIMARY KEY, at timestamp, note text, updated_at timestamptz);
      INSERT INTO orders SELECT i, '2024-01-01'::timestamp + i * interval '1 hour', 'n' || i, '2024-01-01Z'::timestamptz + i * interval '1 hour' FROM generate_series(0, 39) AS i;
      ANALYZE`,
    );
    const project = {
      'entity-sources.yaml': postgresqlSources(server, database, ', watermarks: { orders: updated_at }'),
      'graph.entity.yaml': graphText(
        '  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: at, properties: [note] }\n',
      ),
    };
    const equalsFull = async (each: ImportedProject): Promise<void> => {
      const found = await wholeImport(each);
      await withProject(project, async (copy) => {
        await copy.import(fullImport);
        const full = await wholeImport(copy);
        assert.deepEqual([found['graph'], found['inOrder']], [full['graph'], full['inOrder']]);
      });
    };
    await withProject(project, async (each) => {
      await each.import();
      for (const [sql, copies, cached] of [
        ["INSERT INTO orders VALUES (41, '2024-03-01', 'new', '2024-04-01Z')", 0, 39],
        ["UPDATE orders SET note = 'changed', updated_at = '2024-04-02Z' WHERE id = 3", 1, 39],
      ] as const) {
        await run(sql);
        const [summary, copied] = await copiesIn(() => each.import());
        assert.equal(rowsFromCache(summary), cached);
        assert.equal(copied.length, copies, copied.join('\n'));
        await equalsFull(each);
      }
    });
  });
});
