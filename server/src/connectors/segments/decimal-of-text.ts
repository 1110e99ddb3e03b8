import { quoteIdentifier } from '../../query/quote.ts';

/** Digits of the widest decimal that DuckDB keeps in 64 bits. */
const narrowDigits = 18;

/**
 * The SQL that reads a decimal of more than 18 digits from a text column; undefined for other types. DuckDB parses a
 * wide decimal ten times as slowly as a narrow one, so texts that fit are first read as narrow.
 */
export function decimalOfText(column: string, stagedType: string): string | undefined {
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(stagedType) ?? [];
  if (precision === undefined || scale === undefined) return undefined;
  if (Number(precision) <= narrowDigits || Number(scale) >= narrowDigits) return undefined;
  const name = quoteIdentifier(column);
  const narrow = `TRY_CAST(${name} AS DECIMAL(${narrowDigits},${scale}))`;
  return `coalesce(CAST(${narrow} AS ${stagedType}), CAST(${name} AS ${stagedType}))`;
}
