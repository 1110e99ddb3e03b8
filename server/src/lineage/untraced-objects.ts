import { type GraphCatalog, catalogOf } from '../catalog/graph-catalog.ts';
import { type EntityGraph, type EntitySource, masterDataName, relationshipName } from '../model/entity-graph.ts';
import { endNamed } from '../model/relationship-ends.ts';
import type { LocatedSql } from '../model/source-range.ts';
import { elementScope } from '../query/element-scope.ts';
import { objectsInSubqueries } from '../query/joined-objects.ts';
import { objectsInScope } from './columns-in-sql.ts';

/** A data object that custom SQL reads in a subquery, whose columns the lineage leaves out. */
export interface UntracedObject {
  readonly dataObject: string;
  /** The element, entry of `entities`, or relationship with the SQL. */
  readonly of: string;
}

/** Each data object and user once, in the order of the file (docs/semantics.md#212-columns). */
export function untracedObjects(graph: EntityGraph, catalog: GraphCatalog | undefined): readonly UntracedObject[] {
  if (!catalog) return [];
  const found = [
    ...[...graph.elements, ...graph.entities].flatMap((entry) => inSql(nameOf(entry), entry, sqlOf(entry))),
    ...graph.relationships.flatMap((relationship) => {
      const end = relationship.source && endNamed(graph, relationship.source.value);
      const sql = relationship.mappings.flatMap((mapping) => (mapping.kind === 'columns' ? [] : [mapping.expression]));
      return end ? inSql(relationshipName(relationship), end, sql) : [];
    }),
  ];
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];

  function inSql(of: string, entry: EntitySource, sql: readonly LocatedSql[]): readonly UntracedObject[] {
    const own = catalog && catalogOf(catalog, entry);
    if (!own || !entry.dataObject) return [];
    const ownScope = elementScope(entry, entry.dataObject, own);
    const scope = ownScope ? objectsInScope(ownScope) : [];
    const isTraced = (alias: string, name: string): boolean =>
      scope.some((each) => each.alias === alias && each.object.name === name);
    return sql
      .flatMap(({ value }) => objectsInSubqueries(value, own))
      .filter(({ alias, object }) => !isTraced(alias, object.name))
      .map(({ object }) => ({ dataObject: object.name, of }));
  }
}

/** Such as `Custom SQL of Place Order reads items in a subquery, whose columns are not traced.` */
export function untracedText({ of, dataObject }: UntracedObject): string {
  return `Custom SQL of ${of} reads ${dataObject} in a subquery, whose columns are not traced.`;
}

function sqlOf(entry: EntitySource): readonly LocatedSql[] {
  const times = 'isMasterData' in entry ? [] : [entry.startExpression, entry.changeExpression, entry.endExpression];
  return [entry.joins, entry.where, ...times].filter((sql) => sql !== undefined);
}

function nameOf(entry: EntitySource): string {
  return ('isMasterData' in entry ? masterDataName(entry) : entry.activityName?.value) ?? entry.dataObject?.value ?? '';
}
