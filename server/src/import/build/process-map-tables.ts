import type { AbsentInSource } from '../../graph-schema/graph-schema.ts';
import { mapPartTables } from '../../graph-schema/storage-tables.ts';
import type { BuildDialect } from './build-dialect.ts';
import type { Build } from './build-source.ts';
import { mayCorrelateOthers, sharedEntityTypes } from './correlations.ts';
import type { BuildStep } from './fill-tables.ts';
import { type MapParts, keptParts, passingParts } from './map-parts.ts';
import { bitsFor, createProcessMapActivitySql } from './process-map-activities.ts';
import { createProcessMapPathSql, pathDurationsSql } from './process-map-paths.ts';
import { createProcessMapSql, orderedMiddleStep, pathClassesSql } from './process-map.ts';

interface ProcessMapTable {
  readonly title: string;
  /** The parts that it is read from, as queries of `places` and `ordered`, after `orderedMiddleStep`. */
  readonly partsOf: (entityTypes: readonly string[], dialect: BuildDialect, parts: MapParts) => readonly MapPart[];
  /** `build` is undefined for a graph that was not built here. */
  readonly createSql: (
    entityTypes: readonly string[],
    dialect: BuildDialect,
    parts: MapParts,
    build: Build | undefined,
  ) => string;
}

interface MapPart {
  readonly part: keyof typeof mapPartTables;
  readonly select: string;
}

/** The tables that follow from the others, in order: those that a graph inside its source lacks. */
export const processMapTables: { readonly [Table in AbsentInSource]: ProcessMapTable } = {
  process_map: {
    title: 'Process map',
    partsOf: (entityTypes, dialect, { areKept }) => [
      ...(areKept ? [{ part: 'places', select: 'SELECT place, activity, lifecycle FROM places' } as const] : []),
      { part: 'classes', select: pathClassesSql(entityTypes, dialect) },
    ],
    createSql: createProcessMapSql,
  },
  process_map_activity: {
    title: 'Activities of the process map',
    partsOf: () => [],
    createSql(entityTypes, dialect, _parts, build) {
      if (!build) return createProcessMapActivitySql(entityTypes, dialect);
      const shared = sharedEntityTypes(build.correlating, build.elements);
      return createProcessMapActivitySql(entityTypes, dialect, shared, bitsFor(build.elements, shared.size));
    },
  },
  process_map_path: {
    title: 'Paths of the process map',
    partsOf: (entityTypes, dialect, parts) => [
      { part: 'durations', select: pathDurationsSql(entityTypes, dialect, parts) },
    ],
    createSql: createProcessMapPathSql,
  },
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
  // Imports bring a map up to date only where events have no entity but their own.
  const isKept = build !== undefined && !mayCorrelateOthers(build.correlating, build.linked);
  const parts = isKept && dialect.storage ? keptParts(dialect.storage) : passingParts;
  const create = parts.areKept ? 'CREATE TABLE' : dialect.build.createStaging;
  const steps = Object.entries(processMapTables)
    .filter(([table]) => isBuilt(table as AbsentInSource))
    .flatMap(([table, { title, partsOf, createSql }]): readonly BuildStep[] => [
      ...partsOf(entityTypes, dialect, parts).map(({ part, select }) => ({
        name: mapPartTables[part],
        title,
        sql: `${create} ${parts[part]} AS ${select}`,
        table: parts[part],
      })),
      {
        name: table,
        title,
        sql: createSql(entityTypes, dialect, parts, build),
        table: `${dialect.graph}.${table}`,
      },
    ]);
  return steps.length === 0 ? [] : [orderedMiddleStep, ...steps];
}
