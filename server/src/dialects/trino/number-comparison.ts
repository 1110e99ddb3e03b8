import type { MappingOperator } from '../../model/entity-graph.ts';
import type { NumberComparison, NumberOperand } from '../dialect.ts';
import { turned } from '../standard/turned-operator.ts';

/**
 * Trino rounds an integer or decimal to a floating-point number before it compares it with one, and to it NaN equals
 * nothing. As in the other dialects, NaN is the greatest number and equals itself.
 */
export const trinoNumbers: NumberComparison = {
  condition(left, operator, right) {
    const [isLeft, isRight] = [isFloat(left.type), isFloat(right.type)];
    if (isLeft && isRight) return ofFloats(doubleOf(left), operator, doubleOf(right));
    if (isRight) return compared(left, operator, doubleOf(right));
    return isLeft ? compared(right, turned[operator], doubleOf(left)) : undefined;
  },
};

function ofFloats(left: string, operator: MappingOperator, right: string): string {
  switch (operator) {
    case '=':
      return `${bytes(left)} = ${bytes(right)}`;
    case '!=':
      return `${bytes(left)} <> ${bytes(right)}`;
    case '<':
    case '>=': {
      const isLess = `(${left} < ${right} OR (is_nan(${right}) AND NOT is_nan(${left})))`;
      return operator === '<' ? isLess : `NOT ${isLess}`;
    }
    default: {
      const isGreater = `(${left} > ${right} OR (is_nan(${left}) AND NOT is_nan(${right})))`;
      return operator === '>' ? isGreater : `NOT ${isGreater}`;
    }
  }
}

/** Rounding keeps the order, so only numbers that are equal then are compared exactly. */
function compared(number: NumberOperand, operator: MappingOperator, double: string): string {
  const { sql, type } = number;
  const scale = /^decimal\s*\(\s*\d+\s*,\s*(\d+)/i.exec(type)?.[1] ?? '0';
  // A cast of a decimal rounds twice, one of a text once.
  const rounded = `CAST(${/^decimal/i.test(type) ? `CAST(${sql} AS varchar)` : sql} AS double)`;
  const exactType = `decimal(38, ${scale})`;
  const isWhole = `abs(${double}) < 9.2e18 AND truncate(${double}) = ${double}`;
  // A cast keeps the order of evaluation no more than AND does, so it must not fail for other numbers.
  const whole = `TRY_CAST(TRY_CAST(${double} AS bigint) AS ${exactType})`;
  const exact = `(CASE WHEN ${isWhole} THEN ${whole} ELSE TRY_CAST(format('%s', ${double}) AS ${exactType}) END)`;
  const atTie = (sign: string): string => `${rounded} = ${double} AND ${sql} ${sign} ${exact}`;
  switch (operator) {
    case '=':
      return atTie('=');
    case '!=':
      return `(${rounded} <> ${double} OR (${atTie('IS DISTINCT FROM')}))`;
    case '<':
    case '<=':
      return `(${rounded} < ${double} OR is_nan(${double}) AND ${sql} IS NOT NULL OR (${atTie(operator)}))`;
    default:
      return `(${rounded} > ${double} OR (${atTie(operator)}))`;
  }
}

/** Equal for equal numbers, NaN included: a condition with OR would compare each row with each. */
function bytes(double: string): string {
  return `to_ieee754_64(CASE WHEN is_nan(${double}) THEN nan() ELSE ${double} + 0e0 END)`;
}

function doubleOf({ sql, type }: NumberOperand): string {
  return /^real$/i.test(type) ? `CAST(${sql} AS double)` : sql;
}

function isFloat(type: string): boolean {
  return /^(?:real|double)$/i.test(type);
}
