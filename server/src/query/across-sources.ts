import { type Column, findColumn } from '../catalog/catalog.ts';
import { type GraphCatalog, catalogOf } from '../catalog/graph-catalog.ts';
import { duckdb } from '../dialects/duckdb.ts';
import type { CrossTable, EntityGraph, MappingOperator, Relationship } from '../model/entity-graph.ts';
import type { Problem } from '../model/problem.ts';
import type { Located, SourceRange } from '../model/source-range.ts';
import { containmentProblems } from './check-sql.ts';
import { comparisonProblem } from './compare-types.ts';
import { isEquality } from './compare-texts.ts';
import type { EndQuery, QueryResult, RelationshipQuery } from './compiled-query.ts';
import { keyOf } from './element-query.ts';
import { type ElementScope, elementScope, resolveColumn, unresolvedColumn } from './element-scope.ts';
import { type EndColumns, type EndRows, endColumns, endQuery } from './end-query.ts';
import { type PairColumns, type PairConditions, pairConditions } from './pair-conditions.ts';
import { printPairSelect } from './print-query.ts';
import { incompleteCrossTable, missingKey, unknownDataObject } from './query-problems.ts';
import type { Condition, PairSelect, Relation } from './query-tree.ts';
import { distinctProblems, draftProblems, expressionsOf } from './relationship-expressions.ts';
import { endOf, ownerOf } from './relationship-side.ts';

/**
 * The query of a relationship whose rows belong to several data sources (docs/semantics.md#162-relationships-across-data-sources):
 * a query for each end at its own source, and their join in the embedded engine.
 */
export function buildAcrossSources(
  graph: EntityGraph,
  relationship: Relationship,
  catalog: GraphCatalog,
): QueryResult<RelationshipQuery> {
  const built = buildJoinAcross(graph, relationship, catalog);
  return 'problems' in built ? built : { query: built.join.query };
}

/** The query with its parts. */
interface JoinAcross {
  readonly query: RelationshipQuery;
  readonly select: PairSelect;
  readonly source: EndAcross;
  readonly target: EndAcross;
}

/** An end whose rows are read by a separate query. */
interface EndAcross {
  /** The names of the key columns, as in the model. */
  readonly keyNames: readonly string[];
  /** The view of its rows. */
  readonly view: string;
  /** The columns of `shownOf`, with their names in the view. */
  readonly shown: readonly { readonly name: string; readonly as: string }[];
}

/** For the preview of a dialog, which shows more than keys and counts the rows of the ends. */
interface AcrossOptions {
  /** Further columns of an end that are read as values. */
  shownOf(end: 'source' | 'target', scope: ElementScope, keyNames: readonly string[]): readonly Located<string>[];
}

/**
 * The query of a relationship across data sources, with its parts.
 * @param options with them, further columns of both ends are read, and no equal rows are left out
 */
