import type { BuildDialect } from './build/build-dialect.ts';
import { pairsStep } from './build/count-steps.ts';
import type { ImportPlan } from './plan-import.ts';
import type { StepRunner } from './step-runner.ts';

/** How many pairs of entities each relationship of a plan has, in its order. Rejects with the database's own error. */
export async function countPairs(
  runner: StepRunner,
  { relationships, paths }: ImportPlan,
  dialect: BuildDialect,
): Promise<readonly { readonly name: string; readonly pairs: number }[]> {
  const [pairs = []] = await runner.ask(pairsStep(dialect));
  const inOrder = [...relationships, ...paths].toSorted(
    (left, right) => left.relationship.index - right.relationship.index,
  );
  return inOrder.map(({ name }) => ({
    name,
    pairs: Number(pairs.find((row) => row['relationship'] === name)?.['pairs'] ?? 0),
  }));
}
