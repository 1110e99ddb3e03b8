import { expectGolden } from '../support/golden.ts';
import { type ImportedProject, withProject } from '../support/import-text.ts';
import { randomGraph } from '../support/random-graphs.ts';
import { withAllProcessors } from '../support/with-all-processors.ts';

describe('golden graphs', () => {
  withAllProcessors();
  for (const seed of [0, 1, 2, 3, 4, 5, 6, 7]) {
    it(`have the recorded tables, columns and hashes of rows: random rows ${seed}`, async () => {
      await withProject(randomGraph(seed), async (project) => {
        await project.import();
        expectGolden(`graphs/random-${seed}.txt`, `${(await describeTables(project)).join('\n')}\n`);
      });
    });
  }
});

/** A line for each table and view but `run`, which differs between imports: rows, columns, and a hash of the rows in order of their text. */
async function describeTables(project: ImportedProject): Promise<readonly string[]> {
  const tables =
    await project.rows(`SELECT table_name, string_agg(column_name || ' ' || data_type, ', ' ORDER BY column_index)
    FROM duckdb_columns() WHERE NOT internal AND schema_name = 'main' AND table_name <> 'run' GROUP BY 1 ORDER BY 1`);
  const contents = await project.rowsOfAll(
    tables.map(
      ([table]) => `SELECT count(*), md5(coalesce(string_agg(text, chr(10) ORDER BY text), ''))
      FROM (SELECT CAST(to_json(stored) AS VARCHAR) AS text FROM "${String(table)}" AS stored)`,
    ),
  );
  return tables.map(([table, columns], index) => {
    const [[count, hash] = []] = contents[index] ?? [];
    return `${String(table)}: ${String(count)} rows (${String(columns)}) ${String(hash)}`;
  });
}
