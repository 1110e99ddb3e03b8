import type { ImportProgress, ImportOutcome } from '../../../../protocol/import-progress.ts';
import type { ImportRequest } from '../../../../protocol/import-request.ts';
import { importInChildProcess } from '../../engine/engine-client.ts';
import type { GraphFile, ProjectContext } from '../../project/open-project.ts';
import { importHere } from './import-here.ts';

export interface ImportGraphOptions {
  readonly onProgress: (progress: ImportProgress) => void;
  /** Aborting cancels the import, also on the source's server. */
  readonly signal: AbortSignal;
  /** Default: the whole graph. */
  readonly request?: ImportRequest | undefined;
  /** The bundle of the import process; without it the import runs in this process. */
  readonly enginePath?: string | undefined;
}

/** Imports an entity graph. Never rejects: the outcome contains the failure, after which nothing has changed. */
export function importGraph(
  file: GraphFile,
  projectContext: ProjectContext,
  options: ImportGraphOptions,
): Promise<ImportOutcome> {
  const { enginePath, request = { kind: 'build' }, ...rest } = options;
  const work = { ...rest, request };
  if (enginePath === undefined) return importHere(file, projectContext, work);
  return importInChildProcess(enginePath, file, projectContext, work);
}
