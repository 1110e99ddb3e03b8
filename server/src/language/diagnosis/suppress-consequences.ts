import type { Catalog } from '../../catalog/catalog.ts';
import { bisect } from '../../model/bisect.ts';
import { missingOfElement } from '../../model/configuration-state.ts';
import { type EntityGraph, elementEntityType } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import { type ConsequenceCode, type ProblemCode, rules } from '../../model/rules.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { suppressUnreachable } from './suppress-unreachable.ts';

/**
 * Leaves out what only follows from another problem: a misspelt or misshapen key makes what it should say missing, and a
 * misspelt name leaves what it should name unused.
 * @param known parts that could not be read, in which an entry that ends before them may go on; the catalog, when there is one.
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

/** Whether a part that could not be read is in an entry, or begins where the entry seems to end. */
function goesOnIn(entry: SourceRange, part: SourceRange, text: string): boolean {
  if (part.start <= entry.end) return part.end >= entry.start;
  return part.start - entry.end < mostBlank && text.slice(entry.end, part.start).trim() === '';
}

/** Nobody leaves more of a line blank; what is further away is another entry's. */
const mostBlank = 1_000;

interface Context {
  readonly graph: EntityGraph;
  readonly problems: readonly Problem[];
  readonly of: (...codes: readonly ProblemCode[]) => readonly Problem[];
  /** Whether part of an entry could not be read, or not for what it should be. */
  readonly isUnread: (entry: Entry) => boolean;
  /** Whether another problem may be why nothing seems to reach an element. */
  readonly mayBeReached: (element: EntityGraph['elements'][number]) => boolean;
}

type Suppression = (problem: Problem, context: Context) => boolean;

/** By code: whether a problem follows from another one. Complete for the rules that say so of themselves. */
const suppressions: Readonly<Record<ConsequenceCode, Suppression>> = {
  'element-unconfigured': isUnsaid,
  'relationship-draft': isUnsaid,
  'incomplete-cross-table': isUnsaid,
  'selected-object-unused': ({ range }, { graph, of }) => {
    // An element that names no object, or one that does not exist, may be the one that was to use it.
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
    // The key that is wrong may be that of the other element.
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
    // An element without a name may be the one that is meant, and so may any of a list whose key is misspelt.
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

/** What an entry seems to lack may be what one of its keys should say. */
function isUnsaid({ range }: Problem, { graph, isUnread }: Context): boolean {
  const around = (entry: Entry): boolean => isWithin(range, entry.range);
  const element = graph.elements.find(around);
  if (element) return missingOfElement(element).length > 0 && isUnread(element);
  const relationship = graph.relationships.find(around);
  return relationship !== undefined && isUnread(relationship);
}

/** Whether one of the columns of a key is told as wrong. */
function hasWrongKey({ key = [] }: EntityGraph['elements'][number], problems: readonly Problem[]): boolean {
  return problems.some(
    ({ code, range }) => code === 'unknown-column' && key.some((column) => isWithin(range, column.range)),
  );
}

type Entry = EntityGraph['elements'][number] | EntityGraph['relationships'][number];

function isWithin(range: SourceRange, { start, end }: SourceRange): boolean {
  return range.start >= start && range.end <= end;
}
