import { copyTables } from './copy-tables.ts';
import type { ExportFormat } from './export-format.ts';
import { guardedColumns } from './guard-formulas.ts';

/** One CSV file per table, UTF-8 with header; times are ISO 8601 in UTC with microseconds, missing values are empty. */
export const csv: ExportFormat = {
  guardsFormulas: true,
  write: (store, folder, signal, { guardFormulas = false } = {}) =>
    copyTables(
      store,
      folder,
      {
        ending: 'csv',
        options: "FORMAT csv, HEADER, TIMESTAMPFORMAT '%Y-%m-%dT%H:%M:%S.%fZ'",
        columnsOf: guardFormulas ? guardedColumns : undefined,
      },
      signal,
    ),
};
