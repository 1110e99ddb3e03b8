import type { RangeSql } from '../../../dialects/standard/build-sql.ts';
import type { PathPlan } from '../../plan-paths.ts';
import { type StagedRelationship, pairsOfEachSql } from '../correlations.ts';
import { joinedPairs, pairsOfTablesSql, pathPairsSql } from '../paths.ts';
import type { GraphShape } from '../rows.ts';
import { type FilledTable, inGroups } from './filled-table.ts';

/**
 * The tables up to `relation`, for an engine that limits the joins of a statement.
 * @param relationships at least one
 */
export function relationsInGroups(
  relationships: readonly StagedRelationship[],
  paths: readonly PathPlan[],
  shape: GraphShape,
  ranges: RangeSql,
): readonly FilledTable[] {
  const title = 'Relations';
  const pairs = inGroups(pairsOfEachSql(relationships, shape), ranges);
  if (paths.length === 0) return [{ name: 'relation', title, selects: pairs }];
  return [
    { name: joinedPairs, title: 'Pairs of entities', selects: pairs },
    ...paths.map((path) => ({
      name: path.table,
      title: `Path of ${path.name}`,
      selects: [pathPairsSql(path, shape.dialect)],
    })),
    { name: 'relation', title, selects: inGroups(pairsOfTablesSql(paths), ranges) },
  ];
}
