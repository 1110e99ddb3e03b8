import type { ProposedType } from '../../catalog/catalog.ts';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import type { Workbooks } from './workbook/workbooks.ts';
import type { FileOptions } from './read-settings.ts';
import type { FileFormat } from './file-format.ts';
import type { WorkbookTable } from './workbook/open-workbook.ts';
import type { FolderColumn, FolderValue } from './hive-folders.ts';
import type { ReadPlan } from './plan-types.ts';

/** A file of a source before inspection. */
export interface SourceFile {
  /** Name of the data object. */
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  readonly format: FileFormat;
  /** The sheet or range of a workbook. Without one its tables are unknown, as of a damaged workbook. */
  readonly table?: WorkbookTable;
  /** Values in the names of the folders around a part. */
  readonly folders?: readonly FolderValue[];
}

/** A data object: a file, or several together. */
export interface FileObject extends SourceFile {
  /** The parts in the order of their rows. The object has the path and format of the first part. */
  readonly parts?: readonly SourceFile[];
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
  readonly rowEstimate?: number | undefined;
  readonly warnings: readonly string[];
  /** The first rows as texts, where the inspection knows them. */
  readonly firstRows?: readonly (readonly (string | null)[])[];
  /** `warnings` has their messages, too. */
  readonly proposedTypes?: readonly ProposedType[] | undefined;
  /** All have the columns of `plan`, by name and type. */
  readonly parts?: readonly InspectedFile[];
  /** Further columns, whose values are in the names of folders. Those of an object have the values of some part. */
  readonly folderColumns?: readonly FolderColumn[];
}

export interface InspectionOptions {
  /** May still be opening while the beginning of the file is read. */
  readonly session: Promise<DuckDbSession>;
  readonly options: FileOptions;
  /** Folder for a UTF-8 copy of the sample. */
  readonly temporaryFolder: () => Promise<string>;
  readonly workbooks: Workbooks;
  /** Number of files in the data object, which share the row limit of one sample; default: one. */
  readonly parts?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Result of an inspection, for all formats. */
export type Findings = Pick<InspectedFile, 'plan' | 'rowEstimate' | 'warnings' | 'proposedTypes' | 'firstRows'>;

/** A file as used by a query. */
export interface AttachedFile {
  readonly file: InspectedFile;
  /** The file, or its UTF-8 copy. */
  readonly readFrom: string;
  /** Those parts of the file that are read. */
  readonly parts?: readonly AttachedFile[] | undefined;
}

/** The files on disk of data objects, which may consist of several. */
export function filesOnDisk<T>(objects: readonly (T & { readonly parts?: readonly T[] | undefined })[]): readonly T[] {
  return objects.flatMap((each) => each.parts ?? [each]);
}
