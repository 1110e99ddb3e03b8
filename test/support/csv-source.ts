import type { Connector } from '../../server/src/connectors/connector.ts';
import { createConnector } from './create-connector.ts';
import type { CompiledQuery } from '../../server/src/query/compiled-query.ts';
import { dataSource } from './postgresql-source.ts';
import { folderWith, removeFolder } from './temporary-folder.ts';
import { noSecrets } from './no-secrets.ts';

export interface CsvSourceOptions {
  /** Over `path: data/*`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly timeZone?: string;
}

/** A connector for files; paths in its settings are relative to `folder`. */
export function csvConnector(folder: string, options: CsvSourceOptions = {}): Promise<Connector> {
  const settings = { kind: 'csv', path: 'data/*', ...options.settings };
  return createConnector(dataSource('files', settings, options.timeZone), {
    folder,
    ...noSecrets,
  });
}

/** Passes `use` a connector for these files (names inside `data/`) and the parent folder of `data/`. */
export async function withCsvFiles<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: CsvSourceOptions,
  use: (connector: Connector, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await folderWith(
    Object.fromEntries(Object.entries(files).map(([name, content]) => [`data/${name}`, content])),
  );
  const connector = await csvConnector(folder, options);
  try {
    return await use(connector, folder);
  } finally {
    await connector.close();
    await removeFolder(folder);
  }
}

/** A hand-written core SELECT over these data objects. */
export function fileQuery(sql: string, dataObjects: readonly string[]): CompiledQuery {
  return { dialect: 'duckdb', sql, columns: [], dataObjects, fragments: [], references: [] };
}
