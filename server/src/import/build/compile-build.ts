import type { AbsentInSource, BuiltTableName } from '../../graph-schema/graph-schema.ts';
import { entityTypesInOrder } from '../../../../protocol/entity-type-colours.ts';
import type { StagedColumn } from '../../connectors/connector.ts';
import type { NamedViews } from '../../graph-schema/named-views.ts';
import {
  entityPropertiesTable,
  entityValuesTable,
  isGraphRelation,
  namedViews,
  propertiesColumns,
} from '../../graph-schema/table-names.ts';
import type { ElementPlan, MasterDataPlan } from '../plan-import.ts';
import {
  correlatingRelationships,
  mayCorrelateOthers,
  mayCorrelateTwice,
  createCorrelatedSql,
  createCorrelationsSql,
  createRelationsSql,
} from './correlations.ts';
import { createDirectlyFollowsSql, createOrderedFollowsSql } from './directly-follows.ts';
import type { GraphStatement } from './plan-statement.ts';
import { createCodeTypesSql } from './code-types.ts';
import { createEntitiesSql, entityTypesOf, makersOfEntities } from './entities.ts';
import { createEventsSql, createRankedSql, createTiesSql, mayHaveTies, tiesTable } from './events.ts';
import type { Build, BuildSource } from './build-source.ts';
import { type BuildStep, fillingSteps, graphStep, stagingStep } from './fill-tables.ts';
import {
  createEntityPropertiesSql,
  createEntityRowsSql,
  createEntityValuesSql,
  entityPropertyNames,
  entityRowsTable,
} from './master-data.ts';
import { type MapStep, createPlacesSql } from './places.ts';
import { createOrderedSql } from './process-map.ts';
import { correlationsInGroups } from './ranged/correlations.ts';
import { entitiesByRanges } from './ranged/entities.ts';
import { eventsByRanges } from './ranged/events.ts';
import { relationsInGroups } from './ranged/relations.ts';
import { createPathsSql, createRelationsOfPathsSql } from './paths.ts';
import { processMapSteps } from './process-map-tables.ts';
import { type PropertyColumns, type ViewedGraph, createNamedViewsSql } from './named-views.ts';
import { createPropertiesSql, propertyNames } from './properties.ts';
import { serviceTimeSteps } from './service-times.ts';
import { createLinkedSql, linkedKeys, linkedTable } from './row-correlations.ts';
import { type GraphShape, createRowsSql, graphShape, rowsTable } from './rows.ts';
import { pairedTables } from './pairs.ts';
import { createViewsSql } from './views.ts';

export type { BuildStep } from './fill-tables.ts';

interface BuildInput extends BuildSource {
  /** Builds only these tables and the tables that they are built from, without views; default: everything. */
  readonly tables?: ReadonlySet<BuiltTable> | undefined;
  /** Leaves out the tables of the process map. */
  readonly withoutMap?: boolean | undefined;
}

/** A table, or a group of tables, that a build fills. */
export type BuiltTable = BuiltTableName;

function withNeeded(tables: ReadonlySet<BuiltTable>): ReadonlySet<BuiltTable> {
  const needed = new Set(tables);
  for (const table of needed) for (const other of fillOf(table)?.from ?? ['directly_follows']) needed.add(other);
  return needed;
}

/** Undefined for tables of the process map. */
function fillOf(table: BuiltTable): TableFill | undefined {
  return Object.hasOwn(fills, table) ? fills[table as keyof typeof fills] : undefined;
}

/** The statements that build a graph from staged rows, in order. Pure and deterministic. */
export function compileBuild(input: BuildInput): readonly BuildStep[] {
  const { elements } = input;
  const build = withShape(input);
  const { shape } = build;
  const views = [...createViewsSql(input.dialect), ...createNamedViewsSql(viewedGraph(input))].map(({ name, sql }) => ({
    name,
    title: `View ${name}`,
    sql,
  }));
  const built = input.tables && withNeeded(input.tables);
  return [
    ...elements.map((element) =>
      stagingStep(
        `Keys and times of ${element.plan.activityName}`,
        rowsTable(element),
        createRowsSql(element, build.shape),
        build.shape,
      ),
    ),
    ...build.linked.flatMap(({ element, correlation }) => {
      const sql = createLinkedSql(element, correlation, build.shape);
      const title = `Keys of ${correlation.plan.entityType} that ${element.plan.activityName} lists`;
      return sql === undefined ? [] : [stagingStep(title, linkedTable(element, correlation), sql, build.shape)];
    }),
    ...input.entities.map((entry) =>
      stagingStep(`Keys of ${entry.plan.name}`, entityRowsTable(entry), createEntityRowsSql(entry, shape), shape),
    ),
    ...codeTypes(build),
    ...filledTables(build, built, input.withoutMap),
    ...(input.tables ? [] : views),
  ];
}

