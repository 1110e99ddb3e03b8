import { type Catalog, type DataObject, findColumn } from '../catalog/catalog.ts';
import { dataSourceNamed } from '../model/data-sources-used.ts';
import type { EntityGraph, EntitySource } from '../model/entity-graph.ts';
import { sqlOfEntry } from '../model/entry-columns.ts';
import { joinedObjects, joinedUnder } from '../query/joined-objects.ts';
import { identifierKey, mentionedNames } from '../query/sql-names.ts';
import { eachNamedColumn, graphColumns } from './graph-columns.ts';

type OfSource = Catalog & { readonly dataSource: string };

/** A table in the joins of an entry. */
interface JoinedTable {
  readonly alias: string;
  readonly object: DataObject;
  /** The columns of it that the graph names. */
  readonly columns: readonly string[];
}

/** The columns of a data object that the graph names, also in its SQL, in the order of the data object. */
export function neededColumns(graph: EntityGraph, object: DataObject, catalog: OfSource): readonly string[] {
  const { dataSource, dialect } = catalog;
  const entries = [...graph.elements, ...graph.entities];
  const ofSource = entries.filter((each) => dataSourceNamed(graph, each) === dataSource);
  const named = graphColumns(graph, dataSource, dialect).get(object.name)?.columns;
  const throughJoins = namedThroughJoins(graph, object, catalog);
  const readsAll = ofSource.some((each) => each.dataObject?.value === object.name && each.properties.kind === 'all');
  const sql = [
    ...entries.flatMap(sqlOfEntry),
    ...graph.relationships.flatMap(({ mappings }) =>
      mappings.map((mapping) => (mapping.kind === 'expression' ? mapping.expression : undefined)),
    ),
  ];
  const mentioned = new Set(sql.flatMap((each) => (each ? [...mentionedNames(each.value, dialect)] : [])));
  const aliases = ofSource
    .flatMap(({ joins }) => (joins ? joinedObjects(joins.value, catalog) : []))
    .filter((joined) => joined.object.name === object.name)
    .map(({ alias }) => alias);
  // Expressions of relationships name a joined column as one quoted name: source."caller.name".
  const isMentioned = (column: string): boolean =>
    [column, ...aliases.map((alias) => `${alias}.${column}`)].some((name) =>
      mentioned.has(identifierKey(name, dialect)),
    );
  return object.columns
    .map(({ name }) => name)
    .filter(
      (column) =>
        readsAll ||
        named?.has(column) === true ||
        throughJoins.has(column) ||
        object.primaryKey.includes(column) ||
        isMentioned(column),
    );
}

/**
 * The tables in the joins of an entry whose rows can be read with its query. Excludes tables in subqueries and
 * parentheses.
 */
export function joinedTables(
  graph: EntityGraph,
  entry: EntitySource,
  own: DataObject,
  catalog: OfSource,
): readonly JoinedTable[] {
  const joins = entry.joins?.value;
  if (joins === undefined) return [];
  const ownAlias = own.path.at(-1) ?? own.name;
  return joinedObjects(joins, catalog).flatMap(({ alias }) => {
    const object = alias === ownAlias ? undefined : joinedUnder(alias, joins, catalog);
    if (!object) return [];
    // A column of the data object itself may have a dot in its name, and is meant first.
    const columns = neededColumns(graph, object, catalog).filter((name) => !findColumn(own, `${alias}.${name}`));
    return columns.length === 0 ? [] : [{ alias, object, columns }];
  });
}

/** Columns of a data object that are named as `alias.column` by entries that join it. */
function namedThroughJoins(graph: EntityGraph, object: DataObject, catalog: OfSource): ReadonlySet<string> {
  const found = new Set<string>();
  eachNamedColumn(graph, (owner, name) => {
    const joins = owner?.joins?.value;
    if (joins === undefined || name === undefined || dataSourceNamed(graph, owner) !== catalog.dataSource) return;
    for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
      const joined = joinedUnder(name.slice(0, dot), joins, catalog);
      if (joined?.name === object.name) found.add(name.slice(dot + 1));
    }
  });
  return found;
}
