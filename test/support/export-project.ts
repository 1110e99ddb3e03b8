import { join } from 'node:path';
import { type ExportGraphOptions, exportGraph } from '../../server/src/operations/stored-graphs/export-graph.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import type { ImportedProject } from './import-text.ts';
import { noValues } from '../../server/src/connectors/no-values.ts';

/** Exports the graph of a project into its folder; returns the path of the output. */
export async function exportProject(
  { folder }: ImportedProject,
  format: string,
  name = 'out',
  options: Pick<ExportGraphOptions, 'entityType' | 'guardFormulas'> = {},
): Promise<string> {
  const surroundings = { ...noValues, workspaceFolderOf: () => folder };
  const file = await readGraphFile(join(folder, 'graph.entity.yaml'), surroundings);
  const output = join(folder, name);
  const { signal } = new AbortController();
  await exportGraph(file, surroundings, { format, output, signal, ...options });
  return output;
}
