import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { validateFile } from '../../server/src/operations/validation/validate.ts';
import { withProject } from '../support/import-text.ts';
import { noSecrets } from '../support/no-secrets.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { isSourceError } from '../../server/src/connectors/source-error.ts';
import { type CsvSourceOptions, fileQuery, withCsvFiles } from '../support/csv-source.ts';
import { soakAssert } from '../support/soak.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

/** The texts of the column `x` of the file `a`, as staged by an import. */
async function staged(files: Files, options: CsvSourceOptions = {}): Promise<unknown> {
  return withCsvFiles(files, options, (connector) =>
    withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      const { columns } = await pull.load(fileQuery('SELECT x FROM a', ['a']), 'staged', {});
      await pull.close();
      const { rows } = await staging.table('SELECT c1::VARCHAR FROM staged ORDER BY rowid');
      return [columns[0]?.type, rows.map(([value]) => value)];
    }),
  );
}

const zoned = 'TIMESTAMP WITH TIME ZONE';

const below = 'has digits below microseconds';

/** One row per text in a column of declared type: its value, null if refused by name. */
const values: readonly (readonly [type: string, text: string, value: string | null, reason?: string])[] = [
  ['BIGINT', '5', '5'],
  ['BIGINT', ' 5 ', '5'],
  ['BIGINT', '10.0', '10'],
  ['BIGINT', '1e3', '1000'],
  ['BIGINT', '-9223372036854775808', '-9223372036854775808'],
  ['BIGINT', '9223372036854775808', null],
  ['BIGINT', '10.5', null],
  ['BIGINT', '.5', null],
  ['BIGINT', '15e-1', null],
  ['BIGINT', '9007199254740993.5', null],
  ['BIGINT', 'x', null],
  ['BIGINT', '+007', '7'],
  ['BIGINT', '0x1F', null],
  ['BIGINT', '0b101', null],
  ['BIGINT', '1_000', null],
  ['INTEGER', '2147483648', null],
  ['HUGEINT', '170141183460469231731687303715884105727', '170141183460469231731687303715884105727'],
  ['DOUBLE', '0.1', '0.1'],
  ['DOUBLE', 'NaN', 'nan'],
  ['DOUBLE', '-Infinity', '-inf'],
  ['DOUBLE', '1e400', null],
  ['DOUBLE', '12345678901234567', null, 'has more digits than a DOUBLE keeps'],
  ['DOUBLE', '90071992547409.93', '90071992547409.94'],
  ['DOUBLE', '+1.5', '1.5'],
  ['DOUBLE', '1_0', null],
  ['DECIMAL(10,2)', '12.50', '12.50'],
  ['DECIMAL(10,2)', '12.500', '12.50'],
  ['DECIMAL(10,2)', '125e-1', '12.50'],
  ['DECIMAL(10,2)', '12.504', null],
  ['DECIMAL(10,2)', '12504e-3', null],
  ['DECIMAL(10,2)', '1_000', null],
  ['BOOLEAN', 'T', 'true'],
  ['BOOLEAN', 'yes', 'true'],
  ['BOOLEAN', '2', null],
  ['DATE', '2024-02-29', '2024-02-29'],
  ['DATE', '2024-2-9', '2024-02-09'],
  ['DATE', ' 2024-02-29 ', '2024-02-29'],
  ['DATE', '-0043-03-15', '0044-03-15 (BC)'],
  ['DATE', '0044-03-15 (BC)', '0044-03-15 (BC)'],
  ['DATE', '12024-01-01', '12024-01-01'],
  ['DATE', 'infinity', 'infinity'],
  ['DATE', '2024-02-29 10:00:00', null],
  ['DATE', '2024-02-29x', null],
  ['DATE', '0044-03-15 BC', null],
  ['DATE', 'epoch', null],
  ['TIME', '10:00:00.5', '10:00:00.5'],
  ['TIME', '24:00', '24:00:00'],
  ['TIME', '10:00:00.123456000', '10:00:00.123456'],
  ['TIME', '10:00:00.1234567', null, below],
  ['TIME WITH TIME ZONE', '10:00:00.1234567+02', null, below],
  ['TIME', '10:00:00+02', null],
  ['TIME', '2024-02-29 10:00:00', null],
  ['TIMESTAMP', '2024-02-29 10:00', '2024-02-29 10:00:00'],
  ['TIMESTAMP', '2024-02-29T10:00:00.123456', '2024-02-29 10:00:00.123456'],
  ['TIMESTAMP', '2024-02-29T10:00:00.123456000', '2024-02-29 10:00:00.123456'],
  ['TIMESTAMP', '2024-02-29T10:00:00.1234567', null, below],
  ['TIMESTAMP', '2024-2-9 1:00:00.000000001', null, below],
  ['TIMESTAMP_NS', '2024-02-29T10:00:00.123456789', null, below],
  ['TIMESTAMP', '-0043-03-15 12:00:00', '0044-03-15 (BC) 12:00:00'],
  ['TIMESTAMP', 'infinity', 'infinity'],
  ['TIMESTAMP', '2024-02-29 10:00:00+02', null],
  ['TIMESTAMP', '2024-02-29 10:00:00-05:00', null],
  ['TIMESTAMP', '2024-02-29T10:00:00Z', null],
  ['TIMESTAMP', '2024-02-29 10:00:00 UTC', null],
  ['TIMESTAMP', '0044-03-15 12:00:00 BC', null],
  ['TIMESTAMP', 'x', null],
  ['TIMESTAMP', '1/1/24', null],
  ['TIMESTAMP', '1/1/24 10:00', null],
  [zoned, '2024-02-29 10:00:00+02', '2024-02-29 08:00:00'],
  [zoned, '2024-02-29T10:00:00Z', '2024-02-29 10:00:00'],
  [zoned, '2024-02-29 10:00:00 Europe/Berlin', '2024-02-29 09:00:00'],
  [zoned, '2024-02-29T10:00:00.1234560Z', '2024-02-29 10:00:00.123456'],
  [zoned, '2024-02-29T10:00:00.1234567Z', null, below],
  [zoned, '2024-02-29 10:00:00.1234567 Europe/Berlin', null, below],
  [zoned, 'infinity', 'infinity'],
  [zoned, '2024-02-29 10:00:00', null],
  [zoned, 'x', null],
  [zoned, '24-01-01T10:00:00Z', null],
  ['UUID', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  ['UUID', 'x', null],
];

/** A column that is a text because of its last value. */
function asText(joined: string): readonly [string, object, readonly string[], unknown] {
  const texts = joined.split(',');
  return [`${joined} as texts`, {}, texts, ['VARCHAR', texts]];
}

/** One row per column of numbers that a DOUBLE may not hold: its texts, type and values. */
const digits: readonly (readonly [texts: readonly string[], type: string, cells?: readonly string[]])[] = [
  [['90071992547409.93', '0.5'], 'DECIMAL(16,2)', ['90071992547409.93', '0.50']],
  [['1.234567890123456789'], 'DECIMAL(19,18)'],
  [['0.10000000000000001'], 'DECIMAL(18,17)'],
  [['1.5', '12345678901234567'], 'DECIMAL(18,1)', ['1.5', '12345678901234567.0']],
  [['0.30000000000000004'], 'DOUBLE'],
  [['1.2345678901234567890e3'], 'DOUBLE', ['1234.567890123457']],
  [['1.5', '0.123456789012345678901234567890123456789'], 'VARCHAR'],
  [['1e5', '90071992547409.93'], 'VARCHAR'],
];

/** One row per file with detected types: its settings, and its values with the detected type. */
const found: readonly (readonly [title: string, settings: object, texts: readonly string[], found: unknown])[] = [
  ['dates of a format', { dateFormat: '%d/%m/%Y' }, ['31/12/2024', 'infinity'], ['DATE', ['2024-12-31', 'infinity']]],
  ['infinite dates', {}, ['2024-12-31', 'infinity', '-infinity'], ['DATE', ['2024-12-31', 'infinity', '-infinity']]],
  [
    'times of a format with zone',
    { timestampFormat: '%d-%m-%Y %H:%M %z' },
    ['29-02-2024 10:00 +0200', '29-02-2024 10:00 -0500'],
    [zoned, ['2024-02-29 08:00:00', '2024-02-29 15:00:00']],
  ],
  [
    'zoned times of a format without zone',
    { timestampFormat: '%d-%m-%Y %H:%M', types: { x: 'TIMESTAMPTZ' } },
    ['29-02-2024 10:00'],
    ['TIMESTAMP', ['2024-02-29 10:00:00']],
  ],
  [
    'times with and without zone',
    {},
    ['2024-02-29 10:00:00+02', '2024-02-29 10:00:00'],
    ['VARCHAR', ['2024-02-29 10:00:00+02', '2024-02-29 10:00:00']],
  ],
  [
    'times with zone beside a format that fits another column',
    { timestampFormat: '%d-%m-%Y %H:%M' },
    ['2024-02-29 10:00:00+02'],
    [zoned, ['2024-02-29 08:00:00']],
  ],
  ['words that are dates to DuckDB', {}, ['epoch', '2024-02-29'], ['VARCHAR', ['epoch', '2024-02-29']]],
  ...['0x1F', '0b101', '1_000', '+5', '007'].map(asText),
  ...['true,yes', 'true,1', 't,f', 'yes,no'].map(asText),
  ...['1.5,nan', '1.5,Infinity', '1.5,007.5'].map(asText),
  ...['2024-01-01,1/1/24', '2024-01-01 10:00:00,1/1/24', '2024-01-01T10:00:00Z,24-01-01T10:00:00Z'].map(asText),
  ...['2024-01-01 10:00:00,2024-01-01 10:00:00.1234567', '2024-01-01T10:00:00Z,2024-01-01T10:00:00.1234567Z'].map(
    asText,
  ),
  ...['10:00:00.5,10:00:00.1234567'].map(asText),
  [
    'times whose digits below microseconds are zero',
    {},
    ['2024-01-01 10:00:00.1234560', '2024-01-01 10:00:00.000000000'],
    ['TIMESTAMP', ['2024-01-01 10:00:00.123456', '2024-01-01 10:00:00']],
  ],
  [
    'times of a format with digits below microseconds',
    { timestampFormat: '%d-%m-%Y %H:%M:%S.%n' },
    ['29-02-2024 10:00:00.123456000', '29-02-2024 10:00:00.123456789'],
    ['VARCHAR', ['29-02-2024 10:00:00.123456000', '29-02-2024 10:00:00.123456789']],
  ],
  ['truth in capitals', {}, ['TRUE', 'false'], ['BOOLEAN', ['true', 'false']]],
  [
    'numbers with an exponent, or no digit beside the point',
    {},
    ['1e5', '.5', '5.'],
    ['DOUBLE', ['100000.0', '0.5', '5.0']],
  ],
  ...digits.map(
    ([texts, type, cells = texts]) => [`digits of ${texts.join(' and ')}`, {}, texts, [type, cells]] as const,
  ),
  ['decimals with a comma', { decimal: ',', delimiter: ';' }, ['1,5', '2'], ['DOUBLE', ['1.5', '2.0']]],
];

describe('CSV values', () => {
  for (const [type, text, value, reason = `is not a ${type}`] of values) {
    it(`${type} ${text} ${value === null ? 'is refused by name' : `is ${value}`}`, async () => {
      const files = { 'a.csv': `i,x\n1,\n\n2,"${text}"\n` };
      const reading = staged(files, { settings: { types: { x: type } } });
      if (value !== null) {
        const [found, cells] = (await reading) as readonly [string, readonly unknown[]];
        assert.deepEqual([found, cells], [type, [null, value]]);
        return;
      }
      await assert.rejects(reading, {
        code: 'file-malformed',
        message: `a.csv, line 4: "${text}" in column x ${reason}.`,
      });
    });
  }

  for (const [title, settings, texts, expected] of found) {
    it(`are preserved › ${title}`, async () => {
      const { delimiter = ',' } = settings as { readonly delimiter?: string };
      const content = ['i', 'x'].join(delimiter);
      const rows = texts.map((text, index) => [index, text].join(delimiter));
      assert.deepEqual(
        await staged({ 'a.csv': `${[content, ...rows].join('\n')}\n` }, { settings: { ...settings } }),
        expected,
      );
    });
  }

  const late: readonly (readonly [usual: string, rare: string, type: string, reason?: string])[] = [
    ['7', '7.5', 'BIGINT'],
    ['7', '0x1F', 'BIGINT'],
    ['7', '1_000', 'BIGINT'],
    ['7', '007', 'BIGINT'],
    ['7.5', '+8', 'DOUBLE'],
    ['true', '1', 'BOOLEAN'],
    ['true', 'yes', 'BOOLEAN'],
    ['2024-02-29', '1/1/24', 'DATE'],
    ['31/12/2024', '1/1/24', 'DATE'],
    ['2024-02-29 10:00:00', '1/1/24 10:00', 'TIMESTAMP'],
    ['2024-02-29', '2024-02-29 10:00:00', 'DATE'],
    ['2024-02-29 10:00:00', '2024-02-29 10:00:00+02', 'TIMESTAMP'],
    ['2024-02-29 10:00:00+02', '2024-02-29 10:00:00', zoned],
    ['2024-02-29 10:00:00+02', 'tomorrow', zoned],
    ['10:00:00', '10:00:00+02', 'TIME'],
    ['2024-02-29 10:00:00', '2024-02-29 10:00:00.1234567', 'TIMESTAMP', below],
  ];
  for (const [usual, rare, type, reason = `is not a ${type}`] of late) {
    it(`that do not fit the type detected from the first rows are refused › ${usual}, then ${rare}`, async () => {
      const text = `i,x\n${`1,${usual}\n`.repeat(110_000)}2,${rare}\n`;
      await assert.rejects(staged({ 'a.csv': text }), {
        message: `a.csv, line 110002: "${rare}" in column x ${reason}.`,
      });
    });
  }

  const lateDigits: readonly (readonly [usual: string, rare: string, type: string, fitting: string])[] = [
    ['7.5', '12345678901234567', 'DOUBLE', 'DECIMAL(18,1)'],
    ['7.5', '90071992547409.93', 'DOUBLE', 'DECIMAL(16,2)'],
    ['90071992547409.93', '900719925474099.93', 'DECIMAL(16,2)', 'DECIMAL(17,2)'],
  ];
  for (const [usual, rare, type, fitting] of lateDigits) {
    it(`with more digits than the first rows are refused with a type that holds them › ${usual}, then ${rare}`, async () => {
      const text = `i,x\n${`1,${usual}\n`.repeat(110_000)}2,${rare}\n`;
      await assert.rejects(staged({ 'a.csv': text }), (error) => {
        assert.ok(isSourceError(error));
        assert.equal(error.message, `a.csv, line 110002: "${rare}" in column x has more digits than a ${type} keeps.`);
        assert.equal(
          error.details.remedy,
          `Set types: { "x": "${fitting}" } for a.csv, which holds the numbers of all its rows.`,
        );
        return true;
      });
    });
  }

  it('in UTF-16 have characters beyond U+FFFF', async () => {
    const bytes = Buffer.from('\ufeffi,x\n1,a😀b\n2,é\n', 'utf16le');
    assert.deepEqual(await staged({ 'a.csv': bytes }), ['VARCHAR', ['a😀b', 'é']]);
  });

  it('below a line that names the delimiter are read, and errors name the lines of the file', async () => {
    const head = 'sep=;\r\ni;x\r\n';
    assert.deepEqual(await staged({ 'a.csv': `${head}1;7\r\n` }), ['BIGINT', ['7']]);
    await assert.rejects(staged({ 'a.csv': `${head}${'1;7\r\n'.repeat(110_000)}2;x\r\n` }), {
      message: 'a.csv, line 110003: "x" in column x is not a BIGINT.',
    });
  });

  it('below lines above the header are read once each, with the lines of the file in errors', async () => {
    const heads = ['\n\ni,x\n', '"of\n2024"\n\ni,x\n', 'Report,\n,\ni,x\n', '\ufeff"i,"\ni,x\n'];
    for (const head of heads) {
      assert.deepEqual(await staged({ 'a.csv': `${head}1,7\n` }), ['BIGINT', ['7']], head);
      const line = head.split('\n').length + 110_000;
      await assert.rejects(staged({ 'a.csv': `${head}${'1,7\n'.repeat(110_000)}2,x\n` }), {
        message: `a.csv, line ${line}: "x" in column x is not a BIGINT.`,
      });
    }
  });

  it('in a column with a decimal comma have no point', async () => {
    const text = `i;x\n${'1;1,5\n'.repeat(110_000)}2;1.500\n`;
    await assert.rejects(staged({ 'a.csv': text }, { settings: { decimal: ',' } }), {
      message: 'a.csv, line 110002: "1.500" in column x is not a DOUBLE.',
    });
  });

  it('that no number type holds are texts with a warning', async () => {
    const catalog = await withCsvFiles({ 'a.csv': 'x,y\n1e5,1\n90071992547409.93,2\n' }, {}, (connector) =>
      connector.describe({}),
    );
    assert.deepEqual(catalog.warnings, [
      'a.csv: column x is read as texts, because its numbers have more digits than a DOUBLE or a DECIMAL holds; set types: { "x": DOUBLE } to round them, or VARCHAR to keep the texts.',
    ]);
  });

  it('of columns whose names differ by case have different names, and SQL a warning', async () => {
    const warningsOf = async (files: Files) =>
      (await withCsvFiles(files, {}, (connector) => connector.describe({}))).warnings;
    const said = (file: string): readonly string[] => [
      `${file}: Id and id differ only by case: id is called id_1, also in SQL.`,
    ];
    assert.deepEqual(await warningsOf({ 'a.csv': 'Id,id,x\n1,2,3\n' }), said('a.csv'));
    assert.deepEqual(await warningsOf({ 'a.json': '{"Id":1,"id":2,"x":3}' }), said('a.json'));
    assert.deepEqual(await warningsOf({ 'a.csv': 'Id,id_1,x,x\n1,2,3,4\n' }), []);
    assert.deepEqual(await warningsOf({ 'a.json': '{"Id":1,"id_1":2,"x":3}' }), []);
  });

  it('in an encoding that is guessed are read with a warning', async () => {
    const warningsOf = async (bytes: readonly number[]) => {
      const file = Buffer.concat([Buffer.from('i,x\n1,'), Buffer.from(bytes), Buffer.from('\n')]);
      return (await withCsvFiles({ 'a.csv': file }, {}, (connector) => connector.describe({}))).warnings;
    };
    const said = (gap: string): string =>
      `a.csv is not UTF-8 and is read as windows-1252${gap}; set encoding if letters look wrong.`;
    assert.deepEqual(await warningsOf([0xe4]), [said('')]);
    assert.deepEqual(await warningsOf([0x81, 0x8d]), [said(', in which some of its bytes are no characters')]);
  });

  it('of dates whose day and month could be changed over are read with a warning', async () => {
    const warningsOf = async (texts: readonly string[]) =>
      (
        await withCsvFiles({ 'a.csv': `i,x\n${texts.map((text) => `1,${text}\n`).join('')}` }, {}, (connector) =>
          connector.describe({}),
        )
      ).warnings;
    assert.deepEqual(await warningsOf(['03/04/2024', '05/06/2024']), [
      'a.csv: dates are read as %d/%m/%Y; set dateFormat if that is wrong.',
    ]);
    assert.deepEqual(await warningsOf(['03-04-2024 10:00:00']), [
      'a.csv: dates are read as %d-%m-%Y %H:%M:%S; set timestampFormat if that is wrong.',
    ]);
    assert.deepEqual(await warningsOf(['2024-01-01', '1/1/24']), [], 'a column of texts');
  });

  it('of several files have a type that holds all their digits', async () => {
    const parts = { settings: { parts: { a: 'o-*.csv' } } };
    const files = (one: string, other: string): Files => ({
      'o-1.csv': `i,x\n1,${one}\n`,
      'o-2.csv': `i,x\n2,${other}\n`,
    });
    const found = [];
    for (const [one, other] of [
      ['1', '90071992547409.93'],
      ['1.5', '12345678901234567890'],
      ['9007199254740993', '1.5'],
      ['1', '1.5'],
    ] as const) {
      found.push(await staged(files(one, other), parts));
    }
    assert.deepEqual(found, [
      ['DECIMAL(16,2)', ['1.00', '90071992547409.93']],
      ['DECIMAL(21,1)', ['1.5', '12345678901234567890.0']],
      ['DECIMAL(17,1)', ['9007199254740993.0', '1.5']],
      ['DOUBLE', ['1.0', '1.5']],
    ]);
  });
});

/** Texts of many kinds: DuckDB detects a type for each column with some of them. */
const time = fc.date({ min: new Date('1800-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
const isoTime = time.map((date) => date.toISOString());
const kinds: readonly fc.Arbitrary<string>[] = [
  fc.integer().map(String),
  fc.double().map(String),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  fc.constantFrom('true', 'false', 'TRUE', 'False', 't', 'f'),
  isoTime,
  isoTime.map((text) => text.slice(0, 10)),
  isoTime.map((text) => text.slice(0, 19).replace('T', ' ')),
  isoTime.map((text) => `${text.slice(0, 19)}+02:00`),
  isoTime.map((text) => text.slice(11, 19)),
  time.map((date) => `${date.getUTCDate()}/${date.getUTCMonth() + 1}/${date.getUTCFullYear()}`),
  fc.constantFrom('infinity', '-infinity', 'epoch', '2024-01-01', 'now', '01/02/03', '20240101', '2024-01-01 10:00 PM'),
  fc.string({ unit: fc.constantFrom('0', '1', '2', '-', ':', '.', ' ', '/', 'T', 'Z', 'e', '+') }),
];

describe('columns of files whose names differ only by case', () => {
  const files = {
    'entity-sources.yaml': `version: 1\ndataSources:\n  s: { kind: csv, path: '*.{csv,json}' }\n`,
    'a.csv': 'Id,id,t\n1,5,2024-01-01\n2,1,2024-01-02\n',
    'b.json': '[{"ID":"5","id":"x","t":"2024-01-01"},{"ID":"6","id":"2","t":"2024-01-02"}]',
    'c.csv': 'k,id\n1,5\n2,1\n',
  };
  const graphOf = (text: string, expression = 'source.id_1 = target.ID') =>
    `version: 1
dataSource: s
elements:
  - { activityName: A, dataObject: a, key: id_1, entityType: a, startTimestamp: t, ${text} }
  - { activityName: B, dataObject: b, key: ID, entityType: b, startTimestamp: t, properties: [id_1] }
relationships:
  - { name: r, source: A, target: B, mappings: [{ expression: '${expression}' }] }
`;
  const events = 'SELECT key FROM entity ORDER BY 1';

  it('are read by their names in custom SQL', async () => {
    const written = 'joins: "JOIN c ON c.id = a.id_1 AND c.k = a.Id", where: "a.Id < 9 AND id_1 = 5"';
    await withProject({ ...files, 'graph.entity.yaml': graphOf(written) }, async (project) => {
      const summary = await project.import();
      assert.equal(summary.status, 'imported', JSON.stringify(summary.error));
      assert.deepEqual(await project.rows(events), [['5'], ['5'], ['6']]);
      assert.deepEqual(await project.rows('SELECT count(*)::INTEGER FROM relation'), [[1]]);
    });
  });

  const unclear: Readonly<Record<string, readonly [text: string, expression: string, marked: readonly string[]]>> = {
    'a filter': ['where: id = 5 OR "ID" = 2', 'source.id_1 = target.ID', ['id', '"ID"']],
    'a subquery': ['where: Id IN (SELECT x.id FROM a AS x)', 'source.id_1 = target.ID', ['id']],
    'a join': ['joins: JOIN c ON c.id = a.id', 'source.id_1 = target.ID', ['id']],
    'an expression of a mapping': ['where: Id = 1', 'source.id = target.id', ['id', 'id']],
    'a computed time': [
      "changeTimestamp: { expression: 'CAST(t AS DATE) + CAST(id AS INT)' }",
      'source.Id = target.ID',
      ['id'],
    ],
  };
  for (const [name, [text, expression, marked]] of Object.entries(unclear)) {
    it(`are a problem in ${name} that SQL would read as the other column, and stop the import`, async () => {
      const written = graphOf(
        text.replace(/^where: (.*)$/, "where: '$1'").replace(/^joins: (.*)$/, "joins: '$1'"),
        expression,
      );
      await withProject({ ...files, 'graph.entity.yaml': written }, async (project) => {
        const context = { ...noSecrets, workspaceFolderOf: () => project.folder };
        const { problems } = await validateFile(join(project.folder, 'graph.entity.yaml'), context, { online: false });
        const found = problems.filter(({ severity }) => severity === 'error');
        assert.deepEqual(
          found.map(({ code, range: { start, end } }) => [code, written.slice(start, end)]),
          marked.map((each) => ['unknown-column', each]),
        );
        const [first] = found;
        assert.match(first?.message ?? '', /of the file differ only by case\. Write I[Dd], or id_1 for id\.$/);
        assert.deepEqual(first?.suggestions?.[0], 'id_1');
        assert.equal((await project.import()).status, 'failed');
      });
    });
  }
});

const column = fc
  .tuple(fc.constantFrom(...kinds), fc.constantFrom(...kinds))
  .chain(([one, other]) => fc.tuple(fc.array(one, { minLength: 1, maxLength: 5 }), fc.array(other, { maxLength: 2 })))
  .map(([most, some]) => [...most, ...some]);

describe('detected CSV types', () => {
  it('fit every value of their column', async function () {
    this.timeout(600_000);
    await soakAssert(
      fc.asyncProperty(column, async (texts) => {
        const rows = texts.map((text, index) => `${index},"${text.replaceAll('"', '""')}"\n`);
        const [type, cells] = (await staged({ 'a.csv': `i,x\n${rows.join('')}` })) as [string, (string | null)[]];
        assert.deepEqual(
          cells.map((cell) => cell === null),
          texts.map((text) => text === ''),
        );
        if (type === 'VARCHAR')
          assert.deepEqual(
            cells,
            texts.map((text) => text || null),
          );
        if (type === 'BIGINT') assert.deepEqual(cells.map(Number), texts.map(Number));
      }),
      10,
    );
  });
});
