import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { withBuildDatabase } from '../support/build-database.ts';
import { type CsvSourceOptions, fileQuery, withCsvFiles } from '../support/csv-source.ts';
import { soakAssert } from '../support/soak.ts';

type Staged = readonly (readonly [type: string, values: readonly (string | null)[]])[];

/** Type and texts of the columns of a query over the files, as an import stages them. */
async function staged(
  files: Readonly<Record<string, string | Uint8Array>>,
  columns: string,
  options: CsvSourceOptions = {},
): Promise<Staged> {
  return withCsvFiles(files, options, (connector) =>
    withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      const loaded = await pull.load(fileQuery(`SELECT ${columns} FROM a`, ['a']), 'staged', {});
      await pull.close();
      const { rows } = await staging.table('SELECT COLUMNS(*)::VARCHAR FROM staged ORDER BY rowid');
      return loaded.columns.map(({ type }, index) => [type, rows.map((row) => row[index] as string | null)] as const);
    }),
  );
}

const zoned = 'TIMESTAMP WITH TIME ZONE';

/** One row per column: its values as written in the file, their type and the values that an import stages. */
const columns: readonly (readonly [written: readonly string[], type: string, values: readonly (string | null)[]])[] = [
  [['1', '2'], 'BIGINT', ['1', '2']],
  [['"2024-02-29"', 'null'], 'DATE', ['2024-02-29', null]],
  [['"2024-02-29 10:00:00"'], 'TIMESTAMP', ['2024-02-29 10:00:00']],
  [['"2024-02-29"', '"2024-02-29T10:00"'], 'TIMESTAMP', ['2024-02-29 00:00:00', '2024-02-29 10:00:00']],
  [
    ['"2024-02-29T10:00:00+02:00"', '"2024-02-29 10:00:00.5Z"'],
    zoned,
    ['2024-02-29 08:00:00', '2024-02-29 10:00:00.5'],
  ],
  [['"2024-02-29T10:00:00Z"', '"2024-02-29T10:00:00"'], 'VARCHAR', ['2024-02-29T10:00:00Z', '2024-02-29T10:00:00']],
  [['"2024-02-30"'], 'VARCHAR', ['2024-02-30']],
  [['"25-11-2025"'], 'VARCHAR', ['25-11-2025']],
  [['"10:00"'], 'VARCHAR', ['10:00']],
  [['"2024-02-29"', '""'], 'VARCHAR', ['2024-02-29', '']],
  [['"5B3C0A52-0000-4000-8000-0000000000AF"'], 'VARCHAR', ['5B3C0A52-0000-4000-8000-0000000000AF']],
  [['true', 'false'], 'BOOLEAN', ['true', 'false']],
  [['true', '1.5'], 'VARCHAR', ['true', '1.5']],
  [['1.5', '2'], 'DOUBLE', ['1.5', '2.0']],
  [['"01"', '"1"'], 'VARCHAR', ['01', '1']],
  [['5', '"A-1"', 'null'], 'VARCHAR', ['5', 'A-1', null]],
  [['null'], 'VARCHAR', [null]],
  [['{"b":1}', '"A-1"', '5'], 'JSON', ['{"b":1}', '"A-1"', '5']],
  [['[1,"a"]'], 'JSON[]', ['[1,"a"]']],
  [['9223372036854775807'], 'BIGINT', ['9223372036854775807']],
  [['18446744073709551616', '18446744073709551617'], 'DECIMAL(20,0)', ['18446744073709551616', '18446744073709551617']],
  [['-18446744073709551617', '"x"'], 'VARCHAR', ['-18446744073709551617', 'x']],
  [['90071992547409.93', '1'], 'DECIMAL(16,2)', ['90071992547409.93', '1.00']],
  [['9007199254740993', '0.5'], 'DECIMAL(17,1)', ['9007199254740993.0', '0.5']],
  [['1.234567890123456789'], 'DECIMAL(19,18)', ['1.234567890123456789']],
  [['0.30000000000000004', '1e300'], 'DOUBLE', ['0.30000000000000004', '1e+300']],
  [['1.234567890123456789', '1e300'], 'VARCHAR', ['1.234567890123456789', '1e+300']],
  [[`0.${'123456789'.repeat(5)}`], 'VARCHAR', [`0.${'123456789'.repeat(5)}`]],
  [['1.234567890123456789', '"1.234567890123456789, \\"1.234567890123456789"'], 'VARCHAR', ['1.234567890123456789', '1.234567890123456789, "1.234567890123456789']], // prettier-ignore
];

