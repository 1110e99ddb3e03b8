import type { AbsentInSource } from '../../graph-schema/graph-schema.ts';
import type { BuildDialect } from './build-dialect.ts';
import type { Build } from './build-source.ts';
import { sharedEntityTypes } from './correlations.ts';
import type { BuildStep } from './fill-tables.ts';
import { bitsFor, createProcessMapActivitySql } from './process-map-activities.ts';
import { createProcessMapPathSql } from './process-map-paths.ts';
import { createProcessMapSql, orderedMiddleStep } from './process-map.ts';

interface ProcessMapTable {
  readonly title: string;
  /** From `places` and `ordered`, after `orderedMiddleStep`. `build` is undefined for a graph that was not built here. */
  readonly createSql: (entityTypes: readonly string[], dialect: BuildDialect, build: Build | undefined) => string;
}

/** The tables derived from others, in order. A graph inside its source lacks them. */
export const processMapTables: { readonly [Table in AbsentInSource]: ProcessMapTable } = {
  process_map: { title: 'Process map', createSql: createProcessMapSql },
  process_map_activity: {
    title: 'Activities of the process map',
    createSql(entityTypes, dialect, build) {
      if (!build) return createProcessMapActivitySql(entityTypes, dialect);
      const shared = sharedEntityTypes(build.correlating, build.elements);
      return createProcessMapActivitySql(
        entityTypes,
        dialect,
        shared,
        bitsFor(build.elements, shared.size),
        build.shape.hasEnds,
      );
    },
  },
  process_map_path: { title: 'Paths of the process map', createSql: createProcessMapPathSql },
};

/**
 * The steps that fill tables of the process map from `places` and `ordered`.
 * @param entityTypes at least one, in any order
 * @param build undefined for a graph that was not built here
 */
export function processMapSteps(
  entityTypes: readonly string[],
  dialect: BuildDialect,
  build: Build | undefined,
  isBuilt: (table: AbsentInSource) => boolean = () => true,
): readonly BuildStep[] {
  const steps = Object.entries(processMapTables)
    .filter(([table]) => isBuilt(table as AbsentInSource))
    .map(([table, { title, createSql }]) => ({
      name: table,
      title,
      sql: createSql(entityTypes, dialect, build),
      table: `${dialect.graph}.${table}`,
    }));
  return steps.length === 0 ? [] : [orderedMiddleStep, ...steps];
}
