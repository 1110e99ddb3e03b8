import { type Catalog, findColumn } from '../../catalog/catalog.ts';
import {
  type EntityGraph,
  type EntitySource,
  type EntityElement,
  type Relationship,
  elementEntityType,
} from '../../model/entity-graph.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import type { Problem } from '../../model/problem.ts';
import { type ConsequenceCode, type ProblemCode, rules } from '../../model/rules.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { missingOfElement } from '../../model/configuration-state.ts';
import { hasNoListField } from '../entry-index.ts';
import { type Entry, type UnreadFields, unreadFieldsOf } from './unread-fields.ts';
import { type GraphCatalog, dataObjectOf } from '../../catalog/graph-catalog.ts';

/**
 * Suppresses consequences of other problems: a misspelt or malformed field makes its value missing, and a misspelt name
 * makes its target unused. A problem that something else may explain only in theory is reported, so that all mistakes
 * are found in one round.
 * @param known unreadable parts, in which an apparently complete entry may continue; the catalog, if any.
 */
export function suppressConsequences(
  problems: readonly Problem[],
  parsed: ParsedEntityGraph,
  {
    broken = [],
    catalog,
  }: { readonly broken?: readonly SourceRange[] | undefined; readonly catalog?: Catalog | undefined } = {},
): readonly Problem[] {
  if (!problems.some(({ code }) => rules[code].mayBeConsequence)) return problems;
  const { graph } = parsed;
  const unread = unreadFieldsOf(problems, parsed, broken);
  let mayBeReached: Context['mayBeReached'] | undefined;
  const reach: ReachContext = { graph, problems, catalog, unread };
  const context: Context = {
    ...reach,
    mayBeReached: (element) => (mayBeReached ??= suppressUnreachable(reach))(element),
    of: (...codes) => problems.filter(({ code }) => codes.includes(code)),
    isUnread(entry, ...fields) {
      const found = unread(entry);
      return found === 'any' || (fields.length === 0 ? found.size > 0 : fields.some((field) => found.has(field)));
    },
  };
  return problems.filter((problem) => !isConsequence(problem, context));
}

function isConsequence(problem: Problem, context: Context): boolean {
  const causes: Readonly<Partial<Record<ProblemCode, Suppression>>> = suppressions;
  return causes[problem.code]?.(problem, context) === true;
}

interface Context extends ReachContext {
  readonly of: (...codes: readonly ProblemCode[]) => readonly Problem[];
  /** Whether one of these fields of an entry may be there in an unreadable form; without fields, whether anything is. */
  readonly isUnread: (entry: Entry, ...fields: readonly string[]) => boolean;
  /** Whether another problem may explain an unreachable element. */
  readonly mayBeReached: (element: EntityGraph['elements'][number]) => boolean;
}

type Suppression = (problem: Problem, context: Context) => boolean;

