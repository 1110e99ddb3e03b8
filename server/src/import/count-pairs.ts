import type { RelationshipCounts } from '../../../protocol/import-progress.ts';
import type { BuildDialect } from './build/build-dialect.ts';
import { pairsStep } from './build/count-steps.ts';
import type { ImportPlan } from './plan-import.ts';
import type { StepRunner } from './step-runner.ts';

/** The numbers of entities that the ends of relationships can have. */
interface CountedEnds {
  readonly elements: readonly { readonly activityName: string; readonly entities: number }[];
  readonly entities: readonly { readonly name: string; readonly entities: number }[];
  /** A slice lacks entities of either end, so that shares would be wrong. */
  readonly isWhole: boolean;
}

/** Pairs and related entities of each relationship of a plan, in order. Rejects with the database's error. */
export async function countPairs(
  runner: StepRunner,
  { relationships, paths }: ImportPlan,
  dialect: BuildDialect,
  counted: CountedEnds,
): Promise<readonly RelationshipCounts[]> {
  if (relationships.length + paths.length === 0) return [];
  const [pairs = [], targets = []] = await runner.ask(pairsStep(dialect));
  const inOrder = [...relationships, ...paths].toSorted(
    (left, right) => left.relationship.index - right.relationship.index,
  );
  const entitiesOf = new Map([
    ...counted.elements.map(({ activityName, entities }) => [activityName, entities] as const),
    ...counted.entities.map(({ name, entities }) => [name, entities] as const),
  ]);
  return inOrder.map(({ name, relationship }) => {
    const isOfThis = (row: Readonly<Record<string, unknown>>): boolean => row['relationship'] === name;
    const [bySource, byTarget] = [pairs.find(isOfThis), targets.find(isOfThis)];
    const end = (of: string | undefined, related: unknown): RelationshipCounts['source'] => {
      const entities = entitiesOf.get(of ?? '');
      if (!counted.isWhole || of === undefined || !entities) return undefined;
      return { name: of, entities, related: Number(related ?? 0) };
    };
    const source = end(relationship.source?.value, bySource?.['sources']);
    const target = end(relationship.target?.value, byTarget?.['targets']);
    return {
      name,
      pairs: Number(bySource?.['pairs'] ?? 0),
      ...(source && { source }),
      ...(target && { target }),
    };
  });
}