/** What the views of a build are named after. */
export function viewsNamed({ elements, entities }: NamingPlan): NamedViews {
  const entityTypes = entityTypesInOrder(elements, entities);
  return namedViews({ entityTypes, elements: elements.map(({ activityName }) => activityName) });
}

interface NamingPlan {
  readonly elements: readonly Pick<ElementPlan, 'activityName' | 'entityType' | 'ownEntity' | 'correlatesWith'>[];
  readonly entities: readonly Pick<MasterDataPlan, 'entityType'>[];
}

function viewedGraph({ elements, entities, dialect }: BuildSource): ViewedGraph {
  const columns = (properties: readonly StagedColumn[], names: readonly string[]): PropertyColumns =>
    properties.map(({ stagedType }, index) => ({ name: names[index] ?? '', type: stagedType }));
  return {
    dialect,
    names: viewsNamed({ elements: elements.map(({ plan }) => plan), entities: entities.map(({ plan }) => plan) }),
    elements: elements.map(({ plan: { number, ownEntity, entityType }, properties }) => ({
      number,
      entityType: ownEntity ? entityType : undefined,
      properties: columns(properties, propertyNames(properties, propertiesColumns)),
    })),
    entities: entities.map((entry) => ({
      number: entry.plan.number,
      entityType: entry.plan.entityType,
      properties: columns(entry.properties, entityPropertyNames(entry)),
    })),
  };
}

function withShape<Source extends BuildSource>(source: Source): Source & Build {
  const { elements, relationships, paths } = source;
  const shape = graphShape(elements, source);
  const correlating = correlatingRelationships(relationships, paths);
  return { ...source, correlating, shape, linked: linkedKeys(elements, shape) };
}

function filledTables(
  build: Build,
  tables: ReadonlySet<BuiltTable> | undefined,
  withoutMap = false,
): readonly BuildStep[] {
  const isBuilt = (table: BuiltTable): boolean => tables?.has(table) ?? true;
  return [
    ...Object.entries(fills).flatMap(([table, { steps }]) => (isBuilt(table as BuiltTable) ? steps(build) : [])),
    ...(withoutMap ? [] : mapSteps(build, isBuilt)),
  ].map((step) => withCount(step, build.shape));
}

function withCount(step: BuildStep, { dialect: { graph, storage } }: GraphShape): BuildStep {
  const isView = storage !== undefined && step.table === undefined && isGraphRelation(step.name);
  return isView ? { ...step, count: `SELECT count(*) AS rows FROM ${graph}.${step.name}` } : step;
}

/** The types of the columns of tables behind views. */
function codeTypes(build: Build): readonly BuildStep[] {
  const { storage } = build.shape.dialect;
  if (!storage) return [];
  const qualifiers = [
    ...build.correlating.map(({ plan }) => plan.name),
    ...build.linked.map(({ correlation }) => correlation.plan.qualifier),
  ];
  return createCodeTypesSql({ ...build, qualifiers }, build.shape, storage).map((step) => ({
    ...step,
    title: 'Codes of names',
  }));
}

interface TableFill {
  /** The tables that it is built from. */
  readonly from: readonly BuiltTable[];
  steps(build: Build): readonly BuildStep[];
}

/**
 * How each table is built, in order; the process map follows (`process-map-tables.ts`). The import writes `run` after all
 * checks, and then judges the rules.
 */
