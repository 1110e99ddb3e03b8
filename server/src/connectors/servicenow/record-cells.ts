import { isRecord } from './read-answer.ts';
import type { DisplayValue } from './parameters.ts';
import type { PlatformRecord } from './table-api.ts';

/** A column that shows what another one's value is called, where both are wanted. */
export function displayName(column: string): string {
  return `${displayPrefix}${column}`;
}

const displayPrefix = 'dv_';

/** The field that a column is read from. */
export function fieldOf(column: string, displayValue: DisplayValue): string {
  return displayValue === 'all' && column.startsWith(displayPrefix) ? column.slice(displayPrefix.length) : column;
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

/** The cells of a record; an empty text is no value. Undefined stands for a field that the user may not read. */
export function recordCell(
  record: PlatformRecord,
  { name, type, sourceType }: CellColumn,
  displayValue: DisplayValue,
): string | null | undefined {
  const value = record[fieldOf(name, displayValue)];
  if (value === undefined) return undefined;
  if (!isRecord(value)) return typeof value === 'string' && value !== '' ? value : null;
  const asShown =
    displayValue === 'true'
      ? type === 'VARCHAR' && sourceType === undefined && name !== 'sys_id'
      : displayValue === 'all' && name.startsWith(displayPrefix);
  const part = value[asShown ? 'display_value' : 'value'];
  return typeof part === 'string' && part !== '' ? part : null;
}
