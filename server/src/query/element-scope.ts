import { findColumn, findDataObject, type Catalog, type DataObject } from '../catalog/catalog.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { EntitySource } from '../model/entity-graph.ts';
import type { Problem, RelatedPlace } from '../model/problem.ts';
import type { Located, LocatedSql } from '../model/source-range.ts';
import { usableSql } from './check-sql.ts';
import { joinedUnder } from './joined-objects.ts';
import { unknownColumn, unknownJoinedColumn } from './query-problems.ts';
import { isQuotable } from './quote.ts';
import type { RowSource } from './object-reads.ts';
import type { ElementRows, ObjectInQuery } from './query-tree.ts';
import { identifierKey, mentionedNames } from './sql-names.ts';

/** Resolves column names of an element. */
export interface ElementScope {
  readonly rows: ElementRows;
  /** The catalog of its data source. */
  readonly catalog: Catalog;
  /** Absent when an incomplete catalog does not contain it: any column may exist. */
  readonly object?: DataObject | undefined;
  /** Child tables of all generations. */
  readonly children: () => readonly DataObject[];
  /** Whether a table is joined under this alias. */
  readonly isJoined: (alias: string) => boolean;
  /** The data object joined under this alias, if its columns are known. */
  readonly joinedObject: (alias: string) => DataObject | undefined;
}

/** A column of the element's own data object, or of a table in its custom joins. */
export interface ResolvedColumn {
  readonly kind: 'own' | 'joined';
  readonly alias: string;
  readonly name: string;
}

/** The scope of an element, or undefined when its data object does not exist. */
export function elementScope(
  element: Pick<EntitySource, 'joins' | 'where'>,
  dataObject: Located<string>,
  catalog: Catalog,
): ElementScope | undefined {
  const from = objectInQuery(dataObject, catalog);
  if (!from) return undefined;
  const joins = usableSql(element.joins);
  const where = usableSql(element.where);
  const object = findDataObject(catalog, dataObject.value);
  const names = joins && mentionedNames(joins.value, catalog.dialect);
  return {
    rows: { from, joins, where },
    catalog,
    object,
    children: () =>
      catalog.objects.filter((each) => each.extends?.includes(dataObject.value) && each.primaryKey.length === 1),
    isJoined: (alias) => names?.has(identifierKey(alias, catalog.dialect)) ?? false,
    joinedObject(alias) {
      const joined = joins && joinedUnder(alias, joins.value, catalog);
      return columnsAreKnown(joined) ? joined : undefined;
    },
  };
}

/** The SQL path of a data object; a name missing in an incomplete catalog is resolved by spelling. */
export function objectInQuery(dataObject: Located<string>, catalog: Catalog): ObjectInQuery | undefined {
  const name = dataObject.value;
  const known = findDataObject(catalog, name);
  if (!known && (catalog.complete || !isQuotable(name))) return undefined;
  const path = known?.path ?? dialectNamed(catalog.dialect).identifiers.path(name);
  return { path, alias: path.at(-1) ?? name, range: dataObject.range };
}

/**
 * Resolves a column name: whole first, then as `alias.column` with the longest joined alias (both may contain dots).
 * Undefined when unknown.
 */
export function resolveColumn(name: string, scope: ElementScope): ResolvedColumn | undefined {
  const { object } = scope;
  const own = scope.rows.from.alias;
  const known = columnsAreKnown(object);
  const isOwn = (column: string) => (known ? findColumn(object, column) !== undefined : isQuotable(column));
  if (known && isOwn(name)) return { kind: 'own', alias: own, name };
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const [alias, column] = [name.slice(0, dot), name.slice(dot + 1)];
    if (alias === own && isOwn(column)) return { kind: 'own', alias, name: column };
    if (!scope.isJoined(alias) || !isQuotable(column)) continue;
    const joined = scope.joinedObject(alias);
    if (!joined || findColumn(joined, column)) return { kind: 'joined', alias, name: column };
  }
  return isOwn(name) ? { kind: 'own', alias: own, name } : undefined;
}

/** Why a column name is unknown; `owner` names its data object, if the text stands elsewhere. */
export function unresolvedColumn(column: Located<string>, scope: ElementScope, owner?: RelatedPlace): Problem {
  const name = column.value;
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const alias = name.slice(0, dot);
    const joined = scope.isJoined(alias) ? scope.joinedObject(alias) : undefined;
    if (joined) return unknownJoinedColumn(column, alias, joined, scope.catalog, owner);
  }
  const { rows, object, catalog } = scope;
  return unknownColumn(column, { name: rows.from.alias, object, catalog }, { owner, children: scope.children() });
}

/** A data object without columns is one whose columns could not be read. */
export function columnsAreKnown(object: DataObject | undefined): object is DataObject {
  return object !== undefined && object.columns.length > 0;
}

/** Custom SQL of the element, to find names. */
export function userSql(scope: ElementScope): readonly LocatedSql[] {
  return [scope.rows.joins, scope.rows.where].filter((sql) => sql !== undefined);
}

/** The place where the query of an element, or of a relationship end, reads its data object. */
export function rowSource(dataObject: string, { rows }: ElementScope): RowSource {
  return { dataObject, joins: rows.joins?.value, where: rows.where?.value };
}

export function textsOf(texts: readonly LocatedSql[]): readonly string[] {
  return texts.map(({ value }) => value);
}
