/** Value type in OCEL 2.0. */
export type ValueType = 'string' | 'integer' | 'float' | 'boolean' | 'time';

/** The value type of a column of a store. @param type name of a type of DuckDB */
export function valueType(type: string): ValueType {
  if (/^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/.test(type)) return 'integer';
  if (/^(DECIMAL|DOUBLE|FLOAT)/.test(type)) return 'float';
  if (type === 'BOOLEAN') return 'boolean';
  return /^(TIMESTAMP|DATE)/.test(type) ? 'time' : 'string';
}
