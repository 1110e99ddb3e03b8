import type { ImportStep } from './import-progress.ts';
import type { EntityView } from './language-requests.ts';
import type { Failure } from './query-results.ts';

/** An entity graph as the table and the tree show it: its status on disk, and the import that runs now. */
export interface EntityRow extends EntityView {
  /** Its path from the workspace folder. */
  readonly path: string;
  /** Another graph has this name too: only the path tells them apart. */
  readonly isNamesake?: boolean;
  readonly running?: RunningImportView;
}

/** Why the list of entity graphs is not whole; of a file or folder that could not be read, its address is known. */
export interface ListFailure extends Failure {
  readonly uri?: string;
}

export interface RunningImportView {
  readonly state: 'waiting' | 'running' | 'cancelling';
  readonly step?: ImportStep;
  readonly message?: string;
  readonly rows?: number;
  /** Of the whole import, 0 to 1. */
  readonly fraction?: number;
}

/** What a person can do in the table; those of a row come with its address. */
export type EntityAction =
  | 'configure'
  | 'openText'
  | 'openEventGraph'
  | 'import'
  | 'fetchGraph'
  | 'exportGraph'
  | 'cancelImport'
  | 'reset'
  | 'delete'
  | 'exportConfiguration'
  | 'copyConfiguration'
  | 'newEntity'
  | 'importConfiguration'
  | 'importAll'
  | 'refresh'
  | 'manageTrust';
