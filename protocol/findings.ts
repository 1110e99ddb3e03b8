/** The kinds of findings, in the order of the manual (docs/data-quality.md). */
export const findingKinds = [
  'same-time-order',
  'midnight-times',
  'dates-beside-times',
  'whole-hours',
  'zone-shift',
  'order-anomalies',
  'duplicate-events',
  'near-equal-labels',
  'time-gap',
  'truncated-cases',
  'dominant-entity',
  'batch-bursts',
  'duration-outliers',
  'shared-events',
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** What is odd in the data of an imported graph, and how much of the process map it makes. */
export interface Finding {
  readonly kind: FindingKind;
  readonly severity: 'warning' | 'info';
  /** The element of the file; null where it is about several, or about entities. */
  readonly element: string | null;
  /** The column behind it, as the file names it; null where it is an expression or several. */
  readonly column: string | null;
  /** One sentence. */
  readonly message: string;
  /** What to do about it in the file. */
  readonly remedy: string;
  readonly count: number;
  readonly of: number;
  /** What `count` and `of` count. */
  readonly counts: 'events' | 'entities' | 'steps' | 'days';
  /** The share of directly-follows rows with at least one of the events; null in a graph without such rows. */
  readonly explains: number | null;
  /** The first ones. */
  readonly examples: readonly FindingExample[];
  /** Why it is as it should be, as the file says. */
  readonly accepted?: string;
}

export interface FindingExample {
  /** Null for an event without an entity. */
  readonly entity: { readonly id: number; readonly type: string; readonly key: string } | null;
  readonly event: { readonly id: number; readonly activity: string; readonly time: string };
}

export interface FindingsAnswer {
  readonly findings: readonly Finding[];
  /** Entries of `accepted` that no finding needs any more. */
  readonly stale: readonly AcceptedFinding[];
  /** Sentences that belong to the answer, such as that the graph is a slice. */
  readonly notes: readonly string[];
}

/** An entry of `accepted` of the file. */
export interface AcceptedFinding {
  readonly finding: string;
  readonly element?: string | undefined;
  readonly column?: string | undefined;
  readonly reason?: string | undefined;
}
