import { dirname } from 'node:path';
import type { Failure } from '../../../../protocol/query-results.ts';
import type { ImportStep } from '../../../../protocol/import-progress.ts';
import { type GraphFile, type SourcesFile, stateFolderOf } from '../../project/open-project.ts';
import { entityIdOf } from '../../state/entity-id.ts';
import { importEnded, importReached } from '../../state/entity-status.ts';
import { readStatus, writeStatus } from '../../state/status-file.ts';

/** Paths of the state and the graphs of an entity graph. */
export interface EntityPlace {
  readonly stateFolder: string;
  /** An id of `entityIdOf`. */
  readonly entity: string;
}

export function entityPlace(file: GraphFile, sourcesFile: SourcesFile): EntityPlace {
  const stateFolder = stateFolderOf(sourcesFile.path);
  return { stateFolder, entity: entityIdOf(file.path, dirname(stateFolder)) };
}

/** Writes the current phase of an import. An import does not fail when that is not possible. */
export async function recordStep({ stateFolder, entity }: EntityPlace, step: ImportStep): Promise<void> {
  const before = await readStatus(stateFolder, entity);
  await writeStatus(stateFolder, entity, importReached(before, step)).catch(() => undefined);
}

/** Writes why an import ended without a graph. */
export async function recordEnd(
  { stateFolder, entity }: EntityPlace,
  outcome: 'failed' | 'cancelled',
  step: ImportStep,
  failure: Failure,
): Promise<void> {
  const before = await readStatus(stateFolder, entity);
  await writeStatus(stateFolder, entity, importEnded(before, outcome, step, failure)).catch(() => undefined);
}
