import { timeRoles } from '../../../protocol/fields/element.ts';
import { findDataObject } from '../catalog/catalog.ts';
import { type GraphCatalog, catalogOf } from '../catalog/graph-catalog.ts';
import {
  type Correlation,
  type EntityElement,
  type EntityGraph,
  type MasterData,
  type Relationship,
  type RowCorrelation,
  correlationQualifier,
  elementEntityType,
  hasOwnEntity,
  masterDataName,
  relationshipName,
} from '../model/entity-graph.ts';
import type { Problem } from '../model/problem.ts';
import { endNamed } from '../model/relationship-ends.ts';
import { timeExpression } from '../model/time-expression.ts';
import { buildElementQuery, buildMasterDataQuery, buildRelationshipQuery } from '../query/build-query.ts';
import { sourcesAlong } from '../query/relationship-sources.ts';
import { withoutCorrelations } from '../query/row-correlations.ts';
import type { CompiledQuery, ElementQuery, MasterDataQuery, RelationshipQuery } from '../query/compiled-query.ts';
import { dialectNamed } from '../dialects/index.ts';
import { type PathPlan, planPaths } from './plan-paths.ts';

/** What an import pulls, and how to build the graph. Pure data, derived from model and catalog. */
export interface ImportPlan {
  readonly elements: readonly ElementPlan[];
  readonly entities: readonly MasterDataPlan[];
  readonly relationships: readonly RelationshipPlan[];
  /** Composed relationships, each after its steps. */
  readonly paths: readonly PathPlan[];
}

export interface ElementPlan {
  /** 1-based number in the file: the `n` of `properties_<n>`. */
  readonly number: number;
  /** Where its query runs. */
  readonly dataSource: string;
  readonly element: EntityElement;
  readonly activityName: string;
  readonly entityType: string;
  /** Whether its rows make entities. If not, its events have no entity of their own. */
  readonly ownEntity: boolean;
  readonly correlatesWith: readonly RowCorrelationPlan[];
  readonly query: ElementQuery;
  /** Its staging table. */
  readonly table: string;
  /**
   * The primary key of the data object, if custom joins could multiply its rows. `query` counts the distinct keys at
   * the source; absent when the element's query contains the key columns.
   */
  readonly identity?: { readonly columns: readonly string[]; readonly query?: CompiledQuery } | undefined;
}

/** Entities that the rows of an element name. */
export interface RowCorrelationPlan {
  readonly correlation: RowCorrelation;
  readonly entityType: string;
  readonly qualifier: string;
  /** How to split one value into several keys. */
  readonly list?: { readonly kind: 'each' } | { readonly kind: 'separator'; readonly separator: string } | undefined;
}

/** An entry of `entities`. */
export interface MasterDataPlan {
  /** 1-based place in the list: the `n` of `entity_properties_<n>`. */
  readonly number: number;
  /** Where its query runs. */
  readonly dataSource: string;
  readonly entry: MasterData;
  readonly name: string;
  readonly entityType: string;
  readonly query: MasterDataQuery;
  /** Where its rows are staged. */
  readonly table: string;
}

export interface RelationshipPlan {
  readonly name: string;
  readonly relationship: Relationship;
  /** Where its query runs; undefined for the embedded engine, which joins the ends of several data sources. */
  readonly dataSource: string | undefined;
  readonly query: RelationshipQuery;
  readonly table: string;
  readonly sourceType: string;
  readonly targetType: string;
  readonly correlate: Correlation;
}

/** Compiles a graph, or returns all problems that prevent an import. */
export function planImport(graph: EntityGraph, catalog: GraphCatalog): Planned {
  const planned = planRows(graph, catalog);
  if (graph.elements.length > 0) return planned;
  return { problems: [...('problems' in planned ? planned.problems : []), emptyGraph(graph)] };
}

type Planned = { readonly plan: ImportPlan } | { readonly problems: readonly Problem[] };

function planRows(graph: EntityGraph, catalog: GraphCatalog): Planned {
  const problems: Problem[] = [];
  const elements = graph.elements.flatMap((element) => {
    const built = buildElementQuery(graph, element, catalog);
    if ('query' in built) return planElement(graph, element, built.query, catalog);
    problems.push(...built.problems);
    return [];
  });
  const entities = graph.entities.flatMap((entry) => {
    const built = buildMasterDataQuery(entry, catalog);
    if ('query' in built) return planMasterData(entry, built.query, catalogOf(catalog, entry)?.dataSource ?? '');
    problems.push(...built.problems);
    return [];
  });
  const { paths, problems: ofPaths } = planPaths(graph);
  problems.push(...ofPaths);
  const relationships = graph.relationships.flatMap((relationship) => {
    if (relationship.path) return [];
    const built = buildRelationshipQuery(graph, relationship, catalog);
    if ('query' in built) return planRelationship(graph, relationship, built.query, catalog);
    problems.push(...built.problems);
    return [];
  });
  return problems.length > 0 ? { problems } : { plan: { elements, entities, relationships, paths } };
}

/** A query whose rows an import stages. */
export interface PlannedPull {
  /** Description of the query for users. */
  readonly name: string;
  readonly dataSource: string;
  readonly query: CompiledQuery;
  readonly table: string;
}

