/** What a number of a measure is: milliseconds, a number of things, a share from 0 to 1, or a value of a property. */
export type MeasureUnit = 'ms' | 'count' | 'share' | 'value';

/** The values of a measure over some entities. Median and p90 are interpolated linearly; null without values. */
export interface MeasureNumbers {
  /** Entities with a value, and without one. */
  readonly count: number;
  readonly missing: number;
  readonly mean: number | null;
  readonly median: number | null;
  readonly p90: number | null;
}

/** The entities of the compared filter. */
export interface ComparedNumbers extends MeasureNumbers {
  /** The mean of the group minus this one, with a 95 % interval (Welch); null where one has fewer than two values. */
  readonly difference: { readonly mean: number; readonly low: number; readonly high: number } | null;
}

export interface MeasureGroup extends MeasureNumbers {
  /** The value of each dimension as text; null for entities without one. Variants have their number. */
  readonly by: Readonly<Record<string, string | null>>;
  readonly compare?: ComparedNumbers | undefined;
}

/** A measure of the entities of a filter. */
export interface MeasureAnswer {
  readonly name: string;
  readonly unit: MeasureUnit;
  readonly entityType: string;
  /** Those with most entities first. Without dimensions there is one. */
  readonly groups: readonly MeasureGroup[];
  /** How many groups are left out. */
  readonly more?: number | undefined;
}

/** An entity with its default measures. */
export interface EntityCase {
  readonly id: number;
  readonly key: string;
  /** ISO 8601, UTC; null without events. */
  readonly first: string | null;
  readonly last: string | null;
  readonly events: number;
  readonly rework: number;
  /** Milliseconds; null without events. */
  readonly throughput: number | null;
  readonly idle: number | null;
  /** Last known values of its properties, as text. */
  readonly properties: Readonly<Record<string, string | null>>;
}

export interface EntityCases {
  readonly cases: readonly EntityCase[];
  /** How many entities the filter has. */
  readonly all: number;
}

/** Values of a measure in classes of equal width; the last one includes its end. */
export interface MeasureHistogram {
  readonly bins: readonly { readonly from: number; readonly to: number; readonly count: number }[];
  readonly unit: MeasureUnit;
  readonly numbers: MeasureNumbers;
}

/** A value of a property, or a part of its range: above `from`, up to `to`. */
export interface CauseValue {
  readonly property: string;
  /** The value, or the range in words. */
  readonly value: string;
  readonly from?: number | string | undefined;
  readonly to?: number | string | undefined;
  /** A range as a condition. */
  readonly where?: string | undefined;
}

/** A value, or a pair of values, that goes with an outcome. Others are the entities with other values. */
export interface Cause {
  readonly values: readonly CauseValue[];
  /** Entities with the values, and those of them with the outcome. */
  readonly entities: number;
  readonly withOutcome: number;
  readonly share: number;
  readonly otherShare: number;
  /** The difference of the shares with its 95 % interval. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** The share divided by that of all entities. */
  readonly lift: number;
  readonly p: number;
}

/** A property that is not compared. */
export interface LeftOutProperty {
  readonly property: string;
  readonly reason: 'part of the outcome' | 'known only after the outcome' | 'no value of 20 entities';
}

/** What goes with an outcome: it need not be its cause. */
export interface CausesAnswer {
  readonly entities: number;
  readonly withOutcome: number;
  /** By effect, the largest first. */
  readonly causes: readonly Cause[];
  /** All tests made, which the level of significance accounts for. */
  readonly tests: number;
  /** Pairs beyond chance that do not stand out from their values, of which none is among the causes. */
  readonly hiddenPairs: number;
  readonly leftOut: readonly LeftOutProperty[];
  /** Whether pairs were tested: not for very many properties. */
  readonly testedPairs: boolean;
}

/** Columns by which steps are sorted. */
export const stepOrders = ['total', 'count', 'median', 'p90'] as const;

/** The periods of a workload. */
export const workloadUnits = ['day', 'week', 'month', 'quarter', 'year'] as const;

/** A step from an activity, or a value, to the next one. */
export interface AnalysisStep {
  readonly source: string;
  readonly target: string;
  readonly count: number;
  /** Milliseconds between, interpolated linearly. */
  readonly median: number;
  readonly p90: number;
  /** Milliseconds of all of them together. */
  readonly total: number;
}

