/** Statistics of the values of an attribute. */
interface ValueFacts {
  /** The type that the log declares, as OCEL names it. */
  readonly declared: string;
  readonly isBigint: boolean;
  readonly isHugeint: boolean;
  /** Each value has the text of a double. */
  readonly isDouble: boolean;
  /** Number of decimals, if it is the same for all values. */
  readonly scale: number | undefined;
  /** The most digits of a value. */
  readonly digits: number;
}

/** SQL of the facts of some values: the columns `is_bigint`, `is_hugeint`, `is_double`, `scale` and `digits` of a group. */
export const valueFactsSql = `coalesce(bool_and(TRY_CAST(value AS BIGINT) IS NOT NULL), true) AS is_bigint,
  coalesce(bool_and(TRY_CAST(value AS HUGEINT) IS NOT NULL), true) AS is_hugeint,
  coalesce(bool_and(CAST(TRY_CAST(value AS DOUBLE) AS VARCHAR) IN (value, value || '.0')), true) AS is_double,
  CASE WHEN bool_and(regexp_full_match(value, '-?[0-9]+[.][0-9]+'))
      AND min(length(split_part(value, '.', 2))) = max(length(split_part(value, '.', 2)))
    THEN max(length(split_part(value, '.', 2))) END AS scale,
  max(length(regexp_replace(value, '[^0-9]', '', 'g'))) AS digits`;

/** The facts in a row of a query. */
export function valueFacts(row: Readonly<Record<string, unknown>>, declared: string): ValueFacts {
  const { scale } = row;
  return {
    declared,
    isBigint: row['is_bigint'] !== false,
    isHugeint: row['is_hugeint'] !== false,
    isDouble: row['is_double'] !== false,
    scale: scale === null || scale === undefined ? undefined : Number(scale),
    digits: Number(row['digits'] ?? 0),
  };
}

/** The type of DuckDB that keeps the texts of the values. */
export function valueTypeOf({ declared, isBigint, isHugeint, isDouble, scale, digits }: ValueFacts): string {
  switch (declared) {
    case 'integer':
      return isBigint ? 'BIGINT' : isHugeint ? 'HUGEINT' : 'VARCHAR';
    case 'float':
      // Amounts such as 10.50 are decimals in the graph they come from.
      return !isDouble && scale !== undefined && digits < 38 ? `DECIMAL(38, ${scale})` : 'DOUBLE';
    case 'boolean':
      return 'BOOLEAN';
    case 'time':
      return 'TIMESTAMP WITH TIME ZONE';
    default:
      return 'VARCHAR';
  }
}
