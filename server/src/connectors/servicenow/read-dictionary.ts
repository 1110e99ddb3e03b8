import type { KnownValue } from '../../catalog/catalog.ts';
import { isSourceError } from '../source-error.ts';
import type { CallOptions } from './call-platform.ts';
import type { ServiceNowClient } from './client.ts';
import { recordTexts } from './field-text.ts';
import { readPages } from './read-pages.ts';
import type { TableApi } from './table-api.ts';

/** A table as the instance's dictionary describes it. */
export interface DictionaryTable {
  readonly name: string;
  readonly label: string;
  /** Those of its ancestors among them, `sys_id` first, then by name; empty when the dictionary cannot be read. */
  readonly columns: readonly DictionaryColumn[];
  /** Entries of the table and its ancestors that the instance counts, but the user may not read. */
  readonly missing: number;
}

export interface DictionaryColumn {
  readonly name: string;
  readonly label: string;
  readonly internalType: string;
  /** The table that a reference leads to. */
  readonly reference?: string;
  readonly mandatory: boolean;
  readonly hasChoices: boolean;
  /** What `sys_choice` offers for it. */
  readonly choices?: readonly KnownValue[];
}

/** Tables by name; undefined when the user may not read which tables there are. */
export type Dictionary = ReadonlyMap<string, DictionaryTable> | undefined;

/** Reads the tables and all that they extend, with their columns: inherited ones stand on the ancestor only. */
export async function readDictionary(
  client: Pick<ServiceNowClient, 'tables' | 'aggregates'>,
  tables: readonly string[],
  options: CallOptions,
): Promise<Dictionary> {
  const { tables: api } = client;
  const rows = await readableOr(undefined, () => readTables(api, tables, options));
  if (rows === undefined || rows.size === 0) return undefined;
  const columns = await readableOr([], () => readColumns(api, [...rows.keys()], options));
  const counts = await countColumns(client, [...rows.keys()], options);
  const choices = columns.some(({ column }) => column.hasChoices)
    ? await readableOr([], () => readChoices(api, [...rows.keys()], options))
    : [];
  const byTable = new Map<string, DictionaryColumn[]>();
  for (const { table, column } of columns) byTable.set(table, [...(byTable.get(table) ?? []), column]);
  const found = tables.flatMap((name) => {
    const row = rows.get(name);
    if (!row) return [];
    const merged = new Map<string, DictionaryColumn>();
    let missing = 0;
    // From the root down: what a table says of an inherited column replaces what its ancestor says.
    for (const each of ancestry(name, rows)) {
      missing += Math.max(0, (counts.get(each) ?? 0) - (byTable.get(each)?.length ?? 0));
      for (const column of byTable.get(each) ?? []) merged.set(column.name, column);
      for (const { name: column, values } of choices.filter(({ table }) => table === each)) {
        const known = merged.get(column);
        if (known?.hasChoices) merged.set(column, { ...known, choices: values });
      }
    }
    const sorted = [...merged.values()].sort((one, other) => compareNames(one.name, other.name));
    return [[name, { name, label: row.label, columns: merged.has('sys_id') ? sorted : [], missing }] as const];
  });
  return new Map(found);
}

interface TableRow {
  readonly label: string;
  readonly superClass: string;
}

/** `sys_db_object` of the tables and, generation by generation, of what they extend. */
async function readTables(
  api: TableApi,
  tables: readonly string[],
  options: CallOptions,
): Promise<ReadonlyMap<string, TableRow>> {
  const rows = new Map<string, TableRow>();
  let wanted: readonly string[] = tables;
  while (wanted.length > 0) {
    const fields = ['sys_id', 'name', 'label', 'super_class.name'];
    const found = await readAll(api, 'sys_db_object', 'name', wanted, '', fields, options);
    for (const row of found) {
      const name = row['name'] ?? '';
      // Two rows of one name would end in a circle.
      if (!rows.has(name)) rows.set(name, { label: row['label'] ?? '', superClass: row['super_class.name'] ?? '' });
    }
    const parents = found.map((row) => row['super_class.name'] ?? '');
    wanted = [...new Set(parents)].filter((name) => name !== '' && !rows.has(name));
    if (found.length === 0) break;
  }
  return rows;
}

