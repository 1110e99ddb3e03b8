import type { GraphEffect } from '../../../../protocol/graph-effect.ts';
import type { FindingsAnswer } from '../../../../protocol/findings.ts';
import type { GraphTestReport } from '../graph-tests/test-report.ts';
import type { JudgedGraph } from '../stored-graphs/judge-graph.ts';
import type { ValidatedFile } from '../validation/validate.ts';

/** The steps for a file, in order. */
export type CiStepName = 'validate' | 'test' | 'import' | 'check' | 'rules' | 'queries' | 'findings' | 'effect';

/** `not run`: a step before it failed, or it does not apply; `detail` says which. */
export type CiOutcome = 'passed' | 'failed' | 'not run';

export interface CiStep {
  readonly name: CiStepName;
  readonly outcome: CiOutcome;
  readonly durationMs: number;
  /** The result in a few words, such as `2,149 events`, or why it was not run. */
  readonly detail: string;
  /** Failures and warnings, one sentence each. */
  readonly messages: readonly string[];
}

export interface CiFile {
  readonly kind: 'graph' | 'sources' | 'tests';
  readonly validated: ValidatedFile;
  readonly steps: readonly CiStep[];
  /** Verdicts of the rules of a graph that was imported. */
  readonly judged?: JudgedGraph | undefined;
  /** What is odd in the data of a graph that was imported. */
  readonly found?: FindingsAnswer | undefined;
  /** What differs from the base, on request; absent where the text is the same. */
  readonly effect?: GraphEffect | undefined;
  /** Results of a file of tests. */
  readonly tests?: GraphTestReport;
}

/** The result of `ci` for one folder. */
export interface CiReport {
  /** Absolute path. */
  readonly folder: string;
  readonly files: readonly CiFile[];
  /** Entity graphs of the folder that were left out, because they did not change. */
  readonly unchanged: number;
  /** With the effect: graphs that only the base has, by their paths. */
  readonly gone?: readonly string[] | undefined;
}

/** Number of failed steps. */
export function failedSteps({ files }: CiReport): number {
  return files.flatMap(({ steps }) => steps).filter(({ outcome }) => outcome === 'failed').length;
}
