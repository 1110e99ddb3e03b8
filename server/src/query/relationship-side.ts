import { findColumn, objectInMessages, type Catalog, type Column, type DataObject } from '../catalog/catalog.ts';
import { type EntityGraph, type EntitySource, type Relationship, hasOwnEntity } from '../model/entity-graph.ts';
import type { Problem, RelatedPlace } from '../model/problem.ts';
import { endNamed } from '../model/relationship-ends.ts';
import type { Located, LocatedSql } from '../model/source-range.ts';
import { containmentProblems } from './check-sql.ts';
import { keyOf } from './element-query.ts';
import { elementScope, resolveColumn, unresolvedColumn, type ElementScope } from './element-scope.ts';
import {
  elementUnconfigured,
  masterDataUnconfigured,
  missingKey,
  noOwnEntity,
  relationshipDraft,
  sourceName,
  unknownActivity,
  unknownDataObject,
} from './query-problems.ts';
import { joinedObjects } from './joined-objects.ts';
import type { ColumnInQuery, Relation, SelectItem } from './query-tree.ts';
import { resultNames } from './result-names.ts';
import { textIn } from './select-columns.ts';
import { identifierKey, quotedColumnsOf } from './sql-names.ts';
import { type TextColumn, distinctTexts } from './text-columns.ts';

/** One end of a relationship, and the columns available to its conditions. */
export interface RelationshipSide {
  readonly dataObject: string;
  readonly scope: ElementScope;
  /** The zone of its times without one, if it is not that of the data source. */
  readonly timeZone?: string | undefined;
  readonly relation: Relation;
  readonly key: readonly SelectItem[];
  /** The names of the key columns, as in the model. */
  readonly keyNames: readonly string[];
  readonly column: (name: Located<string>) => SideColumn | undefined;
  /** Columns for which both texts and values are needed. */
  readonly texts: readonly TextColumn[];
}

export interface SideColumn {
  readonly column: ColumnInQuery;
  /** The catalog's entry, if the table is known. */
  readonly entry?: Column;
  /** Its data object, if known. */
  readonly object?: DataObject;
  /** Its text, if keys are made of texts. */
  readonly text?: ColumnInQuery | undefined;
  /** The zone of its times without one, if it is not that of the data source. */
  readonly timeZone?: string | undefined;
}

/** The columns of one end that the conditions of a relationship use. */
export interface SideUses {
  readonly end: 'source' | 'target';
  readonly columns: readonly Located<string>[];
  /** Names of columns compared for equality. */
  readonly equal: ReadonlySet<string>;
  readonly expressions: readonly LocatedSql[];
}

/** One end of a relationship as far as it is known, and all problems that prevent its query. */
export function relationshipSide(
  graph: EntityGraph,
  relationship: Relationship,
  uses: SideUses,
  catalog: Catalog,
): { readonly side?: RelationshipSide; readonly problems: readonly Problem[] } {
  const found = endOf(graph, relationship, uses.end);
  if (!found.element) return { problems: [found.problem] };
  const { element, dataObject } = found;
  const scope = elementScope(element, dataObject, catalog);
  if (!scope) return { problems: [unknownDataObject(dataObject, catalog)] };

  const key = keyOf(element, dataObject, scope);
  const problems = [
    ...(found.problem ? [found.problem] : []),
    ...containmentProblems(element.joins, catalog.dialect),
    ...containmentProblems(element.where, catalog.dialect),
    ...(key.length === 0 ? [missingKey(element, dataObject, catalog)] : []),
    ...key.filter((column) => !resolveColumn(column.value, scope)).map((column) => unresolvedColumn(column, scope)),
    ...uses.columns
      .filter((column) => !resolveColumn(column.value, scope))
      .map((column) => unresolvedColumn(column, scope, ownerOf(element, dataObject, catalog))),
  ];

  const compared = new Set([...key.map(({ value }) => value), ...uses.equal]);
  const sideScope: SideScope = { scope, compared, catalog };
  const joinedColumns = joinedColumnsOf(sideScope, [...key, ...uses.columns], uses);
  const timeZone = element.timeZone?.value;
  const column = (name: Located<string>): SideColumn | undefined => {
    const found = sideColumn(name, sideScope, joinedColumns, uses.end);
    return found && timeZone !== undefined ? { ...found, timeZone } : found;
  };
  const side: RelationshipSide = {
    dataObject: dataObject.value,
    scope,
    timeZone,
    relation: { rows: scope.rows, joinedColumns: [...joinedColumns.values()].flatMap(withText) },
    key: key.flatMap((name, index) => {
      const found = column(name);
      if (!found) return [];
      const textType = found.entry?.sense === 'text' ? found.entry : undefined;
      return [{ column: found.text ?? found.column, as: `${uses.end}_key_${index + 1}`, textType }];
    }),
    keyNames: key.map(({ value }) => value),
    column,
    texts: distinctTexts(
      [...compared].flatMap((name) => {
        const resolved = resolveColumn(name, scope);
        return (resolved && textIn(scope, resolved)) ?? [];
      }),
    ),
  };
  return { side, problems };
}

