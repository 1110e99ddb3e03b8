import type { BuildSql } from './build-sql.ts';
import { standardJudging } from './judging.ts';
import { standardMeasuring } from './measuring.ts';

/** Common parts of the build statements of PostgreSQL and DuckDB. */
export const commonBuild = {
  createStaging: 'CREATE TEMP TABLE',
  createStagingView: 'CREATE TEMP VIEW',
  noText: 'NULL::VARCHAR',
  elementAt: (list, place) => `(ARRAY[${list.join(', ')}])[${place}]`,
  countIf: (condition) => `count(*) FILTER (WHERE ${condition})`,
  countDistinct: (columns) => `count(DISTINCT (${columns.join(', ')}))`,
  json: (literal) => `CAST(${literal} AS JSON)`,
  judging: standardJudging,
  measuring: standardMeasuring,
  wide: (number) => number,
  ranges: undefined,
} satisfies Partial<BuildSql>;
