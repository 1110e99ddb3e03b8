import type { NumberComparison, TextColumn, TextComparison } from '../dialect.ts';

/** Compares texts by their bytes where a collation could take others for equal, or none could be chosen of two. */
export const postgresqlTexts: TextComparison = {
  operand: byBytes,
  group: byBytes,
  /**
   * The collation of a database is deterministic: it takes texts for equal by their bytes only, but has its own order, as
   * enums have.
   */
  areAlike(left, right, operator) {
    if (!isPlain(left) || !isPlain(right)) return false;
    if (operator !== '=' && operator !== '!=') return operator.endsWith('like') && isText(left) && isText(right);
    return left.type === right.type || (isText(left) && isText(right));
  },
  selected: (text, column) => (isPlain(column) ? text : byBytes(text)),
};

function byBytes(text: string): string {
  return `${text}::text COLLATE "C"`;
}

function isPlain({ type, collation }: TextColumn): boolean {
  return collation === undefined && !/^(?:\w+\.|"[^"]+"\.)?citext$/i.test(type);
}

function isText({ type }: TextColumn): boolean {
  return /^(?:text|(?:character|char|bpchar|varchar)\b.*|name|"char")$/i.test(type);
}

/** PostgreSQL rounds an integer or decimal to a floating-point number before it compares it with one. */
export const postgresqlNumbers: NumberComparison = {
  condition(left, operator, right) {
    if (isFloat(left.type) === isFloat(right.type)) return undefined;
    const [one, other] = [left, right].map(({ sql, type }) => (isFloat(type) ? exactFloat(sql) : `${sql}::numeric`));
    return `${one} ${operator === '!=' ? '<>' : operator} ${other}`;
  },
};

function isFloat(type: string): boolean {
  return /^(?:real|float4|double precision|float8)$/i.test(type);
}

/** A cast to `numeric` keeps 15 digits only. */
function exactFloat(value: string): string {
  const double = `${value}::double precision`;
  const isWhole = `abs(${double}) < 9.2e18 AND trunc(${double}) = ${double}`;
  return `(CASE WHEN ${isWhole} THEN ${double}::bigint::numeric ELSE ${double}::text::numeric END)`;
}
