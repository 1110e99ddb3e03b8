import { missingOfElement } from '../model/configuration-state.ts';
import type { EntityGraph } from '../model/entity-graph.ts';
import type { Problem } from '../model/problem.ts';
import type { SourceRange } from '../model/source-range.ts';

/**
 * Leaves out what only follows from another problem: a misspelt or misshapen key makes what it should say missing, and a
 * misspelt name leaves what it should name unused.
 */
export function withoutConsequences(problems: readonly Problem[], graph: EntityGraph): readonly Problem[] {
  if (!problems.some(({ code }) => code in excuses)) return problems;
  const context: Context = { graph, problems, of: (...codes) => problems.filter(({ code }) => codes.includes(code)) };
  return problems.filter((problem) => excuses[problem.code]?.(problem, context) !== true);
}

interface Context {
  readonly graph: EntityGraph;
  readonly problems: readonly Problem[];
  readonly of: (...codes: readonly string[]) => readonly Problem[];
}

/** By code: whether a problem follows from another one. */
const excuses: Readonly<Record<string, (problem: Problem, context: Context) => boolean>> = {
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
    const name = graph.elements.find(({ dataObject }) => dataObject?.range.start === range.start)?.dataObject?.value;
    return of('unknown-data-object', 'permission-denied').some(
      (other) => other.range.start === range.start || (name !== undefined && other.suggestions?.includes(name)),
    );
  },
  'unreachable-element': (_problem, { graph, problems, of }) =>
    of('unknown-activity').length > 0 ||
    // A relationship that lacks an end because of a mistake in it may name any element.
    graph.relationships.some(({ source, target, range }) => !(source && target) && hasSchemaProblem(range, problems)),
  'missing-key': ({ range }, { graph, problems }) => {
    const element = graph.elements.find((each) => isWithin(range, each.range));
    return (
      element !== undefined &&
      problems.some(({ suggestions, ...other }) => suggestions?.includes('key') && isWithin(other.range, element.range))
    );
  },
  'unknown-activity': ({ suggestions = [] }, { graph, of }) => {
    if (suggestions.length > 0) return false;
    // An element without a name may be the one that is meant, and so may any of a list whose key is misspelt.
    const isListUnread = of('schema-unknown-property', 'schema-type').some(
      (other) => other.suggestions?.includes('elements') || other.expected?.includes('array'),
    );
    return graph.elements.some(({ activityName }) => !activityName) || (graph.elements.length === 0 && isListUnread);
  },
};

/** What an entry seems to lack may be what one of its keys should say. */
function isUnsaid({ range }: Problem, { graph, problems }: Context): boolean {
  const schema = problems.filter(({ code }) => code.startsWith('schema-'));
  if (schema.length === 0) return false;
  const hasOwn = (entry: Entry): boolean => schema.some((problem) => isWithin(problem.range, entry.range));
  const around = (entry: Entry): boolean => isWithin(range, entry.range);
  const element = graph.elements.find(around);
  if (element) return missingOfElement(element).length > 0 && hasOwn(element);
  const relationship = graph.relationships.find(around);
  return relationship !== undefined && hasOwn(relationship);
}

type Entry = EntityGraph['elements'][number] | EntityGraph['relationships'][number];

function hasSchemaProblem(range: SourceRange, problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.code.startsWith('schema-') && isWithin(problem.range, range));
}

function isWithin(range: SourceRange, { start, end }: SourceRange): boolean {
  return range.start >= start && range.end <= end;
}
