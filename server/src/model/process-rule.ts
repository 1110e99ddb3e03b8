import type { CountRange } from './count-range.ts';
import type { Located, LocatedSql, SourceRange } from './source-range.ts';

/** A rule that the process should follow (docs/semantics.md#17-process-rules). */
export interface ProcessRule {
  /** 0-based index in the file. */
  readonly index: number;
  readonly range: SourceRange;
  readonly name?: Located<string>;
  /** Default: `warning`. */
  readonly severity: RuleSeverity;
  readonly description?: Located<string>;
  readonly each?: RuleSubject;
  readonly expect: readonly RuleExpectation[];
  /** The share of the judged that must keep the rule, 0 to 1. Default: 1. */
  readonly atLeast?: Located<number>;
}

export type RuleSeverity = 'error' | 'warning' | 'info';

/** The subject of a rule: each entity of a type, or each event of an activity. */
export interface RuleSubject {
  readonly range: SourceRange;
  readonly entityType?: Located<string>;
  readonly activity?: Located<string>;
  readonly lifecycle: RuleLifecycle;
  readonly where?: LocatedSql;
}

/** Which events of an activity are meant. Default: `start`. */
export type RuleLifecycle = 'start' | 'change' | 'any';

/** One entry of `expect`. Exactly one of `activity`, `never`, `relationship`, `from` and `sql` determines its kind. */
export interface RuleExpectation {
  readonly range: SourceRange;
  readonly activity?: Located<string>;
  readonly never?: Located<string>;
  readonly relationship?: Located<string>;
  readonly sql?: LocatedSql;
  readonly from?: Located<string>;
  readonly to?: Located<string>;
  readonly count?: Located<CountRange>;
  readonly after?: Located<string>;
  readonly before?: Located<string>;
  /** Milliseconds, like all durations here. */
  readonly within?: Located<number>;
  readonly directly: boolean;
  readonly lifecycle: RuleLifecycle;
  /** The type of the entities that have the events. Default: the entity type that is judged. */
  readonly of?: Located<string>;
  /** The end of the relationship that is the judged entity. */
  readonly direction?: 'source' | 'target';
  readonly atLeast?: Located<number>;
  readonly atMost?: Located<number>;
  /** Default: `each`. */
  readonly take: 'first' | 'last' | 'each';
}

/** The activities that an expectation names. */
export function activitiesOf({
  activity,
  never,
  from,
  to,
  after,
  before,
}: RuleExpectation): readonly Located<string>[] {
  return [activity, never, from, to, after, before].flatMap((name) => name ?? []);
}

/** The required number of events or related entities. */
export function expectedCount({ never, count }: RuleExpectation): CountRange {
  return never ? { min: 0, max: 0 } : (count?.value ?? { min: 1 });
}
