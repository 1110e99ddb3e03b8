import { duckdb } from '../../dialects/duckdb.ts';
import { isOneName } from '../../rule-kinds/sql-names.ts';
import type { GraphCatalog } from '../../catalog/graph-catalog.ts';
import { dataObjectOf } from '../../catalog/graph-catalog.ts';
import { measureKindOf, isClearWhat } from '../../measure-kinds/measure-kinds.ts';
import { targetMistakes } from '../../measure-kinds/measure-target.ts';
import { type EntityGraph, type EntitySource, elementEntityType } from '../../model/entity-graph.ts';
import { type Calendar, calendarMistakes } from '../../model/calendar.ts';
import { type Measure, isBusiness, measureKindNames, measureValuesIn, writtenWhat } from '../../model/measure.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { zoneProblems } from '../../query/zone-problems.ts';
import { missingCalendar, unknownCalendar } from './calendar-use.ts';
import type { GraphCheck } from './check.ts';
import { firstLine } from './element-unconfigured.ts';
import { type UnknownName, knownNames, notIn, unknownNames, withSuggestions } from './process-names.ts';

/** Measures that do not say what they measure, or name things that are not in the file. */
export const measures: GraphCheck = {
  codes: ['measure-incomplete', 'measure-unknown-name', 'calendar-incomplete', 'unknown-time-zone'],
  sections: ['measures', 'calendars'],
  check({ graph, parsed, catalog }) {
    const known = knownNames(graph);
    const unknown = graph.measures.flatMap((measure) => [
      ...unknownNames((type) => measureValuesIn(measure, type), known),
      ...unknownProperties(measure, graph, catalog),
      ...unknownCalendar(measure, graph),
    ]);
    return [
      ...graph.measures.flatMap((measure) => [...incompleteSubject(measure), ...incompleteWhat(measure, graph)]),
      ...withSuggestions(unknown, 'measure-unknown-name'),
      ...graph.calendars.flatMap(calendarProblems),
    ].map((problem) => ({ ...problem, range: firstLine(problem.range, parsed.yaml.text) }));
  },
};

function incompleteSubject({ each }: Measure): readonly Problem[] {
  if (!each) return [];
  const { entityType, activity } = each;
  if (!entityType && !activity)
    return [incomplete(each.range, 'It does not say what it measures. Write entityType or activity.')];
  if (entityType && activity) {
    const message = 'A measure is of the entities of a type or of the events of an activity. Remove one of both.';
    return [incomplete(activity.range, message)];
  }
  return [];
}

function incompleteWhat(measure: Measure, graph: EntityGraph): readonly Problem[] {
  const { what, range, each } = measure;
  if (!isClearWhat(what)) {
    const written = writtenWhat(what);
    const [, other] = measureKindNames.filter((name) => written[name]);
    const place = other && written[other]?.range;
    return place
      ? [incomplete(place, 'A measure is one of duration, count, value and sql. Remove the others.')]
      : [incomplete(range, 'It does not say what is measured. Write duration, count, value or sql.')];
  }
  const mistakes = measureKindOf(what).mistakes?.(what, each?.activity?.value, graph) ?? [];
  const all = [
    ...mistakes,
    ...endsWithoutPrevious(measure),
    ...targetMistakes(measure),
    ...calendarUse(measure, graph),
  ];
  return all.map((mistake) => incomplete(mistake.range, mistake.message));
}

function endsWithoutPrevious({ what, each }: Measure) {
  const sincePrevious = writtenWhat(what).duration?.sincePrevious;
  if (!sincePrevious || each?.lifecycle !== 'end') return [];
  const message =
    'No event comes directly before an end, which counts with its start. Remove lifecycle: end, or write from and to.';
  return [{ range: sincePrevious.range, message }];
}

function calendarUse({ what, calendar, workingTime, target }: Measure, graph: EntityGraph) {
  if (calendar && what.kind !== 'duration')
    return [{ range: calendar.range, message: 'Only durations are working times. Remove calendar.' }];
  const limits = target.flatMap(({ atLeast, atMost }) => [atLeast, atMost]);
  const business = limits.find((limit) => isBusiness(limit?.value));
  return calendar || workingTime ? [] : missingCalendar(business, 'measure', graph);
}

function calendarProblems(calendar: Calendar): readonly Problem[] {
  const mistakes = calendarMistakes(calendar).map(({ range, message }): Problem => ({
    code: 'calendar-incomplete',
    severity: 'error',
    message,
    range,
  }));
  return [...mistakes, ...zoneProblems(calendar)];
}

/** Names of `value` and `by` that no element or entry of `entities` has as a property. */
function unknownProperties(
  { what, by }: Measure,
  graph: EntityGraph,
  catalog: GraphCatalog | undefined,
): readonly UnknownName[] {
  const { value } = writtenWhat(what);
  // Names with a point are checked like SQL.
  const names = [...(value ? [value] : []), ...by.filter(({ value }) => !isOneName(value, duckdb.lexis))];
  if (names.length === 0) return [];
  return notIn(knownProperties(graph, catalog), names, (name) => `No property of this file is called "${name}".`);
}

/** Undefined if the columns of a source that all are properties are not known. */
export function knownProperties(
  { elements, entities }: Pick<EntityGraph, 'elements' | 'entities'>,
  catalog: GraphCatalog | undefined,
): ReadonlySet<string> | undefined {
  const names = [...elements, ...entities].map((source) => propertiesOf(source, catalog));
  return names.includes(undefined) ? undefined : new Set(names.flatMap((each) => each ?? []));
}

/** The entries of a file that make entities of a type. */
export function entriesOf(
  type: string,
  { elements, entities }: EntityGraph,
): Pick<EntityGraph, 'elements' | 'entities'> {
  return {
    elements: elements.filter((element) => elementEntityType(element) === type),
    entities: entities.filter((entry) => elementEntityType(entry) === type),
  };
}

function propertiesOf(source: EntitySource, catalog: GraphCatalog | undefined): readonly string[] | undefined {
  if (source.properties.kind === 'list')
    return source.properties.columns.map(({ name, value }) => name?.value ?? value);
  return catalog && dataObjectOf(source, catalog)?.columns.map(({ name }) => name);
}

function incomplete(range: SourceRange, message: string): Problem {
  return { code: 'measure-incomplete', severity: 'error', message, range };
}
