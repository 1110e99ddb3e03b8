import { copyTables } from './copy-tables.ts';
import type { ExportFormat } from './export-format.ts';

/** One CSV file a table, UTF-8 with header; times are ISO 8601 in UTC with microseconds, a missing value is nothing. */
export const csv: ExportFormat = {
  name: 'csv',
  write: (store, folder, signal) =>
    copyTables(
      store,
      folder,
      { ending: 'csv', options: "FORMAT csv, HEADER, TIMESTAMPFORMAT '%Y-%m-%dT%H:%M:%S.%fZ'" },
      signal,
    ),
};
