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
