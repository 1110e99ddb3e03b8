import type { ImportProgress, ImportSummary } from '../../../protocol/import-progress.ts';
import { importInChildProcess } from '../engine/engine-client.ts';
import type { GraphFile, ProjectSurroundings } from '../project/open-project.ts';
import { importHere } from './import-here.ts';

export interface ImportGraphOptions {
  readonly onProgress: (progress: ImportProgress) => void;
  /** Aborting cancels the import, on the source's server too. */
  readonly signal: AbortSignal;
  /** Only the first rows of each element. */
  readonly sample?: number;
  /** Only events at or after this time; ISO 8601, UTC. */
  readonly since?: string;
  /** Reads all, also what an import before has kept of a source that is read incrementally. */
  readonly isFull?: boolean;
  /** Copies the graph that the last import has built inside its source, instead of building one. */
  readonly isFetch?: boolean;
  /** The bundle that runs imports in a child process; without it the import runs in this process. */
  readonly enginePath?: string;
}

/** Imports an entity graph. Never rejects: the summary says what went wrong, and then nothing else has changed. */
export function importGraph(
  file: GraphFile,
  surroundings: ProjectSurroundings,
  options: ImportGraphOptions,
): Promise<ImportSummary> {
  const { enginePath, ...rest } = options;
  if (enginePath === undefined) return importHere(file, surroundings, rest);
  return importInChildProcess(enginePath, file, surroundings, rest);
}
