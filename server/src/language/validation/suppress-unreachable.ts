import { type GraphCatalog, dataObjectOf } from '../../catalog/graph-catalog.ts';
import { findColumn } from '../../catalog/catalog.ts';
import type { EntityElement, EntityGraph, EntitySource, Relationship } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import { type Entry, type UnreadFields } from './unread-fields.ts';

/** Context of apparently unreachable elements. */
export interface ReachContext {
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
export function suppressUnreachable(context: ReachContext): (element: EntityElement) => boolean {
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
