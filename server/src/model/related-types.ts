import {
  type EntityGraph,
  type EntitySource,
  type Relationship,
  elementEntityType,
  hasOwnEntity,
  masterDataName,
  typesNamedByRows,
} from './entity-graph.ts';

/** How many entities of a type can be related to one entity, or correlated with one event, by the model. */
type RelatedNumber = 'none' | 'one' | 'several';

/** The types of the entities that a file makes or names. */
export function entityTypesOf({ elements, entities }: Pick<EntityGraph, 'elements' | 'entities'>): ReadonlySet<string> {
  const ownTypes = [...elements.filter(hasOwnEntity), ...entities].flatMap((entry) => elementEntityType(entry) ?? []);
  return new Set([...ownTypes, ...elements.flatMap(typesNamedByRows).map(({ value }) => value)]);
}

/** Of an entity: those joined to it by a relationship, in either direction. */
export function relatedToEntity(type: string, other: string, graph: EntityGraph): RelatedNumber {
  return together(relationshipsBetween(type, other, graph));
}

/** Of an event: its own entity, those that its row names, and those related to its own one. Undefined for an unknown activity. */
export function correlatedWithEvent(activity: string, other: string, graph: EntityGraph): RelatedNumber | undefined {
  const element = graph.elements.find(({ activityName }) => activityName?.value === activity);
  if (!element) return undefined;
  const own = hasOwnEntity(element) ? elementEntityType(element) : undefined;
  const named = (element.correlatesWith ?? []).filter(({ entityType }) => entityType?.value === other);
  return together([
    ...(own === other ? ['one' as const] : []),
    ...named.map(({ each, separator }) => (each || separator ? 'several' : 'one')),
    ...(own === undefined ? [] : relationshipsBetween(own, other, graph)),
  ]);
}

function together(numbers: readonly RelatedNumber[]): RelatedNumber {
  const [first = 'none', second] = numbers;
  return second === undefined ? first : 'several';
}

function relationshipsBetween(type: string, other: string, graph: EntityGraph): readonly RelatedNumber[] {
  return graph.relationships.flatMap((relationship): readonly RelatedNumber[] => {
    const [source, target] = [
      sourceNamed(relationship.source?.value, graph),
      sourceNamed(relationship.target?.value, graph),
    ];
    const types = [source, target].map((end) => end && elementEntityType(end));
    if (types[0] === type && types[1] === other) {
      return type === other ? ['several'] : [numberAt('target', target, relationship)];
    }
    return types[0] === other && types[1] === type ? [numberAt('source', source, relationship)] : [];
  });
}

/** One, if the whole key of the end is compared by equality. */
function numberAt(
  end: 'source' | 'target',
  source: EntitySource | undefined,
  { mappings, crossTable, path }: Relationship,
): RelatedNumber {
  if (crossTable || path) return 'several';
  const compared = new Set(
    mappings.flatMap((mapping) => (mapping.kind === 'columns' && mapping.operator === '=' ? mapping[end].value : [])),
  );
  // The default key, the primary key of the source, is not known here.
  const key = source?.key ?? [];
  return compared.size > 0 && key.every(({ value }) => compared.has(value)) ? 'one' : 'several';
}

/** The element, or the entry of `entities`, at an end of a relationship. */
function sourceNamed(name: string | undefined, { elements, entities }: EntityGraph): EntitySource | undefined {
  if (name === undefined) return undefined;
  return (
    elements.find(({ activityName }) => activityName?.value === name) ??
    entities.find((entry) => masterDataName(entry) === name)
  );
}
