import type { MappingOperator } from '../../model/entity-graph.ts';
import type { NumberComparison, NumberOperand } from '../dialect.ts';
import { turned } from '../standard/turned-operator.ts';
import { withoutZeros } from '../standard/without-zeros.ts';
import { duckdbCanonicalText } from './canonical-text.ts';

/**
 * DuckDB rounds an integer or decimal to a floating-point number before it compares it with one. Rounding keeps the
 * order, so only numbers that are equal then are compared exactly.
 */
export const duckdbNumbers: NumberComparison = {
  condition(left, operator, right) {
    if (isFloat(left.type) === isFloat(right.type)) return undefined;
    return isFloat(right.type) ? compared(left, operator, right.sql) : compared(right, turned[operator], left.sql);
  },
};

function compared(operand: NumberOperand, operator: MappingOperator, float: string): string {
  const { sql } = operand;
  const double = `CAST(${float} AS DOUBLE)`;
  const rounded = roundedOnce(operand);
  const exact = exactIn(double, exactTypeOf(operand));
  const atTie = (sign: string): string => `${rounded} = ${double} AND ${sql} ${sign} ${exact}`;
  switch (operator) {
    case '=':
      return `${rounded} = ${double} AND ${sql} = ${exact}`;
    case '!=':
      return `(${rounded} <> ${double} OR (${atTie('IS DISTINCT FROM')}))`;
    default:
      return `(${rounded} ${operator.slice(0, 1)} ${double} OR (${atTie(operator)}))`;
  }
}

/** Casts of decimals and of 128-bit integers round twice, those of texts once. */
function roundedOnce({ sql, type }: NumberOperand): string {
  const isShort = /^U?(?:TINY|SMALL|BIG)?INT(?:EGER)?$/i.test(type);
  return `CAST(${isShort ? sql : `CAST(${sql} AS VARCHAR)`} AS DOUBLE)`;
}

/** The exact type of the values of an integer or decimal. */
function exactTypeOf({ type }: NumberOperand): string {
  return /^(?:DECIMAL|NUMERIC)/i.test(type) ? `DECIMAL(38, ${/,\s*(\d+)/.exec(type)?.[1] ?? 3})` : 'HUGEINT';
}

/** The whole number of 64 bits that a double is, else the number of its shortest digits. */
function exactIn(double: string, type: string): string {
  const whole = `TRY_CAST(${double} AS BIGINT)`;
  const digits = `CASE WHEN trunc(${double}) = ${double} THEN CAST(${whole} AS VARCHAR) END`;
  return `TRY_CAST(coalesce(${digits}, CAST(${double} AS VARCHAR)) AS ${type})`;
}

/**
 * A value that has the order of the exact numbers beside those of other types: the rounded number, then what rounding
 * took from it. Numbers of more than 31 digits may be equal if they differ behind these only.
 */
export function orderedNumber({ sql, type }: NumberOperand): string {
  const pair = (rounded: string, rest: string): string =>
    `CASE WHEN ${sql} IS NOT NULL THEN struct_pack(n := ${rounded} + 0.0, r := ${rest}) END`;
  const none = 'CAST(0 AS DOUBLE)';
  if (isFloat(type)) return pair(`CAST(${sql} AS DOUBLE)`, none);
  // Numbers too large for any numeric type are staged as texts.
  const isText = /^VARCHAR$/i.test(type);
  const exactType = isText ? 'HUGEINT' : exactTypeOf({ sql, type });
  const rounded = isText ? `TRY_CAST(${sql} AS DOUBLE)` : roundedOnce({ sql, type });
  const value = isText ? `CASE WHEN NOT contains(${sql}, '.') THEN TRY_CAST(${sql} AS HUGEINT) END` : sql;
  const rest = `CAST(${value} - ${exactIn(rounded, exactType)} AS DOUBLE)`;
  return pair(rounded, `coalesce(${rest}, ${none})`);
}

/** Whether a type is one of floating-point numbers. */
export function isFloat(type: string): boolean {
  return /^(?:DOUBLE|FLOAT|REAL)/i.test(type);
}

/**
 * The canonical text that an integer or decimal of the same value has; of a number that none has, its own. Whole numbers
 * of 64 bits have all their digits, others the shortest.
 */
export function exactDigits(float: string): string {
  const double = `CAST(${float} AS DOUBLE)`;
  const own = duckdbCanonicalText.value(double, 'DOUBLE');
  const decimal = (scale: number): string =>
    `CAST(TRY_CAST(CAST(${double} AS VARCHAR) AS DECIMAL(38, ${scale})) AS VARCHAR)`;
  const small = withoutZeros(decimal(37));
  return (
    `(CASE WHEN NOT isfinite(${double}) THEN ${own} ` +
    `WHEN trunc(${double}) = ${double} THEN coalesce(CAST(TRY_CAST(${double} AS BIGINT) AS VARCHAR), ${decimal(0)}, ${own}) ` +
    `WHEN abs(${double}) < 1e-4 AND CAST(${small} AS DOUBLE) = ${double} THEN ${small} ELSE ${own} END)`
  );
}
