import { embeddedLiteral } from '../../query/quote.ts';
import { columnSense } from '../../dialects/duckdb/types.ts';
import { isFineTimeSql } from '../../dialects/standard/fine-times.ts';
import { decimalNotation, doubleSql } from './exact-numbers.ts';
import type { PlanColumn, ReadPlan } from './plan-types.ts';

/** The format of dates in ISO 8601. */
export const isoDate = '%Y-%m-%d';

/** In a column whose type is declared, also a sign or zeros in front. */
const declaredNotation = String.raw`\s*[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?\s*`;

/** The words that floating-point numbers are printed as. */
const floatingWord = String.raw`\s*[+-]?(nan|inf|infinity)\s*`;

/** A year of fewer than four digits is one of another format: DuckDB reads `1/1/24` as the year 1. */
const hasFullYear = String.raw`(x LIKE '____-%' AND x >= '0' OR regexp_matches(x, '^\s*[+-]?[0-9]{4,}[-/]') OR contains(x, 'infinity'))`;

function wholeNumber(notation: string): string {
  return `CASE WHEN regexp_full_match(x, '-?(0|[1-9][0-9]*)') THEN x
    WHEN regexp_full_match(x, '${notation}') AND TRY_CAST(x AS DOUBLE) = round(TRY_CAST(x AS DOUBLE)) AND NOT regexp_matches(x, '[.][0-9]*[1-9][0-9]*\\s*$') THEN x END`;
}

/**
 * Converts texts of files to values. DuckDB's reader silently drops parts: fractions in integer columns, times after
 * dates, offsets of times, digits of times below microseconds, and zoned times it cannot read. It also takes hexadecimal
 * numbers, `1_000`, and words for booleans. Here such texts give NULL.
 */
const functions: Readonly<Record<string, string>> = {
  whole_number: wholeNumber(decimalNotation),
  whole_number_declared: wholeNumber(declaredNotation),
  floating_number: `CASE WHEN regexp_full_match(x, '${decimalNotation}') THEN ${doubleSql('x')} END`,
  floating_number_declared: `CASE WHEN regexp_full_match(x, '${declaredNotation}')
    THEN CASE WHEN regexp_full_match(x, '\\s*[+-]?[0-9]{17,}\\s*') OR isinf(TRY_CAST(x AS DOUBLE)) THEN NULL ELSE TRY_CAST(x AS DOUBLE) END
    WHEN regexp_full_match(lower(x), '${floatingWord}') THEN TRY_CAST(x AS DOUBLE) END`,
  decimal_number: `CASE WHEN regexp_full_match(x, '${decimalNotation}') THEN x END`,
  decimal_number_declared: `CASE WHEN regexp_full_match(x, '${declaredNotation}') THEN x END`,
  truth_value: `CASE lower(x) WHEN 'true' THEN true WHEN 'false' THEN false END`,
  whole_date: `CASE WHEN x LIKE '____-__-__' AND x >= '0' THEN CAST(TRY_CAST(x AS TIMESTAMP) AS DATE)
    WHEN regexp_full_match(x, '\\s*([+-]?[0-9]{4,}[-/][0-9]{1,2}[-/][0-9]{1,2}( [(]BC[)])?|-?infinity)\\s*') THEN TRY_CAST(x AS DATE) END`,
  time_of_day: `CASE WHEN regexp_full_match(x, '\\s*[0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6}0*)?)?\\s*') THEN TRY_CAST(x AS TIME) END`,
  time_without_zone: `CASE WHEN x LIKE '____-__-__ __:__:__' AND x >= '0' THEN TRY_CAST(x AS TIMESTAMP)
    WHEN contains(x, '+') OR x LIKE '%:%-%' OR ends_with(x, 'Z') OR ends_with(x, 'UTC') OR ends_with(x, 'utc') OR NOT ${hasFullYear} OR ${isFineTimeSql('x')} THEN NULL ELSE TRY_CAST(x AS TIMESTAMP) END`,
  time_with_zone: `CASE WHEN x LIKE '%:%' AND regexp_matches(x, '([zZ]|[+-][0-9:]+| [A-Za-z][A-Za-z0-9/_+-]*)\\s*$') AND ${hasFullYear} AND NOT ${isFineTimeSql('x')} THEN TRY_CAST(x AS TIMESTAMPTZ)
    WHEN regexp_full_match(x, '\\s*-?infinity\\s*') THEN TRY_CAST(x AS TIMESTAMPTZ) END`,
};

/**
 * An invalid text ends the query. DuckDB's `error` takes a message only, from which `castFailureOf` reads text and
 * type.
 */
const checked = `coalesce(value, CASE WHEN x IS NOT NULL THEN error('"' || x || '" is no ' || type) END)`;

/** Text and type of a failure of `checked`, by DuckDB's message; undefined for other errors. */
export function castFailureOf(message: string): { readonly text: string; readonly type: string } | undefined {
  const [, text, type] = /^"([\s\S]*)" is no ([\s\S]+)$/.exec(message) ?? [];
  return text === undefined || type === undefined ? undefined : { text, type };
}

/** The statement that creates a function of `valueSql`. */
interface ValueFunction {
  readonly name: string;
  readonly sql: string;
}

/** `try_strptime` reads words such as `infinity` as the year 1900, and `24` as the year 24 where a format has four digits. */
const formatted = `CASE WHEN NOT contains(x, '0') AND NOT contains(x, '1') AND NOT regexp_matches(x, '[0-9]')
    THEN CASE WHEN contains(lower(x), 'infinity') THEN TRY_CAST(x AS TIMESTAMP) END
    WHEN length(x) > 17 AND regexp_matches(x, '[.,][0-9]{6}0*[1-9]') THEN NULL
    WHEN year(value) >= 1000 OR contains(x, lpad(CAST(year(value) AS VARCHAR), 4, '0')) THEN value END`;

