import type { BuildSql } from '../dialect.ts';

export const postgresqlBuildSql: BuildSql = {
  createStaging: 'CREATE TEMP TABLE',
  keepsRowOrder: false,
  hasProcessMap: false,
  sortedText: (expression) => `${expression} COLLATE "C"`,
  /** One type, as PostgreSQL compares none but equal ones in a union. */
  sequenceNumber: ({ sense, stagedAs }) =>
    sense === 'boolean' ? `${stagedAs}::integer::numeric` : `${stagedAs}::numeric`,
  noSequence: (kind) => ({ number: 'NULL::numeric', time: 'NULL::timestamp', text: 'NULL::text' })[kind],
};
