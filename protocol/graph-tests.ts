import type { TextRange } from './query-results.ts';

/** A file of tests with given rows. */
export interface TestFileView {
  readonly uri: string;
  readonly tests: readonly TestView[];
}

interface TestView {
  readonly name: string;
  /** Range of the name, or of the whole test without a name. */
  readonly range: TextRange;
}

/** The result of a run of tests of one file. */
export interface TestRunView {
  /** Version of the document whose text was run; undefined when it is not open. */
  readonly version?: number | undefined;
  readonly tests: readonly TestResultView[];
  /** Edits that change the expectations of these tests to the actual results. */
  readonly edits: readonly { readonly range: TextRange; readonly newText: string }[];
}

export interface TestResultView {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'not run';
  /** Why it was not run. */
  readonly reason?: string | undefined;
  readonly failures: readonly TestFailureView[];
  readonly durationMs: number;
}

/** Why a test failed, at its place. */
interface TestFailureView {
  readonly message: string;
  readonly range: TextRange;
  /** One item a line. */
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
}
