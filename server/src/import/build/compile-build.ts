import type { BuildDialect } from './build-dialect.ts';
import {
  type StagedRelationship,
  createCorrelationsSql,
  createDirectlyFollowsSql,
  createRelationsSql,
} from './correlations.ts';
import { createEntitiesSql } from './entities.ts';
import { createEventsSql, createRankedSql, createTiesSql, mayHaveTies, tiesTable } from './events.ts';
import { createOrderedFollowsSql, createOrderedSql, createPlacesSql, createProcessMapSql } from './process-map.ts';
import { createPropertiesSql } from './properties.ts';
import { createRowsSql, graphShape, rowsTable } from './rows.ts';
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
  readonly dialect: BuildDialect;
  readonly timeZone: string;
  /** Rows have an order of their own (files). */
  readonly hasRowOrder: boolean;
  /** ISO 8601, UTC: only events from then on. */
  readonly since?: string;
}

/** The statements that make a graph of staged rows, in order. Pure: equal input gives equal text. */
export function compileBuild(input: BuildInput): readonly BuildStep[] {
  const { elements, relationships, since } = input;
  const shape = graphShape(elements, input);
  const { graph } = input.dialect;
  const graphStep = (title: string, table: string, sql: string): BuildStep => ({
    name: table,
    title,
    sql,
    table: `${graph}.${table}`,
  });
  const stagingStep = (title: string, table: string, sql: string): BuildStep => ({
    name: table,
    title,
    sql,
    table: input.dialect.identifiers.quote(table),
  });
  const follows = (sql: string): BuildStep => graphStep('Directly-follows', 'directly_follows', sql);
  const mapSteps = (): readonly BuildStep[] => {
    const places = createPlacesSql(elements, shape);
    const ordered = createOrderedSql(relationships, shape);
    return [
      stagingStep('Activities', places.name, places.sql),
      ...ordered.map(({ name, sql }) => stagingStep('Events by entity', name, sql)),
      follows(createOrderedFollowsSql(shape)),
      graphStep('Process map', 'process_map', createProcessMapSql(elements, shape)),
    ];
  };
  return [
    ...elements.map((element) =>
      stagingStep(`Keys and times of ${element.plan.activityName}`, rowsTable(element), createRowsSql(element, shape)),
    ),
    graphStep('Entities', 'entity', createEntitiesSql(elements, shape)),
    ...elements
      .filter((element) => mayHaveTies(element, shape))
      .map((element) =>
        stagingStep(
          `Order of equal events of ${element.plan.activityName}`,
          tiesTable(element),
          createTiesSql(element, shape),
        ),
      ),
    ...createRankedSql(elements, shape, since).map(({ name, sql }) => stagingStep('Order of events', name, sql)),
    graphStep('Events', 'event', createEventsSql(elements, shape)),
    ...elements.map((element) =>
      graphStep(
        `Properties of ${element.plan.activityName}`,
        `properties_${element.plan.number}`,
        createPropertiesSql(element, shape),
      ),
    ),
    graphStep('Relations', 'relation', createRelationsSql(relationships, shape)),
    graphStep('Correlations', 'event_entity', createCorrelationsSql(relationships, shape)),
    ...(input.dialect.build.hasProcessMap ? mapSteps() : [follows(createDirectlyFollowsSql(relationships, shape))]),
    ...createViewsSql(graph).map(({ name, sql }) => ({ name, title: `View ${name}`, sql })),
  ];
}
