import { copyTables } from './copy-tables.ts';
import type { ExportFormat } from './export-format.ts';

/** One Parquet file per table, with types. */
export const parquet: ExportFormat = {
  write: (store, folder, signal) =>
    copyTables(store, folder, { ending: 'parquet', options: 'FORMAT parquet, COMPRESSION zstd' }, signal),
};
