import { embeddedLiteral } from '../../query/quote.ts';

/** A reader call on one file, with its name escaped. */
export function call(reader: string, path: string, options: readonly string[]): string {
  // DuckDB would add columns for the names of folders such as `dt=2024-01-01` (`folder-columns.ts`).
  const isInFolders = reader.startsWith('read_') && /=[^/\\]*[/\\]/.test(path);
  const ownColumns = isInFolders ? ['hive_partitioning = false'] : [];
  return `${reader}(${[embeddedLiteral(enginePath(path)), ...options, ...ownColumns].join(', ')})`;
}

/** Escapes a path for DuckDB's readers: `*`, `?` and `[` would be wildcards, backslashes are not separators. */
export function enginePath(path: string): string {
  const slashed = process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  return slashed.replace(/[[*?]/g, '[$&]');
}
