import assert from 'node:assert/strict';
import type { CellValue, Connector } from '../../server/src/connectors/connector.ts';
import { canonicalText } from '../../server/src/query/canonical-text.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { sharedTrino } from '../support/trino-server.ts';
import { trinoConnector, trinoQuery } from '../support/trino-source.ts';

/** A value in SQL; its type, its cell in a preview, the type of its staged column, and its staged text. */
type ValueCase = readonly [value: string, type: string, cell: CellValue, staged: string, text: string | null];

const wide = '9'.repeat(38);
const time = (text: string): string => `TIMESTAMP '${text}'`;

const long = "BIGINT '9007199254740993'";
const blobRow = 'row(id bigint, b varbinary, m map(varchar, bigint))';
/** A value that is JSON text everywhere. */
const structure = (value: string, type: string, json: string): ValueCase => [value, type, json, 'VARCHAR', json];

const values: readonly ValueCase[] = [
  ['true', 'boolean', true, 'BOOLEAN', 'true'],
  ["TINYINT '-128'", 'tinyint', -128, 'SMALLINT', '-128'],
  ["SMALLINT '32767'", 'smallint', 32767, 'SMALLINT', '32767'],
  ['2147483647', 'integer', 2147483647, 'INTEGER', '2147483647'],
  ["BIGINT '9223372036854775807'", 'bigint', '9223372036854775807', 'BIGINT', '9223372036854775807'],
  ["BIGINT '9007199254740993'", 'bigint', '9007199254740993', 'BIGINT', '9007199254740993'],
  ['CAST(12.5 AS decimal(10, 2))', 'decimal(10, 2)', '12.50', 'DECIMAL(10,2)', '12.50'],
  [`DECIMAL '${wide}'`, 'decimal(38, 0)', wide, 'DECIMAL(38,0)', wide],
  ['CAST(0.001 AS decimal(3, 3))', 'decimal(3, 3)', '0.001', 'DECIMAL(3,3)', '.001'],
  ["REAL '0.1'", 'real', 0.1, 'FLOAT', '0.1'],
  ["REAL '16777215'", 'real', 16777215, 'FLOAT', '16777215.0'],
  ['0.1e0 + 0.2e0', 'double', 0.30000000000000004, 'DOUBLE', '0.30000000000000004'],
  ['-1e308', 'double', -1e308, 'DOUBLE', '-1e+308'],
  ['1e0', 'double', 1, 'DOUBLE', '1.0'],
  ['-0e0', 'double', -0, 'DOUBLE', '0.0'],
  ['123456789.25e0', 'double', 123456789.25, 'DOUBLE', '123456789.25'],
  ['1.2345678901234568e15', 'double', 1234567890123456.8, 'DOUBLE', '1234567890123456.8'],
  ['1.2345678901234568e16', 'double', 12345678901234568, 'DOUBLE', '1.2345678901234568e+16'],
  ['1e22', 'double', 1e22, 'DOUBLE', '1e+22'],
  ['2.5e-4', 'double', 0.00025, 'DOUBLE', '0.00025'],
  ['1.5e-7', 'double', 1.5e-7, 'DOUBLE', '1.5e-07'],
  ['2.2250738585072014e-308', 'double', 2.2250738585072014e-308, 'DOUBLE', '2.2250738585072014e-308'],
  ['nan()', 'double', 'NaN', 'DOUBLE', 'nan'],
  ['-infinity()', 'double', '-Infinity', 'DOUBLE', '-inf'],
  ["DATE '2024-02-29'", 'date', '2024-02-29', 'DATE', '2024-02-29'],
  ["DATE '-0044-03-15'", 'date', '-000044-03-15', 'DATE', '0045-03-15 (BC)'],
  [time('2024-07-01 12:00:00'), 'timestamp(0)', '2024-07-01T10:00:00.000000Z', 'TIMESTAMP', '2024-07-01 12:00:00'],
  [
    ...[time('2024-07-01 12:00:00.123456'), 'timestamp(6)'],
    ...['2024-07-01T10:00:00.123456Z', 'TIMESTAMP', '2024-07-01 12:00:00.123456'],
  ] as unknown as ValueCase,
  // Digits beyond microseconds are left out, not rounded into the future.
  [
    ...[time('2024-07-01 12:00:00.999999999'), 'timestamp(9)'],
    ...['2024-07-01T10:00:00.999999Z', 'TIMESTAMP', '2024-07-01 12:00:00.999999'],
  ] as unknown as ValueCase,
  [
    ...[time('12024-07-01 12:00:00.5'), 'timestamp(1)'],
    ...['+012024-07-01T10:00:00.500000Z', 'TIMESTAMP', '12024-07-01 12:00:00.5'],
  ] as unknown as ValueCase,
  [
    ...[time('2024-07-01 12:00:00.25 America/New_York'), 'timestamp(2) with time zone'],
    ...['2024-07-01T16:00:00.250000Z', 'TIMESTAMP', '2024-07-01 16:00:00.25'],
  ] as unknown as ValueCase,
  ["TIME '10:11:12.500'", 'time(3)', '10:11:12.5', 'VARCHAR', '10:11:12.5'],
  ["TIME '10:11:12.500+01:00'", 'time(3) with time zone', '10:11:12.5+01:00', 'VARCHAR', '10:11:12.5+01:00'],
  ["TIME '10:11:12.000-05:30'", 'time(3) with time zone', '10:11:12-05:30', 'VARCHAR', '10:11:12-05:30'],
  ["TIME '10:11:12+01:00'", 'time(0) with time zone', '10:11:12+01:00', 'VARCHAR', '10:11:12+01:00'],
  ["CAST('ab' AS char(4))", 'char(4)', 'ab', 'VARCHAR', 'ab'],
  ["CAST(' x ' AS varchar(10))", 'varchar(10)', ' x ', 'VARCHAR', ' x '],
  ["''", 'varchar(0)', '', 'VARCHAR', ''],
  [`'a,"b"' || chr(10) || 'ö😀\\N'`, 'varchar', 'a,"b"\nö😀\\N', 'VARCHAR', 'a,"b"\nö😀\\N'],
  ["'NULL'", 'varchar(4)', 'NULL', 'VARCHAR', 'NULL'],
  ['CAST(NULL AS varchar)', 'varchar', null, 'VARCHAR', null],
  ["X'00ff'", 'varbinary', '00ff', 'VARCHAR', '00ff'],
  [`JSON '{"b":[1,2.5]}'`, 'json', '{"b":[1,2.5]}', 'VARCHAR', '{"b":[1,2.5]}'],
  [
    "ARRAY[BIGINT '9007199254740993', NULL]",
    'array(bigint)',
    '[9007199254740993,null]',
    'VARCHAR',
    '[9007199254740993,null]',
  ],
  ["MAP(ARRAY['a'], ARRAY[1])", 'map(varchar(1), integer)', '{"a":1}', 'VARCHAR', '{"a":1}'],
  [
    "CAST(ROW(1, 'x') AS ROW(a integer, b varchar))",
    'row(a integer, b varchar)',
    '{"a":1,"b":"x"}',
    'VARCHAR',
    '{"a":1,"b":"x"}',
  ],
  // Parts that have no JSON on the server, and names of fields that are names of types.
  structure(
    `CAST(ROW(TIMESTAMP '2020-01-02 00:00:00', ${long}) AS ROW(time timestamp(3), id bigint))`,
    'row(time timestamp(3), id bigint)',
    `{"time":"2020-01-02 00:00:00.000","id":9007199254740993}`,
  ),
  structure(
    `CAST(ROW(${long}, UUID 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11') AS ROW(id bigint, u uuid))`,
    'row(id bigint, u uuid)',
    `{"id":9007199254740993,"u":"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"}`,
  ),
  structure(
    `CAST(ROW(1, ROW(TIME '10:11:12', CAST('ab' AS char(4)))) AS ROW("a,b" integer, c ROW("select" time(0), "x""y" char(4))))`,
    'row("a,b" integer, c row("select" time(0), "x""y" char(4)))',
    `{"a,b":1,"c":{"select":"10:11:12","x\\"y":"ab  "}}`,
  ),
  structure(`ROW(1, ${long})`, 'row(integer, bigint)', `{"field0":1,"field1":9007199254740993}`),
  structure(`MAP(ARRAY[DATE '2020-01-02'], ARRAY[${long}])`, 'map(date, bigint)', `{"2020-01-02":9007199254740993}`),
  structure(
    `ARRAY[TIMESTAMP '2020-01-01 00:00:00.5 UTC', NULL]`,
    'array(timestamp(1) with time zone)',
    `["2020-01-01 00:00:00.5 UTC",null]`,
  ),
  structure(`ARRAY[INTERVAL '1' DAY]`, 'array(interval day to second)', `["1 00:00:00.000"]`),
  structure(
    `CAST(ROW(${long}, X'01', NULL) AS ROW(id bigint, b varbinary, m map(varchar, bigint)))`,
    blobRow,
    `{"id":9007199254740993,"b":"AQ==","m":null}`,
  ),
  ["ARRAY[X'00']", 'array(varbinary)', '["AA=="]', 'VARCHAR', '["AA=="]'],
  [
    ...["UUID 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", 'uuid', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    ...['VARCHAR', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  ] as unknown as ValueCase,
  ["IPADDRESS '::1'", 'ipaddress', '::1', 'VARCHAR', '::1'],
  ["INTERVAL '1' DAY", 'interval day to second', '1 00:00:00.000', 'VARCHAR', '1 00:00:00.000'],
];

/** Types whose values may not be keys, or of which Trino makes no text. */
const withoutText: ReadonlySet<string> = new Set(['array(varbinary)', blobRow]);

describe('values of Trino', () => {
  let connector: Connector;
  const select = values.map(([value], index) => `${value} AS v${index}`).join(',\n');
  const query = trinoQuery(`SELECT ${select}`);

  before(async function () {
    // Starting Trino takes minutes under load.
    this.timeout(600_000);
    connector = await trinoConnector(await sharedTrino(), 'default', { timeZone: 'Europe/Berlin' });
  });
  after(() => connector.close());

  it('are shown exactly', async () => {
    const { rows, columns } = await connector.preview(query, { limit: 5 });
    assert.deepEqual(
      values.map(([value], index) => [value, columns[index]?.type.toLowerCase(), rows[0]?.[index]]),
      values.map(([value, type, cell]) => [value, type, cell]),
    );
  });

  it('are staged exactly, and their canonical texts are those of the embedded engine', () =>
    withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      try {
        const described = await pull.columnsOf(query, {});
        const { columns, sourceRows } = await pull.load(query, 'staged', {});
        assert.deepEqual(described, columns);
        assert.equal(sourceRows, 1);
        const texts = columns.map(({ stagedAs }) => `CAST(${stagedAs} AS VARCHAR) AS ${stagedAs}`);
        const [row = {}] = await staging.query(`SELECT ${texts.join(', ')} FROM staged`);
        assert.deepEqual(
          values.map(([value], index) => [value, columns[index]?.stagedType, row[`c${index + 1}`]]),
          values.map(([value, , , staged, text]) => [value, staged, text]),
        );

        const keyed = columns.filter(({ type }) => !withoutText.has(type));
        const embedded = keyed.map(
          ({ stagedAs, stagedType, sense }) => `${canonicalText(stagedAs, stagedType, 'duckdb', sense)} AS ${stagedAs}`,
        );
        const [expected = {}] = await staging.query(`SELECT ${embedded.join(', ')} FROM staged`);
        const own = keyed.map(
          ({ name, stagedAs, type, sense }) => `${canonicalText(name, type, 'trino', sense)} AS ${stagedAs}`,
        );
        const canonical = trinoQuery(`SELECT ${own.join(',\n')} FROM (${query.sql}) AS t`);
        const { rows } = await connector.preview(canonical, { limit: 1 });
        assert.deepEqual(
          keyed.map(({ type }, index) => [type, rows[0]?.[index]]),
          keyed.map(({ type, stagedAs }) => [type, expected[stagedAs]]),
        );
      } finally {
        await pull.close();
      }
    }));

  it('of one column are staged with their NULLs, also in pages without rows', () =>
    withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      try {
        const { sourceRows } = await pull.load(trinoQuery("SELECT * FROM (VALUES 'a', NULL, '') AS t (a)"), 'one', {});
        const { sourceRows: none } = await pull.load(trinoQuery('SELECT 1 AS a WHERE false'), 'none', {});
        assert.deepEqual([sourceRows, none], [3, 0]);
        const found = await staging.query('SELECT c1 FROM one ORDER BY ALL NULLS FIRST');
        assert.deepEqual(
          found.map(({ c1 }) => c1),
          [null, '', 'a'],
        );
      } finally {
        await pull.close();
      }
    }));

  it('are distinguished if names differ only by case', async () => {
    const { columns, rows } = await connector.preview(trinoQuery(`SELECT BIGINT '1' AS "A", 2 AS "a"`), { limit: 1 });
    assert.deepEqual([columns.map(({ name }) => name), rows], [['A', 'a'], [['1', 2]]]);
  });
});

