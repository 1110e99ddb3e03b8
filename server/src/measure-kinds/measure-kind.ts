import type { EntityGraph } from '../model/entity-graph.ts';
import type { MeasureKindName, WhatOf } from '../model/measure.ts';
import type { Problem } from '../model/problem.ts';
import type { JudgedSubject } from '../rule-kinds/rule-kind.ts';

/** The meaning of a kind of measures. */
export interface MeasureKind<Kind extends MeasureKindName> {
  /** It measures times: `measure` selects where they began and ended. */
  readonly isTime: boolean;
  /** Mistakes that the schema does not show. @param activity of measured events; undefined for entities */
  mistakes?(
    what: WhatOf<Kind>,
    activity: string | undefined,
    graph: EntityGraph,
  ): readonly Pick<Problem, 'range' | 'message'>[];
  /** What is measured, in words, such as `time from Place Order to Pay Order`. */
  text(what: WhatOf<Kind>): string;
  /** The entity type whose entities count instead of the own one of a measured event. */
  of?(what: WhatOf<Kind>): string | undefined;
  /** How the values are found. */
  measure(what: WhatOf<Kind>, subject: JudgedSubject): MeasuredSql;
}

/**
 * SQL over the table `member`: each measured thing (`judged`) in each entity that it is measured in (`entity`, NULL for
 * an event without one), with `event` and `time` of measured events.
 */
export interface MeasuredSql {
  /** Common table expressions. */
  readonly tables: readonly string[];
  /**
   * A SELECT of `entity`, `event` and `value`, of times `began` and `ended` instead, with one or more rows for each row of
   * `member`; NULL for no value.
   */
  readonly select: string;
}