async function readColumns(
  api: TableApi,
  tables: readonly string[],
  options: CallOptions,
): Promise<readonly { readonly table: string; readonly column: DictionaryColumn }[]> {
  const fields = ['sys_id', 'name', 'element', 'column_label', 'internal_type', 'reference', 'mandatory', 'choice'];
  const rows = await readAll(api, 'sys_dictionary', 'name', tables, ofColumns, fields, options);
  return rows.flatMap((row) => {
    const [table = '', name = ''] = [row['name'], row['element']];
    // A filter that the instance ignores for lack of rights gives rows that nobody asked for.
    if (name === '' || !tables.includes(table)) return [];
    const { reference = '', choice = '' } = row;
    const column: DictionaryColumn = {
      name,
      label: row['column_label'] ?? '',
      internalType: row['internal_type'] ?? '',
      ...(reference !== '' && { reference }),
      mandatory: row['mandatory'] === 'true',
      hasChoices: choice !== '' && choice !== '0',
    };
    return [{ table, column }];
  });
}

/** Entries without element are those of tables. */
const ofColumns = '^elementISNOTEMPTY^active=true';

/** Entries of columns by table, as the instance counts them; empty where it refuses to, or takes too long. */
async function countColumns(
  { aggregates }: Pick<ServiceNowClient, 'aggregates'>,
  tables: readonly string[],
  options: CallOptions,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const names of chunks(tables)) {
    const parameters = { query: `nameIN${names.join(',')}${ofColumns}`, count: true, groupBy: ['name'] };
    const groups = await aggregates.aggregate('sys_dictionary', parameters, options).catch((error: unknown) => {
      if (isSourceError(error) && unreadable.includes(error.code)) return [];
      throw error;
    });
    for (const { groupedBy, count } of groups) counts.set(groupedBy['name'] ?? '', Number(count ?? 0));
  }
  return counts;
}

interface ColumnChoices {
  readonly table: string;
  readonly name: string;
  readonly values: readonly KnownValue[];
}

/** Values that are offered, with their English labels. */
async function readChoices(
  api: TableApi,
  tables: readonly string[],
  options: CallOptions,
): Promise<readonly ColumnChoices[]> {
  const fields = ['sys_id', 'name', 'element', 'value', 'label', 'language', 'sequence', 'inactive'];
  const rows = await readAll(api, 'sys_choice', 'name', tables, '^inactive=false^language=en', fields, options);
  const found = new Map<
    string,
    { readonly table: string; readonly name: string; readonly rows: (typeof rows)[number][] }
  >();
  for (const row of rows) {
    const { name: table = '', element: name = '', value = '', language, inactive } = row;
    if (!tables.includes(table) || value === '' || language !== 'en' || inactive === 'true') continue;
    const key = `${table}.${name}`;
    const known = found.get(key) ?? { table, name, rows: [] };
    known.rows.push(row);
    found.set(key, known);
  }
  return [...found.values()].map(({ table, name, rows: own }) => ({
    table,
    name,
    values: own
      .sort((one, other) => Number(one['sequence']) - Number(other['sequence']))
      .map(({ value = '', label = '' }) => ({ value, ...(label !== '' && { label }) })),
  }));
}

/** Rows whose `field` is one of `values`. */
async function readAll(
  api: TableApi,
  table: string,
  field: string,
  values: readonly string[],
  more: string,
  fields: readonly string[],
  options: CallOptions,
): Promise<readonly Readonly<Record<string, string>>[]> {
  const rows: Readonly<Record<string, string>>[] = [];
  for (const some of chunks(values)) {
    const query = `${field}IN${some.join(',')}${more}`;
    const pages = readPages(api, { table, branches: [query], fields, displayValue: 'false', pageSize: 1000 }, options);
    for await (const page of pages) {
      for (const record of page) rows.push(recordTexts(record));
    }
  }
  return rows;
}

/** Lists that fit into an address. */
function chunks(values: readonly string[]): readonly (readonly string[])[] {
  const size = 50;
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );
}

/** From the root to the table itself. */
function ancestry(table: string, rows: ReadonlyMap<string, TableRow>): readonly string[] {
  const chain: string[] = [];
  for (let name = table; name !== '' && !chain.includes(name); name = rows.get(name)?.superClass ?? '') {
    chain.unshift(name);
  }
  return chain;
}

const unreadable: readonly string[] = ['permission-denied', 'object-missing', 'statement-timeout'];

async function readableOr<T>(fallback: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isHidden = isSourceError(error) && ['permission-denied', 'object-missing'].includes(error.code);
    if (isHidden) return fallback;
    throw error;
  }
}

function compareNames(one: string, other: string): number {
  if (one === 'sys_id' || other === 'sys_id') return one === other ? 0 : one === 'sys_id' ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}
