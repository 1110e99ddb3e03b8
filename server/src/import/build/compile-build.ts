import type { GraphTableName } from '../../graph-schema/graph-schema.ts';
import { propertiesTable } from '../../graph-schema/table-names.ts';
import type { BuildDialect } from './build-dialect.ts';
import {
  type CorrelatingRelationship,
  type StagedRelationship,
  correlatingRelationships,
  createCorrelationsSql,
  createDirectlyFollowsSql,
  createRelationsSql,
} from './correlations.ts';
import { createEntitiesSql } from './entities.ts';
import { createEventsSql, createRankedSql, createTiesSql, mayHaveTies, tiesTable } from './events.ts';
import { createOrderedFollowsSql, createOrderedSql, createPlacesSql, createProcessMapSql } from './process-map.ts';
import type { PathPlan } from '../plan-paths.ts';
import { createPathsSql, createRelationsOfPathsSql } from './paths.ts';
import { createPropertiesSql } from './properties.ts';
import { type GraphShape, createRowsSql, graphShape, rowsTable } from './rows.ts';
import type { StagedElement } from './staged-element.ts';
import { createViewsSql } from './views.ts';

/** One statement of an import, with a name that people recognise in a report. */
export interface BuildStep {
  /** Unique in its plan, such as `event` or `rows_1`. */
  readonly name: string;
  /** What it does, for progress and reports. */
  readonly title: string;
  readonly sql: string;
  /** The table that it creates, as SQL; absent for views. */
  readonly table?: string;
}

export interface BuildInput {
  readonly elements: readonly StagedElement[];
  readonly relationships: readonly StagedRelationship[];
  /** Relationships that are made of others, each behind those that it is made of. */
  readonly paths: readonly PathPlan[];
  readonly dialect: BuildDialect;
  readonly timeZone: string;
  /** Rows have an order of their own (files). */
  readonly hasRowOrder: boolean;
  /** ISO 8601, UTC: only events from then on. */
  readonly since?: string;
}

/** The statements that make a graph of staged rows, in order. Pure: equal input gives equal text. */
export function compileBuild(input: BuildInput): readonly BuildStep[] {
  const { elements } = input;
  const correlating = correlatingRelationships(input.relationships, input.paths);
  const build = { ...input, correlating, shape: graphShape(elements, input) };
  return [
    ...elements.map((element) =>
      stagingStep(
        `Keys and times of ${element.plan.activityName}`,
        rowsTable(element),
        createRowsSql(element, build.shape),
        build.shape,
      ),
    ),
    ...Object.values(fills).flatMap((fill) => fill(build)),
    ...createViewsSql(input.dialect).map(({ name, sql }) => ({ name, title: `View ${name}`, sql })),
  ];
}

interface Build extends BuildInput {
  readonly shape: GraphShape;
  /** All relationships, paths among them. */
  readonly correlating: readonly CorrelatingRelationship[];
}

/** The steps that fill each table of the schema, in the order in which they run. The import records its `run` when all others are checked. */
const fills: { readonly [Table in Exclude<GraphTableName, 'run'>]: (build: Build) => readonly BuildStep[] } = {
  entity: ({ elements, shape }) => [graphStep('Entities', 'entity', createEntitiesSql(elements, shape), shape)],
  event: ({ elements, shape, since }) => [
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
    ...createRankedSql(elements, shape, since).map(({ name, sql }) => stagingStep('Order of events', name, sql, shape)),
    graphStep('Events', 'event', createEventsSql(elements, shape), shape),
  ],
  'properties_<n>': ({ elements, shape }) =>
    elements.map((element) =>
      graphStep(
        `Properties of ${element.plan.activityName}`,
        propertiesTable(element.plan.number),
        createPropertiesSql(element, shape),
        shape,
      ),
    ),
  relation({ relationships, paths, shape }) {
    const relations = (sql: string): BuildStep => graphStep('Relations', 'relation', sql, shape);
    if (paths.length === 0) return [relations(createRelationsSql(relationships, shape))];
    return [
      ...createPathsSql(relationships, paths, shape).map(({ name, title, sql }) =>
        stagingStep(title, name, sql, shape),
      ),
      relations(createRelationsOfPathsSql(paths, shape)),
    ];
  },
  event_entity: ({ correlating, shape }) => [
    graphStep('Correlations', 'event_entity', createCorrelationsSql(correlating, shape), shape),
  ],
  directly_follows(build) {
    const { elements, correlating, shape } = build;
    const follows = (sql: string): BuildStep => graphStep('Directly-follows', 'directly_follows', sql, shape);
    if (!shape.dialect.build.keepsRowOrder) return [follows(createDirectlyFollowsSql(correlating, shape))];
    return [
      ...[createPlacesSql(elements, shape), ...createOrderedSql(correlating, shape)].map(({ name, title, sql }) =>
        stagingStep(title, name, sql, shape),
      ),
      follows(createOrderedFollowsSql(shape)),
    ];
  },
  process_map(build) {
    if (!build.dialect.build.keepsRowOrder) return [];
    const entityTypes = build.elements.map(({ plan }) => plan.entityType);
    return [graphStep('Process map', 'process_map', createProcessMapSql(entityTypes, build.dialect), build.shape)];
  },
};

function graphStep(title: string, table: string, sql: string, { dialect }: GraphShape): BuildStep {
  return { name: table, title, sql, table: `${dialect.graph}.${table}` };
}

function stagingStep(title: string, table: string, sql: string, { dialect }: GraphShape): BuildStep {
  return { name: table, title, sql, table: dialect.identifiers.quote(table) };
}
