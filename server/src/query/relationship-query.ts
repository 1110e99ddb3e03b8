import { findColumn, findDataObject, type Catalog, type DataObject } from '../catalog/catalog.ts';
import type { GraphCatalog } from '../catalog/graph-catalog.ts';
import type { CrossTable, EntityGraph, MappingOperator, Relationship } from '../model/entity-graph.ts';
import type { Problem } from '../model/problem.ts';
import type { Located, LocatedSql, SourceRange } from '../model/source-range.ts';
import { dialectNamed } from '../dialects/index.ts';
import { buildAcrossSources } from './across-sources.ts';
import { containmentProblems, usableSql } from './check-sql.ts';
import { comparedColumns } from './compared-columns.ts';
import { comparisonProblem } from './compare-types.ts';
import type { QueryResult, RelationshipQuery, ValueMatch } from './compiled-query.ts';
import { columnsAreKnown, objectInQuery, rowSource, textsOf, userSql } from './element-scope.ts';
import { neededObjects } from './needed-objects.ts';
import { objectReads } from './object-reads.ts';
import { buildPathQuery } from './path-query.ts';
import { printPairSelect } from './print-query.ts';
import { incompleteCrossTable, unknownColumn, unknownDataObject } from './query-problems.ts';
import type { Comparison, Condition, ObjectInQuery, PairSelect, Relation } from './query-tree.ts';
import { isQuotable } from './quote.ts';
import { distinctProblems, draftProblems, expressionsOf } from './relationship-expressions.ts';
import { relationshipLinks } from './relationship-links.ts';
import { catalogsAlong } from './relationship-sources.ts';
import { relationshipSide, type RelationshipSide, type SideColumn, type SideUses } from './relationship-side.ts';
import {
  canonicalBetween,
  comparedTexts,
  isEquality,
  numbersBetween,
  textsBetween,
  timesBetween,
} from './compare-texts.ts';
import { comparedSide, valueMatch } from './value-matches.ts';
import { type TextColumn, distinctTexts, textColumnOf } from './text-columns.ts';

/** The core SELECT of a relationship: the distinct pairs of keys that its mappings, expressions and cross table join, or its path leads to. */
export function buildRelationshipQuery(
  graph: EntityGraph,
  relationship: Relationship,
  catalog: GraphCatalog,
): QueryResult<RelationshipQuery> {
  const build = (step: Relationship): QueryResult<RelationshipQuery> => {
    const catalogs = catalogsAlong(graph, step, catalog);
    // An unconfigured data source is reported by another rule.
    if (catalogs.has(undefined)) return { problems: [] };
    const [own, ...others] = catalogs;
    if (others.length > 0) return buildAcrossSources(graph, step, catalog);
    return buildJoinQuery(graph, step, own ?? catalog);
  };
  if (!relationship.path) return build(relationship);
  const [own, ...others] = catalogsAlong(graph, relationship, catalog);
  // No single query follows a path over several data sources: an import follows the pairs that it has staged.
  return others.length > 0 ? { problems: [] } : buildPathQuery(graph, relationship, own ?? catalog, build);
}

function buildJoinQuery(
  graph: EntityGraph,
  relationship: Relationship,
  catalog: Catalog,
): QueryResult<RelationshipQuery> {
  const joined = buildJoin(graph, relationship, catalog);
  return 'problems' in joined ? joined : { query: joined.join.query };
}

/** The query of a relationship that is not a path, with its parts. */
export interface Join {
  readonly query: RelationshipQuery;
  readonly select: PairSelect;
  readonly source: RelationshipSide;
  readonly target: RelationshipSide;
}

export function buildJoin(
  graph: EntityGraph,
  relationship: Relationship,
  catalog: Catalog,
): { readonly join: Join } | { readonly problems: readonly Problem[] } {
  const expressions = expressionsOf(relationship);
  const uses = usedColumns(relationship);
  const sideUses = (end: 'source' | 'target'): SideUses => ({
    end,
    expressions,
    columns: uses[end],
    equal: uses.equal[end],
  });
  const source = relationshipSide(graph, relationship, sideUses('source'), catalog);
  const target = relationshipSide(graph, relationship, sideUses('target'), catalog);
  const cross = relationship.crossTable && resolveCross(relationship.crossTable, catalog);
  const problems = [
    ...draftProblems(relationship, expressions),
    ...expressions.flatMap((each) => containmentProblems(each, catalog.dialect)),
    ...source.problems,
    ...target.problems,
    ...(cross?.problems ?? []),
  ];
  if (!source.side || !target.side) return { problems: distinctProblems(problems) };
  const compiled = compile(
    { relationship, expressions, source: source.side, target: target.side, cross: cross?.object, problems },
    catalog,
  );
  return 'problems' in compiled ? { problems: distinctProblems(compiled.problems) } : compiled;
}

