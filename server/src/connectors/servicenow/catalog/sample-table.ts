import { isSourceError } from '../../source-error.ts';
import { retryWithHalfSize } from '../records/retry-with-half-size.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { sampledType } from './column-type.ts';
import { fieldText } from '../api/field-text.ts';
import type { DictionaryColumn, DictionaryTable, RowKey } from './read-dictionary.ts';
import type { TableApi } from '../api/table-api.ts';

/** Columns of sample records, with inferred DuckDB types. */
interface SampledColumns {
  readonly columns: readonly DictionaryColumn[];
  readonly types: ReadonlyMap<string, string>;
  /** Whether a record has a `sys_id`. */
  readonly keyed: boolean;
}

const sampleSize = 100;

/** Infers columns from sample records if the dictionary is not readable. Undefined if no record arrives in time. */
export async function sampleTable(
  api: TableApi,
  name: string,
  options: CallOptions,
  most = sampleSize,
): Promise<SampledColumns | undefined> {
  const parameters = { displayValue: 'false', excludeReferenceLink: true, noCount: true } as const;
  const page = await retryWithHalfSize(most, (limit) => api.list(name, { ...parameters, limit }, options));
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

/**
 * Records have a `sys_id` although no column describes it; view rows have prefixed ones, and possibly another one that
 * is not a key.
 */
function isUndescribed(name: string, isView: boolean): boolean {
  return isView ? name === 'sys_id' || name.endsWith('sys_tags') : name === 'sys_tags';
}

/**
 * Key fields of a sampled table that is a database view: its records have no `sys_id`, or one in addition to those of
 * the joined tables. Undefined for a table.
 */
export function sampledRowKeys({ columns, types, keyed }: SampledColumns): readonly RowKey[] | undefined {
  const names = columns.map(({ name }) => name).filter((name) => !isUndescribed(name, true));
  const prefixes = names.flatMap((name) => /^([a-z0-9]+_)sys_id$/.exec(name)?.[1] ?? []);
  const isPrefixed = prefixes.length > 0 && names.every((name) => prefixes.some((prefix) => name.startsWith(prefix)));
  if (types.size === 0 || (keyed && !isPrefixed)) return undefined;
  // The join order is unknown.
  return isPrefixed ? prefixes.map((prefix) => ({ name: `${prefix}sys_id`, mayBeEmpty: true })) : [];
}

/**
 * Columns of records that are missing in the readable dictionary: row ACLs hide entries, which counts reveal only if
 * they ignore ACLs.
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
    // Columns in the dictionary need no inference.
    if (isSourceError(error) && error.code === 'permission-denied') return none;
    throw error;
  }
}

const none: SampledColumns = { columns: [], types: new Map(), keyed: true };
