import { fieldText } from '../api/field-text.ts';
import { amountField, isOfMoney, readMoney } from './money.ts';
import type { DisplayValue } from '../api/parameters.ts';
import type { PlatformRecord } from '../api/table-api.ts';

/** A column with the display value of another one, if both are needed. */
export function displayName(column: string): string {
  return `${displayPrefix}${column}`;
}

const displayPrefix = 'dv_';

/** The field of a column. */
export function fieldOf(column: Pick<CellColumn, 'name' | 'sourceType'>, displayValue: DisplayValue): string {
  const { name } = column;
  const shown = displayValue === 'all' && name.startsWith(displayPrefix) ? name.slice(displayPrefix.length) : name;
  return amountField(column) ?? shown;
}

/** Value form to request: display value columns need both, because only raw times are usable. */
export function requestedDisplayValue(displayValue: DisplayValue): DisplayValue {
  return displayValue === 'false' ? 'false' : 'all';
}

interface CellColumn {
  readonly name: string;
  /** DuckDB type. */
  readonly type: string;
  readonly sourceType?: string;
}

/** Reads a cell of a record: null for no value, undefined for an unreadable field. */
type CellReader = (record: PlatformRecord) => string | null | undefined;

/** Whether a column contains display values. */
function isShown({ name, type, sourceType }: CellColumn, displayValue: DisplayValue): boolean {
  if (displayValue === 'true') return type === 'VARCHAR' && sourceType === undefined && name !== 'sys_id';
  return displayValue === 'all' && name.startsWith(displayPrefix);
}

/** Whether values of a column change with other records: those behind references, and display values. */
export function isOfOtherRecord(column: CellColumn, displayValue: DisplayValue): boolean {
  return column.name.includes('.') || isShown(column, displayValue);
}

/** Decides per column instead of per cell. */
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
