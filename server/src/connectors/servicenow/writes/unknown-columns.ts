import type { StagedColumns, WriteOptions } from '../../source-writer.ts';
import type { ServiceNowClient } from '../api/client.ts';
import { type DictionaryTable, readDictionary } from '../catalog/read-dictionary.ts';

/**
 * Warnings about columns missing in a staging table. Empty without missing columns, and when the dictionary is not
 * completely readable.
 */
export async function unknownColumns(
  client: Pick<ServiceNowClient, 'tables' | 'aggregates'>,
  staged: StagedColumns,
  options: WriteOptions,
): Promise<readonly string[]> {
  const table = (await readDictionary(client, [staged.table], options)).tables?.get(staged.table);
  const isComplete = table !== undefined && table.columns.length > 0 && table.missing === 0;
  return isComplete ? columnWarnings(staged, table) : [];
}

/** Compares names without case. */
function columnWarnings({ table, bulk, names }: StagedColumns, { columns }: DictionaryTable): readonly string[] {
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
