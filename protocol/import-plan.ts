import type { ShownStep } from './query-results.ts';

/** What an import is going to do, step by step. */
export interface ImportPlanView {
  /** Where the graph is built. */
  readonly engine: 'embedded' | 'source';
  readonly steps: readonly PlanStepView[];
}

export interface PlanStepView {
  /** As the report of an import calls it: the table that it makes, such as `element_1` or `event`. */
  readonly name: string;
  readonly title: string;
  readonly phase: 'data pull' | 'graph build' | 'post-load checks';
  /** The statements or requests, as they are executed. */
  readonly parts: readonly Pick<ShownStep, 'kind' | 'dialect' | 'title' | 'text'>[];
}
