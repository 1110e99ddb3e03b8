import {
  type EntityGraph,
  type PathStep,
  type Relationship,
  elementEntityType,
  masterDataName,
  relationshipName,
} from './entity-graph.ts';
import { didYouMean, nearestNames } from './nearest-name.ts';
import type { Problem } from './problem.ts';
import type { CodeWith } from './rules.ts';
import type { SourceRange } from './source-range.ts';

/** Context of a path. */
export interface PathScope {
  relationshipNamed(name: string): Relationship | undefined;
  relationshipNames(): Iterable<string>;
  /** The entity type of an end; undefined if unknown. */
  entityTypeOf(activity: string | undefined): string | undefined;
}

/** A step of a path with its direction. */
export interface ResolvedStep {
  readonly relationship: Relationship;
  readonly isReversed: boolean;
}

interface ResolvedPath {
  /** The resolvable ones. */
  readonly steps: readonly ResolvedStep[];
  readonly problems: readonly Problem[];
}

/** The names and entity types of a whole graph. */
export function pathScope({
  elements,
  entities,
  relationships,
}: Pick<EntityGraph, 'elements' | 'entities' | 'relationships'>): PathScope {
  const named = new Map<string, Relationship>();
  for (const each of relationships) {
    const name = relationshipName(each);
    if (!named.has(name)) named.set(name, each);
  }
  const types = new Map<string, string | undefined>();
  for (const element of elements) {
    const name = element.activityName?.value;
    if (name !== undefined && !types.has(name)) types.set(name, elementEntityType(element));
  }
  for (const entry of entities) {
    const name = masterDataName(entry);
    if (name !== undefined && !types.has(name)) types.set(name, elementEntityType(entry));
  }
  return {
    relationshipNamed: (name) => named.get(name),
    relationshipNames: () => named.keys(),
    entityTypeOf: (activity) => (activity === undefined ? undefined : types.get(activity)),
  };
}

/**
 * The steps of a path (docs/semantics.md#66-paths): each is followed forwards unless only the reverse fits. Ambiguous
 * directions are not guessed.
 */
export function resolvePath(relationship: Relationship, scope: PathScope): ResolvedPath {
  const problems: Problem[] = [...besideProblems(relationship)];
  const steps: ResolvedStep[] = [];
  let at = scope.entityTypeOf(relationship.source?.value);
  for (const step of relationship.path?.steps ?? []) {
    const named = scope.relationshipNamed(step.relationship.value);
    if (!named) return { steps, problems: [...problems, unknownRelationship(step, scope)] };
    const circle = wayBack(relationship, named, scope);
    if (circle) return { steps, problems: [...problems, pathCycle(relationship, step, circle)] };
    const ends = [scope.entityTypeOf(named.source?.value), scope.entityTypeOf(named.target?.value)] as const;
    const [from, to] = ends;
    const isSelf = from !== undefined && from === to;
    if (step.reverse === undefined && isSelf && at === from) problems.push(undecidedDirection(step));
    const isReversed = step.reverse ?? (at !== undefined && at !== from && at === to);
    const [start, end] = isReversed ? [to, from] : [from, to];
    if (at !== undefined && start !== undefined && at !== start) {
      return { steps, problems: [...problems, notMeeting(step, at, ends)] };
    }
    steps.push({ relationship: named, isReversed });
    at = end;
  }
  const { target } = relationship;
  const wanted = scope.entityTypeOf(target?.value);
  if (target && at !== undefined && wanted !== undefined && at !== wanted) {
    problems.push(
      error(
        'path-broken',
        `The path leads to entities of type "${at}", but those of its target "${target.value}" are of type "${wanted}". Add the steps that are missing, or correct the target.`,
        lastStep(relationship)?.range ?? target.range,
      ),
    );
  }
  return { steps, problems };
}

/** The names of a cycle of paths, starting with the first step; undefined without a cycle. */
function wayBack(wanted: Relationship, from: Relationship, scope: PathScope): readonly string[] | undefined {
  const seen = new Set<Relationship>();
  const follow = (relationship: Relationship): readonly string[] | undefined => {
    if (relationship === wanted) return [];
    if (seen.has(relationship)) return undefined;
    seen.add(relationship);
    for (const step of relationship.path?.steps ?? []) {
      const next = scope.relationshipNamed(step.relationship.value);
      const way = next && follow(next);
      if (way) return [relationshipName(relationship), ...way];
    }
    return undefined;
  };
  return follow(from);
}

function besideProblems({ path, mappings, crossTable }: Relationship): readonly Problem[] {
  const beside = mappings[0] ?? crossTable;
  if (!path || !beside) return [];
  const what = mappings.length > 0 ? 'mappings' : 'crossTable';
  const message = `A path says which entities are related, so "${what}" cannot stand beside it. Remove one of them.`;
  return [error('path-not-alone', message, beside.range)];
}

function unknownRelationship({ relationship: { value, range } }: PathStep, scope: PathScope): Problem {
  const nearest = nearestNames(value, scope.relationshipNames());
  const remedy = didYouMean(nearest) ?? 'Correct the name, or add the relationship.';
  const message = `No relationship of this file is called "${value}". ${remedy}`;
  return { ...error('unknown-relationship', message, range), ...(nearest.length > 0 && { suggestions: nearest }) };
}

function notMeeting(
  { relationship: { value, range } }: PathStep,
  at: string,
  [from, to]: readonly [string | undefined, string | undefined],
): Problem {
  const message = `The path is at entities of type "${at}" here, but "${value}" relates "${from ?? ''}" to "${to ?? ''}". Name a relationship of "${at}", or correct the source or the direction.`;
  return error('path-broken', message, range);
}

function undecidedDirection({ relationship: { value, range } }: PathStep): Problem {
  const message = `"${value}" relates entities of one type, so a path can follow it in both directions. Write { relationship: ${value}, reverse: false } to follow it from source to target, or reverse: true for the other way.`;
  return error('path-direction', message, range);
}

function pathCycle(relationship: Relationship, { relationship: step }: PathStep, between: readonly string[]): Problem {
  const name = relationshipName(relationship);
  const way = between.length === 0 ? 'it is one of its own steps' : `it goes through ${between.map(quoted).join(', ')}`;
  const message = `The path of "${name}" leads back to itself: ${way}. Take out one of the steps.`;
  return error('path-cycle', message, step.range);
}

function lastStep({ path }: Relationship): PathStep | undefined {
  return path?.steps.at(-1);
}

function quoted(name: string): string {
  return `"${name}"`;
}

function error(code: CodeWith<'error'>, message: string, range: SourceRange): Problem {
  return { code, severity: 'error', message, range };
}