interface Parts {
  readonly relationship: Relationship;
  readonly expressions: readonly LocatedSql[];
  readonly source: RelationshipSide;
  readonly target: RelationshipSide;
  readonly cross: ResolvedCross | undefined;
  /** Problems so far. Known columns are still compared. */
  readonly problems: readonly Problem[];
}

function compile(parts: Parts, catalog: Catalog): { readonly join: Join } | { readonly problems: readonly Problem[] } {
  const { relationship, source, target, cross } = parts;
  const { crossTable } = relationship;
  const problems: Problem[] = [...parts.problems];
  const matches: ValueMatch[] = [];
  const relations = { source: source.relation, target: target.relation, cross: crossRelation(cross) };
  const compare = (
    left: SideColumn | undefined,
    operator: MappingOperator,
    right: SideColumn | undefined,
    range: SourceRange,
    [leftSide, rightSide]: readonly [keyof typeof relations, keyof typeof relations],
  ) => {
    if (!left || !right) return [];
    const texts = isEquality(operator) ? comparedTexts(left, right) : undefined;
    if (texts && operator === '=') {
      const sides = [comparedSide(left, relations[leftSide]), comparedSide(right, relations[rightSide])] as const;
      const match = sides[0] && sides[1] && valueMatch(sides[0], sides[1]);
      if (match) matches.push(match);
    }
    if (texts) return [{ kind: 'comparison', ...texts, operator, range } satisfies Comparison];
    problems.push(...comparisonProblem(left, right, range));
    const between = {
      ...textsBetween(left, right),
      ...timesBetween(left, operator, right, catalog.timeZone ?? 'UTC'),
      ...numbersBetween(left, operator, right),
      ...canonicalBetween(left, operator, right),
    };
    return [
      { kind: 'comparison', left: left.column, operator, right: right.column, range, ...between } satisfies Comparison,
    ];
  };
  const crossColumn = (name: Located<string>) => cross?.column(name);
  const toCross = crossTable?.sourceMappings.flatMap(({ column, operator, cross: bridge, range }) =>
    compare(source.column(column), operator, crossColumn(bridge), range, ['source', 'cross']),
  );
  const fromCross = crossTable?.targetMappings.flatMap(({ column, operator, cross: bridge, range }) =>
    compare(crossColumn(bridge), operator, target.column(column), range, ['cross', 'target']),
  );
  const mapped = relationship.mappings.flatMap((mapping): readonly Condition[] => {
    if (mapping.kind === 'columns') {
      const [left, right] = [source.column(mapping.source), target.column(mapping.target)];
      return compare(left, mapping.operator, right, mapping.range, ['source', 'target']);
    }
    const expression = usableSql(mapping.expression);
    return expression ? [{ kind: 'expression', expression }] : [];
  });
  if (problems.length > 0) return { problems };

  const select: PairSelect = {
    sourceKey: source.key,
    targetKey: target.key,
    source: source.relation,
    target: target.relation,
    cross: cross && { from: cross.from, conditions: toCross ?? [] },
    conditions: [...(fromCross ?? []), ...mapped],
  };
  const named = [
    source.dataObject,
    target.dataObject,
    ...(crossTable?.dataObject ? [crossTable.dataObject.value] : []),
  ];
  const [sourceKey, targetKey] = [source.key.map(({ as }) => as), target.key.map(({ as }) => as)];
  const printed = printPairSelect(select, dialectNamed(catalog.dialect));
  const textColumns = distinctTexts([...source.texts, ...target.texts, ...(cross?.texts ?? [])]);
  const texts = [...userSql(source.scope), ...userSql(target.scope), ...parts.expressions];
  const dataObjects = neededObjects(named, texts, catalog);
  const bridge = crossTable?.dataObject?.value;
  const links = relationshipLinks(relationship, { source: source.dataObject, target: target.dataObject }, catalog);
  const places = [
    rowSource(source.dataObject, source.scope),
    { ...rowSource(target.dataObject, target.scope), link: links.target },
    ...(bridge === undefined ? [] : [{ dataObject: bridge, link: links.cross }]),
  ];
  const reads = objectReads({ sql: printed.sql, dataObjects }, places, textsOf(texts), catalog);
  const uses = usedColumns(relationship);
  const comparedEnd = (end: 'source' | 'target', { column, keyNames }: RelationshipSide) => ({
    column,
    names: [...uses[end], ...keyNames.map((value) => ({ value, range: relationship.range }))],
  });
  const bridgeNames = [...(crossTable?.sourceMappings ?? []), ...(crossTable?.targetMappings ?? [])];
  const compared = comparedColumns(
    [
      comparedEnd('source', source),
      comparedEnd('target', target),
      ...(cross ? [{ column: cross.column, names: bridgeNames.map((mapping) => mapping.cross) }] : []),
    ],
    catalog,
  );
  const query: RelationshipQuery = {
    kind: 'relationship',
    dialect: catalog.dialect,
    ...printed,
    columns: [...sourceKey, ...targetKey],
    dataObjects,
    sourceKey,
    targetKey,
    texts: textColumns.length > 0 ? textColumns : undefined,
    valueMatches: matches.length > 0 ? matches : undefined,
    compared,
    reads,
  };
  return { join: { query, select, source, target } };
}

