import type { PathPlan, PathStepPlan } from '../plan-paths.ts';
import type { BuildDialect } from './build-dialect.ts';
import { isNameSql, nameSql } from './code-types.ts';
import { type StagedRelationship, pairsOfAllSql, relationsOfSql } from './correlations.ts';
import type { GraphStatement } from './plan-statement.ts';
import type { GraphShape } from './rows.ts';

/** A statement that stages pairs, with its table name. */
interface PairsStep {
  readonly name: string;
  readonly title: string;
  readonly sql: string;
}

/** Where the pairs of ordinary relationships are staged, if there are paths. */
export const joinedPairs = 'joined_pairs';

/**
 * The statements that stage the pairs of a graph with paths: ordinary relationships, then each path after its steps.
 */
export function createPathsSql(
  relationships: readonly StagedRelationship[],
  paths: readonly PathPlan[],
  shape: GraphShape,
): readonly PairsStep[] {
  const { build } = shape.dialect;
  const joined = pairsOfAllSql(relationships, shape);
  return [
    {
      name: joinedPairs,
      title: 'Pairs of entities',
      sql: `${build.createStaging} ${joinedPairs} AS ${joined ?? ''}`,
    },
    ...paths.map((path) => ({
      name: path.table,
      title: `Path of ${path.name}`,
      sql: `${build.createStaging} ${path.table} AS ${pathPairsSql(path, shape.dialect)}`,
    })),
  ];
}

/** Creates `relation` from the tables that `createPathsSql` creates. */
export function createRelationsOfPathsSql(
  paths: readonly PathPlan[],
  { dialect }: GraphShape,
): readonly GraphStatement[] {
  return relationsOfSql(pairsOfTablesSql(paths).join('\nUNION ALL\n'), dialect);
}

/** The staged pairs as rows of `relation`, a query for each table. */
export function pairsOfTablesSql(paths: readonly PathPlan[]): readonly string[] {
  const tables = [joinedPairs, ...paths.map(({ table }) => table)];
  return tables.map((table) => `SELECT relationship, source_entity_id, target_entity_id FROM ${table}`);
}

/** The pairs of a path. Follows one step after another, deduplicating each time to limit growth. */
export function pathPairsSql({ name, steps }: PathPlan, dialect: BuildDialect): string {
  const [first, ...others] = steps.map((step) => stepSql(step, dialect));
  const pairs = others.reduce(
    (sofar, step) => `SELECT DISTINCT before.start_id, behind.end_id
    FROM (${sofar}) AS before JOIN (${step}) AS behind ON behind.start_id = before.end_id`,
    first ?? '',
  );
  return `SELECT ${nameSql('qualifier', name, dialect)} AS relationship, start_id AS source_entity_id, end_id AS target_entity_id
    FROM (${pairs}) AS followed`;
}

/** The pairs of a step in its direction. */
function stepSql({ name, table, isReversed }: PathStepPlan, dialect: BuildDialect): string {
  const [start, end] = isReversed ? ['target', 'source'] : ['source', 'target'];
  const where = table === undefined ? ` WHERE ${isNameSql('relationship', 'qualifier', name, dialect)}` : '';
  return `SELECT ${start}_entity_id AS start_id, ${end}_entity_id AS end_id FROM ${table ?? joinedPairs}${where}`;
}
