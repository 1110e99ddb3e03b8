import type { ConnectorContext } from '../../connectors/connector-context.ts';
import type { CallOptions } from '../../connectors/servicenow/api/call-platform.ts';
import { openServiceNow } from '../../connectors/servicenow/connection.ts';
import { type DictionaryTable, readDictionary } from '../../connectors/servicenow/catalog/read-dictionary.ts';
import { isSourceError } from '../../connectors/source-error.ts';
import type { DataSource } from '../../model/data-sources.ts';

export interface StagedColumns {
  /** The staging table. */
  readonly table: string;
  /** Whether keys of rows are labels, unless the instance maps them differently. */
  readonly bulk: boolean;
  readonly names: readonly string[];
}

/** Timeout for reading the dictionary. */
const longestMs = 10_000;

/**
 * Warnings about columns missing in a staging table, whose values the instance silently drops. Empty without missing
 * columns, and when the dictionary is not completely readable. Rejects only when `signal` is aborted.
 */
export async function unknownColumnWarnings(
  source: DataSource,
  context: ConnectorContext,
  staged: StagedColumns,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const limit = AbortSignal.timeout(longestMs);
  const either = signal ? AbortSignal.any([signal, limit]) : limit;
  try {
    const table = await readTable(source, context, staged.table, { signal: either });
    return table ? unknownColumns(staged, table) : [];
  } catch (error) {
    signal?.throwIfAborted();
    if (isSourceError(error) || limit.aborted) return [];
    throw error;
  }
}

async function readTable(
  source: DataSource,
  context: ConnectorContext,
  name: string,
  options: CallOptions,
): Promise<DictionaryTable | undefined> {
  const { client } = await openServiceNow(source, context);
  try {
    const table = (await readDictionary(client, [name], options)).tables?.get(name);
    return table && table.columns.length > 0 && table.missing === 0 ? table : undefined;
  } finally {
    client.close();
  }
}

/** Pure. Compares names without case. */
export function unknownColumns({ table, bulk, names }: StagedColumns, { columns }: DictionaryTable): readonly string[] {
  const byName = new Set(columns.map(({ name }) => name.toLowerCase()));
  const byLabel = new Map(columns.map(({ name, label }) => [label.toLowerCase(), name]));
  const isKnown = (name: string): boolean =>
    byName.has(name.toLowerCase()) || (bulk && byLabel.has(name.toLowerCase()));
  const unknown = names.filter((name) => !isKnown(name));
  if (unknown.length === 0) return [];
  const labels = unknown.flatMap((name) => {
    const column = byLabel.get(name.toLowerCase());
    return column === undefined ? [] : [`${name} is what it calls ${column}`];
  });
  const what = unknown.length === 1 ? 'no column' : 'no columns';
  const meant = labels.length > 0 ? ` ${labels.join(', ')}.` : '';
  return [`${table} has ${what} ${unknown.join(', ')}: what stands there is not kept.${meant}`];
}