/** All rows of a cross table. */
function crossRelation(cross: ResolvedCross | undefined): Relation {
  return { rows: { from: cross?.from ?? { path: [], alias: '' } }, joinedColumns: [] };
}

interface ResolvedCross {
  readonly from: ObjectInQuery;
  readonly column: (name: Located<string>) => SideColumn;
  readonly texts: readonly TextColumn[];
}

/** Columns of a cross table are matched whole: it has no joins. */
function resolveCross(
  crossTable: CrossTable,
  catalog: Catalog,
): { readonly object?: ResolvedCross; readonly problems: readonly Problem[] } {
  const { dataObject, sourceMappings, targetMappings } = crossTable;
  const missing = [
    ...(dataObject ? [] : ['its "dataObject"']),
    ...(sourceMappings.length > 0 ? [] : ['at least one of its "sourceMappings"']),
    ...(targetMappings.length > 0 ? [] : ['at least one of its "targetMappings"']),
  ];
  const incomplete = missing.length > 0 ? [incompleteCrossTable(crossTable.range, missing)] : [];
  if (!dataObject) return { problems: incomplete };
  const from = objectInQuery(dataObject, catalog);
  if (!from) return { problems: [...incomplete, unknownDataObject(dataObject, catalog)] };
  const object = findDataObject(catalog, dataObject.value);
  const unknown = [...sourceMappings, ...targetMappings]
    .map((mapping) => mapping.cross)
    .filter((name) => !isColumnOf(name.value, object))
    .map((name) =>
      unknownColumn(
        name,
        { name: from.alias, object, catalog },
        { owner: { message: 'It should be a column of this cross table.', range: dataObject.range } },
      ),
    );
  const column = (name: Located<string>): SideColumn => {
    const entry = object && findColumn(object, name.value);
    const column = { alias: 'cross', name: name.value, range: name.range };
    const text = textColumnOf(object, name.value);
    return { column, ...(entry && { entry, object }), text: text && { ...column, name: text.as } };
  };
  const texts = [...sourceMappings, ...targetMappings].flatMap(({ operator, cross: name }) =>
    isEquality(operator) ? (textColumnOf(object, name.value) ?? []) : [],
  );
  return { object: { from, column, texts }, problems: [...incomplete, ...unknown] };
}

function isColumnOf(name: string, object: DataObject | undefined): boolean {
  return isQuotable(name) && (!columnsAreKnown(object) || findColumn(object, name) !== undefined);
}

function usedColumns({ mappings, crossTable }: Relationship) {
  const columns = mappings.filter((mapping) => mapping.kind === 'columns');
  const source = [
    ...columns.map(({ source: column, operator }) => ({ column, operator })),
    ...(crossTable?.sourceMappings ?? []),
  ];
  const target = [
    ...columns.map(({ target: column, operator }) => ({ column, operator })),
    ...(crossTable?.targetMappings ?? []),
  ];
  const equal = (uses: typeof source): ReadonlySet<string> =>
    new Set(uses.flatMap(({ column, operator }) => (isEquality(operator) ? [column.value] : [])));
  return {
    source: source.map(({ column }) => column),
    target: target.map(({ column }) => column),
    equal: { source: equal(source), target: equal(target) },
  };
}
