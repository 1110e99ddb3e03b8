import type { ColumnSense } from '../../server/src/catalog/catalog.ts';

/** A value as `[literal, type]` in one or both engines, and its canonical text as a key. */
export interface CanonicalCase {
  readonly postgresql?: readonly [string, string];
  readonly duckdb?: readonly [string, string];
  readonly sense?: ColumnSense;
  readonly expected: string;
}

const both = (literal: string, postgresql: string, duckdb: string, expected: string): CanonicalCase => ({
  postgresql: [literal, postgresql],
  duckdb: [literal, duckdb],
  expected,
});

const double = (literal: string, expected: string) => both(literal, 'double precision', 'DOUBLE', expected);
const float = (literal: string, expected: string) => both(literal, 'real', 'FLOAT', expected);
const decimal = (literal: string, expected: string) => both(literal, 'numeric(12,4)', 'DECIMAL(12,4)', expected);
const moment = (literal: string, expected: string) =>
  both(literal, 'timestamp without time zone', 'TIMESTAMP', expected);
const day = (literal: string, expected: string) => both(literal, 'date', 'DATE', expected);

export const canonicalCases: readonly CanonicalCase[] = [
  both('7', 'smallint', 'SMALLINT', '7'),
  both('-9223372036854775808', 'bigint', 'BIGINT', '-9223372036854775808'),
  {
    duckdb: ['170141183460469231731687303715884105727', 'HUGEINT'],
    expected: '170141183460469231731687303715884105727',
  },
  decimal('100', '100'),
  decimal('1.50', '1.5'),
  decimal('0', '0'),
  decimal('-0.0010', '-0.001'),
  both('0.50', 'numeric(2,2)', 'DECIMAL(2,2)', '0.5'),
  both('-0.25', 'numeric(2,2)', 'DECIMAL(2,2)', '-0.25'),
  both('0', 'numeric(38,38)', 'DECIMAL(38,38)', '0'),
  both('1200', 'numeric(10,0)', 'DECIMAL(10,0)', '1200'),
  { postgresql: ['1200.5000', 'numeric'], duckdb: ['1200.5000', 'VARCHAR'], sense: 'number', expected: '1200.5' },
  { postgresql: ['NaN', 'numeric'], duckdb: ['NaN', 'VARCHAR'], sense: 'number', expected: 'NaN' },
  { duckdb: ['1200.5000', 'VARCHAR'], sense: 'text', expected: '1200.5000' },
  double('1', '1'),
  double('-0', '0'),
  double('0.1', '0.1'),
  double('0.30000000000000004', '0.30000000000000004'),
  double('0.0001', '0.0001'),
  double('0.00001', '1e-05'),
  double('123456789012345', '123456789012345'),
  double('1e15', '1000000000000000'),
  double('-1234567890123456', '-1234567890123456'),
  double('9007199254740993', '9007199254740992'),
  double('1e16', '1e+16'),
  double('1.5e300', '1.5e+300'),
  double('5e-324', '5e-324'),
  double('NaN', 'NaN'),
  double('Infinity', 'Infinity'),
  double('-Infinity', '-Infinity'),
  float('0.1', '0.1'),
  float('16777216', '16777216'),
  float('1234567', '1234567'),
  float('123456789012', '123456790000'),
  float('1e16', '1e+16'),
  float('3.4e38', '3.4e+38'),
  both('t', 'boolean', 'BOOLEAN', 'true'),
  moment('2024-02-29 12:34:56.5', '2024-02-29T12:34:56.500000Z'),
  moment('0999-01-01', '0999-01-01T00:00:00.000000Z'),
  moment('12345-01-01', '12345-01-01T00:00:00.000000Z'),
  moment('infinity', 'infinity'),
  moment('-infinity', '-infinity'),
  {
    postgresql: ['0044-03-15 01:02:03 BC', 'timestamp'],
    duckdb: ['0044-03-15 (BC) 01:02:03', 'TIMESTAMP'],
    expected: '-0043-03-15T01:02:03.000000Z',
  },
  { postgresql: ['0001-03-15 BC', 'date'], duckdb: ['0001-03-15 (BC)', 'DATE'], expected: '0000-03-15' },
  { postgresql: ['0044-03-15 BC', 'date'], duckdb: ['0044-03-15 (BC)', 'DATE'], expected: '-0043-03-15' },
  both(
    '2024-01-01 00:00:00+02',
    'timestamp(3) with time zone',
    'TIMESTAMP WITH TIME ZONE',
    '2023-12-31T22:00:00.000000Z',
  ),
  { duckdb: ['2024-01-01 00:00:01', 'TIMESTAMP_S'], expected: '2024-01-01T00:00:01.000000Z' },
  { duckdb: ['2024-01-01 00:00:01.123456789', 'TIMESTAMP_NS'], expected: '2024-01-01T00:00:01.123456Z' },
  day('2024-02-29', '2024-02-29'),
  day('infinity', 'infinity'),
  both('12:34:56.5', 'time', 'TIME', '12:34:56.5'),
  both('ABCDEF00-0000-4000-8000-000000000001', 'uuid', 'UUID', 'abcdef00-0000-4000-8000-000000000001'),
  both('  As Is  ', 'text', 'VARCHAR', '  As Is  '),
  both('', 'character varying(3)', 'VARCHAR', ''),
  { postgresql: ['\\xAB00', 'bytea'], duckdb: ['\\xAB\\x00', 'BLOB'], expected: 'ab00' },
  { postgresql: ['{1,2}', 'integer[]'], duckdb: ['[1,2]', 'INTEGER[]'], expected: '[1,2]' },
];
