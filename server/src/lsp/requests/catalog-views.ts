import type { ColumnView, DataObjectView, DataObjectsView } from '../../../../protocol/canvas-intents.ts';
import type { Catalog, DataObject } from '../../catalog/catalog.ts';
import type { NamedColumn } from '../../language/column-scope.ts';

/** The data objects of a catalog, and why they may not be all. */
export function dataObjectsView({ objects, complete, warnings }: Catalog): DataObjectsView {
  const incomplete = complete
    ? undefined
    : (warnings[0] ?? 'There may be more data objects than the data source names.');
  return { objects: objects.map(dataObjectView), ...(incomplete === undefined ? {} : { incomplete }) };
}

function dataObjectView({ name, kind, comment, statistics, primaryKey }: DataObject): DataObjectView {
  return { name, kind, ...(comment === undefined ? {} : { comment }), ...statistics, key: primaryKey };
}

/** A column under the name by which it is asked for. */
export function columnView({ name, column }: NamedColumn): ColumnView {
  const { type, sense, primaryKey, nullable, comment, references, values, nullShare, distinctEstimate } = column;
  return {
    ...{ name, type, sense, nullable },
    // A key of a joined table identifies nothing here.
    key: primaryKey && name === column.name,
    ...(comment === undefined ? {} : { comment }),
    ...(references === undefined ? {} : { references: `${references.dataObject}.${references.column}` }),
    ...(values === undefined ? {} : { values }),
    ...(nullShare === undefined ? {} : { nullShare }),
    ...(distinctEstimate === undefined ? {} : { distinctEstimate }),
  };
}
