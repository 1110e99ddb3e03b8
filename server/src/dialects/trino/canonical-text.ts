import type { CanonicalText } from '../dialect.ts';
import { withoutZeros } from '../standard/without-zeros.ts';
import { trinoJsonText } from './json-text.ts';

export const trinoCanonicalText: CanonicalText = {
  value: (value, type) => structureText(value, type) ?? textOf(value, type.toLowerCase()),
  key: (parts) => `('[' || ${parts.map(jsonText).join(" || ',' || ")} || ']')`,
  row: (texts) => `('[' || ${texts.map((text) => `coalesce(${jsonText(text)}, 'null')`).join(" || ',' || ")} || ']')`,
};

function jsonText(text: string): string {
  return `json_format(CAST(${text} AS JSON))`;
}

/** As rows are staged; the server refuses parts that have neither JSON nor text. */
function structureText(value: string, type: string): string | undefined {
  if (!/^\s*(array|map|row)\b/i.test(type)) return undefined;
  return trinoJsonText(value, type) ?? jsonText(value);
}

function textOf(value: string, type: string): string {
  const text = `CAST(${value} AS VARCHAR)`;
  if (type === 'json') return jsonText(value);
  if (/^decimal\b/.test(type)) return withoutZeros(text);
  if (type === 'double' || type === 'real') return floatText(value);
  if (/^timestamp\b.*with time zone$/.test(type)) {
    const precision = fractionDigits(type);
    return timeText(`CAST(${value} AT TIME ZONE 'UTC' AS timestamp(${precision}))`, precision);
  }
  if (/^timestamp\b/.test(type)) return timeText(value, fractionDigits(type));
  if (/^time\b/.test(type)) return timeOfDayText(text, type);
  if (type === 'date') return `trim(LEADING '+' FROM ${text})`;
  if (type === 'varbinary') return `lower(to_hex(${value}))`;
  // PostgreSQL leaves the padding of such texts out as well.
  if (/^char\b/.test(type)) return `rtrim(${text})`;
  if (/^varchar\b/.test(type)) return value;
  return text;
}

/** Digits of the fraction of a second; a type without a number has three. */
function fractionDigits(type: string): number {
  return Number(/\((\d+)\)/.exec(type)?.[1] ?? 3);
}

/** Without zeros at the end of the fraction, behind which there may be an offset such as `+01:00`. */
function timeOfDayText(text: string, type: string): string {
  if (fractionDigits(type) === 0) return text;
  if (!type.endsWith('with time zone')) return withoutZeros(text);
  return `(${withoutZeros(`substr(${text}, 1, length(${text}) - 6)`)} || substr(${text}, -6))`;
}

/** Microseconds: further digits are left out, as they are where rows are staged. */
function timeText(value: string, precision: number): string {
  const text = `trim(LEADING '+' FROM replace(CAST(${value} AS VARCHAR), ' ', 'T'))`;
  if (precision > 6) return `(substr(${text}, 1, length(${text}) - ${precision - 6}) || 'Z')`;
  return `(${text} || '${precision === 0 ? '.' : ''}${'0'.repeat(6 - precision)}Z')`;
}

/**
 * As DuckDB prints it: `format` gives the shortest digits (a cast does not always, for REAL), in Java's notation, with
 * exponents below 1e-3 and from 1e7 on; DuckDB has them below 1e-4 and from 1e16 on.
 */
function floatText(value: string): string {
  const text = `format('%s', ${value})`;
  const exponent = `regexp_extract(${text}, 'E-?([0-9]+)$', 1)`;
  const mantissa = `regexp_replace(regexp_extract(${text}, '^[^E]+'), '\\.0$', '')`;
  return (
    // `format` writes a missing value as a text.
    `(CASE WHEN ${value} IS NULL THEN NULL WHEN is_nan(${value}) THEN 'NaN' WHEN is_infinite(${value}) THEN CASE WHEN ${value} > 0 THEN 'Infinity' ELSE '-Infinity' END ` +
    `WHEN ${value} = 0 THEN '0' ` +
    `WHEN abs(${value}) >= 1e7 AND abs(${value}) < 1e16 THEN ${withoutZeros(`CAST(CAST(${text} AS decimal(38, 18)) AS VARCHAR)`)} ` +
    `WHEN abs(${value}) >= 1e-4 AND abs(${value}) < 1e-3 THEN ${withoutZeros(`CAST(CAST(${text} AS decimal(38, 30)) AS VARCHAR)`)} ` +
    `WHEN strpos(${text}, 'E') > 0 THEN ${mantissa} || CASE WHEN strpos(${text}, 'E-') > 0 THEN 'e-' ELSE 'e+' END || ` +
    `CASE WHEN length(${exponent}) < 2 THEN '0' ELSE '' END || ${exponent} ` +
    `ELSE regexp_replace(${text}, '\\.0$', '') END)`
  );
}