export interface StepsAnswer {
  readonly rows: readonly AnalysisStep[];
  /** How many there are, listed or not. */
  readonly all: number;
}

/** An activity of entities; ends count with their starts. */
export interface AnalysisActivity {
  readonly activity: string;
  readonly events: number;
  readonly entities: number;
  /** The share of its events with more than one of the entities. */
  readonly convergence: number;
  /** The share of all entities with more than one event of it. */
  readonly divergence: number;
  /** Milliseconds from start to end; null without ends. */
  readonly service: {
    readonly count: number;
    readonly median: number;
    readonly p90: number;
    readonly total: number;
  } | null;
}

export interface ActivitiesAnswer {
  readonly rows: readonly AnalysisActivity[];
  readonly all: number;
}

/** A day, or a longer period, with the entities that began, ended and were in progress in it. */
export interface WorkloadPeriod {
  /** Its first day, `YYYY-MM-DD`. */
  readonly start: string;
  readonly arrivals: number;
  readonly completions: number;
  readonly inProgress: number;
}

export interface WorkloadAnswer {
  /** In order of time, without gaps. */
  readonly rows: readonly WorkloadPeriod[];
  readonly all: number;
}

/** Events of one activity within minutes. */
export interface EventBatch {
  readonly activity: string;
  readonly value: string | null;
  /** UTC. */
  readonly first: string;
  readonly last: string;
  readonly events: number;
}

export interface BatchesAnswer {
  /** The largest first. */
  readonly rows: readonly EventBatch[];
  readonly all: number;
}

/** A property of the entities of a type. */
export interface TypedProperty {
  readonly name: string;
  readonly type: PropertyValues['type'];
  /** Whether events have it, not only master data. */
  readonly isOfEvents: boolean;
}

/** The last known values of a property of the entities of a filter. */
export interface PropertyValues {
  readonly property: string;
  readonly type: 'text' | 'number' | 'time';
  /** The most frequent values, of few numbers in their order; null for entities without a value. */
  readonly values: readonly { readonly value: string | null; readonly entities: number }[];
  /** How many further values there are. */
  readonly others: number;
  /** Many different numbers, or times in milliseconds since 1970, in classes of equal width: from `from` to below `to`. */
  readonly classes: readonly { readonly from: number; readonly to: number; readonly entities: number }[];
}

/** A path, or a variant, of the entities of two filters: shares of them from 0 to 1, times in milliseconds. */
export interface ComparedSide {
  readonly entities: number;
  readonly share: number;
  /** Null where it has none. */
  readonly median: number | null;
}

export interface ComparedShares {
  readonly one: ComparedSide;
  readonly other: ComparedSide;
  /** The share of the one minus that of the other, with its 95 % interval (Newcombe). */
  readonly difference: { readonly value: number; readonly low: number; readonly high: number };
}

export interface ComparedPath extends ComparedShares {
  readonly source: string;
  readonly target: string;
}

export interface ComparedVariant extends ComparedShares {
  readonly number: number;
  readonly id: string;
  readonly events: number;
  /** The first 100 of them. */
  readonly activities: readonly string[];
}

/** The entities of a filter beside those of another one. */
export interface FilterComparison {
  readonly entities: { readonly one: number; readonly other: number };
  /** The default measures, with their differences. */
  readonly measures: readonly MeasureAnswer[];
  /** Those whose shares differ most first. */
  readonly paths: readonly ComparedPath[];
  readonly variants: readonly ComparedVariant[];
}

/** Entities over time, in parts of a unit such as `day`. */
export interface EntityFlow {
  readonly unit: string;
  readonly parts: readonly {
    /** ISO 8601, UTC. */
    readonly start: string;
    /** First events in it, and last ones. */
    readonly arrivals: number;
    readonly completions: number;
    /** Entities with a first event before its end, and a last one not before its start. */
    readonly inProgress: number;
  }[];
}

/** Events as points, binned: entities downwards in the order of their first events, time to the right. */
export interface DottedChart {
  readonly columns: number;
  readonly rows: number;
  /** Of the columns: times as ISO 8601, or milliseconds since the first event of each entity. */
  readonly from: string | number;
  readonly to: string | number;
  readonly entities: number;
  /** Cells with events: the column, the row, how many, and the place of their most frequent activity. */
  readonly cells: readonly (readonly [column: number, row: number, events: number, activity: number])[];
  /** The most frequent first. */
  readonly activities: readonly { readonly name: string; readonly events: number }[];
}
