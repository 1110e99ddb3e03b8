import { timeRoles } from '../../../protocol/fields/element.ts';
import type { Catalog, SqlDialect } from '../catalog/catalog.ts';
import { type GraphCatalog, catalogOf } from '../catalog/graph-catalog.ts';
import { dialectNamed } from '../dialects/index.ts';
import { missingOfElement } from '../model/configuration-state.ts';
import {
  type EntityElement,
  type EntityGraph,
  type EntitySource,
  type MasterData,
  type RowExpectations,
  type SelectedProperty,
  expectedColumns,
} from '../model/entity-graph.ts';
import { columnFields } from '../model/entry-columns.ts';
import type { Problem } from '../model/problem.ts';
import type { Located } from '../model/source-range.ts';
import { atEndOfDay } from '../model/time-expression.ts';
import { activityNamesProblems } from './activity-names-problems.ts';
import { containmentProblems } from './check-sql.ts';
import type { ElementQuery, ElementRoles, ExpectationRoles, QueryResult } from './compiled-query.ts';
import { computedTimes, mayReorderRows } from './computed-times.ts';
import {
  type ElementScope,
  columnsAreKnown,
  elementScope,
  rowSource,
  textsOf,
  userSql,
  resolveColumn,
  unresolvedColumn,
} from './element-scope.ts';
import { fileRowColumn } from './file-row.ts';
import { lifecycleProblems } from './lifecycle-problems.ts';
import { neededObjects } from './needed-objects.ts';
import { objectReads } from './object-reads.ts';
import { printElementSelect } from './print-query.ts';
import { elementUnconfigured, missingKey, unknownDataObject, unknownProperties } from './query-problems.ts';
import { correlationProblems, linkedColumns } from './row-correlations.ts';
import { selectColumns } from './select-columns.ts';
import { mayHaveSubquery } from './subquery.ts';
import { nameProblems } from '../model/property-names.ts';
import type { SelectItem } from './query-tree.ts';
import { resultNames } from './result-names.ts';
import { zonesOf } from './result-zones.ts';
import { zoneProblems } from './zone-problems.ts';

/**
 * The core SELECT of an element: each distinct column that it needs once, in the order key, times, other fields
 * of one column, keys of row correlations, columns of expectations, properties, named as the YAML names it. Helpers
 * come last: texts of columns whose values are also selected.
 */
export function buildElementQuery(
  _graph: EntityGraph,
  element: EntityElement,
  catalog: GraphCatalog,
): QueryResult<ElementQuery> {
  const { dataObject } = element;
  const own = catalogOf(catalog, element);
  // An unconfigured data source is reported by another rule.
  if (!own) return { problems: [] };
  const built = dataObject && buildRowsQuery(element, dataObject, own);
  if (built && missingOfElement(element).length === 0) return built;
  // The other fields are checked as well, so that all mistakes are reported together.
  return { problems: [elementUnconfigured(element), ...(built && 'problems' in built ? built.problems : [])] };
}

/** Origin of rows: an element, or an entry of `entities` in the form of an element without times. */
type QueriedRows = EntitySource & Partial<Pick<EntityElement, Exclude<keyof EntityElement, keyof MasterData>>>;

