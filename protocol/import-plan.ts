import type { ShownStep } from './query-results.ts';

/** The steps of an import before it runs. */
export interface ImportPlanView {
  /** The engine. */
  readonly engine: 'embedded' | 'source';
  /** Planned reads of each data source, with estimated rows; only for a graph of several data sources. */
  readonly dataSources?: readonly PlannedRead[];
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

/** What an import will read of one data source. */
export interface PlannedRead {
  readonly name: string;
  readonly kind: string;
  readonly dataObjects: readonly string[];
  /** How many queries it will be asked. */
  readonly queries: number;
  /** By the statistics of the source, without conditions; absent if it has none. */
  readonly rowEstimate?: number;
}
