import { join } from 'node:path';
import { type ExportGraphOptions, exportGraph } from '../../server/src/operations/stored-graphs/export-graph.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import type { ImportedProject } from './import-text.ts';
import { noSecrets } from './no-secrets.ts';

/** Exports the graph of a project into its folder; returns the path of the output. */
export async function exportProject(
  { folder }: ImportedProject,
  format: string,
  name = 'out',
  options: Pick<ExportGraphOptions, 'entityType' | 'guardFormulas' | 'utcOffset'> = {},
): Promise<string> {
  const projectContext = { ...noSecrets, workspaceFolderOf: () => folder };
  const file = await readGraphFile(join(folder, 'graph.entity.yaml'), projectContext);
  const output = join(folder, name);
  const { signal } = new AbortController();
  await exportGraph(file, projectContext, { format, output, signal, ...options });
  return output;
}