export function buildJoinAcross(
  graph: EntityGraph,
  relationship: Relationship,
  catalog: GraphCatalog,
  options?: AcrossOptions,
): { readonly join: JoinAcross } | { readonly problems: readonly Problem[] } {
  const expressions = expressionsOf(relationship);
  const { crossTable } = relationship;
  const problems: Problem[] = [
    ...draftProblems(relationship, expressions),
    ...expressions.flatMap((each) => containmentProblems(each, duckdb.name)),
    ...(crossTable ? crossProblems(crossTable) : []),
  ];
  const rowsOf = (found: { readonly rows?: Rows; readonly problems: readonly Problem[] }): Rows | undefined => {
    problems.push(...found.problems);
    return found.rows;
  };
  const source = rowsOf(elementRows(graph, relationship, 'source', catalog));
  const target = rowsOf(elementRows(graph, relationship, 'target', catalog));
  const cross = crossTable && rowsOf(crossRows(crossTable, catalog));
  if (!source || !target || (crossTable && !cross)) return { problems: distinctProblems(problems) };

  const columns = (rows: Rows): EndColumns => endColumns(rows, expressions);
  const ends = { source: columns(source), target: columns(target), ...(cross && { cross: columns(cross) }) };
  const joined = joinConditions(relationship, { source, target, cross, ends });
  problems.push(...joined.problems);
  if (problems.length > 0) return { problems: distinctProblems(problems) };

  const viewName = (end: EndRows['end']): string => `relationship_${relationship.index + 1}_${end}`;
  const endAcross = (end: 'source' | 'target', { scope, key }: Rows): EndAcross => {
    const keyNames = key.map(({ value }) => value);
    const shown = options?.shownOf(end, scope, keyNames) ?? [];
    const named = shown.map((name) => ({ name: name.value, as: ends[end].nameOf(name, 'value') }));
    return { keyNames, view: viewName(end), shown: named };
  };
  const [sourceEnd, targetEnd] = [endAcross('source', source), endAcross('target', target)];
  const queries: EndQuery[] = [];
  for (const rows of [source, ...(cross ? [cross] : []), target]) {
    const isEveryRow = options !== undefined && rows.end !== 'cross';
    const built = endQuery(rows, ends[rows.end]?.columns ?? [], viewName(rows.end), { isEveryRow });
    if ('problems' in built) return built;
    queries.push(built.query);
  }
  const view = (end: EndRows['end']): Relation => {
    const name = viewName(end);
    return { rows: { from: { path: [name], alias: name } }, joinedColumns: [] };
  };
  const { sourceKey, targetKey, toCross, conditions } = joined;
  const select: PairSelect = {
    sourceKey,
    targetKey,
    source: view('source'),
    target: view('target'),
    cross: cross && { from: view('cross').rows.from, conditions: toCross },
    conditions,
  };
  return { join: { query: queryOfPairs(select, queries), select, source: sourceEnd, target: targetEnd } };
}

/** The query of the join, over the views of its ends. */
function queryOfPairs(select: PairSelect, ends: readonly EndQuery[]): RelationshipQuery {
  const [sourceKey, targetKey] = [select.sourceKey.map(({ as }) => as), select.targetKey.map(({ as }) => as)];
  return {
    kind: 'relationship',
    dialect: duckdb.name,
    ...printPairSelect(select, duckdb),
    columns: [...sourceKey, ...targetKey],
    dataObjects: [],
    sourceKey,
    targetKey,
    ends,
    everyMatch: printPairSelect(select, duckdb, { isEveryMatch: true }),
  };
}

/** The rows of the ends, and the columns that their queries select: comparisons and keys add theirs. */
interface JoinedEnds {
  readonly source: Rows;
  readonly target: Rows;
  readonly cross: Rows | undefined;
  readonly ends: Readonly<Partial<Record<EndRows['end'], EndColumns>>>;
}

/** The conditions of the join and the keys of its pairs, in the columns of the ends, with the problems of both. */
function joinConditions(
  relationship: Relationship,
  { source, target, cross, ends }: JoinedEnds,
): PairConditions & Pick<PairSelect, 'sourceKey' | 'targetKey'> & { readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const sideOf = (rows: Rows, name: Located<string>): Side | undefined => {
    const resolved = resolveColumn(name.value, rows.scope);
    if (!resolved) {
      problems.push(unresolvedColumn(name, rows.scope, rows.owner));
      return undefined;
    }
    const object = resolved.kind === 'own' ? rows.scope.object : rows.scope.joinedObject(resolved.alias);
    return { rows, name, entry: object && findColumn(object, resolved.name) };
  };
  const compare = (left: Side, operator: MappingOperator, right: Side, range: SourceRange): Condition => {
    problems.push(...mismatch(left, operator, right, range));
    const form = comparedForm(left.entry, operator, right.entry);
    const column = ({ rows, name }: Side) => ({
      alias: rows.end,
      name: ends[rows.end]?.nameOf(name, form) ?? name.value,
      range: name.range,
    });
    return { kind: 'comparison', left: column(left), operator, right: column(right), range };
  };
  const columns: PairColumns<Side> = {
    source: (name) => sideOf(source, name),
    target: (name) => sideOf(target, name),
    cross: (name) => cross && sideOf(cross, name),
  };
  const compared = pairConditions(relationship, columns, compare);
  const keyItems = (rows: Rows) =>
    rows.key.flatMap((name, index) => {
      if (!sideOf(rows, name)) return [];
      const column = { alias: rows.end, name: ends[rows.end]?.nameOf(name, 'text') ?? name.value };
      return [{ column, as: `${rows.end}_key_${index + 1}` }];
    });
  return { ...compared, sourceKey: keyItems(source), targetKey: keyItems(target), problems };
}

