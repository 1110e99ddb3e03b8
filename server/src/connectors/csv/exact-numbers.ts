/**
 * Numbers written with more digits than a DOUBLE keeps. A DOUBLE is exact for a text if its own shortest text is the same
 * number: always with 15 significant digits, sometimes with 17, never with more.
 */

/** Decimal notation: no other base, no separators of thousands, no leading zero, which a number would lose. */
export const decimalNotation = String.raw`\s*-?((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?\s*`;

/**
 * SQL of the DOUBLE of a text in decimal notation; NULL if the DOUBLE is another number. A number with an exponent is
 * taken for a rounded one.
 */
export function doubleSql(text: string): string {
  const value = `TRY_CAST(${text} AS DOUBLE)`;
  return `CASE WHEN strlen(${text}) <= 15 AND NOT contains(${text}, 'e') AND NOT contains(${text}, 'E') OR CAST(${value} AS VARCHAR) = ${text} THEN ${value}
    WHEN isinf(${value}) OR ${value} = 0 AND ${significantDigits(text)} <> '' THEN NULL
    WHEN contains(lower(${text}), 'e') OR ${significantDigits(text)} = ${significantDigits(`CAST(${value} AS VARCHAR)`)} THEN ${value} END`;
}

/** Without zeros at both ends, so that equal texts of neighbouring numbers mean equal numbers. */
function significantDigits(text: string): string {
  return `trim(regexp_replace(split_part(lower(${text}), 'e', 1), '[^0-9]', '', 'g'), '0')`;
}

/** Sizes of the numbers of a column. */
export interface NumberDigits {
  /** All texts are in decimal notation. */
  readonly areNumbers: boolean;
  /** A number would be another one as DOUBLE. */
  readonly exceedDouble: boolean;
  readonly haveExponents: boolean;
  /** Most digits before the point. */
  readonly whole: number;
  /** Most digits after the point, as written. */
  readonly fraction: number;
}

/** SQL of an aggregate of texts: their `NumberDigits` in JSON. NULLs do not count. */
export function numberDigitsSql(text: string): string {
  const number = `CASE WHEN regexp_full_match(${text}, '${decimalNotation}') THEN trim(${text}) END`;
  return `to_json({
    areNumbers: coalesce(bool_and(${text} IS NULL OR ${number} IS NOT NULL), true),
    exceedDouble: coalesce(bool_or(${number} IS NOT NULL AND ${doubleSql(text)} IS NULL), false),
    haveExponents: coalesce(bool_or(contains(lower(${number}), 'e')), false),
    whole: coalesce(max(strlen(ltrim(split_part(${number}, '.', 1), '-0'))), 0), fraction: coalesce(max(strlen(split_part(${number}, '.', 2))), 0) })::VARCHAR`;
}

/** A result of `numberDigitsSql`. */
export function numberDigits(found: unknown): NumberDigits {
  return JSON.parse(String(found)) as NumberDigits;
}

/** The digits of several columns together. */
export function allDigits(all: readonly NumberDigits[]): NumberDigits {
  return {
    areNumbers: all.every(({ areNumbers }) => areNumbers),
    exceedDouble: all.some(({ exceedDouble }) => exceedDouble),
    haveExponents: all.some(({ haveExponents }) => haveExponents),
    whole: Math.max(0, ...all.map(({ whole }) => whole)),
    fraction: Math.max(0, ...all.map(({ fraction }) => fraction)),
  };
}

/** The type that keeps all digits of numbers: DOUBLE, or the smallest DECIMAL; undefined if no type does. */
export function numberType({
  areNumbers,
  exceedDouble,
  haveExponents,
  whole,
  fraction,
}: NumberDigits): string | undefined {
  if (!areNumbers) return undefined;
  return exceedDouble ? smallestDecimal({ whole, fraction, haveExponents }) : 'DOUBLE';
}

/** The smallest DECIMAL that holds numbers as they are written; undefined if none does. */
export function smallestDecimal({
  whole,
  fraction,
  haveExponents,
}: Pick<NumberDigits, 'whole' | 'fraction' | 'haveExponents'>): string | undefined {
  // DuckDB prints 0.5 of a DECIMAL(1,1) as `.5`.
  const width = Math.max(whole, 1) + fraction;
  return haveExponents || width > widestDecimal ? undefined : `DECIMAL(${width},${fraction})`;
}

/** Digits of the widest decimal of DuckDB. */
const widestDecimal = 38;
