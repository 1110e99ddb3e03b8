import type { PathPlan, PathStepPlan } from '../plan-paths.ts';
import type { BuildDialect } from './build-dialect.ts';
import { type StagedRelationship, pairsOfAllSql } from './correlations.ts';
import type { GraphShape } from './rows.ts';

/** A statement that stages pairs, under the name of its table. */
export interface PairsStep {
  readonly name: string;
  readonly title: string;
  readonly sql: string;
}

/** Where the pairs of relationships that are no paths are staged, when there are paths. */
const joinedPairs = 'joined_pairs';

/** The statements that stage the pairs of a graph with paths: those of all other relationships, then each path behind its steps. */
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
      sql: `${build.createStaging} ${path.table} AS ${pathSql(path, shape.dialect)}`,
    })),
  ];
}

/** Creates the table `relation` of what `createPathsSql` has staged. */
export function createRelationsOfPathsSql(paths: readonly PathPlan[], { dialect }: GraphShape): string {
  const tables = [joinedPairs, ...paths.map(({ table }) => table)];
  const pairs = tables.map((table) => `SELECT relationship, source_entity_id, target_entity_id FROM ${table}`);
  return `CREATE TABLE ${dialect.graph}.relation AS ${pairs.join('\nUNION ALL\n')}
    ORDER BY 1, 2, 3`;
}

/** Follows one step after the other; pairs that are there already are left out at each, so that they do not multiply. */
function pathSql({ name, steps }: PathPlan, dialect: BuildDialect): string {
  const [first, ...others] = steps.map((step) => stepSql(step, dialect));
  const pairs = others.reduce(
    (sofar, step) => `SELECT DISTINCT before.start_id, behind.end_id
    FROM (${sofar}) AS before JOIN (${step}) AS behind ON behind.start_id = before.end_id`,
    first ?? '',
  );
  return `SELECT ${dialect.literals.text(name)} AS relationship, start_id AS source_entity_id, end_id AS target_entity_id
    FROM (${pairs}) AS followed`;
}

/** The pairs of a step, in the direction in which it is followed. */
function stepSql({ name, table, isReversed }: PathStepPlan, { literals }: BuildDialect): string {
  const [start, end] = isReversed ? ['target', 'source'] : ['source', 'target'];
  const where = table === undefined ? ` WHERE relationship = ${literals.quote(name)}` : '';
  return `SELECT ${start}_entity_id AS start_id, ${end}_entity_id AS end_id FROM ${table ?? joinedPairs}${where}`;
}
