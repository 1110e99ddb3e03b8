import assert from 'node:assert/strict';
import type { ImportRequest } from '../../protocol/import-request.ts';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { abilityWarnings } from '../../server/src/connectors/source-build.ts';
import { storedTables } from '../../server/src/graph-schema/stored-tables.ts';
import { type ImportedProject, withProject } from './import-text.ts';
import type { TestTrino } from './trino-server.ts';

type BuildInTrino = (project: ImportedProject) => Promise<ImportSummary>;

export interface ComparedInTrino {
  readonly embedded: ImportSummary;
  readonly built: ImportSummary;
}

/**
 * Imports a graph with the embedded engine and inside Trino, fetches the latter, and expects all tables to be equal, row by
 * row. `graph` is the text of the file without `import`.
 * @param request of both imports
 * @param build imports the graph inside Trino
 */
export async function compareInTrino(
  sources: string,
  graph: string,
  place: { readonly catalog: string; readonly schema: string },
  request: ImportRequest = { kind: 'build' },
  build: BuildInTrino = (project) => project.import({ request }),
): Promise<ComparedInTrino> {
  return withProject({ 'entity-sources.yaml': sources, 'graph.entity.yaml': graph }, async (project) => {
    const embedded = imported(await project.import({ request }), graph);
    const expected = await tableContents(project);
    const { catalog, schema } = place;
    await project.write({
      'graph.entity.yaml': `${graph}import: { engine: source, catalog: ${catalog}, schema: ${schema} }\n`,
    });
    const built = imported(await build(project), graph);
    assert.deepEqual(comparable(built), comparable(embedded), graph);
    imported(await project.import({ request: { kind: 'fetch' } }), graph);
    const actual = await tableContents(project);
    assert.deepEqual([...actual.keys()], [...expected.keys()]);
    for (const [table, rows] of expected) assert.deepEqual(actual.get(table), rows, `${table}\n${graph}`);
    return { embedded, built };
  });
}

/**
 * Compares a graph over the data source `shop`, published in the catalog `lake`, and what its readers see.
 * @param settings of the data source, such as its catalog and schemas
 * @param build as for `compareInTrino`
 */
export async function compareInLake(
  trino: Pick<TestTrino, 'port' | 'run'>,
  settings: string,
  graph: string,
  schema: string,
  build?: BuildInTrino,
): Promise<ComparedInTrino> {
  const sources = `version: 1\ndataSources:\n  shop: { kind: trino, host: 127.0.0.1, port: ${trino.port}, user: ann, ${settings} }\n`;
  const compared = await compareInTrino(sources, graph, { catalog: 'lake', schema }, undefined, build);
  const { totals, rules = [] } = compared.embedded;
  const [[events]] = (await trino.run(`SELECT count(*) FROM lake.${schema}.node_event`)) as [[number]];
  assert.equal(events, totals.events);
  if (rules.length > 0) {
    const [[judged]] = (await trino.run(`SELECT count(*) FROM lake.${schema}.rule`)) as [[number]];
    assert.equal(judged, rules.length);
  }
  return compared;
}

const withoutSnapshot = abilityWarnings({ hasSnapshot: false, publishesAtomically: false, textTimes: true });

function imported(summary: ImportSummary, graph: string): ImportSummary {
  assert.equal(summary.status, 'imported', `${summary.error?.message}\n${graph}`);
  return summary;
}

/** All but how each rule is asked, and that an import inside Trino has no snapshot. */
function comparable({ totals, elements, relationships, expectations, rules, warnings }: ImportSummary): unknown {
  return {
    ...{ totals, elements, relationships, expectations },
    rules: rules?.map(({ sql: _, ...result }) => result),
    warnings: warnings.filter((warning) => !withoutSnapshot.includes(warning)).toSorted(),
  };
}

/** All tables but that of the run, whose rows say when and from where. */
export async function tableContents(project: ImportedProject): Promise<ReadonlyMap<string, unknown>> {
  const tables = await project.read((store) => storedTables(store));
  const names = tables.filter(({ schema }) => schema !== 'run').map(({ name }) => name);
  const contents = new Map<string, unknown>();
  for (const name of names.toSorted()) contents.set(name, await project.rows(`SELECT * FROM ${name} ORDER BY ALL`));
  return contents;
}
