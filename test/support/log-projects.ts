import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import type { Catalog } from '../../server/src/catalog/catalog.ts';
import { importSummary, type ImportSummary } from '../../server/src/cli/import-summary.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { newGraph, type NewGraph } from '../../server/src/operations/graph-files/new-graph.ts';
import { importGraph } from '../../server/src/operations/imports/import-graph.ts';
import { exportGraph } from '../../server/src/operations/stored-graphs/export-graph.ts';
import { catalogShape } from '../../server/src/project/catalog-shape.ts';
import { findSources, type ProjectContext, readGraphFile } from '../../server/src/project/open-project.ts';
import { noSecrets } from './no-secrets.ts';
import { createConnector } from './create-connector.ts';
import { dataSource } from './postgresql-source.ts';
import { folderWith, removeFolder } from './temporary-folder.ts';

const projectContext: ProjectContext = {
  permitUses: permitAllUses,
  readSecret: async () => 'postgres',
  environment: process.env,
};
const { signal } = new AbortController();

/** Imports a graph where it lies. */
export async function importAt(path: string): Promise<ImportSummary> {
  const file = await readGraphFile(path, projectContext);
  return importSummary(await importGraph(file, projectContext, { onProgress: () => undefined, signal }));
}

/** Exports the imported graph; returns the path of what was written. */
export async function exportAt(path: string, format: string, output: string, entityType?: string): Promise<string> {
  const file = await readGraphFile(path, projectContext);
  await exportGraph(file, projectContext, { format, output, signal, entityType });
  return output;
}

/** The catalog of a log file. Rejects like its connector. */
export async function describeLog(kind: 'ocel' | 'xes', path: string): Promise<Catalog> {
  const context = { folder: dirname(path), ...noSecrets };
  const connector = await createConnector(dataSource('log', { kind, path }), context);
  try {
    const catalog = await connector.describe({});
    assert.equal(catalogShape(catalog, ''), undefined);
    return catalog;
  } finally {
    await connector.close();
  }
}

/** A project whose only source `log` is an event log file. */
export interface LogProject {
  readonly folder: string;
  /** The first graph of the source. */
  readonly graph: string;
  readonly made: NewGraph;
}

/** Writes the first graph of a log file, and gives it to `use`. */
export async function withLogProject<T>(
  kind: 'ocel' | 'xes',
  log: string,
  use: (project: LogProject) => Promise<T>,
  objects?: readonly string[],
): Promise<T> {
  const folder = await folderWith({
    'entity-sources.yaml': `version: 1\ndataSources:\n  log: { kind: ${kind}, path: ${JSON.stringify(log)} }\n`,
  });
  try {
    const graph = join(folder, 'graph.entity.yaml');
    const sources = await findSources(graph, projectContext);
    if (!sources) throw new Error('The project has no data sources file.');
    const made = await newGraph(sources, 'log', { output: graph, signal, objects }, projectContext);
    return await use({ folder, graph, made });
  } finally {
    await removeFolder(folder);
  }
}
