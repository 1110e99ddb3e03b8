import type { ListEdit } from '../../graph-tests/list-edits.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceRange } from '../../model/source-range.ts';

/** The result of all tests of a file. */
export interface GraphTestReport {
  /** Absolute path. */
  readonly path: string;
  readonly text: string;
  /** Problems of the file itself, which also fail the tests that they affect. */
  readonly problems: readonly Problem[];
  readonly tests: readonly TestResult[];
}

export interface TestResult {
  readonly name: string;
  readonly range: SourceRange;
  readonly outcome: 'passed' | 'failed' | 'not run';
  /** Why it was not run. */
  readonly reason?: string;
  readonly failures: readonly TestFailure[];
  readonly durationMs: number;
}

/** Why a test fails, at its place in the file. */
export interface TestFailure {
  readonly message: string;
  readonly range: SourceRange;
  /** The expectation as written, and the actual result; one item a line. */
  readonly expected?: string;
  readonly actual?: string;
  /** Edits after which the expectation holds. */
  readonly edits?: readonly ListEdit[];
}
