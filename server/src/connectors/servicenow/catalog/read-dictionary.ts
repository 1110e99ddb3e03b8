import type { KnownValue } from '../../../catalog/catalog.ts';
import { askPatiently } from '../records/ask-patiently.ts';
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
import { readChoices } from './read-choices.ts';
import { tookTooLong } from '../records/ask-page.ts';
import type { TableApi } from '../api/table-api.ts';

/** A table as the instance's dictionary describes it. */
export interface DictionaryTable {
  readonly name: string;
  readonly label: string;
  /** Those of its ancestors among them, `sys_id` first, then by name; empty when the dictionary cannot be read. */
  readonly columns: readonly DictionaryColumn[];
  /** Entries of the table and its ancestors that the instance counts, but the user may not read. */
  readonly missing: number;
  /** Of a database view: what tells its rows apart; empty where nothing does. Tables have `sys_id`. */
  readonly rowKeys?: readonly RowKey[];
  /** Tables that it extends, the nearest last. */
  readonly ancestors?: readonly string[];
}

/** A field that tells, with others, the rows of a database view apart. */
export interface RowKey {
  readonly name: string;
  /** Some rows have none: those without a record of its table. */
  readonly mayBeEmpty: boolean;
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

export interface Dictionary {
  /** Tables by name; undefined when the user may not read which tables there are, or the instance does not answer in time. */
  readonly tables: ReadonlyMap<string, DictionaryTable> | undefined;
  /** Every table that was looked at, ancestors among them. */
  readonly names: readonly string[];
  /** What tells whether it has changed, as it was before it was read; undefined where the instance does not tell, or was not asked. */
  readonly figures?: DictionaryFigures | undefined;
  /** What the instance gave up, in words. */
  readonly cancelled: readonly string[];
}

export interface DictionaryOptions extends CallOptions {
  /** Whether it is asked for what tells later whether anything has changed. */
  readonly wantsFigures?: boolean;
  /** Languages of the labels of choices, the best first; without them, choices are not read. */
  readonly languages?: () => Promise<readonly string[]>;
}

/**
 * Reads the tables and all that they extend, with their columns: inherited ones stand on the ancestor only. What the instance does
 * not answer in time is left out, and told.
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
    const columns = merged.has('sys_id') ? sorted : [];
    const ancestors = ancestry(name, rows).slice(0, -1);
    return [[name, { name, label: row.label, columns, missing, ancestors }] as const];
  });
  return {
    tables: new Map(found),
    names,
    ...(cancelled.length === 0 && isOfThen(figures, rows) && { figures }),
    cancelled,
  };
}

/** Whether the figures are of the tables that were read before them. */
function isOfThen(figures: DictionaryFigures | undefined, rows: ReadonlyMap<string, TableRow>): boolean {
  const entries = figures?.['sys_db_object'] ?? {};
  return [...rows].every(([name, row]) => entries[name] === row.figures);
}

interface TableRow {
  readonly label: string;
  readonly superClass: string;
  readonly figures: string;
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
    const fields = ['sys_id', 'name', 'label', 'super_class.name', 'sys_updated_on', 'sys_mod_count'];
    const found = await readRows(
      api,
      { table: 'sys_db_object', field: 'name', values: wanted, more: '', fields },
      options,
    );
    for (const row of found) {
      const name = row['name'] ?? '';
      // Two rows of one name would end in a circle.
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
  for (const names of chunksOf(tables)) {
    const parameters = { query: `nameIN${names.join(',')}${ofColumns}`, count: true, groupBy: ['name'] };
    const groups = await readableOr(undefined, () =>
      askPatiently(1, () => aggregates.aggregate('sys_dictionary', parameters, options)),
    );
    for (const { groupedBy, count } of groups ?? []) counts.set(groupedBy['name'] ?? '', Number(count ?? 0));
  }
  return counts;
}

/** From the root to the table itself. */
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
