import { type Correlation, type EntityGraph, type Relationship, relationshipName } from '../model/entity-graph.ts';
import type { Problem } from '../model/problem.ts';
import { pathScope, resolvePath } from '../model/relationship-path.ts';
import { pathEndProblems } from '../query/path-query.ts';

/** A relationship composed of a chain of others. */
export interface PathPlan {
  readonly name: string;
  readonly relationship: Relationship;
  /** Its staging table. */
  readonly table: string;
  readonly sourceType: string;
  readonly targetType: string;
  readonly correlate: Correlation;
  readonly steps: readonly PathStepPlan[];
}

export interface PathStepPlan {
  /** The relationship to follow. */
  readonly name: string;
  /** Its staging table, if it is a path itself. */
  readonly table?: string | undefined;
  readonly isReversed: boolean;
}

/** The paths of a graph, each after its steps, or why they cannot be followed. */
export function planPaths(graph: EntityGraph): {
  readonly paths: readonly PathPlan[];
  readonly problems: readonly Problem[];
} {
  const scope = pathScope(graph);
  const problems: Problem[] = [];
  const planned = new Map<Relationship, PathPlan>();
  for (const relationship of graph.relationships.filter(({ path }) => path)) {
    const ends = pathEndProblems(graph, relationship);
    problems.push(...ends, ...resolvePath(relationship, scope).problems);
  }
  if (problems.length > 0) return { paths: [], problems };
  const plan = (relationship: Relationship): void => {
    if (planned.has(relationship)) return;
    const { steps } = resolvePath(relationship, scope);
    for (const step of steps) if (step.relationship.path) plan(step.relationship);
    planned.set(relationship, {
      name: relationshipName(relationship),
      relationship,
      table: tableOf(relationship),
      sourceType: scope.entityTypeOf(relationship.source?.value) ?? '',
      targetType: scope.entityTypeOf(relationship.target?.value) ?? '',
      correlate: relationship.correlate,
      steps: steps.map((step) => ({
        name: relationshipName(step.relationship),
        table: step.relationship.path && tableOf(step.relationship),
        isReversed: step.isReversed,
      })),
    });
  };
  for (const relationship of graph.relationships) if (relationship.path) plan(relationship);
  return { paths: [...planned.values()], problems: [] };
}

function tableOf({ index }: Relationship): string {
  return `path_${index + 1}`;
}
