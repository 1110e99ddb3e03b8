import type { ImportStep } from './import-progress.ts';
import type { EntityView } from './requests/lifecycle-requests.ts';
import type { Failure } from './query-results.ts';
import type { Checked } from './shapes/shape.ts';
import type { entityAction } from './shapes/webview-shapes.ts';

/** An entity graph as shown in the table and the tree: its status on disk and its running import. */
export interface EntityRow extends EntityView {
  /** Its path from the workspace folder. */
  readonly path: string;
  /** If another graph has the same name: the part of the path that differs. */
  readonly differingPath?: string;
  readonly running?: RunningImportView | undefined;
}

/** Why the list is incomplete. For an unreadable file or folder its URI is included. */
export interface ListFailure extends Failure {
  readonly uri?: string;
}

export interface RunningImportView {
  readonly state: 'waiting' | 'running' | 'cancelling';
  readonly step?: ImportStep;
  readonly message?: string;
  readonly rows?: number | undefined;
  /** Overall progress, 0 to 1. */
  readonly fraction?: number;
  /** When it began and when it reached each step, in milliseconds since 1970. */
  readonly startedAt?: number;
  readonly reachedAt?: Readonly<Partial<Record<ImportStep, number>>>;
}

export type EntityAction = Checked<typeof entityAction>;
