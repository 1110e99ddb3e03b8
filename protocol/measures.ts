import type { RuleResult } from './process-rules.ts';

/** The numbers of the values of a measure; null without values. */
export interface MeasureNumbers {
  /** Entities or events with a value, and those without one. */
  readonly count: number;
  readonly missing: number;
  readonly sum: number | null;
  readonly mean: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly median: number | null;
  readonly p90: number | null;
}

/** What a target asks of one number, and what was found. */
export interface TargetResult {
  /** Such as `median at most 5 d`. */
  readonly text: string;
  readonly found: number | null;
  /** `found` in words, such as `6.2 d`. */
  readonly foundText: string;
  /** Null without values. */
  readonly met: boolean | null;
}

/** The result of a measure on an imported graph (docs/semantics.md#18-measures). */
export interface MeasureResult extends MeasureNumbers {
  readonly name: string;
  readonly severity: RuleResult['severity'];
  /** Each measured entity is of this type; null for events. */
  readonly entityType: string | null;
  /** Each measured event is of this activity; null for entities. */
  readonly activity: string | null;
  readonly kind: 'duration' | 'count' | 'value' | 'sql';
  /** Values of durations are milliseconds, by a calendar those of working time. */
  readonly unit: 'ms' | 'working ms' | 'number';
  readonly isDefault: boolean;
  readonly target: readonly TargetResult[];
  /** Whether it meets its target; null without a target, and without values. */
  readonly met: boolean | null;
  /** The statement that measures it; empty if it could not be made. */
  readonly sql: string;
  /** Why it could not be measured. */
  readonly error?: string;
}
