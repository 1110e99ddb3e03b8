import type { EntityGraph } from '../model/entity-graph.ts';
import type { ExpectationKind, ExpectationOf, ProcessRule } from '../model/process-rule.ts';
import type { Problem } from '../model/problem.ts';
import type { JudgedGraphTables } from './judged-tables.ts';

/** The meaning of a kind of expectations. Its fields are in `expectationKinds` of the model. */
export interface RuleKind<Kind extends ExpectationKind> {
  /** How its fields are listed in messages. */
  readonly fields: string;
  /** Why fields that it needs are missing: a sentence. */
  readonly needs?: string;
  /** Mistakes that the fields alone do not show. */
  mistakes?(expectation: ExpectationOf<Kind>, graph: EntityGraph): readonly Pick<Problem, 'range' | 'message'>[];
  /** What an expectation limits, for contradictions; undefined if that is unknown. */
  limits(expectation: ExpectationOf<Kind>): Limits | undefined;
  /** Such as `Resolve Incident at least 1 time within 5 d after Open Incident`. */
  text(expectation: ExpectationOf<Kind>): string;
  /** What breaks it, in words. @param found as `judge` selects it */
  foundText(found: number | null, rule: Pick<ProcessRule, 'workingTime'>): string;
  /**
   * Whether it concerns only judged things with an event that it counts from. Others are always concerned.
   * @param activity of judged events
   */
  hasTrigger?(expectation: ExpectationOf<Kind>, activity: string | undefined): boolean;
  /**
   * A SELECT of `judged`, `verdict` and `found` over the tables `judged` and `moment`, with one or more rows for each
   * judged thing that the expectation concerns, and none for others.
   */
  judge(expectation: ExpectationOf<Kind>, judged: JudgedSubject): string;
}

/** A number, of events, entities or milliseconds. */
export interface Limits {
  /** What is limited; compared by value. */
  readonly about: readonly unknown[];
  readonly min: number;
  readonly max: number;
  /** How far events are counted. */
  readonly reach: number;
}

/** Whom an expectation judges. */
export interface JudgedSubject {
  /** The activity of judged events; undefined if entities are judged. */
  readonly activity: string | undefined;
  readonly graph: JudgedGraphTables;
}
