import type { ColumnView, DataObjectView, DataObjectsView } from '../../../../protocol/canvas-intents.ts';
import type { Catalog, DataObject } from '../../catalog/catalog.ts';
import type { NamedColumn } from '../../language/column-scope.ts';

/** The data objects of a catalog, and why the list may be incomplete. */
export function dataObjectsView({ objects, complete, warnings }: Catalog): DataObjectsView {
  const incomplete = complete
    ? undefined
    : (warnings[0] ?? 'There may be more data objects than the data source names.');
  return { objects: objects.map(dataObjectView), incomplete };
}

function dataObjectView({ name, kind, comment, statistics, primaryKey }: DataObject): DataObjectView {
  return { name, kind, comment, ...statistics, key: primaryKey };
}

/** A column under its request name. */
export function columnView({ name, column }: NamedColumn): ColumnView {
  const { type, sense, primaryKey, nullable, comment, references, values, nullShare, distinctEstimate, samples } =
    column;
  return {
    name,
    type,
    sense,
    nullable,
    // The key of a joined table is irrelevant here.
    key: primaryKey && name === column.name,
    comment,
    references: references === undefined ? undefined : `${references.dataObject}.${references.column}`,
    values,
    nullShare,
    distinctEstimate,
    samples,
  };
}
