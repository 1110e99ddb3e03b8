import type { BuildDialect } from './build/build-dialect.ts';
import type { StatementsStep } from './build/plan-statement.ts';
import type { ImportPlan } from './plan-import.ts';
import type { StepRunner } from './step-runner.ts';

/**
 * Looks for entities of elements on several data objects whose keys are one number but different texts: `7` in one file and `7.0` in another.
 * Undefined where no keys are texts of cells that hold numbers.
 */
export function sharedKeysStep(
  { elements }: ImportPlan,
  { graph, literals }: BuildDialect,
): StatementsStep | undefined {
  const types = [...new Set(elements.map(({ entityType }) => entityType))].filter((type) => {
    const own = elements.filter(({ entityType }) => entityType === type);
    const objects = new Set(own.map(({ element }) => element.dataObject?.value));
    return objects.size > 1 && own.some(({ query }) => query.texts !== undefined && query.roles.key.length === 1);
  });
  if (types.length === 0) return undefined;
  const list = types.map(literals.quote).join(', ');
  const sql = `SELECT entity_type, min(key) AS one, max(key) AS other FROM ${graph}.entity
    WHERE entity_type IN (${list}) AND TRY_CAST(key AS DOUBLE) IS NOT NULL
    GROUP BY entity_type, TRY_CAST(key AS DOUBLE) HAVING count(*) > 1 ORDER BY 1, 2 LIMIT 1`;
  return {
    name: 'shared_keys',
    title: 'Looking for keys that are one number in different texts',
    statements: [{ title: 'The first of them', sql }],
  };
}

/** One sentence where there are such keys. */
export async function sharedKeysWarnings(
  runner: StepRunner,
  plan: ImportPlan,
  dialect: BuildDialect,
): Promise<readonly string[]> {
  const step = sharedKeysStep(plan, dialect);
  if (!step) return [];
  const [row] = (await runner.ask(step))[0] ?? [];
  if (!row) return [];
  const { entity_type: type, one, other } = row;
  return [
    `"${String(one)}" and "${String(other)}" are one number, but different texts: keys of files are texts, so they are two entities of type ${String(type)}. To make one of them, declare the type of the column (types) in every file that has it.`,
  ];
}
