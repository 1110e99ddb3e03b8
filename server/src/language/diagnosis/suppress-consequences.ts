import type { Catalog } from '../../catalog/catalog.ts';
import { bisect } from '../../model/bisect.ts';
import { missingOfElement } from '../../model/configuration-state.ts';
import { type EntityGraph, elementEntityType } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import { type ConsequenceCode, type ProblemCode, rules } from '../../model/rules.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { suppressUnreachable } from './suppress-unreachable.ts';

/**
 * Suppresses consequences of other problems: a misspelt or malformed field makes its value missing, and a misspelt name
 * makes its target unused.
 * @param known unreadable parts, in which an apparently complete entry may continue; the catalog, if any.
 */
export function suppressConsequences(
  problems: readonly Problem[],
  graph: EntityGraph,
  text: string,
  {
    broken = [],
    catalog,
  }: { readonly broken?: readonly SourceRange[] | undefined; readonly catalog?: Catalog | undefined } = {},
): readonly Problem[] {
  if (!problems.some(({ code }) => rules[code].mayBeConsequence)) return problems;
  const unread = problems
    .flatMap(({ code, range }) => (rules[code].form ? [range] : []))
    .toSorted((one, other) => one.start - other.start);
  const known = new Map<Entry, boolean>();
  const isUnread = ({ range }: Entry): boolean => {
    const first = bisect(unread.length, (index) => (unread[index]?.start ?? 0) < range.start);
    for (let index = first; (unread[index]?.start ?? Infinity) < range.end; index += 1)
      if ((unread[index]?.end ?? Infinity) <= range.end) return true;
    return broken.some((part) => goesOnIn(range, part, text));
  };
  let mayBeReached: Context['mayBeReached'] | undefined;
  const context: Context = {
    ...{ graph, problems },
    mayBeReached: (element) => (mayBeReached ??= suppressUnreachable({ graph, problems, catalog, isUnread }))(element),
    of: (...codes) => problems.filter(({ code }) => codes.includes(code)),
    isUnread(entry) {
      const found = known.get(entry) ?? isUnread(entry);
      known.set(entry, found);
      return found;
    },
  };
  return problems.filter((problem) => !isConsequence(problem, context));
}

function isConsequence(problem: Problem, context: Context): boolean {
  const causes: Readonly<Partial<Record<ProblemCode, Suppression>>> = suppressions;
  return causes[problem.code]?.(problem, context) === true;
}

/** Whether an unreadable part is inside an entry, or at its apparent end. */
function goesOnIn(entry: SourceRange, part: SourceRange, text: string): boolean {
  if (part.start <= entry.end) return part.end >= entry.start;
  return part.start - entry.end < mostBlank && text.slice(entry.end, part.start).trim() === '';
}

/** Maximum number of blank lines within an entry. */
const mostBlank = 1_000;

interface Context {
  readonly graph: EntityGraph;
  readonly problems: readonly Problem[];
  readonly of: (...codes: readonly ProblemCode[]) => readonly Problem[];
  /** Whether part of an entry is unreadable or has the wrong type. */
  readonly isUnread: (entry: Entry) => boolean;
  /** Whether another problem may explain an unreachable element. */
  readonly mayBeReached: (element: EntityGraph['elements'][number]) => boolean;
}

type Suppression = (problem: Problem, context: Context) => boolean;

/** By code: whether a problem follows from another one. Covers all rules that declare it. */
const suppressions: Readonly<Record<ConsequenceCode, Suppression>> = {
  'element-unconfigured': isUnsaid,
  'relationship-draft': isUnsaid,
  'incomplete-cross-table': isUnsaid,
  'selected-object-unused': ({ range }, { graph, of }) => {
    // An element without an object, or with an unknown one, may be the intended user.
    if (graph.elements.some(({ dataObject }) => !dataObject)) return true;
    const name = graph.dataObjects.find((each) => each.range.start === range.start)?.value;
    return of('unknown-data-object').some(({ suggestions }) => name !== undefined && suggestions?.includes(name));
  },
  'element-object-not-selected': ({ range }, { graph, of }) => {
    const sources = [...graph.elements, ...graph.entities];
    const name = sources.find(({ dataObject }) => dataObject?.range.start === range.start)?.dataObject?.value;
    return of('unknown-data-object', 'permission-denied').some(
      (other) => other.range.start === range.start || (name !== undefined && other.suggestions?.includes(name)),
    );
  },
  'unreachable-element': ({ range }, context) => {
    const element = context.graph.elements.find(({ activityName }) => activityName?.range.start === range.start);
    return element !== undefined && context.mayBeReached(element);
  },
  'key-width': ({ range }, { graph, problems, isUnread }) => {
    const element = graph.elements.find((each) => isWithin(range, each.range));
    const type = element && elementEntityType(element);
    // The wrong key may be that of the other element.
    return graph.elements.some(
      (each) => elementEntityType(each) === type && (isUnread(each) || hasWrongKey(each, problems)),
    );
  },
  'key-not-unique': ({ range }, { graph, isUnread }) => {
    const element = graph.elements.find((each) => isWithin(range, each.range));
    return element !== undefined && isUnread(element);
  },
  'missing-key': ({ range }, { graph, problems }) => {
    const element = [...graph.elements, ...graph.entities].find((each) => isWithin(range, each.range));
    return (
      element !== undefined &&
      problems.some(({ suggestions, ...other }) => suggestions?.includes('key') && isWithin(other.range, element.range))
    );
  },
  'unknown-relationship': isOfUnreadRelationship,
  'path-broken': isOfUnreadRelationship,
  'path-direction': isOfUnreadRelationship,
  'unknown-activity': ({ suggestions = [] }, { graph, of, isUnread }) => {
    if (graph.elements.some((element) => !element.activityName && isUnread(element))) return true;
    if (suggestions.length > 0) return false;
    // An element without a name may be the intended one, and so may any in a list with a misspelt key.
    const isListUnread = of('schema-unknown-property', 'schema-type').some(
      (other) => other.suggestions?.includes('elements') || other.expected?.includes('array'),
    );
    return graph.elements.some(({ activityName }) => !activityName) || (graph.elements.length === 0 && isListUnread);
  },
};

/** The relationship that a step means, or the type of an end, may stand in an entry that could not be read. */
function isOfUnreadRelationship(_problem: Problem, { graph, isUnread }: Context): boolean {
  return [...graph.relationships, ...graph.elements].some(isUnread);
}

/** A missing field may be misspelt. */
function isUnsaid({ range }: Problem, { graph, isUnread }: Context): boolean {
  const around = (entry: Entry): boolean => isWithin(range, entry.range);
  const element = graph.elements.find(around);
  if (element) return missingOfElement(element).length > 0 && isUnread(element);
  const relationship = graph.relationships.find(around);
  return relationship !== undefined && isUnread(relationship);
}

/** Whether a problem is reported for a key column. */
function hasWrongKey({ key = [] }: EntityGraph['elements'][number], problems: readonly Problem[]): boolean {
  return problems.some(
    ({ code, range }) => code === 'unknown-column' && key.some((column) => isWithin(range, column.range)),
  );
}

type Entry = EntityGraph['elements'][number] | EntityGraph['relationships'][number];

function isWithin(range: SourceRange, { start, end }: SourceRange): boolean {
  return range.start >= start && range.end <= end;
}
