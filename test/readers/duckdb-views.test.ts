import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { graphViews } from '../../server/src/graph-schema/graph-schema.ts';
import { type ImportedProject, csvSources, graphText, withProject } from '../support/import-text.ts';
import { python, runProgram } from './tools.ts';

/** Prints the rows of each named view, in the file itself and attached beside other tables. */
const program = `
import duckdb, json, sys
path, views = sys.argv[1], sys.argv[2:]
def rows(connection, view):
    return connection.execute(f"SELECT to_json(v) FROM {view} AS v ORDER BY 1").fetchall()
with duckdb.connect(path, read_only=True) as own:
    found = [[rows(own, view) for view in views]]
with duckdb.connect() as other:
    other.execute("CREATE TABLE event AS SELECT 1 AS id")
    other.execute("ATTACH '" + path.replace("'", "''") + "' AS elsewhere (READ_ONLY)")
    found.append([rows(other, "elsewhere." + view) for view in views])
print(json.dumps(found))
`;

const project = {
  'entity-sources.yaml': csvSources(),
  'customers.csv': 'id,since\nC,2024-01-01\n',
  'orders.csv': 'id,customer,placed,changed\nO,C,2024-01-02,2024-01-03\n',
  'graph.entity.yaml': graphText(
    '  - { activityName: Win Customer, dataObject: customers, key: id, startTimestamp: since }\n  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: placed, changeTimestamp: changed }\n',
    '  - { name: of, source: Place Order, target: Win Customer, mappings: [{ source: customer, target: id }] }\n',
  ),
};

interface CopiedGraph {
  /** Path of a copy of the file of the graph under another name. */
  readonly copy: string;
  readonly views: readonly string[];
  /** The rows of each view, each a list of one text. */
  readonly wanted: readonly (readonly (readonly unknown[])[])[];
}

async function withCopy(work: (graph: CopiedGraph) => Promise<void>): Promise<void> {
  await withProject(project, async (imported: ImportedProject) => {
    const { store, error } = await imported.import();
    assert.ok(store, error?.message);
    const copy = join(imported.folder, 'copied elsewhere.db');
    await copyFile(store, copy);
    const views = Object.keys(graphViews);
    const wanted = await Promise.all(
      views.map((view) => imported.rows(`SELECT CAST(to_json(v) AS VARCHAR) FROM ${view} AS v ORDER BY 1`)),
    );
    assert.ok(wanted.every((rows) => rows.length > 0));
    await work({ copy, views, wanted });
  });
}

describe('store views', () => {
  it('are readable by DuckDB for Python under any file and database name', async () => {
    await withCopy(async ({ copy, views, wanted }) => {
      const run = await runProgram(await python(), ['-c', program, copy, ...views]);
      assert.equal(run.code, 0, run.stderr);
      assert.deepEqual(JSON.parse(run.stdout), [wanted, wanted]);
    });
  });

  it('are readable by the command line of DuckDB', async () => {
    await withCopy(async ({ copy, views, wanted }) => {
      const selects = views.flatMap((view) => ['-c', `SELECT to_json(v) FROM ${view} AS v ORDER BY 1`]);
      const shell = ['-m', 'duckdb_cli', '-readonly', '-noheader', '-list'];
      const run = await runProgram(await python(), [...shell, copy, ...selects]);
      assert.equal(run.code, 0, run.stderr);
      assert.deepEqual(run.stdout.trim().split(/\r?\n/), wanted.flat(2));
    });
  });
});
