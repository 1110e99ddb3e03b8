import type { CanonicalText } from '../dialect.ts';
import { withoutZeros } from '../standard/without-zeros.ts';

export const postgresqlCanonicalText: CanonicalText = {
  value: (value, type) => textOf(value, type.toLowerCase()),
  key: (parts) => `('[' || ${parts.map((part) => `to_json(${part})::text`).join(" || ',' || ")} || ']')`,
  row: (texts) => `to_json(ARRAY[${texts.join(', ')}])::text`,
};

function textOf(value: string, type: string): string {
  const text = `${value}::text`;
  if (type.endsWith('[]')) return `to_json(${value})::text`;
  if (/^(numeric|decimal)\b/.test(type)) return withoutZeros(text);
  if (type === 'double precision' || type === 'float8') return floatText(value, '1e15');
  if (type === 'real' || type === 'float4') return floatText(value, '1e6');
  if (/^timestamp\b.*with time zone$|^timestamptz/.test(type)) return timeText(`(${value} AT TIME ZONE 'UTC')`);
  if (type.startsWith('timestamp')) return timeText(value);
  if (type === 'date') return dateText(value);
  if (type === 'bytea') return `encode(${value}, 'hex')`;
  return text;
}

/**
 * Both engines print the shortest digits, but PostgreSQL switches to exponents earlier than DuckDB, which does so at
 * 1e16.
 */
function floatText(value: string, exponentFrom: string): string {
  return (
    `(CASE WHEN ${value} = 0 THEN '0' WHEN abs(${value}) >= ${exponentFrom} AND abs(${value}) < 1e16 ` +
    `THEN ${value}::text::numeric::text ELSE ${value}::text END)`
  );
}

const clock = '"T"HH24:MI:SS.US"Z"';

function timeText(value: string): string {
  return (
    `(CASE WHEN NOT isfinite(${value}) THEN ${value}::text ` +
    `WHEN ${yearOf(value)} < 0 THEN ${earlyYear(value)} || to_char(${value}, '-MM-DD${clock}') ` +
    `ELSE to_char(${value}, 'YYYY-MM-DD${clock}') END)`
  );
}

/** The range of dates exceeds that of timestamps, so they are printed separately. */
function dateText(value: string): string {
  const monthAndDay = `right(split_part(${value}::text, ' ', 1), 6)`;
  return `(CASE WHEN isfinite(${value}) AND ${yearOf(value)} < 0 THEN ${earlyYear(value)} || ${monthAndDay} ELSE ${value}::text END)`;
}

function yearOf(value: string): string {
  return `extract(year FROM ${value})::integer`;
}

/** PostgreSQL has no year 0: the year before 1 is -1 in `extract`, and 0001 BC in `to_char`. */
function earlyYear(value: string): string {
  const year = yearOf(value);
  return `CASE WHEN ${year} < -1 THEN '-' ELSE '' END || lpad((-1 - ${year})::text, 4, '0')`;
}
