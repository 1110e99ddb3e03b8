import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openScratch } from '../../server/src/store/duckdb-store.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { fileQuery, withCsvFiles } from '../support/csv-source.ts';

interface Reading {
  /** SQL of the rows of the file; absent if `patch` writes it. */
  readonly rows?: string;
  /** SQL of the value; default: the column `v`. */
  readonly value?: string;
  readonly where?: string;
  /** Changes the bytes of the uncompressed file, or returns others. */
  readonly patch?: (bytes: Buffer) => Buffer | void;
}

/** The type of the column `v` of a Parquet file, and its texts, as staged by an import. */
async function staged({ rows = 'SELECT 1 AS v', value = 'v', where = 'true', patch }: Reading): Promise<unknown> {
  return withCsvFiles({}, { settings: { path: 'data.parquet' } }, async (connector, folder) => {
    const path = join(folder, 'data.parquet');
    const session = await openScratch();
    await session.run(`COPY (${rows}) TO '${path}' (COMPRESSION uncompressed)`);
    await session.close();
    if (patch) {
      const bytes = readFileSync(path);
      writeFileSync(path, patch(bytes) ?? bytes);
    }
    return withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      const { columns } = await pull.load(
        fileQuery(`SELECT ${value} AS v FROM data WHERE ${where}`, ['data']),
        'staged',
        {},
      );
      await pull.close();
      const { rows: cells } = await staging.table('SELECT c1::VARCHAR FROM staged ORDER BY rowid');
      return [columns[0]?.type, cells.map(([value]) => value)];
    });
  });
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

/** Replaces the value, which comes before the statistics: they leave out NaN in files of pyarrow and polars. */
function makeNaN(bytes: Buffer, value: number): void {
  const at = bytes.indexOf(double(value));
  assert.ok(at > 0);
  double(NaN).copy(bytes, at);
}

/** Makes decimals of 38 digits and 10 after the point, by the schema at the end of the file, ones of 60. */
function widenDecimals(bytes: Buffer): void {
  const [before, after] = [Buffer.from([0x15, 20, 0x15, 76]), Buffer.from([0x15, 20, 0x15, 120])];
  let at = bytes.indexOf(before);
  assert.ok(at > 0);
  for (; at >= 0; at = bytes.indexOf(before, at + 1)) after.copy(bytes, at);
}

/** A file of pyarrow 26 with 1.5, -0.25, 65504 and NaN as FLOAT16, which DuckDB does not write. */
const halfFloats =
  'UEFSMRUAFRwVHCwVCBUAFQYVBhwYAv97GAIAtBYAKAL/exgCALQREQAAAAIAAAAIAQA+ALT/ewB+FQQZLDUAGAZzY2hlbWEVAgAVDhUEFQIYAXZs/AAAABYIGRwZHCYAHBUOGSUGABkYAXYVABYIFmoWaiYIPBgC/3sYAgC0FgAoAv97GAIAtBERABkcFQAVABUCADwpBhkmAAgAAAAWahYIJggWagAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4xGRwcAAAAlgAAAFBBUjE=';

/** A file of pyarrow 26 with the time of day 01:00:00.000000001, which DuckDB does not write. */
const fineTime =
  'UEFSMRUAFRwVHCwVAhUAFQYVBhwAAAACAAAAAgEBoLgwRgMAABUEGSw1ABgGc2NoZW1hFQIAFQQlAhgBdmx8Ehw8AAAAAAAWAhkcGRwmABwVBBklBgAZGAF2FQAWAhZCFkImCEkcFQAVABUCADwpBhkmAAIAAAAWQhYCJggWQgAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4xGRwcAAAAgwAAAFBBUjE=';

