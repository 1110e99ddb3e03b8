import type { KnownValue } from '../../../catalog/catalog.ts';
import { retryWithHalfSize } from '../records/retry-with-half-size.ts';
import type { CallOptions } from '../api/call-platform.ts';
import type { ServiceNowClient } from '../api/client.ts';
import {
  type DictionaryFigures,
  chunksOf,
  dictionaryFigures,
  entryFigures,
  tableDescriptions,
} from './dictionary-figures.ts';
import { readRows, readableOr } from './dictionary-rows.ts';
import { tookTooLong } from '../records/request-page.ts';
import type { TableApi } from '../api/table-api.ts';

/** A table in the instance's dictionary. */
export interface DictionaryTable {
  readonly name: string;
  readonly label: string;
  /** Own and inherited columns, `sys_id` first, then by name; empty if the dictionary is not readable. */
  readonly columns: readonly DictionaryColumn[];
  /** Number of counted but unreadable entries of the table and its ancestors. */
  readonly missing: number;
  /** Key fields of a database view; empty if unknown. Tables have `sys_id`. */
  readonly rowKeys?: readonly RowKey[] | undefined;
  /** Parent tables, nearest last. */
  readonly ancestors?: readonly string[];
}

/** A key field of a database view. */
export interface RowKey {
  readonly name: string;
  /** It may be empty, for rows without a record of its table. */
  readonly mayBeEmpty: boolean;
}

export interface DictionaryColumn {
  readonly name: string;
  readonly label: string;
  readonly internalType: string;
  /** Target table of a reference. */
  readonly reference?: string | undefined;
  readonly mandatory: boolean;
  readonly hasChoices: boolean;
  /** Choices in `sys_choice`. */
  readonly choices?: readonly KnownValue[];
}

export interface Dictionary {
  /** Tables by name; undefined if the list of tables is not readable or too slow. */
  readonly tables: ReadonlyMap<string, DictionaryTable> | undefined;
  /** All visited tables, including ancestors. */
  readonly names: readonly string[];
  /** Change figures from before the read; undefined if unavailable or not requested. */
  readonly figures?: DictionaryFigures | undefined;
  /** Cancelled queries, for a warning. */
  readonly cancelled: readonly string[];
}

interface DictionaryOptions extends CallOptions {
  /** Whether to request change figures. */
  readonly wantsFigures?: boolean | undefined;
  /** Languages of choice labels by priority; without them, choices are not read. */
  readonly languages?: (() => Promise<readonly string[]>) | undefined;
}

/**
 * Reads tables and their ancestors with columns: inherited ones are stored on the ancestor only. Queries that take too
 * long are omitted and reported.
 */
export async function readDictionary(
  client: Pick<ServiceNowClient, 'tables' | 'aggregates'>,
  tables: readonly string[],
  { wantsFigures = false, languages, ...options }: DictionaryOptions,
): Promise<Dictionary> {
  const { tables: api } = client;
  const cancelled: string[] = [];
  const read = <T>(what: string, fallback: T, work: () => Promise<T>): Promise<T> =>
    readableOr(fallback, work).catch((error: unknown) => {
      if (!tookTooLong(error)) throw error;
      cancelled.push(what);
      return fallback;
    });
  const rows = await read('which tables there are', undefined, () => readTables(api, tables, options));
  if (rows === undefined || rows.size === 0) return { tables: undefined, names: tables, cancelled };
  const names = [...new Set([...tables, ...rows.keys()])];
  const figures = wantsFigures ? await dictionaryFigures(client, tableDescriptions, names, options) : undefined;
  const columns = await read('columns', [], () => readColumns(api, [...rows.keys()], options));
  const counts = await countColumns(client, [...rows.keys()], options);
  const choices =
    languages && columns.some(({ column }) => column.hasChoices)
      ? await read('choices', [], async () => readChoices(api, [...rows.keys()], await languages(), options))
      : [];
  const byTable = new Map<string, DictionaryColumn[]>();
  for (const { table, column } of columns) byTable.set(table, [...(byTable.get(table) ?? []), column]);
  const found = tables.flatMap((name) => {
    const row = rows.get(name);
    if (!row) return [];
    const merged = new Map<string, DictionaryColumn>();
    let missing = 0;
    // From the root down: definitions in a table override those of its ancestors.
    for (const each of ancestry(name, rows)) {
      missing += Math.max(0, (counts.get(each) ?? 0) - (byTable.get(each)?.length ?? 0));
      for (const column of byTable.get(each) ?? []) merged.set(column.name, column);
      for (const { name: column, values } of choices.filter(({ table }) => table === each)) {
        const known = merged.get(column);
        if (known?.hasChoices) merged.set(column, { ...known, choices: values });
      }
    }
    const sorted = [...merged.values()].sort((one, other) => compareNames(one.name, other.name));
    const columns = merged.has('sys_id') ? sorted : [];
    const ancestors = ancestry(name, rows).slice(0, -1);
    return [[name, { name, label: row.label, columns, missing, ancestors }] as const];
  });
  return {
    tables: new Map(found),
    names,
    figures: cancelled.length === 0 && isOfThen(figures, rows) ? figures : undefined,
    cancelled,
  };
}

