import { activityText } from './activity-conditions.ts';
import { durationText } from './duration-text.ts';
import type { GraphFilter, PathCondition, ValueCondition } from './event-graph.ts';
import { type MapWords, filledIn } from './map-words.ts';

/** A condition of a filter in words, and the filter without it. */
interface FilterCondition {
  readonly part: Exclude<keyof GraphFilter, 'entityType'>;
  readonly text: string;
  readonly rest: GraphFilter;
}

/** All conditions besides that on the entity type, each as a phrase such as `with Resolve Incident`. */
export function filterConditions(filter: GraphFilter, words: MapWords): readonly FilterCondition[] {
  const { from, to, property, rule, variant, throughput, related = [] } = filter;
  const { activities, paths, values, where } = filter;
  const one = (part: FilterCondition['part'], text: string | undefined, ...parts: (keyof GraphFilter)[]) =>
    text === undefined ? [] : [{ part, text, rest: without(filter, part, ...parts) }];
  const each = <P extends 'activities' | 'paths' | 'values' | 'where'>(
    part: P,
    list: GraphFilter[P],
    textOf: (condition: NonNullable<GraphFilter[P]>[number]) => string,
  ): readonly FilterCondition[] => {
    const all: readonly NonNullable<GraphFilter[P]>[number][] = list ?? [];
    return all.map((condition) => {
      const others = all.filter((other) => other !== condition);
      const rest = without(filter, part);
      return { part, text: textOf(condition), rest: others.length === 0 ? rest : { ...rest, [part]: others } };
    });
  };
  return [
    ...one('from', periodText(from, to, words), 'to'),
    ...one('property', property && filledIn(words.valueIs, property.name, property.value)),
    ...each('values', values, (value) => valueText(value, words)),
    ...each('where', where, (sql) => sql),
    ...one('rule', rule && filledIn(words.breaking, rule.name)),
    ...each('activities', activities, (activity) =>
      filledIn(activity.occurs ? words.occurs : words.occursNot, activityText(activity)),
    ),
    ...each('paths', paths, (path) => pathText(path, words)),
    ...one('variant', variant && filledIn(words.ofVariant, variant.path ?? variant.id)),
    ...one('throughput', throughput && lastingText(throughput, words)),
    ...one('related', related.length === 0 ? undefined : filledIn(words.relatedTo, related.length)),
  ];
}

function without(filter: GraphFilter, ...parts: readonly (keyof GraphFilter)[]): GraphFilter {
  const entries = Object.entries(filter).filter(([part]) => !parts.includes(part as keyof GraphFilter));
  return Object.fromEntries(entries) as GraphFilter;
}

function periodText(from: string | undefined, to: string | undefined, words: MapWords): string | undefined {
  if (from !== undefined && to !== undefined) return filledIn(words.eventsBetween, minuteText(from), minuteText(to));
  if (from !== undefined) return filledIn(words.eventsFrom, minuteText(from));
  return to === undefined ? undefined : filledIn(words.eventsBefore, minuteText(to));
}

/** Such as `2024-02-29 12:34`; a whole day without its time. */
export function minuteText(time: string): string {
  return time
    .slice(0, 16)
    .replace('T', ' ')
    .replace(/ 00:00$/, '');
}

function valueText({ property, values, from, to }: ValueCondition, words: MapWords): string {
  const texts = [
    ...(values === undefined
      ? []
      : [filledIn(words.valueIs, property, values.map((value) => value ?? words.noValue).join(', '))]),
    ...(from === undefined && to === undefined ? [] : [rangeText(property, from, to, words)]),
  ];
  return texts.join(', ');
}

function rangeText(property: string, from: string | undefined, to: string | undefined, words: MapWords): string {
  if (from !== undefined && to !== undefined) return filledIn(words.valueBetween, property, from, to);
  return from === undefined
    ? filledIn(words.valueBelow, property, to ?? '')
    : filledIn(words.valueFrom, property, from);
}

function pathText(
  { source, target, follows, slower, faster, lifecycle = false }: PathCondition,
  words: MapWords,
): string {
  const name = (activity: string): string => activityText({ activity, lifecycle, occurs: true });
  const path = filledIn(follows === 'directly' ? words.directly : words.eventually, name(source), name(target));
  return slower === undefined && faster === undefined ? path : `${path}: ${lengthText({ slower, faster }, words)}`;
}

function lastingText(length: Length, words: MapWords): string {
  return filledIn(words.throughput, lengthText(length, words));
}

type Length = NonNullable<GraphFilter['throughput']>;

function lengthText({ slower, faster }: Length, words: MapWords): string {
  if (slower !== undefined && faster !== undefined) return `${durationText(slower)} – ${durationText(faster)}`;
  return slower === undefined
    ? filledIn(words.faster, durationText(faster ?? 0))
    : filledIn(words.slower, durationText(slower));
}
