import type { BuildSql } from '../standard/build-sql.ts';
import { commonBuild } from '../standard/build.ts';
import { rankMeasuring } from '../standard/measuring.ts';
import { trinoJudging } from './judging.ts';
import { trinoLists } from './lists.ts';
import { trinoRanges } from './ranges.ts';

/** Staging tables are tables of the schema of the run, which the session names. */
export const trinoBuild: BuildSql = {
  ...commonBuild,
  judging: trinoJudging,
  measuring: rankMeasuring,
  createStaging: 'CREATE TABLE',
  createStagingView: 'CREATE VIEW',
  keepsRowOrder: false,
  noText: 'CAST(NULL AS varchar)',
  /** Iceberg has no JSON. */
  json: (literal) => `CAST(${literal} AS varchar)`,
  sortedText: (expression) => expression,
  sequenceNumber: ({ sense, stagedAs }) => (sense === 'boolean' ? `CAST(${stagedAs} AS integer)` : stagedAs),
  /** Iceberg has no NULL without type. */
  noSequence: (kind) => `CAST(NULL AS ${{ number: 'integer', time: 'timestamp(6)', text: 'varchar' }[kind]})`,
  noId: 'CAST(NULL AS bigint)',
  wide: (number) => `CAST(${number} AS decimal(38, 0))`,
  lastKnown: (value, order) => `max_by(${value}, ${order}) FILTER (WHERE ${value} IS NOT NULL)`,
  lists: trinoLists,
  ranges: trinoRanges,
};
