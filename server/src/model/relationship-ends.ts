import { type EntityGraph, type EntitySource, masterDataName } from './entity-graph.ts';

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
