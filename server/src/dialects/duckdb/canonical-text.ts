import type { ColumnSense } from '../../catalog/catalog.ts';
import type { CanonicalText } from '../dialect.ts';
import { withoutZeros } from '../standard/without-zeros.ts';

export const duckdbCanonicalText: CanonicalText = {
  value: (value, type, sense) => textOf(value, type.toUpperCase(), sense),
  key: jsonArray,
  row: jsonArray,
};

function jsonArray(texts: readonly string[]): string {
  return `CAST(to_json([${texts.join(', ')}]) AS VARCHAR)`;
}

function textOf(value: string, type: string, sense: ColumnSense | undefined): string {
  const text = `CAST(${value} AS VARCHAR)`;
  if (/\[\d*\]$|^(STRUCT|MAP|UNION|LIST|ARRAY)\b/.test(type)) return `CAST(to_json(${value}) AS VARCHAR)`;
  if (/^(DECIMAL|NUMERIC)\b/.test(type)) return withoutZeros(decimalText(text, type));
  if (type === 'VARCHAR' && sense === 'number') return withoutZeros(text);
  if (/^(DOUBLE|FLOAT|REAL)/.test(type)) {
    return (
      `(CASE WHEN isnan(${value}) THEN 'NaN' WHEN isinf(${value}) THEN CASE WHEN ${value} > 0 THEN 'Infinity' ELSE '-Infinity' END ` +
      `WHEN ${value} = 0 THEN '0' ELSE regexp_replace(${text}, '\\.0$', '') END)`
    );
  }
  if (type === 'TIMESTAMP WITH TIME ZONE' || type === 'TIMESTAMPTZ') return timeText(`(${value} AT TIME ZONE 'UTC')`);
  if (/^(TIMESTAMP|DATETIME)/.test(type)) return timeText(`CAST(${value} AS TIMESTAMP)`);
  if (type === 'DATE') return dayText(value, '');
  if (type === 'BLOB') return `lower(hex(${value}))`;
  return text;
}

/** DuckDB prints decimals below 1 without a leading zero. */
function decimalText(text: string, type: string): string {
  const [, precision, scale] = /\((\d+),\s*(\d+)\)/.exec(type) ?? [];
  return precision !== undefined && precision === scale ? `regexp_replace(${text}, '^(-?)\\.', '\\10.')` : text;
}

function timeText(value: string): string {
  return dayText(value, 'T%H:%M:%S.%fZ');
}

/** Years before 1 follow ISO 8601: 0001 is preceded by 0000, then -0001. */
function dayText(value: string, rest: string): string {
  return (
    `(CASE WHEN NOT isfinite(${value}) THEN CAST(${value} AS VARCHAR) ` +
    `WHEN year(${value}) < 0 THEN '-' || lpad(CAST(-year(${value}) AS VARCHAR), 4, '0') || strftime(${value}, '-%m-%d${rest}') ` +
    `ELSE strftime(${value}, '%Y-%m-%d${rest}') END)`
  );
}
