import type { MappingOperator } from '../../model/entity-graph.ts';
import type { NumberComparison, NumberOperand } from '../dialect.ts';
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

function compared({ sql, type }: NumberOperand, operator: MappingOperator, float: string): string {
  const double = `CAST(${float} AS DOUBLE)`;
  const isInteger = !/^(?:DECIMAL|NUMERIC)/i.test(type);
  // Casts of decimals and of 128-bit integers round twice, those of texts once.
  const isShort = /^U?(?:TINY|SMALL|BIG)?INT(?:EGER)?$/i.test(type);
  const rounded = `CAST(${isShort ? sql : `CAST(${sql} AS VARCHAR)`} AS DOUBLE)`;
  const exactType = isInteger ? 'HUGEINT' : `DECIMAL(38, ${/,\s*(\d+)/.exec(type)?.[1] ?? 3})`;
  const whole = `TRY_CAST(${double} AS BIGINT)`;
  const digits = `CASE WHEN trunc(${double}) = ${double} THEN CAST(${whole} AS VARCHAR) END`;
  const exact = `TRY_CAST(coalesce(${digits}, CAST(${double} AS VARCHAR)) AS ${exactType})`;
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

const turned: Readonly<Record<MappingOperator, MappingOperator>> = {
  '=': '=',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  like: 'like',
  'not like': 'not like',
};

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