const fills: { readonly [Table in Exclude<BuiltTable, AbsentInSource>]: TableFill } = {
  entity: {
    from: [],
    steps(build) {
      const { shape } = build;
      const { ranges } = shape.dialect.build;
      if (ranges) {
        return entitiesByRanges(makersOfEntities(build), shape, ranges).flatMap((table) =>
          fillingSteps(table, shape.dialect),
        );
      }
      return [graphStep('Entities', 'entity', createEntitiesSql(build, shape), shape)];
    },
  },
  event: {
    from: ['entity'],
    steps({ elements, shape, since }) {
      const { ranges } = shape.dialect.build;
      const first = since === undefined ? undefined : shape.dialect.times.utcLiteral(since);
      return [
        ...elements
          .filter((element) => mayHaveTies(element, shape))
          .map((element) =>
            stagingStep(
              `Order of equal events of ${element.plan.activityName}`,
              tiesTable(element),
              createTiesSql(element, shape),
              shape,
            ),
          ),
        ...(ranges
          ? eventsByRanges(elements, shape, first, ranges).flatMap((table) => fillingSteps(table, shape.dialect))
          : createRankedSql(elements, shape, first).map(({ name, sql }) =>
              stagingStep('Order of events', name, sql, shape),
            )),
        ...pairedTables(elements, shape).flatMap((table) => fillingSteps(table, shape.dialect)),
        ...createEventsSql(elements, shape).map((step) => ({ ...step, title: 'Events' })),
      ];
    },
  },
  service_time: {
    from: ['event'],
    steps: ({ elements, shape }) => serviceTimeSteps(elements, shape),
  },
  'properties_<n>': {
    from: ['event'],
    steps: ({ elements, shape }) =>
      elements.flatMap((element) => {
        const title = `Properties of ${element.plan.activityName}`;
        return createPropertiesSql(element, shape).map((step) => ({ ...step, title }));
      }),
  },
  'entity_values_<n>': {
    from: ['entity'],
    steps: ({ entities, shape }) =>
      entities
        .filter(({ validFrom }) => validFrom)
        .map((entry) =>
          graphStep(
            `Values over time of ${entry.plan.name}`,
            entityValuesTable(entry.plan.number),
            createEntityValuesSql(entry, shape),
            shape,
          ),
        ),
  },
  'entity_properties_<n>': {
    // Properties of entities with versions are those of their values over time.
    from: ['entity_values_<n>'],
    steps: ({ entities, shape }) =>
      entities.map((entry) =>
        graphStep(
          `Properties of ${entry.plan.name}`,
          entityPropertiesTable(entry.plan.number),
          createEntityPropertiesSql(entry, shape),
          shape,
        ),
      ),
  },
  relation: {
    from: ['entity'],
    steps({ relationships, paths, shape }) {
      const relations = (step: GraphStatement): BuildStep => ({ ...step, title: 'Relations' });
      const { ranges } = shape.dialect.build;
      if (ranges && relationships.length > 0) {
        const tables = relationsInGroups(relationships, paths, shape, ranges);
        return tables.flatMap((table) => fillingSteps(table, shape.dialect));
      }
      if (paths.length === 0) return createRelationsSql(relationships, shape).map(relations);
      return [
        ...createPathsSql(relationships, paths, shape).map(({ name, title, sql }) =>
          stagingStep(title, name, sql, shape),
        ),
        ...createRelationsOfPathsSql(paths, shape).map(relations),
      ];
    },
  },
  event_entity: {
    // A relationship may correlate events with entities.
    from: ['event', 'relation'],
    steps({ elements, correlating, linked, shape }) {
      const { ranges } = shape.dialect.build;
      if (ranges) {
        const tables = correlationsInGroups(correlating, linked, shape, ranges);
        return tables.flatMap((table) => fillingSteps(table, shape.dialect));
      }
      const correlated = shape.dialect.storage ? createCorrelatedSql(correlating, linked, elements, shape) : [];
      return [
        ...(correlated.length === 0 ? [] : [mapStagingStep(createPlacesSql(elements, shape), shape)]),
        ...correlated.map((step) => ({ ...step, title: 'Events of other entities' })),
        ...createCorrelationsSql(correlating, linked, shape).map((step) => ({ ...step, title: 'Correlations' })),
      ];
    },
  },
  directly_follows: {
    from: ['event_entity'],
    steps(build) {
      const { elements, correlating, linked, shape } = build;
      const follows = (sql: string): BuildStep => graphStep('Directly-follows', 'directly_follows', sql, shape);
      if (!shape.dialect.build.keepsRowOrder) {
        return [follows(createDirectlyFollowsSql(mayCorrelateTwice(correlating, elements), shape))];
      }
      const hasOthers = mayCorrelateOthers(correlating, linked);
      return [
        ...[
          // With events of other entities, `places` exists: `event_entity` has created it.
          ...(hasOthers ? [] : [createPlacesSql(elements, shape)]),
          createOrderedSql(elements, hasOthers, shape),
        ].map((step) => mapStagingStep(step, shape)),
        follows(createOrderedFollowsSql(shape)),
      ];
    },
  },
};

/** The steps that fill the process map, if the engine supports it. */
function mapSteps(build: Build, isBuilt: (table: BuiltTable) => boolean): readonly BuildStep[] {
  const { dialect } = build;
  if (!dialect.build.keepsRowOrder) return [];
  return processMapSteps(entityTypesOf(build), dialect, build, isBuilt);
}

function mapStagingStep({ name, title, sql }: MapStep, shape: GraphShape): BuildStep {
  return stagingStep(title, name, sql, shape);
}
