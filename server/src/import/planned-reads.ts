import { findDataObject } from '../catalog/catalog.ts';
import { type GraphCatalog, catalogOf } from '../catalog/graph-catalog.ts';
import type { PlannedRead } from '../../../protocol/import-plan.ts';
import type { ImportSources } from './import-source.ts';
import { type ImportPlan, plannedPulls } from './plan-import.ts';

/**
 * The data objects that an import will read from each data source, with an estimated number of rows that ignores
 * conditions.
 */
export function plannedReads(plan: ImportPlan, sources: ImportSources, catalog: GraphCatalog): readonly PlannedRead[] {
  const pulls = plannedPulls(plan);
  return sources.map(({ name, connector: { kind } }) => {
    const own = catalogOf(catalog, { dataSource: { value: name } });
    const queries = pulls.flatMap(({ dataSource, query }) => (dataSource === name ? [query] : []));
    const dataObjects = [...new Set(queries.flatMap((query) => query.dataObjects))];
    const rowsOf = (dataObject: string): number | undefined =>
      own && findDataObject(own, dataObject)?.statistics.rowEstimate;
    const rows = queries.map((query) => rowsOf(query.dataObjects[0] ?? ''));
    const known = rows.filter((count) => count !== undefined);
    return {
      name,
      kind,
      dataObjects,
      queries: queries.length,
      ...(known.length === rows.length && { rowEstimate: known.reduce((sum, count) => sum + count, 0) }),
    };
  });
}

/** The planned reads in one sentence. */
export function plannedReadsText(reads: readonly PlannedRead[]): string {
  const each = reads.map(({ name, dataObjects, rowEstimate }) => {
    const rows = rowEstimate === undefined ? 'rows' : `about ${rowEstimate.toLocaleString('en-US')} rows`;
    return `${rows} of ${name} (${dataObjects.join(', ')})`;
  });
  return `Will read ${each.join('; ')}`;
}
