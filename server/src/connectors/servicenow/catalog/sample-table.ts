import { isSourceError } from '../../source-error.ts';
import { askPatiently } from '../records/ask-patiently.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { sampledType } from './column-type.ts';
import { fieldText } from '../api/field-text.ts';
import type { DictionaryColumn, DictionaryTable, RowKey } from './read-dictionary.ts';
import type { TableApi } from '../api/table-api.ts';

/** Columns that some records have, with their DuckDB types as far as values tell. */
export interface SampledColumns {
  readonly columns: readonly DictionaryColumn[];
  readonly types: ReadonlyMap<string, string>;
  /** Whether a record showed a `sys_id`. */
  readonly keyed: boolean;
}

const sampleSize = 100;

/** The columns that some records have, where the dictionary is closed. Undefined when the instance does not give any in time. */
export async function sampleTable(
  api: TableApi,
  name: string,
  options: CallOptions,
  most = sampleSize,
): Promise<SampledColumns | undefined> {
  const parameters = { displayValue: 'false', excludeReferenceLink: true, noCount: true } as const;
  const page = await askPatiently(most, (limit) => api.list(name, { ...parameters, limit }, options));
  if (!page) return undefined;
  const { records } = page;
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
    keyed: (values.get('sys_id') ?? []).length > 0,
  };
}

/** Records bear it, though no column of that name is described; rows of views by its prefix, and perhaps a key that is none. */
function isUndescribed(name: string, isView: boolean): boolean {
  return isView ? name === 'sys_id' || name.endsWith('sys_tags') : name === 'sys_tags';
}

/**
 * What tells the rows of a sampled table apart where that is a database view: records of views show no `sys_id`, or one beside
 * those of the tables that they are made of. Undefined for a table.
 */
export function sampledRowKeys({ columns, types, keyed }: SampledColumns): readonly RowKey[] | undefined {
  const names = columns.map(({ name }) => name).filter((name) => !isUndescribed(name, true));
  const prefixes = names.flatMap((name) => /^([a-z0-9]+_)sys_id$/.exec(name)?.[1] ?? []);
  const isPrefixed = prefixes.length > 0 && names.every((name) => prefixes.some((prefix) => name.startsWith(prefix)));
  if (types.size === 0 || (keyed && !isPrefixed)) return undefined;
  // Which tables are joined how is not known.
  return isPrefixed ? prefixes.map((prefix) => ({ name: `${prefix}sys_id`, mayBeEmpty: true })) : [];
}

/**
 * Columns that records have though the dictionary, as far as the user may read it, does not know them: row ACLs hide entries of
 * it, which the count of these entries shows only where it takes no account of ACLs itself.
 */
export async function unlistedColumns(
  api: TableApi,
  { name, columns, missing, rowKeys }: DictionaryTable,
  options: CallOptions,
): Promise<SampledColumns> {
  const listed = new Set(columns.map((column) => column.name));
  const isUnlisted = (column: DictionaryColumn): boolean =>
    !listed.has(column.name) && !isUndescribed(column.name, rowKeys !== undefined);
  try {
    const probe = missing > 0 ? undefined : await sampleTable(api, name, options, 1);
    if (missing === 0 && !probe?.columns.some(isUnlisted)) return none;
    const sample = await sampleTable(api, name, options);
    if (!sample) return none;
    return {
      ...sample,
      columns: sample.columns.filter(isUnlisted),
      types: new Map([...sample.types].filter(([column]) => !listed.has(column))),
    };
  } catch (error) {
    // What the dictionary says is good without.
    if (isSourceError(error) && error.code === 'permission-denied') return none;
    throw error;
  }
}

const none: SampledColumns = { columns: [], types: new Map(), keyed: true };
