import type { DataSourceRead } from '../../../protocol/import-progress.ts';
import type { ImportSlice } from '../../../protocol/import-request.ts';
import { type KeptRowsView, keptRowsOf } from '../../../protocol/kept-rows.ts';
import { isoTime } from './iso-time.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';

/** Import notes shown beside the process map. */
export interface RunNotes {
  /** Data sources whose rows were replaced by kept rows. */
  readonly keptRows?: readonly KeptRowsView[];
  /** Absent for the whole graph. */
  readonly slice?: ImportSlice;
  /** Start of the import: ISO 8601, UTC. */
  readonly imported?: string;
}

/** The notes of the import of a store. Only graphs of several data sources, or with kept rows, record their reads. */
export async function readRunNotes(store: StoreReader, options: StatementOptions): Promise<RunNotes> {
  const [run] = await store.query(
    "SELECT CAST(counts->'dataSources' AS VARCHAR) AS reads, CAST(slice AS VARCHAR) AS slice, CAST(started AS VARCHAR) AS started FROM run",
    options,
  );
  const { reads, slice, started } = run ?? {};
  const keptRows =
    typeof reads === 'string' ? keptRowsOf(JSON.parse(reads) as readonly DataSourceRead[] | undefined) : [];
  const imported = isoTime(started);
  return {
    ...(keptRows.length > 0 && { keptRows }),
    ...(typeof slice === 'string' && { slice: JSON.parse(slice) as ImportSlice }),
    ...(imported !== undefined && { imported }),
  };
}
