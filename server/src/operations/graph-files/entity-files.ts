import { dirname } from 'node:path';
import { type ProjectContext, findSources, stateFolderOf } from '../../project/open-project.ts';
import { entityIdOf } from '../../state/entity-id.ts';
import type { EntityPlace } from '../imports/entity-place.ts';

/** Paths of the state of an entity graph; undefined without a sources file. */
export async function placeOfFile(path: string, projectContext: ProjectContext): Promise<EntityPlace | undefined> {
  const sourcesFile = await findSources(path, projectContext);
  if (!sourcesFile) return undefined;
  const stateFolder = stateFolderOf(sourcesFile.path);
  return { stateFolder, entity: entityIdOf(path, dirname(stateFolder)) };
}
