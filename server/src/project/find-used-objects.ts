import { graphsBelow } from './find-source-uses.ts';
import { readGraphFile, type ProjectSurroundings } from './open-project.ts';
import { readGraphText } from './parse-in-turns.ts';

/** Names of the data objects that entity graphs use of a source, unsaved text first; what cannot be read is left out. */
export async function findUsedObjects(
  sourcesPath: string,
  dataSource: string,
  surroundings: ProjectSurroundings,
): Promise<readonly string[]> {
  const paths = await graphsBelow(sourcesPath, surroundings.workspaceFolderOf).catch(() => []);
  const used = new Set<string>();
  for (const path of paths) {
    const file = await readGraphFile(path, surroundings).catch(() => undefined);
    if (!file) continue;
    const { graph } = await readGraphText(file.text);
    if (graph.dataSource?.value !== dataSource) continue;
    for (const { dataObject } of [...graph.elements, ...graph.entities]) if (dataObject) used.add(dataObject.value);
  }
  return [...used];
}
