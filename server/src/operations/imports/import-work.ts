import type { BuildRequest, ImportRequest } from '../../../../protocol/import-request.ts';
import type { ProgressReporter } from '../../import/progress.ts';
import type { GraphFile, ProjectContext } from '../../project/open-project.ts';
import type { EntityPlace } from './entity-place.ts';

/** One import, from the file to the published graph. */
export interface ImportWork {
  readonly file: GraphFile;
  readonly projectContext: ProjectContext;
  readonly progress: ProgressReporter;
  readonly request: ImportRequest;
  readonly started: Date;
  readonly signal: AbortSignal;
  /** Called once this import may write the state. */
  readonly onLocked: (place: EntityPlace) => void;
}

/** An import under its lock. */
export interface LockedWork extends ImportWork {
  /** Rejects when the lock was lost: this process was suspended, and another one took over. */
  readonly assertLocked: () => Promise<void>;
}

/** A locked import that builds a graph. */
export interface BuildWork extends LockedWork {
  readonly request: BuildRequest;
}
