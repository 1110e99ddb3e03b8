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
