import type { BuildSql } from '../dialect.ts';

export const duckdbBuildSql: BuildSql = {
  createStaging: 'CREATE TEMP TABLE',
  keepsRowOrder: true,
  hasProcessMap: true,
  sortedText: (expression) => expression,
  /** Numbers that no numeric type can hold are staged as text. */
  sequenceNumber({ sense, stagedAs, stagedType }) {
    if (sense === 'boolean') return `CAST(${stagedAs} AS TINYINT)`;
    return stagedType === 'VARCHAR' ? `TRY_CAST(${stagedAs} AS DOUBLE)` : stagedAs;
  },
  noSequence: () => 'NULL',
};
