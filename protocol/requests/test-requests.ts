import type { TestFileView, TestRunView } from '../graph-tests.ts';
import { reported, request } from '../shapes/request-shape.ts';
import { count, flag, list, optional, text } from '../shapes/shape.ts';
import { newTest, wantedRows } from '../shapes/test-rows-shapes.ts';
import type { TestRows, WrittenTest } from '../test-rows.ts';

/** Requests about tests with given rows. */
export const testRequests = {
  /** The tests with given rows of one file, or of all files in the open folders. */
  'entityGraph/graphTests': request({ uri: optional(text) }).gives<readonly TestFileView[]>(),
  /**
   * Runs tests of a file in a child process, with unsaved changes; all of them without `names`. Cancelled with
   * `$/cancelRequest`.
   */
  'entityGraph/runTests': request({
    uri: text,
    names: optional(list(text)),
    online: optional(flag),
  }).outcome<TestRunView>(),
  /** Reads rows of the data sources for a test. `limit` as in `testQuery`. */
  'entityGraph/rowsForTest': reported({ uri: text, wanted: wantedRows, limit: optional(count) }).outcome<TestRows>(),
  /** Creates a test with these rows that expects their results, for the test file beside the graph. Writes nothing. */
  'entityGraph/newTest': request({ uri: text, test: newTest }).outcome<WrittenTest>(),
};
