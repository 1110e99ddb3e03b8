import type { ImportOutcome, ImportProgress, ImportRun } from '../../../../protocol/import-progress.ts';
import type { ImportRequest } from '../../../../protocol/import-request.ts';
import { ParentEnded } from '../../engine/rpc/parent-ended.ts';
import { createProgress } from '../../import/progress.ts';
import { sliceOf } from '../../import/import-slice.ts';
import type { GraphFile, ProjectContext } from '../../project/open-project.ts';
import { type EntityPlace, recordEnd } from './entity-place.ts';
import { toImportFailure } from './import-failure.ts';
import { importLocked } from './import-locked.ts';

interface ImportHereOptions {
  readonly request: ImportRequest;
  readonly onProgress: (progress: ImportProgress) => void;
  readonly signal: AbortSignal;
}

/** Imports in this process. Never rejects; an unsuccessful import changes the progress text only. */
export async function importHere(
  file: GraphFile,
  projectContext: ProjectContext,
  { request, onProgress, signal }: ImportHereOptions,
): Promise<ImportOutcome> {
  const started = new Date();
  const progress = createProgress(onProgress);
  const slice = sliceOf(request);
  const begun = performance.now();
  const run = (): ImportRun => ({
    durationMs: Math.round(performance.now() - begun),
    ...(Object.keys(slice).length > 0 ? { slice } : {}),
  });
  let place: EntityPlace | undefined;
  try {
    const { result, at, judged } = await importLocked({
      file,
      projectContext,
      progress,
      request,
      started,
      signal,
      onLocked: (locked) => (place = locked),
    });
    progress.report('Import Done', 'Import Done');
    return { status: 'imported', ...at, ...result, ...judged, ...run() };
  } catch (error) {
    const failedStep = progress.step;
    const status = signal.aborted ? 'cancelled' : 'failed';
    const failure = toImportFailure(error, file, signal);
    // Nobody cancelled: the recorded step is shown as interrupted, because no process is importing any more.
    const isInterrupted = signal.reason instanceof ParentEnded;
    if (place && !isInterrupted) await recordEnd(place, status, failedStep, failure);
    return { status, ...run(), error: failure, failedStep };
  } finally {
    progress.end();
  }
}
