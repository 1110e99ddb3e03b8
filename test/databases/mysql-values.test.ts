import assert from 'node:assert/strict';
import type { CellValue, Connector } from '../../server/src/connectors/connector.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { sharedMariadb, type TestMariadb } from '../support/mariadb.ts';
import { mysqlConnector, mysqlQuery } from '../support/mysql-source.ts';

/** The type of a column and a value of it; its cell in a preview, the type of its staged column, and its staged text. */
type ValueCase = readonly [type: string, value: string, cell: CellValue, staged: string, text: string | null];

const allValues: readonly ValueCase[] = [
  ['tinyint(1)', '2', 2, 'SMALLINT', '2'],
  ['tinyint(1)', 'true', 1, 'SMALLINT', '1'],
  ['tinyint unsigned', '255', 255, 'SMALLINT', '255'],
  ['smallint', '-32768', -32768, 'SMALLINT', '-32768'],
  ['smallint unsigned', '65535', 65535, 'INTEGER', '65535'],
  ['mediumint', '-8388608', -8388608, 'INTEGER', '-8388608'],
  ['int unsigned', '4294967295', 4294967295, 'BIGINT', '4294967295'],
  ['bigint', '-9223372036854775808', '-9223372036854775808', 'BIGINT', '-9223372036854775808'],
  ['bigint unsigned', '18446744073709551615', '18446744073709551615', 'DECIMAL(20,0)', '18446744073709551615'],
  ['bit(1)', "b'1'", 1, 'BIGINT', '1'],
  ['bit(10)', "b'1000000001'", 513, 'BIGINT', '513'],
  ['bit(64)', '18446744073709551615', '18446744073709551615', 'DECIMAL(20,0)', '18446744073709551615'],
  ['decimal(10,2)', '12.5', '12.50', 'DECIMAL(10,2)', '12.50'],
  ['decimal(38,0)', '9'.repeat(38), '9'.repeat(38), 'DECIMAL(38,0)', '9'.repeat(38)],
  ['decimal(20,2)', '-123456789012345678.91', '-123456789012345678.91', 'DECIMAL(20,2)', '-123456789012345678.91'],
  ['decimal(38,10)', '-12.5', '-12.5000000000', 'DECIMAL(38,10)', '-12.5000000000'],
  ['decimal(30,20)', '1.00000000000000000001', '1.00000000000000000001', 'DECIMAL(30,20)', '1.00000000000000000001'],
  ['decimal(10,3) unsigned', '0.001', '0.001', 'DECIMAL(10,3)', '0.001'],
  ['decimal(65,2)', `${'9'.repeat(63)}.10`, `${'9'.repeat(63)}.10`, 'VARCHAR', `${'9'.repeat(63)}.10`],
  ['decimal(42,2)', '-12.5', '-12.50', 'DECIMAL(38,2)', '-12.50'],
  [
    'decimal(65,30)',
    '1234567890.5',
    `1234567890.5${'0'.repeat(29)}`,
    'DECIMAL(38,28)',
    `1234567890.5${'0'.repeat(27)}`,
  ],
  [
    'decimal(65,10)',
    `${'9'.repeat(37)}.5`,
    `${'9'.repeat(37)}.5${'0'.repeat(9)}`,
    'DECIMAL(38,1)',
    `${'9'.repeat(37)}.5`,
  ],
  ['decimal(65,2)', 'NULL', null, 'DECIMAL(38,2)', null],
  ['float', '16777215', 16777215, 'FLOAT', '16777215.0'],
  ['float', '0.1', 0.1, 'FLOAT', '0.1'],
  ['double', '0.1e0 + 0.2e0', 0.30000000000000004, 'DOUBLE', '0.30000000000000004'],
  ['double', '-1e308', -1e308, 'DOUBLE', '-1e+308'],
  ['year', '2024', 2024, 'SMALLINT', '2024'],
  ['year', '0', 0, 'SMALLINT', '0'],
  ['date', "'2024-02-29'", '2024-02-29', 'DATE', '2024-02-29'],
  ['date', "'0000-00-00'", null, 'DATE', null],
  ['date', "'2024-00-00'", null, 'DATE', null],
  ['datetime', "'2024-07-01 12:00:00'", '2024-07-01T10:00:00.000000Z', 'TIMESTAMP', '2024-07-01 12:00:00'],
  [
    'datetime(6)',
    "'9999-12-31 23:59:59.123456'",
    '9999-12-31T22:59:59.123456Z',
    'TIMESTAMP',
    '9999-12-31 23:59:59.123456',
  ],
  ['datetime', "'0000-00-00 00:00:00'", null, 'TIMESTAMP', null],
  ['timestamp(3)', "'2024-07-01 12:00:00.250'", '2024-07-01T12:00:00.250000Z', 'TIMESTAMP', '2024-07-01 12:00:00.25'],
  ['timestamp', "'0000-00-00 00:00:00'", null, 'TIMESTAMP', null],
  ['time', "'-838:59:59'", '-838:59:59', 'VARCHAR', '-838:59:59'],
  ['time(3)', "'101:02:03.5'", '101:02:03.500', 'VARCHAR', '101:02:03.500'],
  ['char(4)', "'ab'", 'ab', 'VARCHAR', 'ab'],
  ['varchar(10)', "' x '", ' x ', 'VARCHAR', ' x '],
  ['varchar(10)', "''", '', 'VARCHAR', ''],
  ['varchar(20) character set latin1', "'Größe'", 'Größe', 'VARCHAR', 'Größe'],
  ['text', '\'a,"b"\r\n\tö😀\\\\N\'', 'a,"b"\r\n\tö😀\\N', 'VARCHAR', 'a,"b"\r\n\tö😀\\N'],
  ['text', "'NULL'", 'NULL', 'VARCHAR', 'NULL'],
  ['longtext', 'NULL', null, 'VARCHAR', null],
  ["enum('open','it''s')", "'it''s'", "it's", 'VARCHAR', "it's"],
  ["set('a','b','c')", "'c,a'", 'a,c', 'VARCHAR', 'a,c'],
  ['json', `'{"b": [1, 2.50]}'`, '{"b": [1, 2.50]}', 'VARCHAR', '{"b": [1, 2.50]}'],
  ['binary(3)', "x'00ff'", '00ff00', 'VARCHAR', '00ff00'],
  ['varbinary(3)', "x'00ff'", '00ff', 'VARCHAR', '00ff'],
  ['blob', "''", '', 'VARCHAR', ''],
  [
    'uuid',
    "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    'VARCHAR',
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  ],
  ['inet6', "'::1'", '::1', 'VARCHAR', '::1'],
  ['point', 'POINT(1, 2)', 'POINT(1 2)', 'VARCHAR', 'POINT(1 2)'],
];