const valueFunctions: readonly ValueFunction[] = [
  ...Object.entries(functions).map(([name, body]) => ({
    name,
    sql: `CREATE OR REPLACE TEMP MACRO ${name}(x) AS ${body}`,
  })),
  { name: 'formatted_time', sql: `CREATE OR REPLACE TEMP MACRO formatted_time(value, x) AS ${formatted}` },
  { name: 'checked', sql: `CREATE OR REPLACE TEMP MACRO checked(value, x, type) AS ${checked}` },
];

/** The functions that a statement uses; all of them without a statement. */
export function valueFunctionsOf(sql?: string): readonly ValueFunction[] {
  return valueFunctions.filter(({ name }) => sql === undefined || sql.includes(`${name}(`));
}

/** Whether a column is read as text and then converted. */
export function isMadeOfText({ type }: PlanColumn, { kind }: Pick<ReadPlan, 'kind'>): boolean {
  if (kind === 'parquet' || type === 'VARCHAR') return false;
  // JSON numbers are read like texts, because their reader would round them.
  return kind === 'csv' || kind === 'workbook' || !['json', 'other', 'binary'].includes(columnSense(type));
}

/**
 * Whether keys of the column are texts instead of values: different texts may have one value, such as 12E3 and 1200E1.
 * JSON numbers are not texts, and declared types compare values.
 */
export function isKeyedByText(column: PlanColumn, plan: Pick<ReadPlan, 'kind'>): boolean {
  if (column.isDeclared) return false;
  return plan.kind === 'csv' || isTextInJson(column, plan);
}

function isTextInJson(column: PlanColumn, plan: Pick<ReadPlan, 'kind'>): boolean {
  if (plan.kind !== 'json') return false;
  return isMadeOfText(column, plan) && ['date', 'time', 'timestamp', 'text'].includes(columnSense(column.type));
}

/** SQL of the value of a text; fails for an invalid text. */
export function valueSql(text: string, column: PlanColumn, plan: ReadPlan): string {
  return `checked(${tryValueSql(text, column, plan)}, ${text}, ${embeddedLiteral(column.type)})`;
}

/** SQL of the value of a text; NULL for an invalid text. */
export function tryValueSql(text: string, column: PlanColumn, plan: ReadPlan): string {
  const { type, isDeclared } = column;
  const declared = isDeclared ? '_declared' : '';
  const cast = (value: string): string => `TRY_CAST(${value} AS ${type})`;
  switch (columnSense(type)) {
    case 'integer':
      return cast(`whole_number${declared}(${numberText(text, plan)})`);
    case 'number':
      return numberSql(numberText(text, plan), column);
    case 'boolean':
      // Who declares the type knows which words are booleans.
      return isDeclared ? cast(text) : `truth_value(${text})`;
    case 'date':
      return dateSql(text, column, plan);
    case 'time':
      return type === 'TIME' ? `time_of_day(${text})` : `CASE WHEN NOT ${isFineTimeSql(text)} THEN ${cast(text)} END`;
    case 'timestamp':
      return timestampSql(text, column, plan);
    default:
      return cast(text);
  }
}

function numberSql(text: string, { type, isDeclared }: PlanColumn): string {
  const [, scale] = /^DECIMAL\(\d+,\s*(\d+)\)$/i.exec(type) ?? [];
  const declared = isDeclared ? '_declared' : '';
  if (type === 'DOUBLE') return `floating_number${declared}(${text})`;
  if (scale === undefined) return `TRY_CAST(floating_number${declared}(${text}) AS ${type})`;
  const value = `TRY_CAST(decimal_number${declared}(${text}) AS ${type})`;
  const isRounded = `regexp_matches(${text}, '[.][0-9]{${scale}}[0-9]*[1-9]') OR (contains(lower(${text}), 'e') AND ${value} <> TRY_CAST(${text} AS DOUBLE))`;
  return `CASE WHEN ${isRounded} THEN NULL ELSE ${value} END`;
}

/** SQL of the text of a number with a decimal point. With a decimal comma, a point may separate thousands. */
export function numberText(text: string, plan: ReadPlan): string {
  const { decimal = '.' } = plan.kind === 'csv' ? plan : {};
  return decimal === '.'
    ? text
    : `translate(${text}, ${embeddedLiteral(`.${decimal}`)}, ${embeddedLiteral(`${decimal}.`)})`;
}

function dateSql(text: string, { isIso }: PlanColumn, plan: ReadPlan): string {
  const { dateFormat = isoDate } = plan.kind === 'parquet' ? {} : plan;
  return dateFormat === isoDate || isIso ? `whole_date(${text})` : `CAST(${formattedSql(text, dateFormat)} AS DATE)`;
}

function formattedSql(text: string, format: string): string {
  return `formatted_time(try_strptime(${text}, ${embeddedLiteral(format)}), ${text})`;
}

function timestampSql(text: string, { type, isIso }: PlanColumn, plan: ReadPlan): string {
  const { timestampFormat } = plan.kind === 'parquet' ? {} : plan;
  if (timestampFormat !== undefined && !isIso) {
    return `CAST(${formattedSql(text, timestampFormat)} AS ${type})`;
  }
  switch (type) {
    case 'TIMESTAMP':
      return `time_without_zone(${text})`;
    case 'TIMESTAMP WITH TIME ZONE':
      return `time_with_zone(${text})`;
    default:
      return `CASE WHEN time_without_zone(${text}) IS NOT NULL THEN TRY_CAST(${text} AS ${type}) END`;
  }
}
