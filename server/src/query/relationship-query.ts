import { findColumn, findDataObject, type Catalog, type DataObject } from '../catalog/catalog.ts';
import type { GraphCatalog } from '../catalog/graph-catalog.ts';
import type { CrossTable, EntityGraph, MappingOperator, Relationship } from '../model/entity-graph.ts';
import type { Problem } from '../model/problem.ts';
import type { Located, LocatedSql, SourceRange } from '../model/source-range.ts';
import { dialectNamed } from '../dialects/index.ts';
import { buildAcrossSources } from './across-sources.ts';
import { containmentProblems } from './check-sql.ts';
import { comparedColumns } from './compared-columns.ts';
import { comparisonProblem } from './compare-types.ts';
import type { QueryResult, RelationshipQuery, ValueMatch } from './compiled-query.ts';
import { columnsAreKnown, objectInQuery, rowSource, textsOf, userSql } from './element-scope.ts';
import { neededObjects } from './needed-objects.ts';
import { objectReads } from './object-reads.ts';
import { type PairColumns, type PairConditions, pairConditions } from './pair-conditions.ts';
import { buildPathQuery } from './path-query.ts';
import { printPairSelect } from './print-query.ts';
import { incompleteCrossTable, unknownColumn, unknownDataObject } from './query-problems.ts';
import type { Comparison, ObjectInQuery, PairSelect, Relation } from './query-tree.ts';
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
import { zonesOf } from './result-zones.ts';
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
  const { source, target, cross } = parts;
  const { problems, matches, toCross, conditions } = comparisonsOf(parts, catalog);
  if (problems.length > 0) return { problems };
  const select: PairSelect = {
    sourceKey: source.key,
    targetKey: target.key,
    source: source.relation,
    target: target.relation,
    cross: cross && { from: cross.from, conditions: toCross },
    conditions,
  };
  const [sourceKey, targetKey] = [source.key.map(({ as }) => as), target.key.map(({ as }) => as)];
  const printed = printPairSelect(select, dialectNamed(catalog.dialect));
  const textColumns = distinctTexts([...source.texts, ...target.texts, ...(cross?.texts ?? [])]);
  const query: RelationshipQuery = {
    kind: 'relationship',
    dialect: catalog.dialect,
    ...printed,
    columns: [...sourceKey, ...targetKey],
    ...whatItReads(parts, printed.sql, catalog),
    sourceKey,
    targetKey,
    zones: zonesOfPairs(source, target),
    texts: textColumns.length > 0 ? textColumns : undefined,
    valueMatches: matches.length > 0 ? matches : undefined,
    compared: comparedBy(parts, catalog),
  };
  return { join: { query, select, source, target } };
}

/** A column with the relation that has it. */
interface ComparedColumn {
  readonly column: SideColumn;
  readonly relation: Relation;
}

/** The conditions of the join, with the problems of compared types and the matches by value. */
function comparisonsOf(
  { relationship, source, target, cross, problems: before }: Parts,
  catalog: Catalog,
): PairConditions & { readonly problems: readonly Problem[]; readonly matches: readonly ValueMatch[] } {
  const problems: Problem[] = [...before];
  const matches: ValueMatch[] = [];
  const compare = (
    { column: left, relation: leftRelation }: ComparedColumn,
    operator: MappingOperator,
    { column: right, relation: rightRelation }: ComparedColumn,
    range: SourceRange,
  ): Comparison => {
    const texts = isEquality(operator) ? comparedTexts(left, right) : undefined;
    if (texts && operator === '=') {
      const sides = [comparedSide(left, leftRelation), comparedSide(right, rightRelation)] as const;
      const match = sides[0] && sides[1] && valueMatch(sides[0], sides[1]);
      if (match) matches.push(match);
    }
    if (texts) return { kind: 'comparison', ...texts, operator, range };
    problems.push(...comparisonProblem(left, right, range));
    const between = {
      ...textsBetween(left, right),
      ...timesBetween(left, operator, right, catalog.timeZone ?? 'UTC'),
      ...numbersBetween(left, operator, right),
      ...canonicalBetween(left, operator, right),
    };
    return { kind: 'comparison', left: left.column, operator, right: right.column, range, ...between };
  };
  const of = (column: SideColumn | undefined, relation: Relation): ComparedColumn | undefined =>
    column && { column, relation };
  const bridge = crossRelation(cross);
  const columns: PairColumns<ComparedColumn> = {
    source: (name) => of(source.column(name), source.relation),
    target: (name) => of(target.column(name), target.relation),
    cross: (name) => of(cross?.column(name), bridge),
  };
  return { ...pairConditions(relationship, columns, compare), problems, matches };
}

/** The data objects of the query, and what it reads of them. */
function whatItReads(
  { relationship, expressions, source, target }: Parts,
  sql: string,
  catalog: Catalog,
): Pick<RelationshipQuery, 'dataObjects' | 'reads'> {
  const bridge = relationship.crossTable?.dataObject?.value;
  const named = [source.dataObject, target.dataObject, ...(bridge === undefined ? [] : [bridge])];
  const texts = [...userSql(source.scope), ...userSql(target.scope), ...expressions];
  const dataObjects = neededObjects(named, texts, catalog);
  const links = relationshipLinks(relationship, { source: source.dataObject, target: target.dataObject }, catalog);
  const places = [
    rowSource(source.dataObject, source.scope),
    { ...rowSource(target.dataObject, target.scope), link: links.target },
    ...(bridge === undefined ? [] : [{ dataObject: bridge, link: links.cross }]),
  ];
  return { dataObjects, reads: objectReads({ sql, dataObjects }, places, textsOf(texts), catalog) };
}

function comparedBy({ relationship, source, target, cross }: Parts, catalog: Catalog) {
  const uses = usedColumns(relationship);
  const { crossTable } = relationship;
  const comparedEnd = (end: 'source' | 'target', { column, keyNames }: RelationshipSide) => ({
    column,
    names: [...uses[end], ...keyNames.map((value) => ({ value, range: relationship.range }))],
  });
  const bridgeNames = [...(crossTable?.sourceMappings ?? []), ...(crossTable?.targetMappings ?? [])];
  return comparedColumns(
    [
      comparedEnd('source', source),
      comparedEnd('target', target),
      ...(cross ? [{ column: cross.column, names: bridgeNames.map((mapping) => mapping.cross) }] : []),
    ],
    catalog,
  );
}

/** All rows of a cross table. */
function crossRelation(cross: ResolvedCross | undefined): Relation {
  return { rows: { from: cross?.from ?? { path: [], alias: '' } }, joinedColumns: [] };
}

/** The zones of the keys of pairs: each end may have its own. */
function zonesOfPairs(...sides: readonly RelationshipSide[]): RelationshipQuery['zones'] {
  const zones = sides.map(({ key, timeZone }) =>
    zonesOf(
      key.map(({ as }) => as),
      timeZone,
    ),
  );
  return zones.some((each) => each) ? Object.assign({}, ...zones) : undefined;
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
