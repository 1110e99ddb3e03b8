import type { Lifecycle } from '../../../protocol/lifecycles.ts';
import type { Calendar } from './calendar.ts';
import type { CountRange } from './count-range.ts';
import type { TimeLimit } from './duration.ts';
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
  /** The name of a calendar: times are working times. */
  readonly calendar?: Located<string>;
  /** The calendar of its times: the named one, or the only one of the file if a time is in business days or hours. */
  readonly workingTime?: Calendar;
}

export type RuleSeverity = 'error' | 'warning' | 'info';

/** Which events of an activity are meant. Default: `start`. */
export type RuleLifecycle = Lifecycle | 'any';

/** Types of fields, with their values. Names are read, completed, checked and renamed by the type of their field. */
export interface FieldValues {
  readonly activity: Located<string>;
  readonly entityType: Located<string>;
  readonly relationship: Located<string>;
  readonly sql: LocatedSql;
  readonly count: Located<CountRange>;
  readonly duration: Located<TimeLimit>;
}

/** The fields of an entry by their type. */
export type FieldTable = { readonly [Type in keyof FieldValues]?: readonly string[] };

/** The fields of an entry that are in the text. */
export type Written<Fields extends FieldTable> = {
  readonly [
    Type in keyof FieldValues as Fields[Type] extends readonly string[] ? Fields[Type][number] : never
  ]?: FieldValues[Type];
};

export const subjectFields = { entityType: ['entityType'], activity: ['activity'], sql: ['where'] } as const;

/** The subject of a rule: each entity of a type, or each event of an activity. */
export interface RuleSubject extends Written<typeof subjectFields> {
  readonly range: SourceRange;
  readonly lifecycle: RuleLifecycle;
}

export const expectationFields = {
  activity: ['activity', 'never', 'from', 'to', 'after', 'before'],
  entityType: ['of'],
  relationship: ['relationship'],
  sql: ['sql'],
  count: ['count'],
  duration: ['within', 'atLeast', 'atMost'],
} as const;

type WrittenExpectation = Written<typeof expectationFields>;
type ExpectationField = keyof WrittenExpectation;

/** The kinds of expectations, each called like the field that determines it, with the other fields that it has. */
export const expectationKinds = {
  activity: { needs: [], takes: ['count', 'after', 'before', 'within', 'of'] },
  never: { needs: [], takes: ['after', 'before', 'within', 'of'] },
  relationship: { needs: [], takes: ['count', 'of'] },
  from: { needs: ['to'], takes: ['atLeast', 'atMost', 'of'] },
  sql: { needs: [], takes: [] },
} as const satisfies Partial<
  Record<ExpectationField, Readonly<Record<'needs' | 'takes', readonly ExpectationField[]>>>
>;

export type ExpectationKind = keyof typeof expectationKinds;
export const expectationKindNames = Object.keys(expectationKinds) as readonly ExpectationKind[];

interface ExpectationOptions {
  readonly range: SourceRange;
  readonly directly: boolean;
  readonly lifecycle: RuleLifecycle;
  /** The end of the relationship that is the judged entity. */
  readonly direction?: 'source' | 'target';
  /** Default: `each`. */
  readonly take: 'first' | 'last' | 'each';
}

/** An entry of `expect`. Fields that do not go with its kind are in the text only. */
export type ExpectationOf<Kind extends ExpectationKind> = {
  readonly [K in Kind]: ExpectationOptions & { readonly kind: K } & Required<
      Pick<WrittenExpectation, K | (typeof expectationKinds)[K]['needs'][number]>
    > &
    Pick<WrittenExpectation, (typeof expectationKinds)[K]['takes'][number]>;
}[Kind];

export type ClearExpectation = ExpectationOf<ExpectationKind>;

/** An entry of `expect` that says nothing, or several things. */
interface UnclearExpectation extends ExpectationOptions, WrittenExpectation {
  readonly kind: 'unclear';
}

export type RuleExpectation = ClearExpectation | UnclearExpectation;

/** All fields of an expectation that are in the text, also those that do not go with its kind. */
export function writtenFields(expectation: RuleExpectation): WrittenExpectation {
  return expectation;
}

/** The values of all fields of a type, such as the activities that a rule names. */
export function valuesIn<Type extends keyof FieldValues>(
  { each, expect }: Pick<ProcessRule, 'each' | 'expect'>,
  type: Type,
): readonly FieldValues[Type][] {
  return [
    ...valuesOf(each ?? {}, subjectFields[type as keyof typeof subjectFields] ?? []),
    ...expect.flatMap((expectation) => valuesOf(expectation, expectationFields[type])),
  ];

  function valuesOf(entry: object, fields: readonly string[]): readonly FieldValues[Type][] {
    const written = entry as Readonly<Record<string, FieldValues[Type] | undefined>>;
    return fields.flatMap((field) => written[field] ?? []);
  }
}
