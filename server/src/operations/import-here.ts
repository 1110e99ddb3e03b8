import type { ImportProgress, ImportSummary } from '../../../protocol/import-progress.ts';
import type { ImportSlice } from '../import/import-job.ts';
import { createProgress } from '../import/progress.ts';
import type { ImportResult } from '../import/run-import.ts';
import type { GraphFile, ProjectSurroundings } from '../project/open-project.ts';
import { type EntityPlace, recordEnd } from './entity-place.ts';
import { toImportFailure } from './import-failure.ts';
import { importLocked } from './import-locked.ts';

export interface ImportHereOptions extends ImportSlice {
  readonly onProgress: (progress: ImportProgress) => void;
  readonly signal: AbortSignal;
  /** Reads all, also what an import before has kept of a source that is read incrementally. */
  readonly isFull?: boolean;
  /** Copies the graph that the last import has built inside its source, instead of building one. */
  readonly isFetch?: boolean;
}

/** Imports in this process. Never rejects; a refused, failed or cancelled import changes the progress text alone. */
export async function importHere(
  file: GraphFile,
  surroundings: ProjectSurroundings,
  { onProgress, signal, sample, since, isFull, isFetch }: ImportHereOptions,
): Promise<ImportSummary> {
  const started = new Date();
  const progress = createProgress(onProgress);
  const slice = { ...(sample === undefined ? {} : { sample }), ...(since === undefined ? {} : { since }) };
  const base = { type: 'summary', ...emptyResult, ...(Object.keys(slice).length > 0 ? { slice } : {}) } as const;
  const begun = performance.now();
  const durationMs = (): number => Math.round(performance.now() - begun);
  let place: EntityPlace | undefined;
  try {
    const { result, at } = await importLocked({
      file,
      surroundings,
      progress,
      slice,
      ...(isFull === true && { isFull }),
      ...(isFetch === true && { isFetch }),
      started,
      signal,
      onLocked: (locked) => (place = locked),
    });
    progress.report('Import Done', 'Import Done');
    return { ...base, status: 'imported', ...at, ...result, durationMs: durationMs() };
  } catch (error) {
    const failedStep = progress.step;
    const status = signal.aborted ? 'cancelled' : 'failed';
    const failure = toImportFailure(error, file, signal);
    if (place) await recordEnd(place, status, failedStep, failure);
    return { ...base, status, durationMs: durationMs(), error: failure, failedStep };
  }
}

const emptyResult: Omit<ImportResult, 'steps'> = {
  elements: [],
  relationships: [],
  totals: { events: 0, entities: 0, correlations: 0, relations: 0, directlyFollows: 0 },
  warnings: [],
};