/** By code: whether a problem follows from another one. Covers all rules that declare it. */
const suppressions: Readonly<Record<ConsequenceCode, Suppression>> = {
  'element-unconfigured': ({ range }, { graph, isUnread }) => {
    const element = graph.elements.find((each) => isWithin(range, each.range));
    if (!element) return false;
    // An entry with none of the fields of an element may belong to another list.
    if (hasNoListField(element)) return isUnread(element);
    // The message names all missing fields, so each of them must be explained.
    return missingOfElement(element).every(({ key }) => isUnread(element, key));
  },
  'relationship-draft': ({ range }, { graph, isUnread }) => {
    const relationship = graph.relationships.find((each) => isWithin(range, each.range));
    if (!relationship) return false;
    if (hasNoListField(relationship)) return isUnread(relationship);
    const missing = ends.filter((end) => !relationship[end]);
    if (missing.length > 0) return missing.every((end) => isUnread(relationship, end));
    return isUnread(relationship, ...joinFields);
  },
  'incomplete-cross-table': ({ range }, { graph, isUnread }) => {
    const relationship = graph.relationships.find((each) => isWithin(range, each.range));
    return relationship !== undefined && isUnread(relationship, 'crossTable');
  },
  'selected-object-unused': ({ range }, { graph, of, isUnread }) => {
    // An entry without an object, or with an unknown one, may be the intended user.
    if ([...graph.elements, ...graph.entities].some(({ dataObject }) => !dataObject)) return true;
    const name = graph.dataObjects.find((each) => each.range.start === range.start)?.value;
    // Entries with an unknown data source, or without one, may be the intended users as well.
    const readers = sourcesOf(graph).filter(({ dataObject }) => name !== undefined && dataObject?.value === name);
    const isOfUnknown =
      of('unknown-data-source', 'ambiguous-data-object').length > 0 ||
      readers.some((entry) => isUnread(entry, 'dataSource'));
    if (readers.length > 0 && isOfUnknown) return true;
    return of('unknown-data-object').some(({ suggestions }) => name !== undefined && suggestions?.includes(name));
  },
  'element-object-not-selected': ({ range }, { graph, of, isUnread }) => {
    const entry = sourcesOf(graph).find(({ dataObject }) => dataObject?.range.start === range.start);
    const name = entry?.dataObject?.value;
    // It may be selected from an unknown data source.
    const isOfUnknown = of('unknown-data-source').length > 0 || (entry && isUnread(entry, 'dataSource'));
    if (isOfUnknown && graph.dataObjects.some(({ value }) => value === name)) return true;
    return of('unknown-data-object', 'permission-denied').some(
      (other) => other.range.start === range.start || (name !== undefined && other.suggestions?.includes(name)),
    );
  },
  'unreachable-element': ({ range }, context) => {
    const element = context.graph.elements.find(({ activityName }) => activityName?.range.start === range.start);
    return element !== undefined && context.mayBeReached(element);
  },
  'key-width': ({ range }, { graph, problems, isUnread }) => {
    const source = sourceAt(range, graph);
    const type = source && elementEntityType(source);
    // The wrong key may be that of the other element.
    return sourcesOf(graph).some(
      (each) =>
        elementEntityType(each) === type && (isUnread(each, 'key', ...typeFields) || hasWrongKey(each, problems)),
    );
  },
  'ambiguous-data-object': ({ range }, { graph, isUnread }) => {
    const entry = sourceAt(range, graph) ?? graph.relationships.find((each) => isWithin(range, each.range));
    return entry !== undefined && isUnread(entry, 'dataSource', 'crossTable');
  },
  'ambiguous-entity-type': ({ range }, { graph, isUnread }) => {
    const object = sourceAt(range, graph)?.dataObject?.value;
    // The unread field may be the missing type, or a misspelt data source.
    return sourcesOf(graph).some(
      (each) => each.dataObject?.value === object && isUnread(each, 'dataSource', ...typeFields),
    );
  },
  'key-not-unique': ({ range }, { graph, isUnread }) => {
    const element = graph.elements.find((each) => isWithin(range, each.range));
    // These fields make several rows of one entity likely.
    return element !== undefined && isUnread(element, 'key', 'activityColumn', 'joins', 'ownEntity');
  },
  'missing-key': ({ range }, { graph, isUnread }) => {
    const source = sourceAt(range, graph);
    return source !== undefined && isUnread(source, 'key');
  },
  'unknown-relationship': ({ range }, context) =>
    context.graph.relationships.some((each) => !isWithin(range, each.range) && context.isUnread(each, 'name', ...ends)),
  'path-broken': isOfUnreadStep,
  'path-direction': isOfUnreadStep,
  'unknown-activity': ({ suggestions = [] }, { graph, of, isUnread }) => {
    if (graph.elements.some((element) => !element.activityName && isUnread(element, 'activityName'))) return true;
    if (graph.entities.some((entry) => !entry.name && isUnread(entry, 'name', ...typeFields))) return true;
    if (suggestions.length > 0) return false;
    // An element without a name may be the intended one, and so may any in a list with a misspelt key.
    const isListUnread = of('schema-unknown-property', 'schema-type').some(
      (other) =>
        other.suggestions?.some((each) => each === 'elements' || each === 'entities') ||
        other.expected?.includes('array'),
    );
    return graph.elements.some(({ activityName }) => !activityName) || (graph.elements.length === 0 && isListUnread);
  },
};

