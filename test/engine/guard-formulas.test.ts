import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { guardedText } from '../../protocol/formula-guard.ts';
import { guardedColumns } from '../../server/src/export/guard-formulas.ts';
import { openScratch } from '../../server/src/store/duckdb-store.ts';
import { csvSources, graphText, withProject } from '../support/import-text.ts';
import { runCli } from '../support/run-cli.ts';
import { graphTables } from '../../server/src/graph-schema/graph-schema.ts';

/** Values of every type of a graph, as exported without and with a formula guard. */
const values: readonly (readonly [sql: string, plain: string, guarded: string])[] = [
  ["'=1+1'", '=1+1', "'=1+1"],
  ["'-5'", '-5', '-5'],
  ["chr(0) || '=1'", '\0=1', "'\0=1"],
  ['chr(9)', '\t', "'\t"],
  ['NULL::VARCHAR', '', ''],
  ["'-1'::ENUM('-1', '=1')", '-1', '-1'],
  ["'=1'::ENUM('-1', '=1')", '=1', "'=1"],
  ["'=1'::BLOB", '=1', "'=1"],
  ["INTERVAL '-3 days'", '-3 days', "'-3 days"],
  ['-5', '-5', '-5'],
  ['-5::HUGEINT', '-5', '-5'],
  ['-1.50::DECIMAL(9, 2)', '-1.50', '-1.50'],
  ['-1.5::DOUBLE', '-1.5', '-1.5'],
  ['true', 'true', 'true'],
  ["DATE '2024-01-01'", '2024-01-01', '2024-01-01'],
  ["['=1']", "['=1']", "['=1']"],
  ["{'a': '=1'}", "{'a': '=1'}", "{'a': '=1'}"],
];

describe('CSV for spreadsheets', () => {
  it('guards texts of any type, and leaves numbers and times unchanged', async () => {
    const database = await openScratch();
    try {
      const list = values.map(([sql], index) => `${sql} AS c${index}`).join(', ');
      await database.run(`CREATE TABLE "all" AS SELECT ${list}`);
      const guarded = await database.table(
        `SELECT ${values.map((_, index) => `CAST(c${index} AS VARCHAR)`).join(', ')} FROM (SELECT ${await guardedColumns(database, 'all')} FROM "all")`,
      );
      const plain = await database.table(
        `SELECT ${values.map((_, index) => `CAST(c${index} AS VARCHAR)`).join(', ')} FROM "all"`,
      );
      const texts = (row: readonly unknown[] | undefined): readonly string[] =>
        (row ?? []).map((cell) => String(cell ?? ''));
      assert.deepEqual(
        texts(plain.rows[0]),
        values.map(([, text]) => text),
      );
      assert.deepEqual(
        texts(guarded.rows[0]),
        values.map(([, , text]) => text),
      );
      const types = await database.describe(`SELECT ${await guardedColumns(database, 'all')} FROM "all"`);
      assert.deepEqual(
        types.slice(9, 13).map(({ type }) => type),
        ['INTEGER', 'HUGEINT', 'DECIMAL(9,2)', 'DOUBLE'],
      );
    } finally {
      await database.close();
    }
  });

  it('is identical in DuckDB and the results grid', async () => {
    const signs = fc.constantFrom(
      "'",
      '=',
      '+',
      '-',
      '@',
      '\t',
      '\r',
      '＝',
      '－',
      '1',
      '.',
      'e',
      'E',
      'a',
      ' ',
      '\n',
      'é',
      '🦆',
    );
    const texts = fc.sample(
      fc.array(signs, { maxLength: 7 }).map((parts) => parts.join('')),
      3000,
    );
    const database = await openScratch();
    try {
      await database.run('CREATE TABLE texts (n INTEGER, "=text" VARCHAR)');
      const rows = texts.map((text, n) => `(${n}, '${text.replaceAll("'", "''")}')`);
      await database.run(`INSERT INTO texts VALUES ${rows.join(', ')}`);
      const found = await database.table(`SELECT ${await guardedColumns(database, 'texts')} FROM texts ORDER BY n`);
      assert.deepEqual(
        found.columns.map(({ name }) => name),
        ['n', "'=text"],
      );
      assert.deepEqual(
        found.rows.map(([, text]) => text),
        texts.map(guardedText),
      );
    } finally {
      await database.close();
    }
  });

  it('on the command line is an option for CSV only', async () => {
    const files = {
      'entity-sources.yaml': csvSources(),
      'graph.entity.yaml': graphText(
        '  - { activityName: "=Win", dataObject: customers, key: id, startTimestamp: since, properties: ["=note", amount] }\n',
      ),
      'customers.csv': 'id,since,=note,amount\n"@7",2024-01-01,"=HYPERLINK(""http://x"")",-5\n',
    };
    await withProject(files, async (project) => {
      assert.equal((await project.import()).status, 'imported');
      const args = (as: string, output: string): string[] => [
        'export',
        'graph.entity.yaml',
        '--as',
        as,
        '--output',
        output,
      ];
      const options = { cwd: project.folder };
      for (const [name, flags] of [
        ['plain', []],
        ['guarded', ['--guard-formulas']],
      ] as const) {
        const done = await runCli([...args('csv', name), ...flags, '--workspace', project.folder], options);
        assert.equal(done.code, 0, done.stderr);
      }
      const read = (path: string): Promise<string> => readFile(join(project.folder, path), 'utf8');
      assert.deepEqual(await readdir(join(project.folder, 'guarded')), await readdir(join(project.folder, 'plain')));
      assert.equal(await read('plain/properties_1.csv'), 'event_id,=note,amount\n1,"=HYPERLINK(""http://x"")",-5\n');
      assert.equal(
        await read('guarded/properties_1.csv'),
        'event_id,\'=note,amount\n1,"\'=HYPERLINK(""http://x"")",-5\n',
      );
      assert.equal(await read('guarded/entity.csv'), "id,entity_type,key\n1,customers,'@7\n");
      assert.equal(
        await read('guarded/event.csv'),
        `${Object.keys(graphTables.event.columns).join()}\n1,'=Win,'=Win,start,2024-01-01T00:00:00.000000Z,1\n`,
      );
      const refused = await runCli([...args('parquet', 'p'), '--guard-formulas'], options);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /--guard-formulas is for --as csv, csv-log: no spreadsheet opens parquet\./);
    });
  });
});
