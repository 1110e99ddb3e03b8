import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { withBuildDatabase } from '../support/build-database.ts';
import { fileQuery, withCsvFiles } from '../support/csv-source.ts';
import { projectRoot } from '../support/doc-pages.ts';

const folder = join(projectRoot, 'test/data/workbooks');

/** A cell as openpyxl reads it. */
type Expected = null | Readonly<Partial<Record<'number' | 'text' | 'time' | 'clock', string>> & { boolean?: boolean }>;

const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Readonly<
  Record<string, readonly (readonly Expected[])[]>
>;

/** Tables with their column names below the first row. */
const rowsOfNames: Readonly<Record<string, number>> = { 'heads/Report 2024': 4 };

function isAlike(text: unknown, cell: Expected): boolean {
  if (cell === null || text === null) return text === cell;
  if (cell.number !== undefined) return Number(text) === Number(cell.number);
  if (cell.boolean !== undefined) return text === String(cell.boolean);
  if (cell.time !== undefined) {
    // DuckDB prints no zeros at the end of a fraction.
    return (String(text).length === 10 ? `${String(text)} 00:00:00` : text) === cell.time.replace(/(\.\d*?)0+$/, '$1');
  }
  return text === (cell.clock ?? cell.text);
}

describe('values of workbooks are those that openpyxl reads', () => {
  const files = Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.xlsx'))
      .map((name) => [name, readFileSync(join(folder, name))]),
  );

  for (const [name, all] of Object.entries(expected)) {
    if (all.length === 0) continue;
    it(name, async () => {
      await withCsvFiles(files, {}, async (connector) => {
        const rows = await withBuildDatabase(async (staging) => {
          const pull = await connector.openPull(staging, {});
          await pull.load(fileQuery(`SELECT * FROM "${name}"`, [name]), 'staged', {});
          await pull.close();
          return (await staging.table('SELECT CAST(COLUMNS(*) AS VARCHAR) FROM staged ORDER BY rowid')).rows;
        });
        const used = (all[0] ?? [])
          .map((_, column) => column)
          .filter((column) => all.some((row) => row[column] !== null));
        const cells = all.slice(rowsOfNames[name] ?? 1).map((row) => used.map((column) => row[column] ?? null));
        assert.equal(rows.length, cells.length);
        const different = cells.flatMap((row, index) =>
          row.flatMap((cell, column) =>
            isAlike(rows[index]?.[column], cell) ? [] : [[index, column, rows[index]?.[column], cell]],
          ),
        );
        assert.deepEqual(different, []);
      });
    });
  }
});
