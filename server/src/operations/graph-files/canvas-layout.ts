import type { CanvasLayout } from '../../../../protocol/canvas-intents.ts';
import type { ProjectContext } from '../../project/open-project.ts';
import { readLayout, writeLayout } from '../../state/layout-file.ts';
import { placeOfFile } from './entity-files.ts';
import { OperationError } from '../operation-error.ts';

/** The stored positions of a graph; none without a sources file, whose folder contains them. */
export async function loadLayout(path: string, projectContext: ProjectContext): Promise<CanvasLayout> {
  const place = await placeOfFile(path, projectContext);
  return place ? readLayout(place.stateFolder, place.entity) : { elements: {} };
}

/** Stores positions. Rejects with a message for the user. */
export async function saveLayout(path: string, layout: CanvasLayout, projectContext: ProjectContext): Promise<void> {
  const place = await placeOfFile(path, projectContext);
  if (!place) {
    throw new OperationError({
      code: 'source-config',
      message: 'Positions are stored beside entity-sources.yaml, which was not found.',
      remedy: 'Create it in the folder of the graph or above.',
      file: path,
    });
  }
  await writeLayout(place.stateFolder, place.entity, layout);
}