/** All queries that an import stages, in order. */
export function plannedPulls({ elements, entities, relationships }: ImportPlan): readonly PlannedPull[] {
  return [
    ...elements.map(({ activityName, dataSource, query, table }) => ({ name: activityName, dataSource, query, table })),
    ...entities.map(({ name, dataSource, query, table }) => ({ name, dataSource, query, table })),
    ...relationships.flatMap(pullsOf),
  ];
}

/** The queries that a relationship stages: its pairs, or the rows of its ends in several data sources. */
function pullsOf({ name, dataSource, query, table }: RelationshipPlan): readonly PlannedPull[] {
  if (dataSource !== undefined) return [{ name, dataSource, query, table }];
  return (query.ends ?? []).map((end) => ({ name, dataSource: end.dataSource, query: end.query, table: end.table }));
}

/** Whether a plan may give events of the lifecycle `end`. */
export function hasEnds({ elements }: Pick<ImportPlan, 'elements'>): boolean {
  return elements.some(({ query }) => (query.roles.endTimestamp ?? query.roles.lifecycle) !== undefined);
}

/** Whether some events of a plan have no entity of their own. */
export function mayLackEntity({ elements }: Pick<ImportPlan, 'elements'>): boolean {
  return elements.some(({ ownEntity }) => !ownEntity);
}

function planElement(
  graph: EntityGraph,
  element: EntityElement,
  query: ElementQuery,
  catalog: GraphCatalog,
): ElementPlan {
  const number = element.index + 1;
  const identity = element.joins && identityOf(graph, element, query, catalog);
  return {
    number,
    dataSource: catalogOf(catalog, element)?.dataSource ?? '',
    element,
    activityName: element.activityName?.value ?? '',
    entityType: elementEntityType(element) ?? '',
    ownEntity: hasOwnEntity(element),
    correlatesWith: (element.correlatesWith ?? []).map(planRowCorrelation),
    query,
    table: `element_${number}`,
    identity,
  };
}

function planRowCorrelation(correlation: RowCorrelation): RowCorrelationPlan {
  const { entityType, each, separator } = correlation;
  return {
    correlation,
    entityType: entityType?.value ?? '',
    qualifier: correlationQualifier(correlation) ?? '',
    list: each ? { kind: 'each' } : separator && { kind: 'separator', separator: separator.value },
  };
}

function planMasterData(entry: MasterData, query: MasterDataQuery, dataSource: string): MasterDataPlan {
  const number = entry.index + 1;
  return {
    number,
    dataSource,
    entry,
    name: masterDataName(entry) ?? '',
    entityType: elementEntityType(entry) ?? '',
    query,
    table: `entities_${number}`,
  };
}

function identityOf(
  graph: EntityGraph,
  element: EntityElement,
  query: ElementQuery,
  catalog: GraphCatalog,
): ElementPlan['identity'] {
  const { dataObject } = element;
  const own = catalogOf(catalog, element);
  const columns = (dataObject && own && findDataObject(own, dataObject.value)?.primaryKey) ?? [];
  if (!dataObject || !own || columns.length === 0) return undefined;
  // A property or a computed time may have the name of a key column.
  const others = new Set([
    ...(element.properties.kind === 'list' ? element.properties.columns.flatMap(({ name }) => name?.value ?? []) : []),
    ...timeRoles.filter((role) => timeExpression(element, role)),
  ]);
  if (columns.every((name) => query.columns.includes(name) && !others.has(name))) return { columns };
  const key = columns.map((value) => ({ value, range: dataObject.range }));
  // Rows without a key are not events, either.
  const rows = withoutCorrelations({
    ...element,
    key: [...key, ...(element.key ?? [])],
    properties: { kind: 'list', columns: [] },
  });
  const built = buildElementQuery(graph, rows, catalog);
  if (!('query' in built)) return undefined;
  const { quote } = dialectNamed(own.dialect).identifiers;
  const { key: parts, startTimestamp } = built.query.roles;
  const names = parts.slice(0, columns.length).map(quote).join(', ');
  // Rows without a start are not events, whatever joins do.
  const needed = [startTimestamp, ...new Set(parts.slice(columns.length))].map((name) => `${quote(name)} IS NOT NULL`);
  const sql = `SELECT count(*) AS ${quote('rows')} FROM (SELECT DISTINCT ${names} FROM (\n${built.query.sql}\n) AS q WHERE ${needed.join(' AND ')}) AS d`;
  return { columns, query: { ...built.query, sql, columns: ['rows'], fragments: [], references: [] } };
}

function planRelationship(
  graph: EntityGraph,
  relationship: Relationship,
  query: RelationshipQuery,
  catalog: GraphCatalog,
): RelationshipPlan {
  const typeOf = (activity: string | undefined): string => {
    const end = activity === undefined ? undefined : endNamed(graph, activity);
    return (end && elementEntityType(end)) ?? '';
  };
  return {
    name: relationshipName(relationship),
    relationship,
    dataSource: query.ends ? undefined : ([...sourcesAlong(graph, relationship)][0] ?? catalog.dataSource),
    query,
    table: `relationship_${relationship.index + 1}`,
    sourceType: typeOf(relationship.source?.value),
    targetType: typeOf(relationship.target?.value),
    correlate: relationship.correlate,
  };
}

function emptyGraph(graph: EntityGraph): Problem {
  return {
    code: 'no-elements',
    severity: 'error',
    message: 'The entity graph has no elements, so there is nothing to import. Add one under elements.',
    range: graph.name?.range ?? { start: 0, end: 0 },
  };
}
