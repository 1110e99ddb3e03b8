import {
  type EntryList,
  type GraphTable,
  type GraphTableName,
  type MeasureTableName,
  type RuleTableName,
  graphTables,
  graphViews,
} from './graph-schema.ts';
import { type NamedAfter, type NamedViews, entityEventView, namedViewsOf } from './named-views.ts';

/** A table of one graph: `name` is its own, which for the properties of an entry has the entry's number. */
export interface NamedTable {
  readonly name: string;
  readonly schema: GraphTableName;
  readonly table: GraphTable;
}

/** The tables of the schema, in order. */
export const tableRows: readonly Omit<NamedTable, 'name'>[] = Object.entries(graphTables).map(([schema, table]) => ({
  schema: schema as GraphTableName,
  table,
}));

/**
 * The tables of a graph with elements, and entries of `entities`, of these numbers.
 * @param versioned the entries whose rows are versions of their entities
 */
export function namedTables(
  elements: readonly number[],
  entities: readonly number[] = [],
  versioned: readonly number[] = [],
): readonly NamedTable[] {
  const numbers = { elements, entities } satisfies Record<EntryList, readonly number[]>;
  return tableRows.flatMap((row) => {
    const list = row.table.isPerEntryOf;
    if (list === undefined) return [{ ...row, name: row.schema }];
    return (row.table.isOfVersions ? versioned : numbers[list]).map((number) => ({
      ...row,
      name: numberedName(row.schema, number),
    }));
  });
}

/** What an import finds out about a built graph, which makes tables of its own. */
export type FoundTables = 'rules' | 'measures';

const foundTables: Readonly<Record<RuleTableName | MeasureTableName, FoundTables>> = {
  rule: 'rules',
  rule_violation: 'rules',
  measure: 'measures',
  measure_value: 'measures',
};

/** What a graph has, which says which tables it has. */
interface GraphParts {
  readonly elements: readonly number[];
  readonly entities: readonly number[];
  readonly versioned: readonly number[];
  /** What an import finds out about it. */
  readonly found: readonly FoundTables[];
  /** It may have events of the lifecycle `end`. */
  readonly hasEnds: boolean;
  readonly views: NamedViews;
}

/** The names of the tables and views of a graph inside its source. */
export function relationsInSource({
  elements,
  entities,
  versioned,
  found,
  hasEnds,
  views,
}: GraphParts): readonly string[] {
  const isThere = (schema: GraphTableName): boolean =>
    isFound(schema) ? found.includes(foundTables[schema]) : schema === 'service_time' && hasEnds;
  const tables = namedTables(elements, entities, versioned).filter(
    ({ schema, table }) => table.isInSource && (table.isInEveryStore || table.isOfVersions === true || isThere(schema)),
  );
  return [...tables.map(({ name }) => name), ...Object.keys(graphViews), ...namesOfViews(views)];
}

function isFound(name: GraphTableName): name is RuleTableName | MeasureTableName {
  return Object.hasOwn(foundTables, name);
}

/** The property table of an element. @param number of the element, 1-based */
export function propertiesTable(number: number): string {
  return numberedName('properties_<n>', number);
}

/** The table with the properties of the entities of an entry of `entities`. @param number of the entry, from 1 */
export function entityPropertiesTable(number: number): string {
  return numberedName('entity_properties_<n>', number);
}

/** The table with the values over time of the entities of an entry of `entities`. @param number of the entry, from 1 */
export function entityValuesTable(number: number): string {
  return numberedName('entity_values_<n>', number);
}

/** The columns that each table of values of entities over time has; all others are properties. */
export const entityValuesColumns: readonly string[] = Object.keys(graphTables['entity_values_<n>'].columns);

/** The columns that each table of properties of entities has; all others are properties. */
export const entityPropertiesColumns: readonly string[] = Object.keys(graphTables['entity_properties_<n>'].columns);

/** The columns that each table of properties of events has; all others are properties. */
export const propertiesColumns: readonly string[] = Object.keys(graphTables['properties_<n>'].columns);

/** Whether a table or view of a graph has a name, besides those that are named after its types and elements. */
export function isGraphRelation(name: string): boolean {
  const made = tableRows.some((row) => row.table.isInSource && isNameOf(row, name));
  return made || Object.hasOwn(graphViews, name) || name === entityEventView;
}

/** The views that are named after the types and elements of a graph. */
export function namedViews(after: NamedAfter): NamedViews {
  return namedViewsOf(after, (name) => isOfEveryGraph(name) || isOfBuild(name));
}

/** The names of these views, and of the one of all events of entities. */
export function namesOfViews({ ofTypes, ofElements }: NamedViews): readonly string[] {
  return [...[...ofTypes, ...ofElements].map(({ name }) => name), entityEventView];
}

/**
 * Whether a name is that of a table or view created by a build inside a source; others in its schema are foreign.
 * @param counts of the record of its run, as JSON
 */
export function isRelationOf(counts: string | undefined, name: string): boolean {
  if (isGraphRelation(name)) return true;
  const { entityTypes = [], elements = [] } = JSON.parse(counts ?? '{}') as Partial<RecordedNames>;
  const after = { entityTypes, elements: elements.map(({ activityName }) => activityName) };
  return namesOfViews(namedViews(after)).includes(name);
}

/** What the record of a run tells of names. */
interface RecordedNames {
  readonly entityTypes: readonly string[];
  readonly elements: readonly { readonly activityName: string }[];
}

function isOfEveryGraph(name: string): boolean {
  return isGraphRelation(name) || tableRows.some((row) => isNameOf(row, name));
}

/** Tables that a build inside a source makes beside the graph. */
function isOfBuild(name: string): boolean {
  return (
    tablesOfBuilds.includes(name) ||
    /^(?:element|entities|relationship|path|entity_rows|rows|linked|ties)(?:_\d+)+$/u.test(name)
  );
}

/** Those of Trino, which has no temporary tables. */
const tablesOfBuilds = [
  ...['published', 'begun', 'begun_view', 'kept_rows', 'correlated', 'related', 'paired', 'ordered', 'ordered_middle'],
  ...['places', 'sorted', 'ranked', 'unranked', 'made_keys', 'entity_keys', 'other_correlations', 'other_correlation'],
];

/** Whether a table of a store belongs to a schema row. */
function isNameOf({ schema, table }: Omit<NamedTable, 'name'>, name: string): boolean {
  return table.isPerEntryOf ? entryOf(schema, name) !== undefined : name === schema;
}

/** The number of the entry to which a table of this name belongs. */
export function entryOf(schema: GraphTableName, name: string): number | undefined {
  const [begin = '', end = ''] = schema.split('<n>');
  const number = name.slice(begin.length, name.length - end.length);
  return name === `${begin}${number}${end}` && /^\d+$/.test(number) ? Number(number) : undefined;
}

/** Columns with types, for CREATE TABLE in any engine. */
export function declaredColumns(schema: GraphTableName): string {
  return Object.entries(graphTables[schema].columns)
    .map(([name, type]) => `${name} ${type === 'DOUBLE' ? 'DOUBLE PRECISION' : type}`)
    .join(', ');
}

function numberedName(schema: GraphTableName, number: number): string {
  return schema.replace('<n>', String(Math.trunc(number)));
}