/** Types that MySQL itself does not have. */
const mariadbTypes: ReadonlySet<string> = new Set(['uuid', 'inet6']);

describe('values of MySQL', () => {
  let server: TestMariadb;
  let database: string;
  let connector: Connector;
  let values: readonly ValueCase[];

  before(async () => {
    server = await sharedMariadb();
    database = await server.createDatabase();
    const [{ version } = { version: '' }] = await server.query(database, 'SELECT VERSION() AS version');
    const isMariadb = String(version).includes('MariaDB');
    values = allValues.filter(([type]) => isMariadb || !mariadbTypes.has(type));
    const columns = values.map(([type], index) => `v${index} ${type} NULL DEFAULT NULL`);
    const list = values.map(([, value]) => value);
    await server.query(
      database,
      `SET sql_mode = '', time_zone = '+00:00'; CREATE TABLE every (${columns.join(', ')}); INSERT INTO every VALUES (${list.join(', ')})`,
    );
    connector = await mysqlConnector(server, database, { timeZone: 'Europe/Berlin' });
  });

  const query = mysqlQuery('SELECT * FROM every');

  it('are shown exactly', async () => {
    const { rows, columns } = await connector.preview(query, { limit: 5 });
    assert.deepEqual(
      values.map(([type, value], index) => [type, value, rows[0]?.[index]]),
      values.map(([type, value, cell]) => [type, value, cell]),
    );
    assert.equal(columns.length, values.length);
  });

  it('are staged exactly', () =>
    withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      try {
        const described = await pull.columnsOf(query, {});
        const { columns, sourceRows, warnings } = await pull.load(query, 'staged', {});
        // Whether numbers need more than 38 digits is known when they are read.
        const isWide = ({ type }: { readonly type: string }): boolean => /^decimal\((42|65),/.test(type);
        assert.deepEqual(
          described.filter((column) => !isWide(column)),
          columns.filter((column) => !isWide(column)),
        );
        assert.equal(sourceRows, 1);
        const texts = columns.map(({ stagedAs }) => `CAST(${stagedAs} AS VARCHAR) AS ${stagedAs}`);
        const [row = {}] = await staging.query(`SELECT ${texts.join(', ')} FROM staged`);
        assert.deepEqual(
          columns.map(({ stagedAs, stagedType }, index) => [values[index]?.[0], stagedType, row[stagedAs]]),
          values.map(([type, , , staged, text]) => [type, staged, text]),
        );
        assert.deepEqual(
          warnings.flatMap((warning) => /^\w+ has \d+ zero dates/.exec(warning)?.[0] ?? []),
          values.flatMap(([, value], index) =>
            /'(0000|2024-00)-00/.test(value) ? [`v${index} has 1 zero dates`] : [],
          ),
        );
        const textual = values.findIndex(([type, , , staged]) => isWide({ type }) && staged === 'VARCHAR');
        assert.deepEqual(
          warnings.filter((warning) => warning.includes('digits')),
          [
            `v${textual} is a decimal(65,2) with numbers of more than 38 digits, which are texts in the graph: CAST it to a DECIMAL of 38 digits to compare numbers.`,
          ],
        );
      } finally {
        await pull.close();
      }
    }));

  it('that are zero dates are found in SQL as their warning says', () =>
    withBuildDatabase(async (staging) => {
      const database = await server.createDatabase();
      await server.query(
        database,
        "SET sql_mode = ''; CREATE TABLE dates (n INT PRIMARY KEY, v DATE, w DATE NOT NULL); INSERT INTO dates VALUES (1, '0000-00-00', '0000-00-00'), (2, '2024-01-01', '2024-01-01')",
      );
      const zeros = await mysqlConnector(server, database);
      const pull = await zeros.openPull(staging, {});
      try {
        const found: Record<string, number | undefined> = {};
        for (const where of ['v = 0', 'v IS NULL', 'w = 0', 'w IS NULL']) {
          const { sourceRows } = await pull.load(mysqlQuery(`SELECT v, w FROM dates WHERE ${where}`), where, {});
          found[where] = sourceRows;
        }
        assert.deepEqual(found, { 'v = 0': 1, 'v IS NULL': 0, 'w = 0': 1, 'w IS NULL': 1 });
        const { warnings } = await pull.load(mysqlQuery('SELECT v FROM dates'), 'all', {});
        assert.deepEqual(warnings, [
          'v has 1 zero dates (0000-00-00), which are no times: they are NULL in the graph. SQL finds them by v = 0, and by v IS NULL only if the column is declared NOT NULL.',
        ]);
      } finally {
        await pull.close();
        await zeros.close();
      }
    }));

  it('of sums are numbers', () =>
    withBuildDatabase(async (staging) => {
      await server.query(database, 'CREATE TABLE parts (price DECIMAL(20,2), n DECIMAL(20,0))');
      await server.query(database, 'INSERT INTO parts VALUES (1.25, 2), (9.5, 1)');
      const pull = await connector.openPull(staging, {});
      try {
        const sum = mysqlQuery('SELECT sum(price * n) AS total FROM parts');
        const { columns, warnings } = await pull.load(sum, 'sums', {});
        assert.deepEqual([columns[0]?.type, columns[0]?.stagedType, warnings], ['decimal(62,2)', 'DECIMAL(38,2)', []]);
        assert.deepEqual(await staging.query('SELECT c1 FROM sums WHERE c1 > 9'), [{ c1: '12.00' }]);
      } finally {
        await pull.close();
      }
    }));

  it('have the same type category in the catalog and in a result', async () => {
    const { objects } = await connector.describe({});
    const { columns } = await connector.preview(query, { limit: 1 });
    assert.deepEqual(
      objects[0]?.columns.map(({ name, sense }) => `${name} ${sense}`),
      columns.map(({ name, sense }) => `${name} ${sense}`),
    );
  });

  it('of computed columns have the types of the server', async () => {
    const sql = `SELECT 1 AS a, 1.50 AS b, 'x' || 'y' AS c, NOW() > '2020-01-01' AS d, NULL AS e, CAST('2024-01-02' AS DATE) AS f, 1e0 AS g`;
    const { columns, rows } = await connector.preview(mysqlQuery(sql), { limit: 1 });
    assert.deepEqual(rows, [[1, '1.50', 'xy', 1, null, '2024-01-02', 1]]);
    assert.deepEqual(
      columns.map(({ sense }) => sense),
      ['integer', 'number', 'text', 'integer', 'text', 'date', 'number'],
    );
  });
});
