import type { Calendar } from './calendar.ts';
import type { BusinessTime } from './duration.ts';
import type { Located, LocatedSql, SourceRange } from './source-range.ts';
import {
  type FieldValues,
  type RuleLifecycle,
  type RuleSeverity,
  type RuleSubject,
  type Written,
  subjectFields,
} from './process-rule.ts';

/** A number of each entity of a type, or of each event of an activity (docs/semantics.md#18-measures). */
export interface Measure {
  /** 0-based index in the file. */
  readonly index: number;
  readonly range: SourceRange;
  readonly name?: Located<string>;
  readonly description?: Located<string>;
  readonly each?: RuleSubject;
  readonly what: MeasuredWhat;
  /** Properties by whose values it is grouped first. */
  readonly by: readonly Located<string>[];
  /** The name of a calendar: times are working times. */
  readonly calendar?: Located<string>;
  /** The calendar of its times: the named one, or the only one of the file if its target has business days or hours. */
  readonly workingTime?: Calendar;
  readonly target: readonly TargetLimits[];
  /** What it means to miss the target. Default: `warning`. */
  readonly severity: RuleSeverity;
}

export const durationFields = { activity: ['from', 'to'], entityType: ['of'] } as const;
export const countFields = { activity: ['activity'], relationship: ['relationship'], entityType: ['of'] } as const;

/** A time: between two events, else from the first event of an entity to its last one. */
export interface MeasuredDuration extends Written<typeof durationFields> {
  readonly range: SourceRange;
  /** Which events of `from` count. Default: `first`. */
  readonly take: 'first' | 'last' | 'each';
  readonly lifecycle: RuleLifecycle;
  /** Where `lifecycle` is written. */
  readonly lifecycleAt?: SourceRange;
  /** The time since the event before. */
  readonly sincePrevious?: Located<boolean>;
  /** The time from the last event of an entity to the last one of the graph. */
  readonly sinceLast?: Located<boolean>;
}

/** A number of events, or of related entities. */
export interface MeasuredCount extends Written<typeof countFields> {
  readonly range: SourceRange;
  readonly lifecycle: RuleLifecycle;
  /** Only the events of each activity beyond its first one count. */
  readonly repeats: boolean;
  /** The end of the relationship that is the measured entity. */
  readonly direction?: 'source' | 'target';
}

/** The kinds of measures, each called like its field. */
interface WhatByKind {
  readonly duration: MeasuredDuration;
  readonly count: MeasuredCount;
  /** The name of a property. */
  readonly value: Located<string>;
  readonly sql: LocatedSql;
}

export type MeasureKindName = keyof WhatByKind;

export type WhatOf<Kind extends MeasureKindName> = {
  readonly [K in Kind]: { readonly kind: K } & { readonly [Field in K]: WhatByKind[Field] };
}[Kind];

export type ClearWhat = WhatOf<MeasureKindName>;

/** What is measured; unclear if the text says nothing, or several things. */
export type MeasuredWhat = ClearWhat | UnclearWhat;

/** The fields that are in the text, at least none or two of them. */
type UnclearWhat = { readonly kind: 'unclear' } & Partial<WhatByKind>;

export const measureKindNames = ['duration', 'count', 'value', 'sql'] as const satisfies readonly MeasureKindName[];

/** The numbers of a measure that a target can limit. */
export const statisticNames = ['count', 'sum', 'mean', 'min', 'max', 'median', 'p90'] as const;
type StatisticName = (typeof statisticNames)[number];

/** An entry of `target`. */
export interface TargetLimits {
  /** `share` is that of the values within a limit. */
  readonly of: StatisticName | 'share';
  readonly range: SourceRange;
  readonly atLeast?: Located<TargetNumber>;
  readonly atMost?: Located<TargetNumber>;
}

/** A limit of a target as written: `5`, `5d` (in milliseconds), `2bd`, `8bh` (in milliseconds) or `90%` (0.9). */
export interface TargetNumber {
  readonly number: number;
  readonly unit: 'number' | 'time' | BusinessTime['unit'] | 'share';
}

/** Whether a limit is in the days or hours of a calendar. */
export function isBusiness(limit: TargetNumber | undefined): boolean {
  return limit?.unit === 'business days' || limit?.unit === 'business hours';
}

/** All values of a type that a measure has, such as the activities that it names. */
export function measureValuesIn<Type extends keyof FieldValues>(
  { each, what }: Pick<Measure, 'each' | 'what'>,
  type: Type,
): readonly FieldValues[Type][] {
  const { duration, count, sql } = writtenWhat(what);
  return [
    ...valuesOf(each, subjectFields),
    ...valuesOf(duration, durationFields),
    ...valuesOf(count, countFields),
    ...(type === 'sql' && sql ? [sql as FieldValues[Type]] : []),
  ];

  function valuesOf(
    entry: object | undefined,
    fields: Readonly<Record<string, readonly string[]>>,
  ): readonly FieldValues[Type][] {
    const written = (entry ?? {}) as Readonly<Record<string, FieldValues[Type] | undefined>>;
    return (fields[type] ?? []).flatMap((field) => written[field] ?? []);
  }
}

/** All that a measure says that it measures, also where it says too much. */
export function writtenWhat(what: MeasuredWhat): Partial<WhatByKind> {
  return what;
}
