import type { PropertyValues } from '../../../protocol/analysis.ts';
import type { GraphFilter, PathCondition, ValueCondition } from '../../../protocol/event-graph.ts';
import { t } from '../ui/translate.ts';
import { type Brush, rangeOf } from './brush.ts';
import { withPath } from './with-path.ts';

/** Milliseconds of the units in which durations are written. */
export const durationUnits = { minutes: 60_000, hours: 3_600_000, days: 86_400_000, weeks: 604_800_000 } as const;
export type DurationUnit = keyof typeof durationUnits;

/** What a condition is about. */
export type DraftSubject =
  | { readonly kind: 'property'; readonly property: string }
  | { readonly kind: 'throughput' }
  /** The period of the filter, which has no draft. */
  | { readonly kind: 'period' }
  | { readonly kind: 'path' }
  | { readonly kind: 'related' };

/** A condition that is being written. Numbers and times are texts of inputs; empty: no limit. */
export interface ConditionDraft {
  readonly subject: DraftSubject;
  /** Chosen values; null: no value. */
  readonly values: readonly (string | null)[];
  readonly from: string;
  readonly to: string;
  readonly source: string;
  readonly target: string;
  readonly follows: PathCondition['follows'];
  readonly longer: string;
  readonly shorter: string;
  readonly unit: DurationUnit;
  /** Ids of related entities with their keys. */
  readonly related: readonly { readonly id: number; readonly key: string }[];
}

/** A draft that starts with the condition that a filter has on its subject. */
export function draftOf(
  filter: GraphFilter,
  subject: DraftSubject,
  entityKeys: Readonly<Record<number, string>> = {},
): ConditionDraft {
  const empty: ConditionDraft = {
    subject,
    values: [],
    from: '',
    to: '',
    source: '',
    target: '',
    follows: 'directly',
    longer: '',
    shorter: '',
    unit: 'days',
    related: [],
  };
  if (subject.kind === 'property') {
    const known = filter.values?.find(({ property }) => property === subject.property);
    return { ...empty, values: known?.values ?? [], from: inputOf(known?.from), to: inputOf(known?.to) };
  }
  if (subject.kind === 'throughput' && filter.throughput) {
    const { slower, faster } = filter.throughput;
    const unit = unitOf(slower ?? faster ?? 0);
    return { ...empty, unit, longer: amountOf(slower, unit), shorter: amountOf(faster, unit) };
  }
  if (subject.kind === 'related') {
    const chosen = filter.related ?? [];
    return { ...empty, related: chosen.map((id) => ({ id, key: entityKeys[id] ?? t('entity {0}', id) })) };
  }
  return empty;
}

/** What is wrong with the limits of a draft, in words. Such a condition would leave no entity, or all. */
export function mistakeOf(
  { subject, values, from, to, longer, shorter }: ConditionDraft,
  type: PropertyValues['type'] = 'text',
): string | undefined {
  if (subject.kind === 'property') {
    if (values.length > 0 || type === 'text' || from === '' || to === '') return undefined;
    const [low, high] = [limitNumber(from, type), limitNumber(to, type)];
    return low >= high
      ? t(
          'No value is from {0} to below {1}: the second limit must be above the first.',
          from.replace('T', ' '),
          to.replace('T', ' '),
        )
      : undefined;
  }
  if (subject.kind !== 'throughput' && subject.kind !== 'path') return undefined;
  if (Number(longer) < 0 || Number(shorter) < 0) return t('A duration cannot be negative.');
  if (shorter === '' || Number(shorter) > Number(longer)) return undefined;
  return longer === ''
    ? t('Nothing is shorter than 0.')
    : t('Nothing is longer than {0} and shorter than {1}: the second limit must be above the first.', longer, shorter);
}

/** The filter with the condition, in place of that on the same subject; undefined while the draft says nothing, or nonsense. */
export function withDraft(
  filter: GraphFilter,
  draft: ConditionDraft,
  type: PropertyValues['type'] = 'text',
): GraphFilter | undefined {
  const { subject } = draft;
  if (mistakeOf(draft, type) !== undefined) return undefined;
  switch (subject.kind) {
    case 'property': {
      const condition = valueConditionOf(subject.property, draft, type);
      return condition && withValue(filter, condition);
    }
    case 'throughput': {
      const limits = limitsOf(draft);
      return limits && { ...filter, throughput: limits };
    }
    case 'path': {
      const { source, target, follows } = draft;
      if (source === '' || target === '') return undefined;
      return withPath(filter, { source, target, follows, ...limitsOf(draft) });
    }
    case 'period':
      return undefined;
    case 'related':
      return draft.related.length === 0 ? undefined : { ...filter, related: draft.related.map(({ id }) => id) };
  }
}

