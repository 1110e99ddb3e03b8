import type { ShownStep } from './query-results.ts';

/** The steps of an import before it runs. */
export interface ImportPlanView {
  /** The engine. */
  readonly engine: 'embedded' | 'source';
  readonly steps: readonly PlanStepView[];
}

export interface PlanStepView {
  /** Step name as in the import report: the table that it creates, such as `element_1` or `event`. */
  readonly name: string;
  readonly title: string;
  readonly phase: 'data pull' | 'graph build' | 'post-load checks';
  /** The executed statements or requests. */
  readonly parts: readonly Pick<ShownStep, 'kind' | 'dialect' | 'title' | 'text'>[];
}
