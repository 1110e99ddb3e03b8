import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { graphText, withProject } from '../support/import-text.ts';
import { writeParquet } from '../support/parquet-files.ts';

const element =
  '  - { activityName: A, dataObject: event, key: id, startTimestamp: at, joins: JOIN note AS n ON n.id = event.note, properties: [n.long] }\n';

/** The rows of a table of events that refer to one row of another table, with a text of this length. */
const rows = {
  event: "SELECT range AS id, 1 AS note, TIMESTAMP '2024-01-01' AS at FROM range(101)",
  note: (length: number) => `SELECT 1 AS id, repeat('x', ${length}) AS long`,
};

/** Kinds of sources whose joins DuckDB runs; log files and fetched records have tests of their own. */
const kinds: Readonly<
  Record<string, { readonly source: string; make(folder: string, length: number): Promise<unknown> }>
> = {
  files: {
    source: '{ kind: csv, path: "*.parquet" }',
    make: (folder, length) => writeParquet(folder, { 'event.parquet': rows.event, 'note.parquet': rows.note(length) }),
  },
  duckdb: {
    source: '{ kind: duckdb, path: shop.duckdb }',
    make: (folder, length) =>
      createDuckdbFile(join(folder, 'shop.duckdb'), [
        `CREATE TABLE event AS ${rows.event}`,
        `CREATE TABLE note AS ${rows.note(length)}`,
      ]),
  },
};

describe('a join that repeats a long text', () => {
  for (const [kind, { source, make }] of Object.entries(kinds)) {
    it(`${kind} › is refused beyond what memory holds, a shorter one is not`, async () => {
      const imported = (length: number) =>
        withProject(
          {
            'graph.entity.yaml': graphText(element),
            'entity-sources.yaml': `version: 1\ndataSources:\n  shop: ${source}\n`,
          },
          async (project) => {
            await make(project.folder, length);
            return project.import();
          },
        );
      const { error } = await imported(5_000_000);
      assert.equal(
        error?.message,
        'The 101 rows have 505 MB of text in n.long, because a join repeats long texts: that is more than an import holds in memory.',
      );
      assert.deepEqual((await imported(50_000)).totals.events, 101);
    });
  }
});
