import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { CellValue, PreviewOptions } from '../../server/src/connectors/connector.ts';
import { isSourceError } from '../../server/src/connectors/source-error.ts';
import { maxPreviewBytes } from '../../protocol/preview-limits.ts';
import { withCsvFiles, fileQuery, type CsvSourceOptions } from '../support/csv-source.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

const people: Files = {
  'people.csv': 'id,name,born\n1,Ann,2000-01-02 03:04:05\n2,"Bob, jr.",\n3,,2001-01-01 00:00:00\n',
};

async function rowsOf(
  files: Files,
  sql: string,
  dataObjects: readonly string[],
  options: CsvSourceOptions & Partial<PreviewOptions> = {},
): Promise<readonly (readonly CellValue[])[]> {
  return withCsvFiles(files, options, async (connector) => {
    return (await connector.preview(fileQuery(sql, dataObjects), { limit: 100, ...options })).rows;
  });
}

/** One row per value as written in a CSV file or, after the bar, an SQL expression over it: type and JSON value. */
const values: readonly (readonly [expression: string, type: string, cell: CellValue])[] = [
  ['id', 'BIGINT', '1'],
  ['CAST(id AS INTEGER)', 'INTEGER', 1],
  ['id / 4', 'DOUBLE', 0.25],
  [`CAST('nan' AS DOUBLE)`, 'DOUBLE', 'NaN'],
  ['CAST(1.50 AS DECIMAL(10,2))', 'DECIMAL(10,2)', '1.50'],
  ['name', 'VARCHAR', 'Ann'],
  ['id = 1', 'BOOLEAN', true],
  ['NULL', 'INTEGER', null],
  ['born', 'TIMESTAMP', '2000-01-02T02:04:05.000000Z'],
  [`TIMESTAMP '2024-10-27 02:30:00.123456'`, 'TIMESTAMP', '2024-10-27T00:30:00.123456Z'],
  [`TIMESTAMP '2024-03-31 02:30:00'`, 'TIMESTAMP', '2024-03-31T01:30:00.000000Z'],
  [`CAST('infinity' AS TIMESTAMP)`, 'TIMESTAMP', 'infinity'],
  [`TIMESTAMPTZ '2024-07-01 12:00:00+02'`, 'TIMESTAMP WITH TIME ZONE', '2024-07-01T10:00:00.000000Z'],
  ['CAST(born AS DATE)', 'DATE', '2000-01-02'],
  ['CAST(born AS TIME)', 'TIME', '03:04:05.000000'],
  [`'\\x00\\xFF'::BLOB`, 'BLOB', '00ff'],
  [`{'a': [1, 2]}`, 'STRUCT("a" INTEGER[])', '{"a":[1,2]}'],
  [`CAST('{"a": 1}' AS JSON)`, 'JSON', '{"a": 1}'],
  ["CAST('A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11' AS UUID)", 'UUID', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
];

describe('file preview', () => {
  it('shows every type as JSON, and reads times without zone in the zone of the source', async () => {
    await withCsvFiles(people, { timeZone: 'Europe/Berlin' }, async (connector) => {
      const list = values.map(([expression], index) => `${expression} AS "v${index}"`).join(', ');
      const query = fileQuery(`SELECT ${list} FROM "people" AS "people" WHERE id = 1`, ['people']);
      const { columns, rows } = await connector.preview(query, { limit: 10 });
      assert.deepEqual(
        columns.map((column, index) => [values[index]?.[0], column.type, rows[0]?.[index]]),
        values,
      );
    });
  });

  it('stops at its size limit with a warning, also when texts are kept unparsed', async () => {
    const lines = Array.from({ length: 80 }, (_, index) => `${index + 1},${'x'.repeat(1_000_000)}\n`);
    await withCsvFiles({ 'notes.csv': `id,note\n${lines.join('')}` }, {}, async (connector) => {
      const query = fileQuery('SELECT id, note FROM notes ORDER BY id', ['notes']);
      const { rows, truncated, sizeLimit } = await connector.preview(query, { limit: 10_000 });
      assert.deepEqual([rows.length, rows.at(-1)?.[0], truncated, sizeLimit], [67, '67', true, maxPreviewBytes]);
      const few = await connector.preview(query, { limit: 50 });
      assert.deepEqual([few.rows.length, few.truncated, few.sizeLimit], [50, true, undefined]);
    });
    const settings = { types: { id: 'BIGINT' } };
    await withCsvFiles({ 'notes.csv': `id,note\none,x\n${lines.join('')}` }, { settings }, async (connector) => {
      const query = fileQuery('SELECT id, note FROM notes', ['notes']);
      const kept = await connector.preview(query, { limit: 10_000, keepCastFailures: true });
      assert.deepEqual([kept.rows[0], kept.castFailures], [['one', 'x'], [{ row: 0, column: 0 }]]);
      assert.deepEqual([kept.rows.length, kept.truncated, kept.sizeLimit], [68, true, maxPreviewBytes]);
    });
  });

  it('caps rows, keeps order and names, and says whether there are more', async () => {
    await withCsvFiles(people, {}, async (connector) => {
      const query = fileQuery('SELECT id, name AS id FROM people ORDER BY id -- last line', ['people']);
      const two = await connector.preview(query, { limit: 2 });
      const three = await connector.preview(query, { limit: 3 });
      assert.deepEqual(
        [two.columns.map((column) => column.name), two.rows, two.truncated, three.rows.length, three.truncated],
        [
          ['id', 'id'],
          [
            ['1', 'Ann'],
            ['2', 'Bob, jr.'],
          ],
          true,
          3,
          false,
        ],
      );
    });
  });

  it('reads several files and other encodings', async () => {
    const files = {
      'städte.csv': Buffer.from('plz;ort\n1;K\u00f6ln\n2;\u0080-Stadt\n', 'latin1'),
      'utf16.csv': Buffer.from('\ufeffid,wert\n1,é\n', 'utf16le').swap16(),
      'lines.jsonl': '{"id": 1, "tags": ["x"]}\n',
      'packed.csv.gz': gzipSync('id,v\n1,z\n'),
    };
    const sql =
      'SELECT s.ort, u.wert, l.tags[1], p.v FROM "städte" AS s JOIN utf16 AS u ON u.id = s.plz JOIN lines AS l USING (id) JOIN packed p USING (id)';
    assert.deepEqual(await rowsOf(files, sql, ['städte', 'utf16', 'lines', 'packed']), [['Köln', 'é', 'x', 'z']]);
  });

  it('preserves NULLs, quotes and line breaks', async () => {
    const files = { 'a.csv': 'x,y\r\n1,"a ""b""\nc"\r\n?,\r\n3,"?"\r\n' };
    assert.deepEqual(await rowsOf(files, 'SELECT * FROM a', ['a'], { settings: { nullValues: ['?'] } }), [
      ['1', 'a "b"\nc'],
      [null, null],
      ['3', null],
    ]);
  });

  it('numbers rows on request', async () => {
    await withCsvFiles(people, {}, async (connector) => {
      const base = fileQuery('SELECT name, "people"."__file_row" AS "__file_row" FROM "people" AS "people"', [
        'people',
      ]);
      const roles = { key: ['name'], startTimestamp: 'name', properties: [], rowOrder: '__file_row' };
      const query = { ...base, kind: 'element', roles };
      const { rows } = await connector.preview(query, { limit: 5 });
      assert.deepEqual(rows, [
        ['Ann', '1'],
        ['Bob, jr.', '2'],
        [null, '3'],
      ]);
    });
  });

  it('shows the executed statements', async () => {
    await withCsvFiles({ 'a.csv': 'x,y\n1,b\n' }, {}, async (connector, folder) => {
      const steps = await connector.steps(fileQuery('SELECT x FROM "a" AS "a"', ['a']), { kind: 'preview', limit: 10 });
      assert.deepEqual(
        steps.flatMap(({ title }) => /^How texts of files become values: (\w+)$/.exec(title)?.[1] ?? []),
        ['whole_number', 'checked'],
      );
      assert.deepEqual(
        steps.slice(2).map(({ role, text }) => [role, text.replace(folder, '…')]),
        [
          [
            'setup',
            `CREATE OR REPLACE TEMP VIEW "a" AS SELECT checked(TRY_CAST(whole_number("x") AS BIGINT), "x", 'BIGINT') AS "x", "y" FROM (SELECT * FROM read_csv('…/data/a.csv', auto_detect = false, delim = ',', quote = '"', escape = '"', comment = '', nullstr = [''], max_line_size = 16777216, buffer_size = 33554432, header = true, skip = 0, columns = {'x': 'VARCHAR', 'y': 'VARCHAR'}))`,
          ],
          ['core', 'SELECT x FROM "a" AS "a"'],
          ['wrap', 'SELECT * FROM (\nSELECT x FROM "a" AS "a"\n) AS q LIMIT 11'],
        ],
      );
    });
  });
});

/** One row per file with values that do not fit their column's type: settings, preview, and marked cells. */
const unreadable: readonly (readonly [
  title: string,
  files: Files,
  settings: Readonly<Record<string, unknown>>,
  rows: readonly (readonly CellValue[])[],
  castFailures: readonly (readonly [row: number, column: number])[],
])[] = [
  [
    'numbers, dates and times',
    { 'a.csv': 'id,n,d,t\n1,5,2024-01-02,2024-01-02 03:04:05\nx,,31.12.2024,\n3,1e3,,yesterday\n' },
    { types: { id: 'BIGINT', n: 'INTEGER', d: 'DATE', t: 'TIMESTAMP' }, dateFormat: '%Y-%m-%d' },
    [
      ['1', 5, '2024-01-02', '2024-01-02T03:04:05.000000Z'],
      ['x', null, '31.12.2024', null],
      ['3', 1000, null, 'yesterday'],
    ],
    [
      [1, 0],
      [1, 2],
      [2, 3],
    ],
  ],
  [
    'times in a format of their own, decimal commas, values that mean NULL',
    { 'a.csv': 'n;t\n1,5;02-01-2024 03:04\n?;2024-01-02 03:04\n1.234,5;03-01-2024 00:00\n' },
    {
      types: { n: 'DOUBLE', t: 'TIMESTAMP' },
      delimiter: ';',
      decimal: ',',
      nullValues: ['?'],
      timestampFormat: '%d-%m-%Y %H:%M',
    },
    [
      [1.5, '2024-01-02T03:04:00.000000Z'],
      [null, '2024-01-02 03:04'],
      ['1.234,5', '2024-01-03T00:00:00.000000Z'],
    ],
    [
      [1, 1],
      [2, 0],
    ],
  ],
  [
    'JSON lines, nested values among them',
    { 'a.jsonl': '{"id": 1, "tags": ["x"]}\n{"id": "two", "tags": ["y"]}\n' },
    { types: { id: 'BIGINT', tags: 'VARCHAR[]' } },
    [
      ['1', '["x"]'],
      ['two', '["y"]'],
    ],
    [[1, 0]],
  ],
];

describe('file preview that keeps values that do not fit', () => {
  for (const [title, files, settings, expected, places] of unreadable) {
    it(`shows and marks the text: ${title}`, async () => {
      await withCsvFiles(files, { settings }, async (connector) => {
        const query = fileQuery('SELECT * FROM a', ['a']);
        await assert.rejects(connector.preview(query, { limit: 10 }), { code: 'file-malformed' });
        const { rows, castFailures = [] } = await connector.preview(query, { limit: 10, keepCastFailures: true });
        assert.deepEqual([rows, castFailures.map(({ row, column }) => [row, column])], [expected, places]);
        const first = await connector.preview(query, { limit: 1, keepCastFailures: true });
        assert.deepEqual([first.rows, first.truncated, first.castFailures], [expected.slice(0, 1), true, undefined]);
      });
    });
  }

  it('fails for malformed lines', async () => {
    const files = { 'a.csv': 'id,n\n1,2\nx,3,4\n' };
    const settings = { types: { id: 'BIGINT', n: 'INTEGER' } };
    await assert.rejects(rowsOf(files, 'SELECT * FROM a', ['a'], { settings, keepCastFailures: true }), (error) => {
      assert.ok(isSourceError(error));
      assert.deepEqual([error.code, error.details.line], ['file-malformed', 3], error.message);
      return true;
    });
  });
});

/** One row per failing query: the SQL with the error's position marked by `▲`, code and message. */
const faults: readonly (readonly [title: string, sql: string, code: string, message: RegExp])[] = [
  ['unknown column', 'SELECT name, ▲nmae FROM people', 'column-missing', /"nmae" not found/],
  [
    'unknown column after wide letters',
    `SELECT '日本😀' AS x, ▲nmae FROM people`,
    'column-missing',
    /"nmae" not found/,
  ],
  ['unknown column of an alias', 'SELECT ▲p.nmae FROM people AS p', 'column-missing', /"nmae"/],
  ['unknown object', 'SELECT 1 FROM ▲persons', 'object-missing', /^persons is not a data object/],
  ['syntax', 'SELECT name\nFROM people\nWHERE ▲FROM', 'sql-error', /syntax error at or near "FROM"/],
  [
    'unlike types',
    'SELECT name FROM people WHERE born = ▲5',
    'type-mismatch',
    /^INTEGER can neither be compared with TIMESTAMP nor converted to it\.$/,
  ],
  [
    'value that does not convert',
    `SELECT name FROM people WHERE id = ▲'x'`,
    'type-mismatch',
    /Could not convert string 'x'/,
  ],
  [
    'another file',
    `SELECT * FROM ▲read_csv('/etc/passwd')`,
    'permission-denied',
    /a query reads only the files of its own data source/,
  ],
  ['another file by name', `SELECT * FROM '/etc/hostname.csv'`, 'permission-denied', /a query reads only the files/],
  ['any text', `SELECT * FROM ▲read_text('/etc/passwd')`, 'permission-denied', /a query reads only the files/],
  ['two statements', `SELECT 1) AS q; COPY people TO '/tmp/x.csv'; SELECT (1`, 'sql-error', /./],
  ['no SELECT: COPY', `COPY people TO '/tmp/x.csv'`, 'permission-denied', /only the files/],
  ['no SELECT: ATTACH', `ATTACH '/tmp/x.duckdb' AS x`, 'sql-error', /./],
  ['no SELECT: SET', "SET memory_limit = '1GB'", 'sql-error', /./],
  ['no SELECT: DROP', 'DROP VIEW people', 'sql-error', /./],
];

describe('failing file preview', () => {
  for (const [title, marked, code, message] of faults) {
    it(`names reason and position: ${title}`, async () => {
      const at = marked.indexOf('▲');
      await assert.rejects(rowsOf(people, marked.replace('▲', ''), ['people']), (error) => {
        assert.ok(isSourceError(error), String(error));
        assert.equal(error.code, code, error.message);
        assert.match(error.message, message);
        if (at >= 0) assert.equal(error.details.position, at, error.message);
        return true;
      });
    });
  }

  it('lists the existing data objects', async () => {
    await assert.rejects(rowsOf(people, 'SELECT 1 FROM People2', ['People2']), (error) => {
      assert.ok(isSourceError(error));
      assert.deepEqual([error.code, error.details.remedy], ['object-missing', 'Its data objects are: people.']);
      return true;
    });
  });

  it('stops at its time limit and on cancellation', async () => {
    const endless = 'SELECT count(*) FROM people, range(10000000000) AS r(i) WHERE hash(i) = id';
    await assert.rejects(rowsOf(people, endless, ['people'], { timeoutMs: 100 }), { code: 'statement-timeout' });
    const reason = new Error('enough');
    await assert.rejects(rowsOf(people, endless, ['people'], { signal: AbortSignal.abort(reason) }), reason);
    await withCsvFiles(people, {}, async (connector) => {
      const abort = new AbortController();
      const running = connector.preview(fileQuery(endless, ['people']), { limit: 1, signal: abort.signal });
      setTimeout(() => abort.abort(reason), 100);
      await assert.rejects(running, reason);
    });
  });

  it('names file and line of a late value that does not fit', async () => {
    const lines = Array.from({ length: 110_000 }, (_, index) => `${index},"x\ny"`);
    const files = { 'a.csv': `i,t\n${lines.join('\n')}\nmany,z\n` };
    await assert.rejects(rowsOf(files, 'SELECT max(i) FROM a', ['a']), (error) => {
      assert.ok(isSourceError(error));
      assert.deepEqual(
        [error.code, error.message, error.details.line, error.details.position, error.details.remedy],
        [
          'file-malformed',
          'a.csv, line 220002: "many" in column i is not a BIGINT.',
          220_002,
          undefined,
          'Correct the value, add it to nullValues, or set types: { "i": VARCHAR } for a.csv.',
        ],
      );
      return true;
    });
  });
});
