import { findDataObject } from '../catalog/catalog.ts';
import { type GraphCatalog, catalogOf } from '../catalog/graph-catalog.ts';
import { type ImportPlan, plannedPulls } from './plan-import.ts';

/** Estimated rows of pulled queries by staging table: those of the first data object of each. */
export function expectedRows(plan: ImportPlan, catalog: GraphCatalog): ReadonlyMap<string, number> {
  return new Map(
    plannedPulls(plan).flatMap(({ dataSource, query, table }) => {
      const own = catalogOf(catalog, { dataSource: { value: dataSource } });
      const [first = ''] = query.dataObjects;
      const rows = own && findDataObject(own, first)?.statistics.rowEstimate;
      return rows === undefined ? [] : [[table, rows] as const];
    }),
  );
}
