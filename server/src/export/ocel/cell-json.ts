import type { ValueType } from '../element-tables.ts';
import { writableTime } from '../writable-time.ts';

/** SQL of a value as the text of a JSON value that SQLite stores with the type its column declares; NULL stays NULL, and so is a time that a log cannot say. */
export function cellJson(expression: string, type: ValueType): string {
  switch (type) {
    case 'boolean':
      return `CASE WHEN ${expression} THEN '1' WHEN NOT ${expression} THEN '0' END`;
    case 'integer':
      return `CAST(${expression} AS VARCHAR)`;
    case 'float':
      // JSON has no infinity: SQLite keeps it as text.
      return `CASE WHEN isfinite(CAST(${expression} AS DOUBLE)) THEN CAST(${expression} AS VARCHAR) ELSE to_json(CAST(${expression} AS VARCHAR)) END`;
    case 'time':
      return `to_json(strftime(${writableTime(expression)}, '%Y-%m-%d %H:%M:%S.%f'))`;
    case 'string':
      // A text of SQLite ends at NUL.
      return `to_json(replace(CAST(${expression} AS VARCHAR), chr(0), ''))`;
  }
}
