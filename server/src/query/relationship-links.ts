import { findColumn, findDataObject, type Catalog } from '../catalog/catalog.ts';
import type { Relationship } from '../model/entity-graph.ts';
import type { Located } from '../model/source-range.ts';
import type { ReadLink } from './compiled-query.ts';

/** Which rows of target and cross table are related to fetched rows of the source; undefined without an equality. */
interface RelationshipLinks {
  readonly target: ReadLink | undefined;
  readonly cross: ReadLink | undefined;
}

/** Equalities between columns of the data objects themselves; joined columns do not help fetching. */
export function relationshipLinks(
  { mappings, crossTable }: Relationship,
  ends: { readonly source: string; readonly target: string },
  catalog: Catalog,
): RelationshipLinks {
  const isOwn = (dataObject: string, column: string): boolean => {
    const object = findDataObject(catalog, dataObject);
    return object !== undefined && findColumn(object, column) !== undefined;
  };
  const first = (
    dataObject: string,
    of: string,
    pairs: readonly { readonly column: string; readonly by: string }[],
  ): ReadLink | undefined => {
    const pair = pairs.find(({ column, by }) => isOwn(dataObject, column) && isOwn(of, by));
    return pair && { column: pair.column, of, by: pair.by };
  };
  const equal = <T extends { readonly operator: string }>(list: readonly T[]): readonly T[] =>
    list.filter(({ operator }) => operator === '=');
  const bridge = crossTable?.dataObject?.value;
  if (crossTable && bridge !== undefined) {
    const toCross = equal(crossTable.sourceMappings).map(({ column, cross }) => pairOf(cross, column));
    const fromCross = equal(crossTable.targetMappings).map(({ column, cross }) => pairOf(column, cross));
    const cross = first(bridge, ends.source, toCross);
    return { cross, target: cross && first(ends.target, bridge, fromCross) };
  }
  const mapped = mappings.flatMap((mapping) =>
    mapping.kind === 'columns' && mapping.operator === '=' ? [pairOf(mapping.target, mapping.source)] : [],
  );
  return { cross: undefined, target: first(ends.target, ends.source, mapped) };
}

function pairOf(column: Located<string>, by: Located<string>) {
  return { column: column.value, by: by.value };
}