describe('Parquet values', () => {
  it('that are NaN are found by a filter although the statistics leave them out', async () => {
    const rows = 'SELECT unnest([1.0, 2.0, 50.0])::DOUBLE AS v';
    const found = await staged({ rows, where: 'v > 100', patch: (bytes) => makeNaN(bytes, 50) });
    assert.deepEqual(found, ['DOUBLE', ['nan']]);
  });

  it('of decimals beyond 38 digits are their exact texts', async () => {
    const most = `${'9'.repeat(28)}.${'9'.repeat(10)}`;
    const values = ['12.5', '0', '-0.0000000001', '-1.5', most, `-${most}`];
    const rows = `SELECT 1 AS i, 2.5::DECIMAL(5,2) AS d, unnest([NULL, ${values.map((value) => `${value}::DECIMAL(38,10)`).join(', ')}]) AS v`;
    assert.deepEqual(await staged({ rows, patch: widenDecimals }), ['VARCHAR', [null, ...values]]);
    assert.deepEqual(await staged({ rows, patch: widenDecimals, where: "v = '-1.5'" }), ['VARCHAR', ['-1.5']]);
    assert.deepEqual(await staged({ rows, patch: widenDecimals, value: 'd', where: "v = '0'" }), ['DECIMAL(5,2)', ['2.50']]); // prettier-ignore
  });

  it('of times in nanoseconds are times in microseconds, if they have no more digits', async () => {
    const rows = "SELECT unnest([timestamp_ns '2024-01-01 10:00:00.123456', NULL]) AS v";
    assert.deepEqual(await staged({ rows }), ['TIMESTAMP', ['2024-01-01 10:00:00.123456', null]]);
    const more =
      "SELECT unnest([timestamp_ns '2024-01-01 10:00:00', timestamp_ns '2024-01-01 10:00:00.123456789']) AS v";
    await assert.rejects(staged({ rows: more }), {
      code: 'file-malformed',
      message: 'data.parquet, record 2: "2024-01-01 10:00:00.123456789" in column v has digits below microseconds.',
    });
  });

  it('of times of day in nanoseconds are cut off below microseconds, with a warning', async () => {
    const patch = (): Buffer => Buffer.from(fineTime, 'base64');
    assert.deepEqual(await staged({ patch }), ['TIME', ['01:00:00']]);
    await withCsvFiles({}, { settings: { path: '*.parquet' } }, async (connector, folder) => {
      writeFileSync(join(folder, 'a.parquet'), patch());
      assert.deepEqual((await connector.describe({})).warnings, [
        'a.parquet: v has times of day in nanoseconds, whose digits below microseconds are cut off.',
      ]);
    });
  });

  it('of a damaged file are refused with its name, also among other files', async () => {
    await withCsvFiles({}, { settings: { path: '*.parquet' } }, async (connector, folder) => {
      const session = await openScratch();
      for (const name of ['good', 'damaged']) {
        const rows = 'SELECT range AS i, hash(range) AS v FROM range(2000)';
        await session.run(`COPY (${rows}) TO '${join(folder, name)}.parquet' (COMPRESSION gzip)`);
      }
      await session.close();
      const path = join(folder, 'damaged.parquet');
      const bytes = readFileSync(path);
      bytes.fill(0xff, 400, 500);
      writeFileSync(path, bytes);
      const query = fileQuery('SELECT good.v, damaged.v FROM good JOIN damaged USING (i)', ['good', 'damaged']);
      await assert.rejects(connector.preview(query, { limit: 5 }), {
        code: 'file-malformed',
        message: /^damaged\.parquet: .*GZIP/,
      });
    });
  });

  it('of 16-bit floating-point columns are those of 32 bits', async () => {
    const patch = (): Buffer => Buffer.from(halfFloats, 'base64');
    assert.deepEqual(await staged({ patch }), ['FLOAT', ['1.5', '-0.25', '65504.0', 'nan']]);
    assert.deepEqual(await staged({ patch, where: 'v > 70000' }), ['FLOAT', ['nan']]);
  });

  const largest = '18446744073709551615';
  const moment = '2024-01-01 10:00:00.123456789';
  const nested = [
    [`{a: ${largest}::UBIGINT}`, 'STRUCT(a UBIGINT)', `{"a":${largest}}`],
    [`[${largest}::UBIGINT]`, 'UBIGINT[]', `[${largest}]`],
    [`{a: TIMESTAMP_NS '${moment}'}`, 'STRUCT(a TIMESTAMP_NS)', `{"a":"${moment}"}`],
    [`[TIMESTAMP_NS '${moment}']`, 'TIMESTAMP_NS[]', `["${moment}"]`],
    [`[{a: TIMESTAMP_NS '${moment}'}]`, 'STRUCT(a TIMESTAMP_NS)[]', `[{"a":"${moment}"}]`],
    [
      `{a: {b: 12345678901234567890.12345::DECIMAL(38,10)}}`,
      'STRUCT(a STRUCT(b DECIMAL(38,10)))',
      '{"a":{"b":12345678901234567890.1234500000}}',
    ],
  ] as const;
  for (const [value, type, text] of nested) {
    it(`of ${type} keep all digits`, async () => {
      assert.deepEqual(await staged({ rows: `SELECT ${value} AS v` }), [type, [text]]);
    });
  }

  it('inside structs keep their digits or are refused by name when they are a column of the graph', async () => {
    const rows = `SELECT {a: ${largest}::UBIGINT, t: TIMESTAMP_NS '${moment}'} AS v`;
    assert.deepEqual(await staged({ rows, value: 'v.a' }), ['UBIGINT', [largest]]);
    await assert.rejects(staged({ rows, value: 'v.t' }), {
      message: `The column v has the value ${moment}, which has digits below microseconds: read it with CAST to TIMESTAMP to cut them off.`,
    });
  });

  it('of decimals beyond 38 digits are refused by name in structs, too', async () => {
    await assert.rejects(staged({ rows: 'SELECT {a: 12.5::DECIMAL(38,10)} AS v', patch: widenDecimals }), {
      message:
        'data.parquet: column a is a DECIMAL(60,10), and decimals of more than 38 digits cannot be read inside of objects and lists, or with more than 76 digits.',
    });
  });
});
