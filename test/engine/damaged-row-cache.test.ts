import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { openScratch } from '../../server/src/store/duckdb-store.ts';
import { beforeStatements } from '../support/at-statement.ts';
import { type ImportedProject, csvSources, graphText, withProject } from '../support/import-text.ts';
import { countSoak, soakList } from '../support/soak.ts';
import { tablesBesideRun } from '../support/tables-of-store.ts';
import { fullImport } from '../support/whole-graph.ts';

const severalRowGroups = 122_880 + 20_000;
const sources = csvSources(', parts: { log: "log-*.csv" }');
const elements = ['log', 'calls']
  .map(
    (name) =>
      `  - { activityName: Update ${name}, dataObject: ${name}, key: id, entityType: ${name}, startTimestamp: at, properties: [note] }\n`,
  )
  .join('');
const file = (from: number, until: number, note: string): string =>
  `id,at,note\n${Array.from({ length: until - from }, (_, index) => `${from + index},2024-01-0${1 + (index % 9)} 00:00:00,${note}${index % 100}\n`).join('')}`;
const changing = (version: number) => ({ 'log-1.csv': file(0, 5, `version ${version} `) });
const filesOf = (rows: number) => ({
  'entity-sources.yaml': sources,
  'graph.entity.yaml': graphText(elements),
  'log-2.csv': file(5, rows, 'log '),
  'calls.csv': file(0, rows, 'call '),
  ...changing(0),
});

const cacheOf = (project: ImportedProject): string => join(project.folder, '.entity-graph/graphs/graph/rows.kept');

/** The numbers of rows of all tables, and sums of their hashes. */
async function sumsOf(project: ImportedProject): Promise<unknown> {
  const names = await project.read(tablesBesideRun);
  return project.rowsOfAll(names.map((name) => `SELECT '${name}', count(*), sum(hash(t)) FROM "${name}" AS t`));
}

/** The sums of full imports of two versions of one file. */
async function expectedSums(rows: number): Promise<readonly unknown[]> {
  return withProject(filesOf(rows), async (project) => {
    const sums: unknown[] = [];
    for (const version of [0, 1]) {
      await project.write(changing(version));
      succeeded(await project.import(fullImport), 'a full import');
      sums.push(await sumsOf(project));
    }
    return sums;
  });
}

function succeeded({ status, error }: ImportSummary, what: string): void {
  assert.equal(status, 'imported', `${what}: ${error?.message}`);
}

/** Writes the row cache in small blocks and row groups, so that its metadata lie in many blocks, as those of a large file. */
async function splitBlocks(path: string): Promise<void> {
  const database = await openScratch();
  await database.run(`ATTACH '${path}' AS large (READ_ONLY)`);
  await database.run(`ATTACH '${path}.split' AS split (BLOCK_SIZE 16384, ROW_GROUP_SIZE 2048)`);
  await database.runAll(['COPY FROM DATABASE large TO split']);
  await database.run('DETACH split');
  await database.close();
  writeFileSync(path, readFileSync(`${path}.split`));
}

describe('a damaged row cache never fails an import', () => {
  for (const [what, rows, blockSize, share] of [
    ['with several row groups', severalRowGroups, 262_144, 4],
    ['with metadata in many blocks', 30_000, 16_384, 8],
  ] as const) {
    it(`whichever of its blocks is damaged, ${what}`, async () => {
      const sums = await expectedSums(rows);
      await withProject(filesOf(rows), async (project) => {
        await project.import();
        const path = cacheOf(project);
        if (blockSize < 262_144) await splitBlocks(path);
        const whole = readFileSync(path);
        const blocks = Math.floor((whole.length - 3 * 4096) / blockSize);
        // Metadata lie behind the rows.
        const numbers = Array.from({ length: blocks }, (_, number) => number).filter(
          (number) => number % share === 0 || number >= blocks - 4,
        );
        const few = [numbers[0], numbers.at(-1)].filter((number) => number !== undefined);
        for (const [turn, number] of soakList(numbers, few).entries()) {
          const at = 3 * 4096 + number * blockSize + 64;
          const damaged = Buffer.from(whole);
          damaged.writeUInt8(damaged.readUInt8(at) ^ 255, at);
          writeFileSync(path, damaged);
          const version = 1 - (turn % 2);
          await project.write(changing(version));
          succeeded(await project.import(), `block ${number}`);
          assert.deepEqual(await sumsOf(project), sums[version], `block ${number}`);
          countSoak();
          if (turn % 3 > 0) continue;
          succeeded(await project.import(), `after block ${number}`);
          assert.deepEqual(await sumsOf(project), sums[version], `after block ${number}`);
        }
      });
    });
  }

  for (const [what, pattern, isFatal] of [
    ['the copy of a changed table cannot be dropped', /^DROP TABLE IF EXISTS "element_1_kept"/, false],
    ['a checkpoint fails, and all statements after it', /^CHECKPOINT$/, true],
    ['its tables cannot be renamed, nor any statement run', /RENAME TO "element_1_kept"/, true],
    ['the database breaks while a file is read', /^CREATE TABLE "element_1" AS/, true],
  ] as const) {
    it(`if ${what}`, async () => {
      const sums = await expectedSums(100);
      await withProject(filesOf(100), async (project) => {
        await project.import();
        await project.write(changing(1));
        let failed = 0;
        let isBroken = false;
        const summary = await beforeStatements(
          (sql) => {
            // A new database works.
            if (sql.startsWith('SET enable_progress_bar')) isBroken = false;
            if (!isBroken && !(failed === 0 && pattern.test(sql))) return;
            failed += 1;
            isBroken = isFatal;
            throw new Error('The database has been invalidated.');
          },
          () => project.import(),
        );
        assert.ok(failed > 0);
        succeeded(summary, what);
        assert.deepEqual(await sumsOf(project), sums[1]);
        assert.equal(summary.steps?.find(({ name }) => name === 'element_2')?.isUnchanged, true);
        succeeded(await project.import(), 'the next import');
        assert.deepEqual(await sumsOf(project), sums[1]);
      });
    });
  }
});
