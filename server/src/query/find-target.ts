import {
  masterDataName,
  relationshipName,
  type EntityElement,
  type EntityGraph,
  type MasterData,
  type Relationship,
} from '../model/entity-graph.ts';

/** Identifies a query of a file. */
interface TargetName {
  readonly kind: 'element' | 'entities' | 'relationship';
  /** An activity name, the name of an entry of `entities`, or the effective name of a relationship; `→` may be typed as `->`. */
  readonly name: string;
}

export type FoundTarget =
  | { readonly kind: 'element'; readonly element: EntityElement }
  | { readonly kind: 'entities'; readonly entry: MasterData }
  | { readonly kind: 'relationship'; readonly relationship: Relationship };

/** The target with this name, matched as a whole; undefined when unknown. */
export function findTarget(graph: EntityGraph, target: TargetName): FoundTarget | undefined {
  if (target.kind === 'element') {
    const element = findElement(graph, target.name);
    return element && { kind: 'element', element };
  }
  if (target.kind === 'entities') {
    const entry = findMasterData(graph, target.name);
    return entry && { kind: 'entities', entry };
  }
  const relationship = findRelationship(graph, target.name);
  return relationship && { kind: 'relationship', relationship };
}

/** The element with this activity name. */
function findElement(graph: EntityGraph, activityName: string): EntityElement | undefined {
  return graph.elements.find((element) => element.activityName?.value === activityName);
}

/** The entry of `entities` with this effective name. */
function findMasterData(graph: EntityGraph, name: string): MasterData | undefined {
  return graph.entities.find((entry) => masterDataName(entry) === name);
}

/** The relationship with this effective name; an exact match has priority over one with `→` typed as `->`. */
export function findRelationship(graph: EntityGraph, name: string): Relationship | undefined {
  const withName = (matches: (effective: string) => boolean) =>
    graph.relationships.find((relationship) => matches(relationshipName(relationship)));
  return withName((effective) => effective === name) ?? withName((effective) => arrows(effective) === arrows(name));
}

function arrows(name: string): string {
  return name.replaceAll('->', '→');
}
