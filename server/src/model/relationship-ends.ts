import { type EntityGraph, type EntitySource, masterDataName } from './entity-graph.ts';

/** Resolves many relationship ends as `endNamed` does, in a time that does not depend on the size of the graph. */
export function endsByName({
  elements,
  entities,
}: Pick<EntityGraph, 'elements' | 'entities'>): ReadonlyMap<string, EntitySource> {
  const named = new Map<string, EntitySource>();
  const add = (name: string | undefined, entry: EntitySource): void => {
    if (name !== undefined && !named.has(name)) named.set(name, entry);
  };
  for (const element of elements) add(element.activityName?.value, element);
  for (const entry of entities) add(masterDataName(entry), entry);
  return named;
}

/** Resolves a relationship end: the element with this activity name, else the entry of `entities` with this name. */
export function endNamed(
  { elements, entities }: Pick<EntityGraph, 'elements' | 'entities'>,
  name: string,
): EntitySource | undefined {
  return (
    elements.find(({ activityName }) => activityName?.value === name) ??
    entities.find((entry) => masterDataName(entry) === name)
  );
}
