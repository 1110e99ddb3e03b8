import { isSourceError } from '../source-error.ts';
import type { CallOptions } from './call-platform.ts';
import { sampledType } from './column-type.ts';
import { fieldText } from './field-text.ts';
import type { DictionaryColumn, DictionaryTable } from './read-dictionary.ts';
import type { TableApi } from './table-api.ts';

/** Columns that some records have, with their DuckDB types as far as values tell. */
export interface SampledColumns {
  readonly columns: readonly DictionaryColumn[];
  readonly types: ReadonlyMap<string, string>;
}

const sampleSize = 100;

/** The columns that some records have, where the dictionary is closed. */
export async function sampleTable(
  api: TableApi,
  name: string,
  options: CallOptions,
  limit = sampleSize,
): Promise<SampledColumns> {
  const parameters = { limit, displayValue: 'false', excludeReferenceLink: true, noCount: true } as const;
  const { records } = await api.list(name, parameters, options);
  const values = new Map<string, string[]>();
  for (const record of records) {
    for (const [column, value] of Object.entries(record)) {
      const known = values.get(column) ?? [];
      const text = fieldText(value);
      if (text !== '') known.push(text);
      values.set(column, known);
    }
  }
  const names = [...values.keys()].sort((one, other) =>
    one === 'sys_id' ? -1 : other === 'sys_id' ? 1 : one < other ? -1 : 1,
  );
  return {
    columns: names.map((column) => ({
      name: column,
      label: '',
      internalType: '',
      mandatory: false,
      hasChoices: false,
    })),
    types: new Map(names.map((column) => [column, sampledType(column, values.get(column) ?? [])])),
  };
}

/** Records bear it, though no column of that name is described. */
const undescribed = new Set(['sys_tags']);

/**
 * Columns that records have though the dictionary, as far as the user may read it, does not know them: row ACLs hide entries of
 * it, which the count of these entries shows only where it takes no account of ACLs itself.
 */
export async function unlistedColumns(
  api: TableApi,
  { name, columns, missing }: DictionaryTable,
  options: CallOptions,
): Promise<SampledColumns> {
  const listed = new Set(columns.map((column) => column.name));
  const isUnlisted = (column: DictionaryColumn): boolean => !listed.has(column.name) && !undescribed.has(column.name);
  try {
    const probe = missing > 0 ? undefined : await sampleTable(api, name, options, 1);
    if (probe && !probe.columns.some(isUnlisted)) return none;
    const sample = await sampleTable(api, name, options);
    return {
      columns: sample.columns.filter(isUnlisted),
      types: new Map([...sample.types].filter(([column]) => !listed.has(column))),
    };
  } catch (error) {
    // What the dictionary says is good without.
    if (isSourceError(error) && ['permission-denied', 'statement-timeout'].includes(error.code)) return none;
    throw error;
  }
}

const none: SampledColumns = { columns: [], types: new Map() };