/** The query of the rows of any entry with a data object. Without a start timestamp, that role is empty. */
// eslint-disable-next-line max-lines-per-function -- One query from its columns to its text, of which each step needs those before.
export function buildRowsQuery(
  element: QueriedRows,
  dataObject: Located<string>,
  catalog: Catalog,
): QueryResult<ElementQuery> {
  const scope = elementScope(element, dataObject, catalog);
  if (!scope) return { problems: [unknownDataObject(dataObject, catalog)] };

  const problems: Problem[] = [
    ...containmentProblems(element.joins, catalog.dialect),
    ...containmentProblems(element.where, catalog.dialect),
    ...correlationProblems(element),
    ...lifecycleProblems(element),
    ...zoneProblems(element),
    ...activityNamesProblems(element),
  ];
  const key = keyOf(element, dataObject, scope);
  if (key.length === 0) problems.push(missingKey(element, dataObject, catalog));
  const { properties, problem } = propertiesOf(element, dataObject, scope);
  if (problem) problems.push(problem);
  const times = timeRoles.map((role) => element[role]);
  const single = columnFields.flatMap(({ key: field, counts }) => {
    const column = element[field];
    return column ? { field, column, counts } : [];
  });
  const counting = (by: 'value' | 'text'): readonly Located<string>[] =>
    single.flatMap(({ column, counts }) => (counts === by ? column : []));
  const plain = properties.filter(({ name }) => !name);
  const values = [...times, ...counting('value'), ...plain].filter((column) => column !== undefined);
  const read: ReadonlySet<string> = new Set(values.map(({ value }) => value));
  const linked = linkedColumns(element);
  const checked = expectedColumns(element);
  const transition = element.lifecycle?.column;
  const ofFields = [...single.map(({ column }) => column), ...(transition ? [transition] : [])];
  const ordered = [...key, ...times, ...ofFields, ...linked, ...checked, ...plain];
  const renamed = renamedProperties(
    properties,
    'isMasterData' in element ? 'entity' : 'event',
    scope,
    catalog.dialect,
    [fileRowColumn],
  );
  const named = renamed.items.map(({ as }) => as);
  const present = ordered.filter((column) => column !== undefined);
  // Columns and named properties keep their names, even if a time has the same name.
  const taken = [fileRowColumn, ...named, ...present.map(({ value }) => value)];
  const computed = computedTimes(element, catalog.dialect, taken);
  const rowOrder = catalog.hasRowOrder === true && (mayLoseRowOrder(scope) || mayReorderRows(computed));
  const selected = selectColumns({
    columns: distinctByValue(present),
    values: read,
    texts: new Set(
      [
        ...key,
        ...counting('text'),
        ...(transition ? [transition] : []),
        ...linked,
        ...expectedTexts(element, read),
      ].map(({ value }) => value),
    ),
    scope,
    catalog,
    taken: [...(rowOrder ? [fileRowColumn] : []), ...named, ...computed.items.map(({ as }) => as)],
  });
  problems.push(...selected.problems, ...renamed.problems, ...computed.problems);
  if (problems.length > 0) return { problems };

  const { valueOf, textOf } = selected;
  const timeNames = Object.fromEntries(
    timeRoles.flatMap((role) => {
      const name = computed.resultOf(role) ?? (element[role] && valueOf(element[role]));
      return name === undefined ? [] : [[role, name]];
    }),
  );
  const endsOfDays = timeRoles.filter((role) => atEndOfDay(element, role)?.value === true);
  const roles: ElementRoles = {
    key: key.map(textOf),
    startTimestamp: '',
    ...timeNames,
    ...(endsOfDays.length > 0 && { endsOfDays }),
    ...Object.fromEntries(
      single.map(({ field, column, counts }) => [field, counts === 'value' ? valueOf(column) : textOf(column)]),
    ),
    ...(transition && { lifecycle: textOf(transition) }),
    ...(element.correlatesWith && {
      correlatesWith: element.correlatesWith.map(({ key: parts }) => parts.map(textOf)),
    }),
    ...(element.expect && { expect: expectationRoles(element.expect, textOf) }),
    properties: distinctByName(properties).map((property) => renamed.resultOf(property) ?? valueOf(property)),
    ...(rowOrder && { rowOrder: fileRowColumn }),
  };
  const keys = distinctByValue(key).length;
  const columns = selected.items.length - selected.helpers.length;
  const fileRow = { column: { alias: scope.rows.from.alias, name: fileRowColumn }, as: fileRowColumn };
  const items = [
    ...selected.items.slice(0, keys),
    ...computed.items,
    ...selected.items.slice(keys, columns),
    ...renamed.items,
    ...selected.items.slice(columns),
    ...(rowOrder ? [fileRow] : []),
  ];
  const helpers = [...selected.helpers, ...(rowOrder ? [{ name: fileRowColumn }] : [])];
  const select = { items, rows: scope.rows };
  const printed = printElementSelect(select, dialectNamed(catalog.dialect));
  const custom = [...userSql(scope), ...computed.items.map(({ expression }) => expression)];
  const dataObjects = neededObjects([dataObject.value], custom, catalog);
  const places = [rowSource(dataObject.value, scope)];
  const reads = objectReads({ sql: printed.sql, dataObjects }, places, textsOf(custom), catalog);
  return {
    query: {
      kind: 'element',
      select,
      dialect: catalog.dialect,
      ...printed,
      columns: items.map((item) => item.as),
      dataObjects,
      roles,
      known: selected.known.length > 0 ? selected.known : undefined,
      texts: selected.texts.length > 0 ? selected.texts : undefined,
      helpers: helpers.length > 0 ? helpers : undefined,
      zones: zonesOf(
        items.map((item) => item.as),
        element.timeZone?.value,
      ),
      reads,
    },
  };
}