const records = (values: readonly string[]): readonly string[] => values.map((value) => `{"x": ${value}}`);
const nested = (values: readonly string[]): readonly string[] => values.map((value) => `{"o": {"x": ${value}}}`);

describe('JSON values', () => {
  for (const [written, type, values] of columns) {
    it(`arrive as they are, at the top and nested › ${written.join(', ').slice(0, 80)}`, async () => {
      const expected = [[type, values]];
      assert.deepEqual(await staged({ 'a.jsonl': records(written).join('\n') }, 'x'), expected);
      assert.deepEqual(await staged({ 'a.json': `[${records(written).join(', ')}]` }, 'x'), expected);
      assert.deepEqual(await staged({ 'a.jsonl': nested(written).join('\n') }, 'a.o.x'), expected);
    });
  }

  it('of late records decide about types, too', async () => {
    const many = '{"x": 1, "day": "2024-02-29", "o": {"n": 1}, "k": null}\n'.repeat(110_000);
    const late = '{"x": 1.5, "day": "2024-02-29 10:00:00", "o": {"n": 1.5, "late": "b"}, "k": "A-1", "b": 7}\n';
    const last = (columns: Staged) => columns.map(([type, values]) => [type, values.at(-1)]);
    assert.deepEqual(last(await staged({ 'a.jsonl': many + late }, 'x, day, a.o.n, a.o.late, k, b')), [
      ['DOUBLE', '1.5'],
      ['TIMESTAMP', '2024-02-29 10:00:00'],
      ['DOUBLE', '1.5'],
      ['VARCHAR', 'b'],
      ['VARCHAR', 'A-1'],
      ['BIGINT', '7'],
    ]);
  });

  it('in lists of objects have types of their own', async () => {
    const lines = '{"l": [{"at": "2024-07-01T10:00:00+02:00", "n": 18446744073709551617}, {"n": 1}]}\n{"l": null}\n';
    assert.deepEqual(await staged({ 'a.jsonl': lines }, 'l[1].at, l[2].at, l[1].n, len(l)'), [
      [zoned, ['2024-07-01 08:00:00', null]],
      [zoned, [null, null]],
      ['DECIMAL(20,0)', ['18446744073709551617', null]],
      ['BIGINT', ['2', null]],
    ]);
  });

  it('deep inside objects have types of their own', async () => {
    const inside = (value: string): string => `${'{"o": '.repeat(12)}${value}${'}'.repeat(12)}`;
    const lines = [inside('{"at": "2024-07-01T10:00:00+02:00", "n": 1}'), inside('null'), '{"o": {"o": null}}'];
    const path = `a.${Array.from({ length: 12 }, () => 'o').join('.')}`;
    assert.deepEqual(await staged({ 'a.jsonl': lines.join('\n') }, `${path}.at, ${path}.n, a.o.o IS NULL`), [
      [zoned, ['2024-07-01 08:00:00', null, null]],
      ['BIGINT', ['1', null, null]],
      ['BOOLEAN', ['false', 'false', 'true']],
    ]);
  });

  it('of missing and empty objects differ', async () => {
    const lines = '{"o": {"at": "2024-07-01T10:00:00Z"}}\n{"o": {}}\n{"o": null}\n{}\n';
    const [[, values] = []] = await staged({ 'a.jsonl': lines }, 'o');
    assert.deepEqual(values, ['{"at":"2024-07-01 10:00:00+00"}', '{"at":null}', null, null]);
  });

  it('of declared types are read from their texts', async () => {
    const types = { n: 'DECIMAL(38,18)', t: 'VARCHAR', o: 'STRUCT(made TIMESTAMPTZ, "a b" DECIMAL(38,18)[])' };
    const lines =
      '{"n": 1.234567890123456789, "t": 1.234567890123456789, "o": {"made": "2024-07-01T10:00:00+02:00", "a b": [0.123456789012345678]}}';
    assert.deepEqual(await staged({ 'a.jsonl': lines }, 'n, t, a.o.made, a.o."a b"[1]', { settings: { types } }), [
      ['DECIMAL(38,18)', ['1.234567890123456789']],
      ['VARCHAR', ['1.234567890123456789']],
      [zoned, ['2024-07-01 08:00:00']],
      ['DECIMAL(38,18)', ['0.123456789012345678']],
    ]);
  });

  it('that do not fit a declared type are refused with their line', async () => {
    const types = { x: 'TIMESTAMP', o: 'STRUCT(made TIMESTAMP)' };
    const lines = (x: string, at: string) => `{"x": null, "o": null}\n{"x": "${x}", "o": {"made": "${at}"}}\n`;
    const [time, offset] = ['2024-07-01 10:00:00', '2024-07-01 10:00:00+02:00'];
    await assert.rejects(staged({ 'a.jsonl': lines(offset, time) }, 'x', { settings: { types } }), {
      message: `a.jsonl, line 2: "${offset}" in column x is not a TIMESTAMP.`,
    });
    await assert.rejects(staged({ 'a.jsonl': lines(time, offset) }, 'a.o.made', { settings: { types } }), {
      message: `a.jsonl, line 2: "${offset}" in column o is not a TIMESTAMP.`,
    });
  });

  it('in a given format of times are times, at the top and nested', async () => {
    const settings = { dateFormat: '%d-%m-%Y', timestampFormat: '%d-%m-%Y %H:%M' };
    const lines = ['25-11-2025', '26-11-2025'].map((day) =>
      JSON.stringify({ day, text: '2024-02-29', o: { at: `${day} 10:00`, n: 1 } }),
    );
    assert.deepEqual(await staged({ 'a.jsonl': lines.join('\n') }, 'day, "text", a.o.at', { settings }), [
      ['DATE', ['2025-11-25', '2025-11-26']],
      ['VARCHAR', ['2024-02-29', '2024-02-29']],
      ['TIMESTAMP', ['2025-11-25 10:00:00', '2025-11-26 10:00:00']],
    ]);
  });

  it('of fields whose names differ only by case arrive under names of their own', async () => {
    const lines = '{"ID": 1, "id": "b", "id_1": "c", "o": {"n": 18446744073709551617.5}}\n';
    assert.deepEqual(await staged({ 'a.jsonl': lines }, 'a."ID", id_2, id_1, a.o.n'), [
      ['BIGINT', ['1']],
      ['VARCHAR', ['b']],
      ['VARCHAR', ['c']],
      ['DECIMAL(21,1)', ['18446744073709551617.5']],
    ]);
    assert.deepEqual(await staged({ 'a.jsonl': '{"o": {"ID": 1, "id": 2}}\n' }, 'o'), [['JSON', ['{"ID":1,"id":2}']]]);
  });

  it('of fields without a name arrive, at the top and nested', async () => {
    const json = '[{"1": 5, "": "2024-01-01", "o": {"": "2024-01-02T10:00:00Z", "x": "2024-01-03"}}]';
    assert.deepEqual(await staged({ 'a.json': json }, '*'), [
      ['BIGINT', ['5']],
      ['DATE', ['2024-01-01']],
      ['JSON', ['{"":"2024-01-02T10:00:00Z","x":"2024-01-03"}']],
    ]);
  });

  it('are read behind a byte order mark', async () => {
    const mark = '\ufeff';
    const expected = [['BIGINT', ['1', '2']]];
    const lines = `${mark}{"x": 1}\n{"x": 2}\n`;
    assert.deepEqual(await staged({ 'a.json': `${mark}[{"x": 1}, {"x": 2}]` }, 'x'), expected);
    assert.deepEqual(await staged({ 'a.jsonl': lines }, 'x'), expected);
    assert.deepEqual(await staged({ 'a.jsonl.gz': gzipSync(lines) }, 'x'), expected);
    assert.deepEqual(
      await staged({ 'a.json': `${mark}{"value": [{"x": 1}, {"x": 2}]}` }, 'x', { settings: { records: 'value' } }),
      expected,
    );
    await assert.rejects(staged({ 'a.jsonl': `${lines}{"x": oops}\n` }, 'x'), {
      code: 'file-malformed',
      message: /^a\.jsonl, line 3: (?!.*byte order mark)/,
    });
  });

  it('in UTF-16 are refused by name', async () => {
    const content = Buffer.from('\ufeff{"x": 1}\n', 'utf16le');
    await assert.rejects(staged({ 'a.jsonl': content }, 'x'), {
      code: 'file-malformed',
      message: /a\.jsonl is in UTF-16, and JSON is read as UTF-8\.$/,
    });
  });

  it('of dictionaries are JSON', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `{"o": {"user ${index}": ${index}}}\n`);
    const [[type, values] = []] = await staged({ 'a.jsonl': lines.join('') }, 'o');
    assert.deepEqual([type, values?.[299]], ['JSON', '{"user 299":299}']);
  });

  it('other than records are values of one column', async () => {
    assert.deepEqual(await staged({ 'a.json': '[1, 2.5]' }, 'json'), [['DOUBLE', ['1.0', '2.5']]]);
    assert.deepEqual(await staged({ 'a.jsonl': '{"a": 1}\n5\n' }, 'json'), [['JSON', ['{"a":1}', '5']]]);
  });

  it('do not depend on neighbouring values', async function () {
    this.timeout(600_000);
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 22 }).map((all) => all.join(''));
    const number = fc.tuple(fc.constantFrom('', '-'), digits, fc.option(digits)).map(([sign, whole, fraction]) => {
      const first = whole.replace(/^0+(?=\d)/, '');
      return `${sign}${first}${fraction === null ? '' : `.${fraction}`}`;
    });
    const text = fc.string({
      unit: fc.constantFrom('"', '\\', '{', '}', '[', ',', ':', ' ', '-', '1', '.', 'é', '😀'),
    });
    const record = fc.record({
      number,
      text,
      other: fc.oneof(
        text.map((each) => JSON.stringify(each)),
        number,
      ),
    });
    await soakAssert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 6 }), async (all) => {
        const lines = all.map(
          ({ number: n, text: t, other }) =>
            `{"t": ${JSON.stringify(t)}, "n": ${n}, "o": {"${'x'.repeat(n.length)}": [${other}], "n": ${n}}}`,
        );
        const found = await staged({ 'a.jsonl': lines.join('\n') }, 't, n, a.o.n');
        assert.deepEqual(
          found[0]?.[1],
          all.map(({ text: t }) => t),
        );
        for (const [, values] of found.slice(1)) {
          assert.deepEqual(
            values.map(decimal),
            all.map(({ number: n }) => decimal(n)),
          );
        }
      }),
      10,
    );
  });
});

/** The value of a decimal text in units of 10^-60. */
function decimal(text: string | null): bigint {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/.exec(text ?? '') ?? [];
  const value = BigInt(`${whole}${fraction}`) * 10n ** BigInt(60 + Number(exponent) - fraction.length);
  return sign === '-' ? -value : value;
}
