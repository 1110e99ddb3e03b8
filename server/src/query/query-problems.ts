import { type Catalog, type DataObject, objectInMessages } from '../catalog/catalog.ts';
import { didYouMean, nearestNames } from '../model/nearest-name.ts';
import { unconfiguredMessage } from '../model/configuration-state.ts';
import type { EntityElement, EntitySource, MasterData, Relationship, RowCorrelation } from '../model/entity-graph.ts';
import type { Problem, RelatedPlace } from '../model/problem.ts';
import type { CodeWith } from '../model/rules.ts';
import type { Located, SourceRange } from '../model/source-range.ts';

/** Problems that prevent a query from being built, with the codes of the corresponding rules. */
export function elementUnconfigured(element: EntityElement): Problem {
  const message = unconfiguredMessage(element) ?? '';
  return error('element-unconfigured', message, element.activityName?.range ?? element.range);
}

/** Where a column is not found. */
interface SearchedObject {
  /** As custom SQL calls it. */
  readonly name: string;
  /** Absent if its columns are not known. */
  readonly object: DataObject | undefined;
  readonly catalog: Catalog;
}

/**
 * The problem of an unknown `column`, which neither the data object nor a joined table has; `owner` names the data
 * object, if the text stands elsewhere.
 */
export function unknownColumn(
  column: Located<string>,
  { name: dataObject, object, catalog }: SearchedObject,
  {
    owner,
    children = [],
  }: { readonly owner?: RelatedPlace | undefined; readonly children?: readonly DataObject[] } = {},
): Problem {
  const nearest = nearestNames(column.value, object?.columns.map(({ name }) => name) ?? []);
  const child = children.find(({ columns }) => columns.some(({ name }) => name === column.value));
  const remedy = child
    ? columnOfChild(column.value, dataObject, child)
    : (didYouMean(nearest) ?? 'Correct the name, or join the table.');
  const problem = error(
    'unknown-column',
    `"${column.value}" is neither a column of ${objectInMessages(dataObject, catalog)} nor, as alias.column, of a joined table. ${remedy}`,
    column.range,
    nearest,
  );
  return owner ? { ...problem, related: [owner] } : problem;
}

/** Reported once for all of them, because thousands of problems do not help. */
export function moreUnknownColumns(
  columns: readonly Located<string>[],
  { name, catalog }: Pick<SearchedObject, 'name' | 'catalog'>,
): readonly Problem[] {
  const [first, ...others] = columns;
  if (!first) return [];
  const object = objectInMessages(name, catalog);
  const count = others.length.toLocaleString('en-US');
  const more = others.length === 1 ? 'and 1 other name here are' : `and ${count} other names here are`;
  const message =
    others.length === 0
      ? `"${first.value}" is neither a column of ${object} nor, as alias.column, of a joined table. Correct the name, or join the table.`
      : `"${first.value}" ${more} neither columns of ${object} nor, as alias.column, of a joined table. Correct the names, or join the table.`;
  return [error('unknown-column', message, first.range)];
}

/** Child rows share the key of their parent row, so a join adds no rows. */
function columnOfChild(column: string, dataObject: string, { name, primaryKey: [key = ''] }: DataObject): string {
  return `It is one of "${name}", which extends it: write ${name}.${column}, with joins: LEFT JOIN ${name} ON ${name}.${key} = ${dataObject}.${key}`;
}

/** The problem of `alias.column` when the joined table lacks the column. */
export function unknownJoinedColumn(
  column: Located<string>,
  alias: string,
  joined: DataObject,
  catalog: Catalog,
  owner?: RelatedPlace,
): Problem {
  const nearest = nearestNames(
    column.value.slice(alias.length + 1),
    joined.columns.map(({ name }) => name),
  ).map((name) => `${alias}.${name}`);
  const remedy = didYouMean(nearest) ?? 'Correct the name.';
  const message = `${objectInMessages(joined.name, catalog)}, which is joined as "${alias}", has no column for "${column.value}". ${remedy}`;
  const problem = error('unknown-column', message, column.range, nearest);
  return owner ? { ...problem, related: [owner] } : problem;
}

/** The problem of a data object that is missing in the catalog or not readable. */
export function unknownDataObject(dataObject: Located<string>, catalog: Catalog): Problem {
  const { value, range } = dataObject;
  const { dataSource } = catalog;
  if (catalog.unreadable?.includes(value)) {
    return error(
      'permission-denied',
      `"${value}" exists in "${dataSource}", but its configured user may not read it. Ask its owner for the permission to select from it.`,
      range,
    );
  }
  const missing = catalog.undescribed?.find(({ name }) => name === value);
  if (missing) {
    return error('unknown-data-object', `"${value}" is not a data object of "${dataSource}". ${missing.reason}`, range);
  }
  const nearest = nearestObjects(value, catalog);
  const remedy = didYouMean(nearest) ?? 'Correct the name, or refresh the data source.';
  return error('unknown-data-object', `"${value}" is not a data object of "${dataSource}". ${remedy}`, range, nearest);
}

