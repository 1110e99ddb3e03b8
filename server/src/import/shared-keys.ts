import type { ImportNote } from '../../../protocol/import-notes.ts';
import type { BuildDialect } from './build/build-dialect.ts';
import type { StatementsStep } from './build/plan-statement.ts';
import type { ImportPlan } from './plan-import.ts';
import type { StepRunner } from './step-runner.ts';

/**
 * Finds entities from several data objects whose keys are one number with different texts: `7` in one file and `7.0` in
 * another. Undefined without text keys of numeric columns.
 */
export function sharedKeysStep(plan: ImportPlan, { graph, literals }: BuildDialect): StatementsStep | undefined {
  const keys = keysOf(plan);
  const types = [...new Set(keys.map(({ entityType }) => entityType))].filter((type) => {
    const same = keys.filter(({ entityType }) => entityType === type);
    const objects = new Set(same.map(({ dataObject }) => dataObject));
    return objects.size > 1 && same.some(({ isText }) => isText);
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

/** Where entities come from: their own rows, and rows that name them. */
interface KeySource {
  readonly entityType: string;
  readonly dataObject: string | undefined;
  /** The key is a single column of a text file. */
  readonly isText: boolean;
}

function keysOf({ elements, entities }: ImportPlan): readonly KeySource[] {
  return [
    ...elements.flatMap(({ element, entityType, ownEntity, correlatesWith, query }): readonly KeySource[] => {
      const isText = (columns: number): boolean => query.texts !== undefined && columns === 1;
      const dataObject = element.dataObject?.value;
      return [
        ...(ownEntity ? [{ entityType, dataObject, isText: isText(query.roles.key.length) }] : []),
        ...correlatesWith.map((each) => ({
          entityType: each.entityType,
          dataObject,
          isText: isText(each.correlation.key.length),
        })),
      ];
    }),
    ...entities.map(({ entry, entityType, query }) => ({
      entityType,
      dataObject: entry.dataObject?.value,
      isText: query.texts !== undefined && query.roles.key.length === 1,
    })),
  ];
}

/** A warning if there are keys of one number with different texts. */
export async function sharedKeysNotes(
  runner: StepRunner,
  plan: ImportPlan,
  dialect: BuildDialect,
): Promise<readonly ImportNote[]> {
  const step = sharedKeysStep(plan, dialect);
  if (!step) return [];
  const [row] = (await runner.ask(step))[0] ?? [];
  if (!row) return [];
  const { entity_type: type, one, other } = row;
  return [
    [
      `"${String(one)}" and "${String(other)}" are one number, but different texts: keys of files are texts, so they are two entities of type ${String(type)}. To make one of them, declare the type of the column (types) in every file that has it.`,
    ],
  ];
}
