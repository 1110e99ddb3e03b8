import type { ColumnSense } from '../../catalog/catalog.ts';

/** Properties of a type from `pg_type`; domains are already replaced by their base type. */
export interface PostgresType {
  readonly oid: number;
  /** -1 when the type has no modifier. */
  readonly modifier: number;
  /** `pg_type.typtype`: `b`ase, `c`omposite, `e`num, `r`ange, `m`ultirange, `p`seudo. */
  readonly kind: string;
  /** `pg_type.typcategory`: `A`rray, `S`tring … */
  readonly category: string;
  /** Enum labels, in order. */
  readonly labels?: readonly string[];
}

/** How values of a type are read, staged and used. */
export interface ColumnType {
  readonly sense: ColumnSense;
  readonly zoned?: boolean;
  /** DuckDB type of the staged column. */
  readonly stagedType: string;
  /** The COPY expression of a column; default: the column (COPY prints every type as text). */
  readonly cast?: (column: string) => string;
  /** An expression for the text that COPY prints, if a cast to text would differ. */
  readonly printed?: (column: string) => string;
}

/** All knowledge about PostgreSQL's types. */
export function columnTypeOf(type: PostgresType): ColumnType {
  if (type.oid === numericOid) return numericType(type.modifier);
  const builtin = builtinTypes[type.oid];
  if (builtin) return builtin;
  if (type.category === 'A' || type.kind === 'c' || type.oid === recordOid) {
    const isArray = type.category === 'A' && !vectorOids.has(type.oid);
    return { sense: 'json', stagedType: 'VARCHAR', cast: isArray ? arrayText : jsonText };
  }
  if (type.kind === 'e' || type.category === 'S') return text;
  return { sense: 'other', stagedType: 'VARCHAR', printed };
}

function jsonText(column: string): string {
  return `to_json(${column})::text`;
}

/** JSON cannot express a lower array bound other than 1, PostgreSQL's text can. */
function arrayText(column: string): string {
  return `CASE WHEN array_dims(${column}) ~ '[[](?!1:)' THEN format('%s', ${column}) ELSE ${jsonText(column)} END`;
}

/** A cast of `10.0.0.1` to text adds `/32`, one of `char(4)` removes blanks. */
function printed(column: string): string {
  return `CASE WHEN ${column} IS NOT NULL THEN format('%s', ${column}) END`;
}

const numericOid = 1700;
const recordOid = 2249;
/** `int2vector` and `oidvector`, whose lower bound is always 0. */
const vectorOids: ReadonlySet<number> = new Set([22, 30]);

/**
 * DuckDB's decimals have at most 38 digits; larger ones are texts, unless all values are smaller
 * (`segments/wide-decimals.ts`). A NaN converts the column to texts (`stage-segment.ts`).
 */
function numericType(modifier: number): ColumnType {
  const { precision, scale } = numericModifier(modifier);
  if (precision <= 38 && scale >= 0 && scale <= precision) {
    return { sense: 'number', stagedType: `DECIMAL(${precision},${scale})` };
  }
  return { sense: 'number', stagedType: 'VARCHAR', cast: (column) => `trim_scale(${column})::text` };
}

/** https://github.com/postgres/postgres/blob/REL_18_STABLE/src/backend/utils/adt/numeric.c (numeric_typmod_precision) */
function numericModifier(modifier: number): { readonly precision: number; readonly scale: number } {
  if (modifier < 4) return { precision: Number.POSITIVE_INFINITY, scale: 0 };
  const packed = modifier - 4;
  // The scale is a signed 11-bit number.
  return { precision: (packed >> 16) & 0xffff, scale: ((packed & 0x7ff) ^ 1024) - 1024 };
}

const text: ColumnType = { sense: 'text', stagedType: 'VARCHAR' };

/** By oid, which is fixed for built-in types: a user-defined type may have the same name. */
const builtinTypes: Readonly<Record<number, ColumnType>> = {
  16: { sense: 'boolean', stagedType: 'BOOLEAN' },
  17: { sense: 'binary', stagedType: 'VARCHAR', cast: (column) => `encode(${column}, 'hex')` },
  18: text, // "char"
  19: text, // name
  20: { sense: 'integer', stagedType: 'BIGINT' },
  21: { sense: 'integer', stagedType: 'SMALLINT' },
  23: { sense: 'integer', stagedType: 'INTEGER' },
  25: text,
  26: { sense: 'integer', stagedType: 'BIGINT' }, // oid
  114: { sense: 'json', stagedType: 'VARCHAR' },
  700: { sense: 'number', stagedType: 'FLOAT' },
  701: { sense: 'number', stagedType: 'DOUBLE' },
  1042: { ...text, printed }, // character(n)
  1043: text, // character varying
  1082: { sense: 'date', stagedType: 'DATE' },
  1083: { sense: 'time', stagedType: 'VARCHAR' },
  1114: { sense: 'timestamp', stagedType: 'TIMESTAMP', zoned: false },
  // DuckDB drops the offset when it reads such a text as TIMESTAMP.
  1184: { sense: 'timestamp', stagedType: 'TIMESTAMP', zoned: true, cast: (column) => `${column} AT TIME ZONE 'UTC'` },
  1266: { sense: 'time', stagedType: 'VARCHAR' },
  2950: { sense: 'text', stagedType: 'VARCHAR' }, // uuid
  3802: { sense: 'json', stagedType: 'VARCHAR' }, // jsonb
};