/** The element that should have the column of a mapping. */
export function ownerOf(element: EntitySource, dataObject: Located<string>, catalog: Catalog): RelatedPlace {
  return {
    message: `It should be a column of this ${'isMasterData' in element ? 'entry' : 'element'}, whose data object is ${objectInMessages(dataObject.value, catalog)}.`,
    range: (sourceName(element) ?? dataObject).range,
  };
}

type End =
  | { readonly element: EntitySource; readonly dataObject: Located<string>; readonly problem?: Problem }
  | { readonly element?: never; readonly problem: Problem };

/** The element or the entry of `entities` at one end of a relationship. */
export function endOf(graph: EntityGraph, relationship: Relationship, end: 'source' | 'target'): End {
  const activity = relationship[end];
  if (!activity) return { problem: relationshipDraft(relationship, `it has no ${end}. Add its "${end}".`) };
  const element = endNamed(graph, activity.value);
  if (!element) return { problem: unknownActivity(activity) };
  // Relations do not use the start timestamp, so an element without one can be related.
  if (!element.dataObject) {
    return {
      problem: 'isMasterData' in element ? masterDataUnconfigured(element) : elementUnconfigured(element),
    };
  }
  const hasEntities = 'isMasterData' in element || hasOwnEntity(element);
  return { element, dataObject: element.dataObject, ...(hasEntities ? {} : { problem: noOwnEntity(activity) }) };
}

interface SideScope {
  readonly scope: ElementScope;
  /** Names of columns that are key parts, or compared for equality. */
  readonly compared: ReadonlySet<string>;
  readonly catalog: Catalog;
}

/** A joined column, and its text if keys are made of texts. */
interface JoinedColumn extends SelectItem {
  readonly text?: SelectItem | undefined;
}

/** Columns from joined tables by name as written, each under a unique name. */
function joinedColumnsOf(
  { scope, compared, catalog }: SideScope,
  columns: readonly Located<string>[],
  { end, expressions }: SideUses,
): ReadonlyMap<string, JoinedColumn> {
  const mentioned = expressions.flatMap((expression) => quotedColumnsOf(end, expression.value, catalog.dialect));
  const ranges = new Map(columns.map((column) => [column.value, column.range]));
  const joined = [...new Set([...columns.map((column) => column.value), ...mentioned])].flatMap((name) => {
    const resolved = resolveColumn(name, scope);
    return resolved?.kind === 'joined' ? [{ name, resolved }] : [];
  });
  const own = scope.object?.columns.map((column) => column.name) ?? [];
  const names = resultNames(
    joined.map(({ name }) => name),
    catalog.dialect,
    own,
  );
  const textNames = resultNames(
    joined.map(({ name }) => `${name} as text`),
    catalog.dialect,
    [...own, ...names],
  );
  return new Map(
    joined.map(({ name, resolved }, index) => {
      const range = ranges.get(name);
      const column = { alias: resolved.alias, name: resolved.name, ...(range && { range }) };
      const text = compared.has(name) ? textIn(scope, resolved) : undefined;
      const textItem = text && { column: { ...column, name: text.as }, as: textNames[index] ?? name };
      return [name, { column, as: names[index] ?? name, text: textItem }];
    }),
  );
}

function sideColumn(
  name: Located<string>,
  { scope, compared, catalog }: SideScope,
  joinedColumns: ReadonlyMap<string, JoinedColumn>,
  end: 'source' | 'target',
): SideColumn | undefined {
  const resolved = resolveColumn(name.value, scope);
  if (!resolved) return undefined;
  const object = resolved.kind === 'own' ? scope.object : joinedObject(resolved.alias, scope, catalog);
  const entry = object && findColumn(object, resolved.name);
  const joined = joinedColumns.get(name.value);
  const column = { alias: end, name: joined?.as ?? resolved.name, range: name.range };
  const detachedText = compared.has(name.value) ? textIn(scope, resolved)?.as : undefined;
  const text = joined ? joined.text?.as : detachedText;
  return { column, ...(entry && { entry, object }), text: text === undefined ? undefined : { ...column, name: text } };
}

function withText({ text, ...column }: JoinedColumn): readonly SelectItem[] {
  return text ? [column, text] : [column];
}

function joinedObject(alias: string, scope: ElementScope, catalog: Catalog): DataObject | undefined {
  const joined = joinedObjects(scope.rows.joins?.value ?? '', catalog);
  return joined.find((candidate) => candidate.alias === identifierKey(alias, catalog.dialect))?.object;
}
