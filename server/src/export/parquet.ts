import { copyTables } from './copy-tables.ts';
import type { ExportFormat } from './export-format.ts';
import { type ChangedColumn, parquetColumns } from './parquet-types.ts';

/** One Parquet file per table, with types. A type that Parquet lacks is replaced, with a note. */
export const parquet: ExportFormat = {
  write: (store, folder, signal, { onNote } = {}) =>
    copyTables(
      store,
      folder,
      {
        ending: 'parquet',
        options: 'FORMAT parquet, COMPRESSION zstd',
        async columnsOf(of, table) {
          const { columns, changed } = await parquetColumns(of, table, { signal });
          for (const column of changed) onNote?.(note(table, column));
          return columns;
        },
      },
      signal,
    ),
};

function note(table: string, { name, type, written }: ChangedColumn): string {
  return `Column "${name}" of ${table} is ${written}: Parquet has no ${type} without loss.`;
}
