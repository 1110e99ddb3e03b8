import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { LoadOptions, LoadResult } from '../../server/src/connectors/connector.ts';
import { isSourceError } from '../../server/src/connectors/source-error.ts';
import type { BuildDatabase } from '../../server/src/store/duckdb-store.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { csvConnector, fileQuery, withCsvFiles, type CsvSourceOptions } from '../support/csv-source.ts';
import { withAllProcessors } from '../support/with-all-processors.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

/** Loads one query into the table `staged` and passes it to `check`. */
async function loaded<T>(
  files: Files,
  sql: string,
  dataObjects: readonly string[],
  options: CsvSourceOptions & LoadOptions,
  check: (result: LoadResult, staging: BuildDatabase) => Promise<T>,
): Promise<T> {
  return withCsvFiles(files, options, (connector) =>
    withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      try {
        return await check(await pull.load(fileQuery(sql, dataObjects), 'staged', options), staging);
      } finally {
        await pull.close();
      }
    }),
  );
}

const stagedRows = 'SELECT * FROM staged ORDER BY rowid';

/** One row per expression over a file: type of the result, type and value as staged. */
const stagings: readonly (readonly [expression: string, type: string, stagedType: string, value: unknown])[] = [
  ['x', 'BIGINT', 'BIGINT', 1n],
  ['y', 'VARCHAR', 'VARCHAR', 'b'],
  [`TIMESTAMP '2020-01-01 01:00:00.123456'`, 'TIMESTAMP', 'TIMESTAMP', '2020-01-01T01:00:00.123456Z'],
  [`TIMESTAMPTZ '2020-01-01 01:00:00+02'`, 'TIMESTAMP WITH TIME ZONE', 'TIMESTAMP', '2019-12-31T23:00:00.000000Z'],
  [`CAST('2020-01-01 01:00:00.123456000' AS TIMESTAMP_NS)`, 'TIMESTAMP_NS', 'TIMESTAMP', '2020-01-01T01:00:00.123456Z'],
  [`CAST('-infinity' AS TIMESTAMP)`, 'TIMESTAMP', 'TIMESTAMP', '-infinity'],
  [`DATE '2020-01-01'`, 'DATE', 'DATE', '2020-01-01'],
  ['CAST(1.50 AS DECIMAL(10,2))', 'DECIMAL(10,2)', 'DECIMAL(10,2)', '1.50'],
  ['0.5::DOUBLE', 'DOUBLE', 'DOUBLE', 0.5],
  ['true', 'BOOLEAN', 'BOOLEAN', true],
  [`{'a': [1, 2]}`, 'STRUCT(a INTEGER[])', 'VARCHAR', '{"a":[1,2]}'],
  [`'\\x00\\xFF'::BLOB`, 'BLOB', 'VARCHAR', '00ff'],
  [`INTERVAL 1 DAY`, 'INTERVAL', 'VARCHAR', '1 day'],
  [`'b'::ENUM('a', 'b')`, "ENUM('a', 'b')", 'VARCHAR', 'b'],
];