/** The filter with a condition on a property, in place of another one on the same. */
export function withValue(filter: GraphFilter, condition: ValueCondition): GraphFilter {
  return { ...filter, values: [...valuesWithout(filter, condition.property), condition] };
}

/** The filter without a condition on a property, whose values it would hide. */
export function withoutValue(filter: GraphFilter, property: string): GraphFilter {
  const values = valuesWithout(filter, property);
  const { values: _, ...others } = filter;
  return values.length === 0 ? others : { ...others, values };
}

function valuesWithout({ values = [] }: GraphFilter, property: string): readonly ValueCondition[] {
  return values.filter((each) => each.property !== property);
}

function valueConditionOf(
  property: string,
  { values, from, to }: ConditionDraft,
  type: PropertyValues['type'],
): ValueCondition | undefined {
  const [low, high] = [limitOf(from, type), limitOf(to, type)];
  if (values.length > 0) return { property, values };
  if (low === undefined && high === undefined) return undefined;
  return { property, ...(low !== undefined && { from: low }), ...(high !== undefined && { to: high }) };
}

/** The text of a limit in a condition; undefined where the input has none. */
function limitOf(input: string, type: PropertyValues['type']): string | undefined {
  if (input === '') return undefined;
  if (type !== 'time') return input;
  const [day = '', clock = '00:00'] = input.split(/[T ]/);
  return `${day} ${clock.length === 5 ? `${clock}:00` : clock}`;
}

function inputOf(limit: string | undefined): string {
  return limit?.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d):\d\d(\.\d+)?$/, '$1T$2') ?? '';
}

/** The range that chosen classes have, as texts of inputs. The first and the last class are open. */
export function rangeOfClasses(
  { classes, type }: Pick<PropertyValues, 'classes' | 'type'>,
  brush: Brush,
): Pick<ConditionDraft, 'from' | 'to' | 'values'> {
  const [first, last] = rangeOf(brush);
  const text = (bound: number | undefined): string => {
    if (bound === undefined) return '';
    return type === 'time' ? new Date(bound).toISOString().slice(0, 19).replace('T', ' ') : String(bound);
  };
  return {
    values: [],
    from: first === 0 ? '' : text(classes[first]?.from),
    to: last === classes.length - 1 ? '' : text(classes[last]?.to),
  };
}

/** The classes that a range has, which is shown as chosen. */
export function brushOfRange(
  { classes, type }: Pick<PropertyValues, 'classes' | 'type'>,
  { from, to }: Pick<ConditionDraft, 'from' | 'to'>,
): Brush | undefined {
  if ((from === '' && to === '') || classes.length === 0) return undefined;
  const low = from === '' ? -Infinity : limitNumber(from, type);
  const high = to === '' ? Infinity : limitNumber(to, type);
  const first = classes.findIndex((each) => each.to > low);
  const last = classes.findLastIndex((each) => each.from < high);
  return first < 0 || last < first ? undefined : { from: first, to: last };
}

function limitNumber(input: string, type: PropertyValues['type']): number {
  return type === 'time' ? Date.parse(`${input.replace(' ', 'T')}Z`) : Number(input);
}

function limitsOf({ longer, shorter, unit }: ConditionDraft): GraphFilter['throughput'] {
  const milliseconds = (text: string): number | undefined => {
    const amount = Number(text);
    return text === '' || !Number.isFinite(amount) ? undefined : amount * durationUnits[unit];
  };
  const [slower, faster] = [milliseconds(longer), milliseconds(shorter)];
  if (slower === undefined && faster === undefined) return undefined;
  return { ...(slower !== undefined && { slower }), ...(faster !== undefined && { faster }) };
}

function unitOf(milliseconds: number): DurationUnit {
  const fitting = (['weeks', 'days', 'hours'] as const).find((unit) => milliseconds % durationUnits[unit] === 0);
  return milliseconds === 0 ? 'days' : (fitting ?? 'minutes');
}

function amountOf(milliseconds: number | undefined, unit: DurationUnit): string {
  return milliseconds === undefined ? '' : String(milliseconds / durationUnits[unit]);
}
