import type { QueryTarget } from './query-results.ts';

/** Rows of data objects that become the given rows of a test. */
export interface TestRows {
  readonly objects: readonly TestRowsObject[];
  /** Other data that the graph reads and that has no given rows, one sentence each. */
  readonly missing?: readonly string[] | undefined;
}

export interface TestRowsObject {
  readonly dataObject: string;
  readonly columns: readonly TestRowsColumn[];
  readonly rows: readonly (readonly CellValue[])[];
}

export interface TestRowsColumn {
  readonly name: string;
  /** Type in the data source; absent if unknown. */
  readonly type?: string;
  /** Part of the primary key of the data object. */
  readonly isKey: boolean;
  /** Times are not masked, because they determine the order of events. */
  readonly isTime: boolean;
  readonly isNumber: boolean;
}

type CellValue = string | number | boolean | null;

/** The requested rows. */
export interface WantedRows {
  /** Queries of the graph; with a key, all rows of that entity. */
  readonly targets: readonly QueryTarget[];
  /** Restricts the rows of a target to these values; default: all rows. */
  readonly chosen?: { readonly columns: readonly string[]; readonly rows: readonly (readonly CellValue[])[] };
}

/** A test to be written. */
export interface NewTest extends TestRows {
  readonly name: string;
  readonly masked: readonly { readonly dataObject: string; readonly column: string }[];
  /** A rule whose numbers it expects. */
  readonly rule?: string | undefined;
}

/** A test in the text of its file. */
export interface WrittenTest {
  readonly uri: string;
  /** Version of the open document, if the file is open. */
  readonly version?: number | undefined;
  /** The whole text of a new file, or the text to insert at `offset`. */
  readonly text: string;
  readonly offset?: number;
  /** Why the test has no expectations yet: it could not be run here. */
  readonly notRun?: string | undefined;
}
