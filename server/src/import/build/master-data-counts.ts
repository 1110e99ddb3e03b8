import type { BuildDialect } from './build-dialect.ts';
import { type StagedMasterData, entityRowsTable } from './master-data.ts';
import type { StatementsStep } from './plan-statement.ts';

/** Counts the rows without key (`withoutKey`) and the entities (`entities`) of an entry of `entities`. */
export function masterDataCountsStep(entry: StagedMasterData, { identifiers }: BuildDialect): StatementsStep {
  const { plan, key } = entry;
  const isMissing = key.map(({ stagedAs }) => `${stagedAs} IS NULL`).join(' OR ');
  const rows = `SELECT count(*) FROM ${identifiers.quote(plan.table)} WHERE ${isMissing}`;
  return {
    name: `counts_entities_${plan.number}`,
    title: `Counting ${plan.name}`,
    statements: [
      {
        title: 'Rows without key, and entities',
        sql: `SELECT (${rows}) AS "withoutKey", (SELECT count(*) FROM ${entityRowsTable(entry)}) AS entities`,
      },
    ],
  };
}
