import type { Catalog, DataObject } from '../../catalog/catalog.ts';
import { dialectNamed } from '../../dialects/index.ts';
import { dataSourceNamed } from '../../model/data-sources-used.ts';
import type { EntityElement, EntityGraph, EntitySource, Relationship } from '../../model/entity-graph.ts';
import { sqlOfEntry } from '../../model/entry-columns.ts';
import { identifierKey } from '../../query/sql-names.ts';
import { sqlTokens } from '../../query/sql-tokens.ts';
import { nameOf, tablesNamed } from '../../sql/tables-named.ts';

/** The data objects that the SQL of an entry reads, other than its own, at any depth. In doubt, one too many. */
export function tablesInSql(entry: EntitySource, catalog: Catalog): readonly DataObject[] {
  const dialect = dialectNamed(catalog.dialect);
  const named = new Set<string>();
  for (const { value } of sqlOfEntry(entry)) {
    const tokens = sqlTokens(value, dialect.lexis).filter(({ kind }) => kind !== 'comment');
    const { places } = tablesNamed(tokens, [], dialect);
    for (const place of places) named.add(nameOf(tokens[place], dialect) ?? '');
  }
  return catalog.objects.filter(
    ({ name, path }) =>
      name !== entry.dataObject?.value && named.has(identifierKey(path.at(-1) ?? name, catalog.dialect)),
  );
}

/** The element that makes events from rows of a data object. */
export function elementOf(graph: EntityGraph, dataObject: string, dataSource: string): EntityElement | undefined {
  return graph.elements.find(
    (each) => each.dataObject?.value === dataObject && dataSourceNamed(graph, each) === dataSource,
  );
}

/**
 * The data objects without given rows that relationships of read entries need, by relationship.
 * @param given the names of the data objects whose rows are given
 */
export function lackingRelationships(
  graph: EntityGraph,
  read: readonly EntitySource[],
  given: ReadonlySet<string>,
): readonly { readonly relationship: Relationship; readonly dataObjects: readonly string[] }[] {
  const entryNamed = (name: string | undefined): EntitySource | undefined =>
    graph.elements.find(({ activityName }) => activityName?.value === name) ??
    graph.entities.find((each) => (each.name ?? each.entityType ?? each.dataObject)?.value === name);
  return graph.relationships.flatMap((relationship) => {
    const ends = [relationship.source, relationship.target].map((end) => entryNamed(end?.value));
    if (!ends.some((end) => end && read.includes(end))) return [];
    const objects = [...ends.map((end) => end?.dataObject), relationship.crossTable?.dataObject];
    const missing = objects.flatMap((each) => (each && !given.has(each.value) ? [each.value] : []));
    return missing.length === 0 ? [] : [{ relationship, dataObjects: [...new Set(missing)] }];
  });
}
