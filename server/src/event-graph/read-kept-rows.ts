import type { DataSourceRead } from '../../../protocol/import-progress.ts';
import { type KeptRowsView, keptRowsOf } from '../../../protocol/kept-rows.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';

/** The data sources from which the graph has kept rows; none in stores of earlier versions. */
export async function readKeptRows(store: StoreReader, options: StatementOptions): Promise<readonly KeptRowsView[]> {
  const [run] = await store.query("SELECT CAST(counts->'dataSources' AS VARCHAR) AS reads FROM run", options);
  const reads = run?.['reads'];
  return typeof reads === 'string' ? keptRowsOf(JSON.parse(reads) as readonly DataSourceRead[] | undefined) : [];
}
