import type { CallOptions } from '../api/call-platform.ts';
import { readRows } from './dictionary-rows.ts';
import type { DictionaryColumn, DictionaryTable, RowKey } from './read-dictionary.ts';
import type { TableApi } from '../api/table-api.ts';

/** A database view: joined rows of several tables, whose columns have the prefix of their table. */
export interface DatabaseView {
  readonly name: string;
  readonly label: string;
  /** In join order. */
  readonly tables: readonly ViewTable[];
}

interface ViewTable {
  readonly table: string;
  readonly prefix: string;
  /** Left join: rows of earlier tables do not require one of this table. */
  readonly isLeft: boolean;
  /** Columns in the view; undefined for all. */
  readonly fields: readonly string[] | undefined;
}

/** The names that are database views, as far as readable. */
export async function readViews(
  api: TableApi,
  names: readonly string[],
  options: CallOptions,
): Promise<ReadonlyMap<string, DatabaseView>> {
  if (names.length === 0) return new Map();
  const views = await readRows(api, viewRows('sys_db_view', 'name', names, ['name', 'label']), options);
  const ids = views.map((row) => row['sys_id'] ?? '');
  const tableFields = ['view', 'table', 'variable_prefix', 'left_join', 'order', 'active'];
  const tables = await readRows(api, viewRows('sys_db_view_table', 'view', ids, tableFields), options);
  const tableIds = tables.map((row) => row['sys_id'] ?? '');
  const fieldFields = ['view_table', 'field'];
  const fields = await readRows(api, viewRows('sys_db_view_table_field', 'view_table', tableIds, fieldFields), options);
  return new Map(
    views.map((view) => {
      const own = tables
        .filter((row) => row['view'] === view['sys_id'] && row['active'] !== 'false')
        .sort((one, other) => Number(one['order']) - Number(other['order']))
        .map((row, index): ViewTable => {
          const listed = fields.filter((field) => field['view_table'] === row['sys_id']);
          return {
            table: row['table'] ?? '',
            prefix: row['variable_prefix'] ?? '',
            isLeft: index > 0 && row['left_join'] === 'true',
            fields: listed.length > 0 ? listed.map((field) => field['field'] ?? '') : undefined,
          };
        });
      const name = view['name'] ?? '';
      return [name, { name, label: view['label'] ?? '', tables: own }] as const;
    }),
  );
}

function viewRows(table: string, field: string, values: readonly string[], fields: readonly string[]) {
  return { table, field, values, more: '', fields: ['sys_id', ...fields] };
}

/** Describes a view like a table; without columns if the dictionary of one of its tables is not readable. */
export function viewTable(
  { name, label, tables }: DatabaseView,
  known: ReadonlyMap<string, DictionaryTable>,
): DictionaryTable {
  const described = tables.map((each) => ({ ...each, described: known.get(each.table) }));
  const isKnown = described.every((each) => (each.described?.columns.length ?? 0) > 0);
  return {
    name,
    label,
    columns: isKnown ? described.flatMap(viewColumns) : [],
    missing: described.reduce((sum, each) => sum + (each.described?.missing ?? 0), 0),
    rowKeys: keysOfRows(tables),
  };
}

function viewColumns({
  prefix,
  fields,
  described,
}: ViewTable & { readonly described: DictionaryTable | undefined }): readonly DictionaryColumn[] {
  const columns = described?.columns ?? [];
  return columns
    .filter((column) => fields?.includes(column.name) ?? true)
    .map((column) => {
      const label = [described?.label, column.label].filter(Boolean).join(' › ');
      return { ...column, name: `${prefix}_${column.name}`, label };
    });
}

/** The key of a row consists of the keys of its records, and is unknown if one of them is not visible. */
function keysOfRows(tables: readonly ViewTable[]): readonly RowKey[] {
  const hasAll = tables.every(({ fields }) => fields?.includes('sys_id') ?? true);
  return hasAll ? tables.map(({ prefix, isLeft }) => ({ name: `${prefix}_sys_id`, mayBeEmpty: isLeft })) : [];
}
