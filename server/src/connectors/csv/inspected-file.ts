import type { DuckDbSession } from '../../store/duckdb-store.ts';
import type { FileOptions } from './config.ts';
import type { FileFormat } from './file-format.ts';
import type { ReadPlan } from './plan-types.ts';

/** A file of a source as its name tells. */
export interface SourceFile {
  /** The data object's name. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly format: FileFormat;
}

/** A file that has been looked into. */
export interface InspectedFile extends SourceFile {
  readonly plan: ReadPlan;
  /** Bytes on disk. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** The same of anything about the file, which nobody can set back. */
  readonly changed: number;
  readonly inode: number;
  readonly rowEstimate?: number;
  readonly warnings: readonly string[];
}

export interface InspectionOptions {
  readonly session: DuckDbSession;
  readonly options: FileOptions;
  /** Folder for a UTF-8 copy of the beginning of a file. */
  readonly temporaryFolder: () => Promise<string>;
  readonly signal?: AbortSignal;
}

/** What is found out by looking into a file, whatever its format. */
export type Findings = Pick<InspectedFile, 'plan' | 'rowEstimate' | 'warnings'>;

/** A file as a query sees it. */
export interface AttachedFile {
  readonly file: InspectedFile;
  /** The file itself, or its copy in UTF-8. */
  readonly readFrom: string;
}