const ends = ['source', 'target'] as const;
const joinFields = ['mappings', 'crossTable', 'path'];
/** Fields that determine an entity type. */
const typeFields = ['entityType', 'dataObject'];

/** The types that steps join are those of the ends of relationships. */
function isOfUnreadStep(_problem: Problem, { graph, isUnread }: Context): boolean {
  return (
    graph.relationships.some((each) => isUnread(each, 'name', 'path', ...ends)) ||
    graph.elements.some((each) => isUnread(each, 'activityName', ...typeFields)) ||
    graph.entities.some((each) => isUnread(each, 'name', ...typeFields))
  );
}

/** Whether a problem is reported for a key column. */
function hasWrongKey({ key = [] }: EntitySource, problems: readonly Problem[]): boolean {
  return problems.some(
    ({ code, range }) => code === 'unknown-column' && key.some((column) => isWithin(range, column.range)),
  );
}

function sourcesOf({ elements, entities }: EntityGraph): readonly EntitySource[] {
  return [...elements, ...entities];
}

function sourceAt(range: SourceRange, graph: EntityGraph): EntitySource | undefined {
  return sourcesOf(graph).find((each) => isWithin(range, each.range));
}

function isWithin(range: SourceRange, { start, end }: SourceRange): boolean {
  return range.start >= start && range.end <= end;
}

/** Context of apparently unreachable elements. */
interface ReachContext {
  readonly graph: EntityGraph;
  readonly problems: readonly Problem[];
  readonly catalog: GraphCatalog | undefined;
  /** Fields of an entry that may be there in an unreadable form. */
  readonly unread: (entry: Entry) => UnreadFields;
}

/**
 * Determines whether another problem explains an unreachable element: a missing or misspelt relationship end may be
 * meant to name it, and an element with an unreadable entity type to share its type.
 */
function suppressUnreachable(context: ReachContext): (element: EntityElement) => boolean {
  const { graph, problems } = context;
  const misspelt = problems.filter(({ code }) => code === 'unknown-activity');
  const drafts = graph.relationships.filter(({ source, target }) => !(source && target));
  const isTypeUnread = [...graph.elements, ...graph.entities].some((each) => mayBeOfAnyType(each, context));
  return (element) => {
    const name = element.activityName?.value ?? '';
    return (
      isTypeUnread ||
      misspelt.some(({ suggestions }) => !suggestions || suggestions.includes(name)) ||
      drafts.some((draft) => mayLeadTo(element, draft, context))
    );
  };
}

/** Whether a missing end may be an element: its object has the columns mapped at that end. */
function mayLeadTo(element: EntityElement, relationship: Relationship, { catalog }: ReachContext): boolean {
  return (['source', 'target'] as const).some((end) => {
    if (relationship[end]) return false;
    const object = catalog && dataObjectOf(element, catalog);
    // A name with a dot may be a column of a joined table.
    return !object || columnsAt(relationship, end).every((name) => name.includes('.') || findColumn(object, name));
  });
}

function columnsAt({ mappings, crossTable }: Relationship, end: 'source' | 'target'): readonly string[] {
  const mapped = mappings.flatMap((mapping) => (mapping.kind === 'columns' ? [mapping[end].value] : []));
  const bridged = end === 'source' ? crossTable?.sourceMappings : crossTable?.targetMappings;
  return [...mapped, ...(bridged ?? []).map(({ column }) => column.value)];
}

/** Fields that determine the entity type. */
const typeKeys = ['entityType', 'dataObject'];

/** Whether the unreadable part of an element or an entry may be its type. */
function mayBeOfAnyType(source: EntitySource, { unread }: ReachContext): boolean {
  if (source.entityType) return false;
  const fields = unread(source);
  return fields === 'any' || typeKeys.some((key) => fields.has(key));
}
