import type { KnownValue } from '../../../catalog/catalog.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { readRows } from './dictionary-rows.ts';
import type { TableApi } from '../api/table-api.ts';

/** The choices of a column, by its own table. */
interface ColumnChoices {
  readonly table: string;
  readonly name: string;
  readonly values: readonly KnownValue[];
}

type ChoiceRow = Readonly<Record<string, string>>;

/** Choice values, each with a label in the first available language. */
export async function readChoices(
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
