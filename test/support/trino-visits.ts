import assert from 'node:assert/strict';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { type ImportedProject, withProject } from './import-text.ts';
import type { TestTrino } from './trino-server.ts';

/** Creates a table of nine visits in a schema of its own of the catalog `lake`, and returns the name of the schema. */
export async function createVisits(trino: TestTrino): Promise<string> {
  const schema = await trino.createSchema();
  await trino.run(
    `CREATE TABLE lake.${schema}.visit AS SELECT i AS k, TIMESTAMP '2024-10-27 01:30:00' AS at FROM UNNEST(sequence(1, 9)) AS t (i)`,
  );
  return schema;
}

/** @param settings of the data source, but for its host */
export function visitSources(port: number, settings: string): string {
  return `version: 1\ndataSources:\n  shop: { kind: trino, host: 127.0.0.1, port: ${port}, ${settings} }\n`;
}

/** A project whose graph of visits is built inside Trino. @param target the settings of `import`, but for its engine */
export function withVisits<T>(
  sources: string,
  target: string,
  use: (project: ImportedProject) => Promise<T>,
): Promise<T> {
  const graph = `version: 1
name: Visits
dataSource: shop
dataObjects: [visit]
elements:
  - { activityName: Visit, dataObject: visit, key: k, entityType: visit, startTimestamp: at }
import: { engine: source, ${target} }
`;
  return withProject({ 'entity-sources.yaml': sources, 'graph.entity.yaml': graph }, use);
}

/** The code, message and remedy of an import that must have failed. */
export function failureOf({ status, error }: ImportSummary): string {
  assert.equal(status, 'failed');
  return `${error?.code}: ${error?.message} ${error?.remedy}`;
}

export async function schemasOf({ run }: TestTrino, catalog: string): Promise<readonly string[]> {
  return (await run(`SHOW SCHEMAS FROM ${catalog}`)).map(([name]) => String(name)).toSorted();
}
