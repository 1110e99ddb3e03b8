import type { DuckDbSession } from '../../store/duckdb-store.ts';
import type { FileOptions } from './read-settings.ts';
import type { FileFormat } from './file-format.ts';
import type { ReadPlan } from './plan-types.ts';

/** A file of a source before inspection. */
export interface SourceFile {
  /** Name of the data object. */
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  readonly format: FileFormat;
}

/** An inspected file. */
export interface InspectedFile extends SourceFile {
  readonly plan: ReadPlan;
  /** Size on disk in bytes. */
  readonly size: number;
  /** Modification time in milliseconds since 1970. */
  readonly modified: number;
  /** Status change time (ctime), which cannot be set. */
  readonly changed: number;
  readonly inode: number;
  readonly rowEstimate?: number;
  readonly warnings: readonly string[];
}

export interface InspectionOptions {
  readonly session: DuckDbSession;
  readonly options: FileOptions;
  /** Folder for a UTF-8 copy of the sample. */
  readonly temporaryFolder: () => Promise<string>;
  readonly signal?: AbortSignal | undefined;
}

/** Result of an inspection, for all formats. */
export type Findings = Pick<InspectedFile, 'plan' | 'rowEstimate' | 'warnings'>;

/** A file as used by a query. */
export interface AttachedFile {
  readonly file: InspectedFile;
  /** The file, or its UTF-8 copy. */
  readonly readFrom: string;
}
