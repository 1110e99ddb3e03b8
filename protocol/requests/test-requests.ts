import type { TestFileView, TestRunView } from '../graph-tests.ts';
import type { Outcome } from '../query-results.ts';
import type { NewTest, TestRows, WantedRows, WrittenTest } from '../test-rows.ts';
import type { Reported } from './reported.ts';

/** Requests about tests with given rows. */
export interface TestRequests {
  /** The tests with given rows of one file, or of all files in the open folders. */
  'entityGraph/graphTests': { params: { uri?: string }; result: readonly TestFileView[] };
  /**
   * Runs tests of a file in a child process, with unsaved changes; all of them without `names`. Cancelled with
   * `$/cancelRequest`.
   */
  'entityGraph/runTests': {
    params: { uri: string; names?: readonly string[] | undefined; online?: boolean };
    result: Outcome<TestRunView>;
  };
  /** Reads rows of the data sources for a test. `limit` as in `testQuery`. */
  'entityGraph/rowsForTest': {
    params: { uri: string; wanted: WantedRows; limit?: number | undefined } & Reported;
    result: Outcome<TestRows>;
  };
  /** Creates a test with these rows that expects their results, for the test file beside the graph. Writes nothing. */
  'entityGraph/newTest': { params: { uri: string; test: NewTest }; result: Outcome<WrittenTest> };
}
