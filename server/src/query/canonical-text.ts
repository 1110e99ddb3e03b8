import type { ColumnSense, SqlDialect } from '../catalog/catalog.ts';

/**
 * An SQL expression that gives the one text form of a value, equal in both engines, as keys need it (docs/semantics.md#45-canonical-text):
 * numbers plain and without trailing zeros, times as ISO 8601 in UTC with microseconds, text as it is.
 *
 * @param expression SQL of the value, evaluated several times. A timestamp without zone must already be in UTC.
 * @param type the dialect's own name of its type, such as `numeric(10,2)` or `DECIMAL(10,2)`.
 * @param sense needed only where a number is staged as text because no numeric type can hold it.
 */
export function canonicalText(expression: string, type: string, dialect: SqlDialect, sense?: ColumnSense): string {
  const value = `(${expression})`;
  return dialect === 'duckdb'
    ? duckdbText(value, type.toUpperCase(), sense)
    : postgresqlText(value, type.toLowerCase());
}

/**
 * The text of an entity's key from the canonical texts of its parts: bare for one, a JSON array of strings for several.
 * Equal in both engines but for control characters without a short escape, whose hexadecimal letters differ in case.
 */
export function keyText(parts: readonly string[], dialect: SqlDialect): string {
  if (parts.length === 1) return parts[0] ?? 'NULL';
  if (dialect === 'duckdb') return `CAST(to_json([${parts.join(', ')}]) AS VARCHAR)`;
  return `('[' || ${parts.map((part) => `to_json(${part})::text`).join(" || ',' || ")} || ']')`;
}

function duckdbText(value: string, type: string, sense: ColumnSense | undefined): string {
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
  if (type === 'TIMESTAMP WITH TIME ZONE' || type === 'TIMESTAMPTZ') return duckdbTime(`(${value} AT TIME ZONE 'UTC')`);
  if (/^(TIMESTAMP|DATETIME)/.test(type)) return duckdbTime(`CAST(${value} AS TIMESTAMP)`);
  if (type === 'DATE') return duckdbDay(value, '');
  if (type === 'BLOB') return `lower(hex(${value}))`;
  return text;
}

function postgresqlText(value: string, type: string): string {
  const text = `${value}::text`;
  if (type.endsWith('[]')) return `to_json(${value})::text`;
  if (/^(numeric|decimal)\b/.test(type)) return withoutZeros(text);
  if (type === 'double precision' || type === 'float8') return postgresqlFloat(value, '1e15');
  if (type === 'real' || type === 'float4') return postgresqlFloat(value, '1e6');
  if (/^timestamp\b.*with time zone$|^timestamptz/.test(type)) return postgresqlTime(`(${value} AT TIME ZONE 'UTC')`);
  if (type.startsWith('timestamp')) return postgresqlTime(value);
  if (type === 'date') return postgresqlDate(value);
  if (type === 'bytea') return `encode(${value}, 'hex')`;
  return text;
}

/** DuckDB prints a decimal that has no digits before its point without a zero there. */
function decimalText(text: string, type: string): string {
  const [, precision, scale] = /\((\d+),\s*(\d+)\)/.exec(type) ?? [];
  return precision !== undefined && precision === scale ? `regexp_replace(${text}, '^(-?)\\.', '\\10.')` : text;
}

function withoutZeros(text: string): string {
  return `(CASE WHEN ${text} LIKE '%.%' THEN rtrim(rtrim(${text}, '0'), '.') ELSE ${text} END)`;
}

/** Both engines print the shortest digits, but PostgreSQL turns to exponents earlier than DuckDB, which does so at 1e16. */
function postgresqlFloat(value: string, exponentFrom: string): string {
  return (
    `(CASE WHEN ${value} = 0 THEN '0' WHEN abs(${value}) >= ${exponentFrom} AND abs(${value}) < 1e16 ` +
    `THEN ${value}::text::numeric::text ELSE ${value}::text END)`
  );
}

const clock = { duckdb: 'T%H:%M:%S.%fZ', postgresql: '"T"HH24:MI:SS.US"Z"' } as const;

function duckdbTime(value: string): string {
  return duckdbDay(value, clock.duckdb);
}

/** Years before 1 are counted as ISO 8601 does: the year before 0001 is 0000, then comes -0001. */
function duckdbDay(value: string, rest: string): string {
  return (
    `(CASE WHEN NOT isfinite(${value}) THEN CAST(${value} AS VARCHAR) ` +
    `WHEN year(${value}) < 0 THEN '-' || lpad(CAST(-year(${value}) AS VARCHAR), 4, '0') || strftime(${value}, '-%m-%d${rest}') ` +
    `ELSE strftime(${value}, '%Y-%m-%d${rest}') END)`
  );
}

function postgresqlTime(value: string): string {
  const { postgresql: rest } = clock;
  return (
    `(CASE WHEN NOT isfinite(${value}) THEN ${value}::text ` +
    `WHEN ${yearOf(value)} < 0 THEN ${earlyYear(value)} || to_char(${value}, '-MM-DD${rest}') ` +
    `ELSE to_char(${value}, 'YYYY-MM-DD${rest}') END)`
  );
}

/** Dates go further than times, so they are not printed as these. */
function postgresqlDate(value: string): string {
  const monthAndDay = `right(split_part(${value}::text, ' ', 1), 6)`;
  return `(CASE WHEN isfinite(${value}) AND ${yearOf(value)} < 0 THEN ${earlyYear(value)} || ${monthAndDay} ELSE ${value}::text END)`;
}

function yearOf(value: string): string {
  return `extract(year FROM ${value})::integer`;
}

/** PostgreSQL has no year 0: the year before 1 is -1 to `extract`, and 0001 BC to `to_char`. */
function earlyYear(value: string): string {
  const year = yearOf(value);
  return `CASE WHEN ${year} < -1 THEN '-' ELSE '' END || lpad((-1 - ${year})::text, 4, '0')`;
}
