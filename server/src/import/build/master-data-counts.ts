import type { BuildDialect } from './build-dialect.ts';
import { type StagedMasterData, entityRowsTable } from './master-data.ts';
import type { StatementsStep } from './plan-statement.ts';
import { hasEmptyPart, hasTexts } from './row-counts.ts';

/**
 * Counts the rows without key (`withoutKey`), those that count with an empty text in their key (`withEmptyKey`), the entities (`entities`) and the rows that count (`versions`) of an
 * entry of `entities`.
 */
export function masterDataCountsStep(entry: StagedMasterData, { build, identifiers }: BuildDialect): StatementsStep {
  const { plan, key, validFrom } = entry;
  const isMissing = key.map(({ stagedAs }) => `${stagedAs} IS NULL`).join(' OR ');
  const counts = [
    `(SELECT count(*) FROM ${identifiers.quote(plan.table)} WHERE ${isMissing}) AS ${identifiers.quote('withoutKey')}`,
    `${hasTexts(key) ? build.countIf(hasEmptyPart(key)) : '0'} AS ${identifiers.quote('withEmptyKey')}`,
    `count(${validFrom ? 'DISTINCT key' : '*'}) AS entities`,
    'count(*) AS versions',
  ];
  return {
    name: `counts_entities_${plan.number}`,
    title: `Counting ${plan.name}`,
    statements: [
      {
        title: 'Rows without key, and entities',
        sql: `SELECT ${counts.join(', ')} FROM ${entityRowsTable(entry)}`,
      },
    ],
  };
}