/** Whether the figures match the tables read before. */
function isOfThen(figures: DictionaryFigures | undefined, rows: ReadonlyMap<string, TableRow>): boolean {
  const entries = figures?.['sys_db_object'] ?? {};
  return [...rows].every(([name, row]) => entries[name] === row.figures);
}

interface TableRow {
  readonly label: string;
  readonly superClass: string;
  readonly figures: string;
}

/** Reads `sys_db_object` for the tables and, generation by generation, their parents. */
async function readTables(
  api: TableApi,
  tables: readonly string[],
  options: CallOptions,
): Promise<ReadonlyMap<string, TableRow>> {
  const rows = new Map<string, TableRow>();
  let wanted: readonly string[] = tables;
  while (wanted.length > 0) {
    const fields = ['sys_id', 'name', 'label', 'super_class.name', 'sys_updated_on', 'sys_mod_count'];
    const found = await readRows(
      api,
      { table: 'sys_db_object', field: 'name', values: wanted, more: '', fields },
      options,
    );
    for (const row of found) {
      const name = row['name'] ?? '';
      // Two rows with one name would form a cycle.
      if (rows.has(name)) continue;
      const figures = entryFigures(row['sys_updated_on'] ?? '', row['sys_mod_count'] ?? '');
      rows.set(name, { label: row['label'] ?? '', superClass: row['super_class.name'] ?? '', figures });
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
  const rows = await readRows(
    api,
    { table: 'sys_dictionary', field: 'name', values: tables, more: ofColumns, fields },
    options,
  );
  return rows.flatMap((row) => {
    const [table = '', name = ''] = [row['name'], row['element']];
    // An instance ignores filters on unreadable fields and returns unrelated rows.
    if (name === '' || !tables.includes(table)) return [];
    const { reference = '', choice = '' } = row;
    const column: DictionaryColumn = {
      name,
      label: row['column_label'] ?? '',
      internalType: row['internal_type'] ?? '',
      reference: reference === '' ? undefined : reference,
      mandatory: row['mandatory'] === 'true',
      hasChoices: choice !== '' && choice !== '0',
    };
    return [{ table, column }];
  });
}

/** Entries without an element describe tables. */
const ofColumns = '^elementISNOTEMPTY^active=true';

/** Counts column entries by table; empty if refused or too slow. */
async function countColumns(
  { aggregates }: Pick<ServiceNowClient, 'aggregates'>,
  tables: readonly string[],
  options: CallOptions,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const names of chunksOf(tables)) {
    const parameters = { query: `nameIN${names.join(',')}${ofColumns}`, count: true, groupBy: ['name'] };
    const groups = await readableOr(undefined, () =>
      retryWithHalfSize(1, () => aggregates.aggregate('sys_dictionary', parameters, options)),
    );
    for (const { groupedBy, count } of groups ?? []) counts.set(groupedBy['name'] ?? '', Number(count ?? 0));
  }
  return counts;
}

/** From the root to the table. */
function ancestry(table: string, rows: ReadonlyMap<string, TableRow>): readonly string[] {
  const chain: string[] = [];
  for (let name = table; name !== '' && !chain.includes(name); name = rows.get(name)?.superClass ?? '') {
    chain.unshift(name);
  }
  return chain;
}

function compareNames(one: string, other: string): number {
  if (one === 'sys_id' || other === 'sys_id') return one === other ? 0 : one === 'sys_id' ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The choices of a column, by its own table. */
interface ColumnChoices {
  readonly table: string;
  readonly name: string;
  readonly values: readonly KnownValue[];
}

type ChoiceRow = Readonly<Record<string, string>>;

/** Choice values, each with a label in the first available language. */
async function readChoices(
  api: TableApi,
  tables: readonly string[],
  languages: readonly string[],
  options: CallOptions,
): Promise<readonly ColumnChoices[]> {
  const fields = ['sys_id', 'name', 'element', 'value', 'label', 'language', 'sequence', 'inactive'];
  const more = `^inactive=false^languageIN${languages.join(',')}`;
  const rows = await readRows(api, { table: 'sys_choice', field: 'name', values: tables, more, fields }, options);
  const found = new Map<string, Pick<ColumnChoices, 'table' | 'name'> & { readonly rows: Map<string, ChoiceRow> }>();
  for (const row of rows) {
    const { name: table = '', element: name = '', value = '', inactive } = row;
    // An instance ignores filters on unreadable fields and returns unrelated rows.
    if (!tables.includes(table) || value === '' || rankOf(row, languages) < 0 || inactive === 'true') continue;
    const key = `${table}.${name}`;
    const column = found.get(key) ?? { table, name, rows: new Map<string, ChoiceRow>() };
    const known = column.rows.get(value);
    if (!known || rankOf(row, languages) < rankOf(known, languages)) column.rows.set(value, row);
    found.set(key, column);
  }
  return [...found.values()].map(({ table, name, rows: own }) => ({
    table,
    name,
    values: [...own.values()]
      .sort((one, other) => Number(one['sequence']) - Number(other['sequence']))
      .map(({ value = '', label = '' }) => ({ value, ...(label !== '' && { label }) })),
  }));
}

/** Instances store language codes in lower case, but expect the usual notation. */
function rankOf({ language = '' }: ChoiceRow, languages: readonly string[]): number {
  return languages.findIndex((each) => each.toLowerCase() === language.toLowerCase());
}