describe('file pull', () => {
  withAllProcessors();
  it('stages every type', async () => {
    const sql = `SELECT ${stagings.map(([expression], index) => `${expression} AS "v${index}"`).join(', ')} FROM a`;
    await loaded({ 'a.csv': 'x,y\n1,b\n' }, sql, ['a'], {}, async ({ columns, sourceRows, warnings }, staging) => {
      const [row] = await staging.query(stagedRows);
      assert.deepEqual(
        columns.map((column, index) => [stagings[index]?.[0], column.type, column.stagedType, row?.[column.stagedAs]]),
        stagings,
      );
      assert.deepEqual(
        columns.filter((column) => column.zoned !== undefined).map((column) => [column.name, column.zoned]),
        [
          ['v2', false],
          ['v3', true],
          ['v4', false],
          ['v5', false],
        ],
      );
      assert.deepEqual([sourceRows, warnings], [1, []]);
    });
  });

  it('preserves the file order', async () => {
    const lines = Array.from({ length: 300_000 }, (_, index) => `${index},${(index * 7919) % 1000}`);
    const files = { 'a.csv': `i,m\n${lines.join('\n')}\n` };
    await loaded(files, 'SELECT i FROM a WHERE m <> 5', ['a'], {}, async ({ sourceRows }, staging) => {
      const [check] = await staging.query(
        'SELECT count(*) AS n, bool_and(c1 > before OR before IS NULL) AS ordered FROM (SELECT c1, lag(c1) OVER (ORDER BY rowid) AS before FROM staged)',
      );
      assert.deepEqual([check, sourceRows], [{ n: BigInt(sourceRows), ordered: true }, 299_700]);
    });
  });

  it("numbers the rows of the element's file only", async () => {
    await withCsvFiles({ 'a.csv': 'id\n3\n1\n', 'b.csv': 'id,v\n1,x\n3,y\n' }, {}, (connector) =>
      withBuildDatabase(async (staging) => {
        const pull = await connector.openPull(staging, {});
        const core =
          'SELECT "a"."id" AS "id", "a"."__file_row" AS "__file_row" FROM "a" AS "a" NATURAL JOIN b ORDER BY id';
        const roles = { key: ['id'], startTimestamp: 'id', properties: [], rowOrder: '__file_row' };
        const query = { ...fileQuery(core, ['a', 'b']), kind: 'element', roles };
        await pull.load(query, 'staged', {});
        await pull.close();
        assert.deepEqual(await staging.query(stagedRows), [
          { c1: 1n, c2: 2n },
          { c1: 3n, c2: 1n },
        ]);
      }),
    );
  });

  it('describes columns without reading rows, and limits rows to the sample', async () => {
    await withCsvFiles({ 'a.csv': 'x,t\n1,2020-01-01 00:00:00\n2,\n3,\n' }, {}, (connector) =>
      withBuildDatabase(async (staging) => {
        const pull = await connector.openPull(staging, {});
        const query = fileQuery('SELECT x, t, x AS X FROM a -- end', ['a']);
        assert.deepEqual(await pull.columnsOf(query, {}), [
          { name: 'x', type: 'BIGINT', sense: 'integer', stagedAs: 'c1', stagedType: 'BIGINT' },
          { name: 't', type: 'TIMESTAMP', sense: 'timestamp', zoned: false, stagedAs: 'c2', stagedType: 'TIMESTAMP' },
          { name: 'X', type: 'BIGINT', sense: 'integer', stagedAs: 'c3', stagedType: 'BIGINT' },
        ]);
        const { sourceRows } = await pull.load(query, 'staged', { sample: 2 });
        await pull.close();
        assert.deepEqual([sourceRows, (await staging.query('SELECT c3 FROM staged')).length], [2, 2]);
      }),
    );
  });

  it('supports files named like graph tables, and other encodings', async () => {
    const files = { 'event.csv': 'x\n1\n', 'entity.csv': Buffer.from('x,n\n1,\u00e9\u0080\n', 'latin1') };
    await withCsvFiles(files, {}, (connector) =>
      withBuildDatabase(async (staging) => {
        const pull = await connector.openPull(staging, {});
        await staging.run('CREATE TABLE event (id BIGINT)');
        const query = fileQuery('SELECT x, entity.n FROM event JOIN entity USING (x)', ['event', 'entity']);
        const first = await pull.load(query, 'entity', {});
        const second = await pull.load(query, 'staged', {});
        await pull.close();
        const warning = 'entity.csv is not UTF-8 and is read as windows-1252; set encoding if letters look wrong.';
        assert.deepEqual([first.warnings, second.sourceRows], [[warning], 1]);
        assert.deepEqual(await staging.query('SELECT * FROM entity'), [{ c1: 1n, c2: 'é€' }]);
        assert.deepEqual(await staging.query('SELECT * FROM event'), []);
      }),
    );
  });

  it('reads only the configured files and writes only its own folder', async () => {
    await withCsvFiles({ 'a.csv': 'x\n1\n' }, {}, (connector) =>
      withBuildDatabase(async (staging) => {
        const pull = await connector.openPull(staging, {});
        const other = fileQuery(`SELECT x FROM a WHERE x IN (SELECT length(content) FROM read_text('/etc/passwd'))`, [
          'a',
        ]);
        await assert.rejects(pull.load(other, 'staged', {}), { code: 'permission-denied' });
        const ended = fileQuery(`SELECT 1) AS q(c1); COPY a TO '/tmp/x.csv'; SELECT 1 FROM (SELECT 1`, ['a']);
        await assert.rejects(pull.load(ended, 'staged', {}), { code: 'sql-error' });
        await staging.run(`COPY (SELECT 1) TO '${staging.temporaryFolder}/own.csv'`);
        await pull.close();
      }),
    );
  });

  it('on cancellation leaves no table and a usable database', async () => {
    await withCsvFiles({ 'a.csv': 'x\n1\n' }, {}, (connector) =>
      withBuildDatabase(async (staging) => {
        const pull = await connector.openPull(staging, {});
        const abort = new AbortController();
        const reason = new Error('enough');
        const endless = 'SELECT i FROM a, range(10000000000) AS r(i) ORDER BY hash(i)';
        const running = pull.load(fileQuery(endless, ['a']), 'staged', { signal: abort.signal });
        setTimeout(() => abort.abort(reason), 100);
        await assert.rejects(running, reason);
        assert.deepEqual(await staging.query('SELECT table_name FROM duckdb_tables()'), []);
        assert.equal((await pull.load(fileQuery('SELECT x FROM a', ['a']), 'staged', {})).sourceRows, 1);
        await pull.close();
      }),
    );
  });

  it('reports rows while reading', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index},text`);
    const reports: number[] = [];
    const options = { onRows: (rows: number) => void reports.push(rows) };
    await loaded({ 'a.csv': `i,t\n${lines.join('\n')}\n` }, 'SELECT i FROM a', ['a'], options, async () => undefined);
    assert.equal(reports.at(-1), 20_000);
  });

  it('loads the incident trail', async () => {
    const connector = await csvConnector(resolve('samples/incidents'), {
      settings: { path: 'data/*.csv', nullValues: ['?'], timestampFormat: '%d-%m-%Y %H:%M' },
    });
    await withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      const sql = 'SELECT "number", sys_updated_at, sys_mod_count, incident_state, caller_id FROM incident_event_log';
      const { sourceRows, columns } = await pull.load(fileQuery(sql, ['incident_event_log']), 'staged', {});
      await pull.close();
      const [facts] = await staging.query(
        'SELECT count(DISTINCT c1) AS incidents, count(c2) AS times, min(c2) AS first, count(*) FILTER (c5 IS NULL) AS nocaller FROM staged',
      );
      assert.deepEqual(
        columns.map((column) => column.stagedType),
        ['VARCHAR', 'TIMESTAMP', 'BIGINT', 'VARCHAR', 'VARCHAR'],
      );
      assert.deepEqual([sourceRows, facts?.['incidents'], facts?.['times']], [5998, 890n, 5998n]);
      assert.equal(facts?.['first'], '2016-02-29T01:23:00.000000Z');
    });
    await connector.close();
  });
});

/** One row per file with an error after the sampled beginning. */
const late: readonly (readonly [title: string, tail: string | Uint8Array, line: number, message: RegExp])[] = [
  ['ragged', '1,2,3\n', 120_002, /^a\.csv, line 120002: expected 2 columns, found 3 \(1,2,3\)\.$/],
  ['short', '1\n', 120_002, /^a\.csv, line 120002: expected 2 columns, found 1 \(1\)\.$/],
  ['bad value', 'x,b\n', 120_002, /^a\.csv, line 120002: "x" in column i is not a BIGINT\.$/],
  ['mis-encoded', Buffer.from('1,caf\u00e9\n', 'latin1'), 120_002, /^a\.csv, line 120002: bytes that are not UTF-8\.$/],
  ['open quote', '1,"open\n1,2\n', 120_002, /^a\.csv, line 120002: a quote that is never closed/],
];

describe('failing file pull', () => {
  withAllProcessors();
  const beginning = `i,t\n${Array.from({ length: 120_000 }, (_, index) => `${index},some text`).join('\n')}\n`;

  for (const [title, tail, line, message] of late) {
    it(`names file and line: ${title}`, async () => {
      const files = { 'a.csv': Buffer.concat([Buffer.from(beginning), Buffer.from(tail)]) };
      await assert.rejects(
        loaded(files, 'SELECT i, t FROM a', ['a'], {}, async () => undefined),
        (error) => {
          assert.ok(isSourceError(error), String(error));
          assert.match(error.message, message);
          assert.deepEqual([error.code, error.details.line], ['file-malformed', line]);
          assert.match(error.details.file ?? '', /data\/a\.csv$/);
          assert.ok(error.details.remedy);
          return true;
        },
      );
    });
  }

  it('detects a compressed file truncated at the end of a line', async () => {
    const whole = gzipSync(beginning, { level: 0 });
    const cut = whole.subarray(0, whole.lastIndexOf(10, whole.length - 100) + 1);
    await assert.rejects(
      loaded({ 'a.csv.gz': cut }, 'SELECT i FROM a', ['a'], {}, async () => undefined),
      {
        code: 'file-malformed',
        message: /a\.csv\.gz ends too early: it is not a complete gzip file\.$/,
      },
    );
  });

  it('names the line of bytes that are invalid in the encoding', async () => {
    const files = { 'a.csv': Buffer.concat([Buffer.from('x,y\n1,2\n3,'), Buffer.from([0x82, 0xff, 10])]) };
    const settings = { encoding: 'shift_jis' };
    await assert.rejects(
      loaded(files, 'SELECT x FROM a', ['a'], { settings }, async () => undefined),
      {
        code: 'file-malformed',
        message: /a\.csv, near line \d: bytes that are not shift_jis\.$/,
      },
    );
  });

  it('names the wrong column of a query', async () => {
    await assert.rejects(
      loaded({ 'a.csv': 'x\n1\n' }, 'SELECT x, y FROM a', ['a'], {}, async () => undefined),
      (error) => {
        assert.ok(isSourceError(error));
        assert.deepEqual(
          [error.code, error.details.position, error.details.remedy],
          ['column-missing', 10, 'There is: x.'],
        );
        return true;
      },
    );
  });

  it('detects a file that vanished or changed', async () => {
    await withCsvFiles({ 'a.csv': 'x\n1\n', 'b.csv': 'x\n1\n' }, {}, (connector, folder) =>
      withBuildDatabase(async (staging) => {
        await connector.describe({});
        const pull = await connector.openPull(staging, {});
        await writeFile(`${folder}/data/a.csv`, '');
        await assert.rejects(pull.load(fileQuery('SELECT x FROM a', ['a']), 'one', {}), { code: 'source-empty' });
        await pull.close();
      }),
    );
  });
});
