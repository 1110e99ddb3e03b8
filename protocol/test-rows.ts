import type { newTest, testRows, testRowsObject, wantedRows } from './shapes/test-rows-shapes.ts';
import type { Checked, ObjectOf } from './shapes/shape.ts';

/** Rows of data objects that become the given rows of a test. */
export type TestRows = ObjectOf<typeof testRows>;
export type TestRowsObject = Checked<typeof testRowsObject>;
export type TestRowsColumn = TestRowsObject['columns'][number];
export type WantedRows = Checked<typeof wantedRows>;
export type NewTest = Checked<typeof newTest>;

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