describe('times without zone in Trino', () => {
  it('are converted like in the embedded engine, around every change of the offset', async () => {
    const { trino } = await import('../../server/src/dialects/trino.ts');
    const { duckdb } = await import('../../server/src/dialects/duckdb.ts');
    const connector = await trinoConnector(await sharedTrino(), 'default');
    try {
      await withBuildDatabase(async (staging) => {
        for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Tokyo']) {
          const halfHours = `SELECT TIMESTAMP '2024-01-01 00:00:00' + i * INTERVAL '30' MINUTE AS t
            FROM UNNEST(sequence(0, 8783)) AS a (d) CROSS JOIN UNNEST(ARRAY[d * 2, d * 2 + 1]) AS b (i)`;
          const sql = `SELECT t, ${trino.times.inZone('t', zone)} AS utc FROM (${halfHours}) AS h`;
          const pull = await connector.openPull(staging, {});
          const table = zone.replace('/', '_');
          await pull.load(trinoQuery(sql), table, {});
          await pull.close();
          const [row = {}] = await staging.query(
            `SELECT count(*)::INTEGER AS n, count(*) FILTER (WHERE c2 IS DISTINCT FROM ${duckdb.times.inZone('c1', zone)})::INTEGER AS others FROM ${table}`,
          );
          assert.deepEqual([zone, row], [zone, { n: 17568, others: 0 }]);
        }
      });
    } finally {
      await connector.close();
    }
  });
});
