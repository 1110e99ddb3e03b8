import { isOfMoney } from '../../../query/servicenow-money.ts';
import { fieldText } from '../api/field-text.ts';
import { amountField, readMoney } from './money.ts';
import type { DisplayValue } from '../api/parameters.ts';
import type { PlatformRecord } from '../api/table-api.ts';

/** A column that shows what another one's value is called, where both are wanted. */
export function displayName(column: string): string {
  return `${displayPrefix}${column}`;
}

const displayPrefix = 'dv_';

/** The field that a column is read from. */
export function fieldOf(column: Pick<CellColumn, 'name' | 'sourceType'>, displayValue: DisplayValue): string {
  const { name } = column;
  const shown = displayValue === 'all' && name.startsWith(displayPrefix) ? name.slice(displayPrefix.length) : name;
  return amountField(column) ?? shown;
}

/** What the platform is asked for: columns that show values need both forms, as times are only good raw. */
export function requestedDisplayValue(displayValue: DisplayValue): DisplayValue {
  return displayValue === 'false' ? 'false' : 'all';
}

export interface CellColumn {
  readonly name: string;
  /** DuckDB type. */
  readonly type: string;
  readonly sourceType?: string;
}

/** Reads one cell of a record: null for no value, undefined for a field that the user may not read. */
export type CellReader = (record: PlatformRecord) => string | null | undefined;

/** Whether a column has what the platform shows for a value. */
function isShown({ name, type, sourceType }: CellColumn, displayValue: DisplayValue): boolean {
  if (displayValue === 'true') return type === 'VARCHAR' && sourceType === undefined && name !== 'sys_id';
  return displayValue === 'all' && name.startsWith(displayPrefix);
}

/** Whether values of a column change with another record than their own: those behind a reference, and what one is called. */
export function isOfOtherRecord(column: CellColumn, displayValue: DisplayValue): boolean {
  return column.name.includes('.') || isShown(column, displayValue);
}

/** Decides once a column what would otherwise be decided once a cell. */
export function cellReader(column: CellColumn, displayValue: DisplayValue): CellReader {
  const field = fieldOf(column, displayValue);
  const ofMoney = isOfMoney(column) ? (amountField(column) === undefined ? 'amount' : 'currency') : undefined;
  const part = isShown(column, displayValue) ? 'display_value' : 'value';
  return (record) => {
    const value = record[field];
    if (value === undefined) return undefined;
    const text = fieldText(value, part);
    return text === '' ? null : ofMoney ? readMoney(text)[ofMoney] : text;
  };
}