/** The key columns of an element: its own, else the primary key of its data object; empty without both. */
export function keyOf(
  element: Pick<EntitySource, 'key'>,
  dataObject: Located<string>,
  scope: ElementScope,
): readonly Located<string>[] {
  if (element.key && element.key.length > 0) return element.key;
  return (scope.object?.primaryKey ?? []).map((value) => ({ value, range: dataObject.range }));
}

function propertiesOf(
  element: Pick<EntitySource, 'properties'>,
  dataObject: Located<string>,
  { object, catalog }: ElementScope,
): { readonly properties: readonly SelectedProperty[]; readonly problem?: Problem } {
  const { properties } = element;
  if (properties.kind === 'list') return { properties: properties.columns };
  if (!columnsAreKnown(object)) {
    return { properties: [], problem: unknownProperties(dataObject, properties.range, catalog) };
  }
  return { properties: object.columns.map(({ name }) => ({ value: name, range: properties.range })) };
}

/** Joins and subqueries may change the row order. */
function mayLoseRowOrder({ rows }: ElementScope): boolean {
  return rows.joins !== undefined || (rows.where !== undefined && mayHaveSubquery(rows.where.value, 'duckdb'));
}

function distinctByValue(columns: readonly Located<string>[]): readonly Located<string>[] {
  const seen = new Set<string>();
  return columns.filter(({ value }) => !seen.has(value) && seen.add(value));
}

/** Properties of one column and one name are one. */
function distinctByName(properties: readonly SelectedProperty[]): readonly SelectedProperty[] {
  const seen = new Set<string>();
  return properties.filter((property) => {
    const identity = JSON.stringify([property.value, property.name?.value]);
    return !seen.has(identity) && seen.add(identity);
  });
}

/**
 * The expected columns that are compared as keys. A column that is only checked for missing values needs no text if its
 * value is read anyway.
 */
function expectedTexts(
  { expect }: Pick<EntitySource, 'expect'>,
  read: ReadonlySet<string>,
): readonly Located<string>[] {
  if (!expect) return [];
  const { unique, notNull, values } = expect;
  return [...unique.flat(), ...values.map(({ column }) => column), ...notNull.filter(({ value }) => !read.has(value))];
}

/** The result columns of expectations. */
function expectationRoles(
  { unique, notNull, values }: RowExpectations,
  resultOf: (column: Located<string>) => string,
): ExpectationRoles {
  return {
    unique: unique.map((columns) => columns.map(resultOf)),
    notNull: notNull.map(resultOf),
    values: values.map(({ column }) => resultOf(column)),
  };
}

/** Properties with their own names, each an additional result column. */
interface RenamedProperties {
  readonly items: readonly SelectItem[];
  /** The result column of a property; undefined for a property that is not renamed. */
  readonly resultOf: (property: SelectedProperty) => string | undefined;
  readonly problems: readonly Problem[];
}

function renamedProperties(
  properties: readonly SelectedProperty[],
  of: 'event' | 'entity',
  scope: ElementScope,
  dialect: SqlDialect,
  taken: readonly string[],
): RenamedProperties {
  const renamed = properties.flatMap((property) => (property.name ? [{ property, name: property.name.value }] : []));
  // Named properties come first, so that a column of the same name gets the number.
  const names = resultNames(
    renamed.map(({ name }) => name),
    dialect,
    taken,
  );
  const problems: Problem[] = [...nameProblems(properties, of)];
  const items = renamed.flatMap(({ property, name }, index): readonly SelectItem[] => {
    const resolved = resolveColumn(property.value, scope);
    if (!resolved) {
      problems.push(unresolvedColumn(property, scope));
      return [];
    }
    const column = { alias: resolved.alias, name: resolved.name, range: property.range };
    return [{ column, as: names[index] ?? name }];
  });
  const results = new Map(renamed.map(({ property, name }, index) => [property, names[index] ?? name]));
  return { items, resultOf: (property) => results.get(property), problems };
}