/** The rows of one end, with the columns that make its key. */
interface Rows extends EndRows {
  readonly key: readonly Located<string>[];
  readonly owner?: ReturnType<typeof ownerOf>;
}

interface Side {
  readonly rows: Rows;
  readonly name: Located<string>;
  /** Absent if the columns of its data object are not known. */
  readonly entry: Column | undefined;
}

function elementRows(
  graph: EntityGraph,
  relationship: Relationship,
  end: 'source' | 'target',
  catalog: GraphCatalog,
): { readonly rows?: Rows; readonly problems: readonly Problem[] } {
  const found = endOf(graph, relationship, end);
  if (!found.element) return { problems: [found.problem] };
  const { element, dataObject } = found;
  const own = catalogOf(catalog, element);
  const scope = own && elementScope(element, dataObject, own);
  if (!own || !scope) return { problems: own ? [unknownDataObject(dataObject, own)] : [] };
  const key = keyOf(element, dataObject, scope);
  const problems = [
    ...(found.problem ? [found.problem] : []),
    ...containmentProblems(element.joins, own.dialect),
    ...containmentProblems(element.where, own.dialect),
    ...(key.length === 0 ? [missingKey(element, dataObject, own)] : []),
  ];
  const owner = ownerOf(element, dataObject, own);
  const timeZone = element.timeZone?.value;
  return { rows: { end, dataObject: dataObject.value, scope, key, catalog: own, timeZone, owner }, problems };
}

function crossRows(
  crossTable: CrossTable,
  catalog: GraphCatalog,
): { readonly rows?: Rows; readonly problems: readonly Problem[] } {
  const { dataObject } = crossTable;
  const own = catalogOf(catalog, crossTable);
  const scope = dataObject && own && elementScope({}, dataObject, own);
  if (!dataObject || !own) return { problems: [] };
  if (!scope) return { problems: [unknownDataObject(dataObject, own)] };
  return { rows: { end: 'cross', dataObject: dataObject.value, scope, key: [], catalog: own }, problems: [] };
}

function crossProblems({ dataObject, sourceMappings, targetMappings, range }: CrossTable): readonly Problem[] {
  const missing = [
    ...(dataObject ? [] : ['its "dataObject"']),
    ...(sourceMappings.length > 0 ? [] : ['at least one of its "sourceMappings"']),
    ...(targetMappings.length > 0 ? [] : ['at least one of its "targetMappings"']),
  ];
  return missing.length > 0 ? [incompleteCrossTable(range, missing)] : [];
}

/** Columns without a declared type are compared for equality by their texts, whatever the type of the other column. */
function comparesTexts(left: Column | undefined, operator: MappingOperator, right: Column | undefined): boolean {
  return isEquality(operator) && (left?.isKeyedByText === true || right?.isKeyedByText === true);
}

function mismatch(left: Side, operator: MappingOperator, right: Side, range: SourceRange): readonly Problem[] {
  if (comparesTexts(left.entry, operator, right.entry)) return [];
  const compared = ({ rows, name, entry }: Side) => ({
    column: { alias: rows.end, name: name.value, range: name.range },
    dataSource: rows.catalog.dataSource,
    ...(entry && { entry }),
  });
  return comparisonProblem(compared(left), compared(right), range);
}

/** How both sides of a comparison are put (docs/semantics.md#163-comparisons-across-data-sources). */
function comparedForm(left: Column | undefined, operator: MappingOperator, right: Column | undefined) {
  if (comparesTexts(left, operator, right) || operator.endsWith('like')) return 'text';
  const senses = new Set([left?.sense, right?.sense]);
  const all = (...names: (string | undefined)[]): boolean => [...senses].every((sense) => names.includes(sense));
  if (all('integer', 'number')) return isEquality(operator) ? 'digits' : 'number';
  if (all('date')) return 'value';
  return all('date', 'timestamp') ? 'time' : 'text';
}
