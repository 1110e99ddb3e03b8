import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { exportFormatNames } from '../../../server/src/export/export-formats.ts';
import { graphTables, graphViews, storeVersion } from '../../../server/src/graph-schema/graph-schema.ts';

const project = new URL('../../../', import.meta.url);
const pages = readdirSync(new URL('docs/', project), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(new URL(`docs/${name}`, project), 'utf8') }));

/** The rows of the Markdown tables with this header in all pages, each a list of cells. */
function rowsUnder(header: string): readonly (readonly string[])[] {
  return pages.flatMap(({ text }) => {
    const lines = text.split('\n');
    const begins = lines.flatMap((line, index) => (line.startsWith(`| ${header} |`) ? [index + 2] : []));
    return begins.flatMap((begin) => {
      const end = lines.findIndex((line, index) => index >= begin && !line.startsWith('|'));
      return lines.slice(begin, end < 0 ? undefined : end).map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    });
  });
}

const names = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');

describe('docs of the graph schema', () => {
  it('tables of the store › list each table with its columns and types', () => {
    // Examples have no code marks.
    const rows = rowsUnder('table | columns').flatMap(([table = '', columns = '']) =>
      names(table).map((name) => ({ table: name, columns })),
    );
    assert.deepEqual([...new Set(rows.map(({ table }) => table))].toSorted(), Object.keys(graphTables).toSorted());
    // The columns of `run` may have a table of their own.
    const run = rowsUnder('column of `run`');
    const ofRun = run.flatMap(([column = '']) => names(column));
    assert.deepEqual(run[0], ['`format_version`', String(storeVersion)]);
    for (const { table, columns } of rows) {
      const wanted = Object.entries(graphTables[table as keyof typeof graphTables].columns);
      const found = [...columns.matchAll(/`(\w+)` ([A-Z]+)/g)].map(([, column, type]) => [column, type]);
      if (table === 'run' && found.length === 0)
        assert.deepEqual(
          ofRun,
          wanted.map(([column]) => column),
        );
      else assert.deepEqual(found, wanted, table);
    }
  });

  it('views of the store › list each view with its columns', () => {
    const rows = rowsUnder('view | columns').map(
      ([view = '', columns = '']) => [names(view)[0], names(columns)] as const,
    );
    assert.deepEqual([...new Set(rows.map(([view]) => view))].toSorted(), Object.keys(graphViews).toSorted());
    for (const [view = '', columns] of rows) {
      assert.deepEqual(columns, Object.keys(graphViews[view as keyof typeof graphViews].columns), view);
    }
  });

  it('README.md › lists every table and view', () => {
    const text = readFileSync(new URL('README.md', project), 'utf8');
    for (const name of [...Object.keys(graphTables), ...Object.keys(graphViews)]) {
      assert.ok(text.includes(`\`${name}\``), name);
    }
  });

  it('docs/exports.md › lists every format', () => {
    const forms = rowsUnder('`--as`').flatMap(([form = '']) => names(form));
    assert.deepEqual(forms, exportFormatNames);
  });
});