/** Same names with or without schema, else the most similar names. */
function nearestObjects(name: string, { objects }: Catalog): readonly string[] {
  const same = objects.filter(({ path }) => path.length > 1 && (path.join('.') === name || path.at(-1) === name));
  const namesOf = (some: Catalog['objects']): readonly string[] => some.map((object) => object.name);
  return same.length > 0 ? namesOf(same) : nearestNames(name, namesOf(objects));
}

export function missingKey(element: EntitySource, dataObject: Located<string>, catalog: Catalog): Problem {
  return error(
    'missing-key',
    `${objectInMessages(dataObject.value, catalog)} has no primary key to identify the entity by. Add the ${'isMasterData' in element ? 'entry' : 'element'}'s "key".`,
    sourceName(element)?.range ?? dataObject.range,
  );
}

/** Name of an element or an entry of `entities` in messages. */
export function sourceName(source: EntitySource): Located<string> | undefined {
  return 'isMasterData' in source ? (source.name ?? source.entityType) : source.activityName;
}

/** An entry of `entities` that names no data object. */
export function masterDataUnconfigured(entry: MasterData): Problem {
  const { range } = entry.name ?? entry.entityType ?? entry;
  return error('schema-missing-property', 'The entry of entities has no data object. Add its "dataObject".', range);
}

/** An end of a relationship whose events have no entity of their own. */
export function noOwnEntity(end: Located<string>): Problem {
  return error(
    'no-own-entity',
    `"${end.value}" has no entities of its own (ownEntity: false), so nothing can be related to them. Relate another element, or remove ownEntity.`,
    end.range,
  );
}

/** An element whose events would belong to nothing. */
export function noCorrelation(ownEntity: { readonly range: SourceRange }): Problem {
  return error(
    'no-own-entity',
    'Without an entity of its own (ownEntity: false), an element needs "correlatesWith", so that its events belong to something. Add it, or remove ownEntity.',
    ownEntity.range,
  );
}

/** A list of keys in one column, where the key has several columns. */
export function listOfCompositeKey(entry: RowCorrelation): Problem {
  const { range } = entry.each ?? entry.separator ?? entry;
  const word = entry.each ? 'each' : 'separator';
  return error(
    'list-key',
    `"${word}" takes several keys out of one column, but this key has ${entry.key.length} columns. Name one column, or remove "${word}".`,
    range,
  );
}

/** A row correlation that does not say with which entities. */
export function correlationUnconfigured(entry: RowCorrelation): Problem {
  const missing = [...(entry.entityType ? [] : ['"entityType"']), ...(entry.key.length > 0 ? [] : ['"key"'])];
  return error('schema-missing-property', `The correlation needs ${listOf(missing)}.`, entry.range);
}

export function unknownProperties(dataObject: Located<string>, range: SourceRange, catalog: Catalog): Problem {
  return error(
    'unknown-data-object',
    `The columns of ${objectInMessages(dataObject.value, catalog)} are not known, so "all" cannot be listed. Refresh the data source, or list the properties.`,
    range,
  );
}

export function unknownActivity(end: Located<string>): Problem {
  return error(
    'unknown-activity',
    `No element of this file has the activity name "${end.value}". Correct the name, or add the element.`,
    end.range,
  );
}

export function relationshipDraft(relationship: Relationship, reason: string): Problem {
  return error(
    'relationship-draft',
    `The relationship is a draft: ${reason}`,
    relationship.name?.range ?? relationship.range,
  );
}

export function incompleteCrossTable(range: SourceRange, missing: readonly string[]): Problem {
  return error('incomplete-cross-table', `The cross table is not complete. Add ${listOf(missing)}.`, range);
}

/**
 * DuckDB converts implicitly where PostgreSQL fails, so types are compared here for both
 * (docs/semantics.md#112-unlike-types).
 */
export function typeMismatch(
  left: TypedColumn,
  right: TypedColumn,
  range: SourceRange,
  related: readonly RelatedPlace[],
): Problem {
  const [one, other] = [left, right].map(
    ({ name, type, dataSource }) => `"${name}" (${dataSource === undefined ? type : `${type}, of ${dataSource}`})`,
  );
  const message = `${one} and ${other} are of unlike types and cannot be compared. Map columns of like types, or convert one in an expression.`;
  return { ...error('type-mismatch', message, range), ...(related.length > 0 && { related }) };
}

/** A compared column, with its data source if there are several. */
interface TypedColumn {
  readonly name: string;
  readonly type: string;
  readonly dataSource?: string;
}

function error(
  code: CodeWith<'error'>,
  message: string,
  range: SourceRange,
  suggestions: readonly string[] = [],
): Problem {
  return { code, severity: 'error', message, range, ...(suggestions.length > 0 && { suggestions }) };
}

function listOf(things: readonly string[]): string {
  return things.length < 2 ? (things[0] ?? '') : `${things.slice(0, -1).join(', ')} and ${things.at(-1)}`;
}
