import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Catalog } from '../../server/src/catalog/catalog.ts';
import { isSourceError } from '../../server/src/connectors/source-error.ts';
import { openScratch } from '../../server/src/store/duckdb-store.ts';
import { csvConnector, withCsvFiles, type CsvSourceOptions } from '../support/csv-source.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

async function describeFiles(files: Files, options: CsvSourceOptions = {}): Promise<Catalog> {
  return withCsvFiles(files, options, (connector) => connector.describe({}));
}

/** `name: column type, …` of each data object. */
function shapes(catalog: Catalog): readonly string[] {
  return catalog.objects.map(
    (object) => `${object.name}: ${object.columns.map((column) => `${column.name} ${column.type}`).join(', ')}`,
  );
}

/** Files that are older than the resolution of their times. */
async function later<T>(work: () => Promise<T>): Promise<T> {
  const now = Date.now;
  Date.now = () => now() + 60_000;
  try {
    return await work();
  } finally {
    Date.now = now;
  }
}

describe('the catalog of files that have not changed', () => {
  /** Marked, so that it is told from one that was read again. */
  const marked = (catalog: Catalog): Catalog => ({ ...catalog, warnings: ['as before'] });

  it('is that of the last time, until a file is written, added or deleted', async () => {
    const files = { 'a.csv': 'x\n1\n', 'b.json': '[{"y": 1}]' };
    await withCsvFiles(files, {}, async (connector, folder) => {
      const describeLater = (known?: Catalog, mayReuse = true): Promise<Catalog> =>
        later(() => connector.describe({ known, mayReuse }));
      const known = marked(await describeLater());
      const { readAt, ...again } = await describeLater(known);
      const { readAt: before, ...content } = known;
      assert.deepEqual(again, content);
      assert.ok(readAt >= before);
      assert.deepEqual((await describeLater(known, false)).warnings, []);
      const changes: readonly (readonly [string, () => Promise<void>, readonly string[]])[] = [
        ['written', () => writeFile(join(folder, 'data/a.csv'), 'x\nb\n'), ['a: x VARCHAR', 'b: y BIGINT']],
        [
          'added',
          () => writeFile(join(folder, 'data/c.csv'), 'z\n1\n'),
          ['a: x VARCHAR', 'b: y BIGINT', 'c: z BIGINT'],
        ],
        ['deleted', () => rm(join(folder, 'data/b.json')), ['a: x VARCHAR', 'c: z BIGINT']],
      ];
      let last = known;
      for (const [title, change, expected] of changes) {
        await change();
        const found = await describeLater(last);
        assert.deepEqual([title, shapes(found), found.warnings], [title, expected, []]);
        last = marked(found);
        assert.deepEqual((await describeLater(last)).warnings, ['as before'], title);
      }
    });
  });

  it('is read again when a file is so new that it may be written without another time', async () => {
    await withCsvFiles({ 'a.csv': 'x\n1\n' }, {}, async (connector) => {
      const known = await connector.describe({});
      assert.equal(known.stamp, undefined);
      assert.deepEqual((await connector.describe({ known: marked(known), mayReuse: true })).warnings, []);
    });
  });

  it('is read again when a file could not be read', async () => {
    await withCsvFiles({ 'a.csv': 'x\n1\n', 'b.json': '{' }, {}, async (connector) => {
      const known = await later(() => connector.describe({}));
      assert.deepEqual([known.complete, known.stamp], [false, undefined]);
    });
  });
});

/** One row per file format: content, options and result. */
const readings: readonly (readonly [
  title: string,
  file: string,
  content: string | Uint8Array,
  Record<string, unknown>,
  string,
])[] = [
  ['comma', 'a.csv', 'x,y\n1,b\n2,c\n', {}, 'a: x BIGINT, y VARCHAR'],
  ['semicolon', 'a.csv', 'x;y\n1;"b;c"\n2;d\n', {}, 'a: x BIGINT, y VARCHAR'],
  ['semicolon and decimal comma', 'a.csv', 'x;y\n1;1,5\n2;2,25\n', { decimal: ',' }, 'a: x BIGINT, y DOUBLE'],
  ['decimal comma, found out', 'a.csv', 'x;y\n1;192,50\n2;7,25\n', {}, 'a: x BIGINT, y DOUBLE'],
  ['decimal comma of rounded numbers', 'a.csv', 'x;y\n1;1,5\n2;2\n3;-0,125\n', {}, 'a: x BIGINT, y DOUBLE'],
  ['decimal comma beside texts only', 'a.csv', 'name;amount\nb;1,50\nc;2,25\n', {}, 'a: name VARCHAR, amount DOUBLE'],
  ['decimal comma with tabs', 'a.tsv', 'x\ty\n1\t192,50\n', {}, 'a: x BIGINT, y DOUBLE'],
  ['decimal comma beside thousands', 'a.csv', 'x;y;z\n1,5;1,234;1.234\n', {}, 'a: x DOUBLE, y DOUBLE, z VARCHAR'],
  ['decimal point, set', 'a.csv', 'x;y\n1;192,50\n', { decimal: '.' }, 'a: x BIGINT, y VARCHAR'],
  ['points and commas in one file', 'a.csv', 'x;y\n1.5;192,50\n', {}, 'a: x DOUBLE, y VARCHAR'],
  ['commas that may separate thousands', 'a.csv', 'x;y\n1;1,234\n2;12,500\n', {}, 'a: x BIGINT, y VARCHAR'],
  ['commas that may separate items', 'a.csv', 'x;y\n1;3,10\n2;3,5\n', {}, 'a: x BIGINT, y VARCHAR'],
  ['commas between items', 'a.csv', 'x;y\n1;3,1\n2;3,1,5\n', {}, 'a: x BIGINT, y VARCHAR'],
  ['bar', 'a.csv', 'x|y\n1|b\n', {}, 'a: x BIGINT, y VARCHAR'],
  ['a delimiter of its own', 'a.csv', 'x~y\n1~b\n', { delimiter: '~' }, 'a: x BIGINT, y VARCHAR'],
  ['tab by extension', 'a.tsv', 'x\ty, z\n1\tb, c\n', {}, 'a: x BIGINT, y, z VARCHAR'],
  ['one column', 'a.csv', 'x\n1\n2\n', {}, 'a: x BIGINT'],
  ['header alone', 'a.csv', 'x,y\n', {}, 'a: x VARCHAR, y VARCHAR'],
  ['no header', 'a.csv', '1,b\n2,c\n', {}, 'a: column0 BIGINT, column1 VARCHAR'],
  ['header denied', 'a.csv', 'x,y\n', { header: false }, 'a: column0 VARCHAR, column1 VARCHAR'],
  ['header of numbers', 'a.csv', '2019,2020\n1,2\n', { header: true }, 'a: 2019 BIGINT, 2020 BIGINT'],
  ['title above the header', 'a.csv', 'Report\n\nx,y,z\n1,2,3\n', {}, 'a: x BIGINT, y BIGINT, z BIGINT'],
  ['byte order mark', 'a.csv', '\ufeffx,y\n1,é\n', {}, 'a: x BIGINT, y VARCHAR'],
  ['carriage returns', 'a.csv', 'x,y\r\n1,"b\r\nc"\r\n', {}, 'a: x BIGINT, y VARCHAR'],
  ['UTF-16', 'a.csv', Buffer.from('\ufeffx,y\n1,é\n', 'utf16le'), {}, 'a: x BIGINT, y VARCHAR'],
  [
    'UTF-16, high byte first',
    'a.csv',
    Buffer.from('\ufeffx,y\n1,é\n', 'utf16le').swap16(),
    {},
    'a: x BIGINT, y VARCHAR',
  ],
  ['a delimiter named as Excel does', 'a.csv', 'sep=;\r\nx;y\r\n1;b\r\n', {}, 'a: x BIGINT, y VARCHAR'],
  ['lines without text above the header', 'a.csv', '\r\n\r\nx,y\r\n1,b\r\n', {}, 'a: x BIGINT, y VARCHAR'],
  ['a title as wide as the table', 'a.csv', 'Report,,\n,,\nx,y,z\n1,b,2\n', {}, 'a: x BIGINT, y VARCHAR, z BIGINT'],
  ['a title of two lines', 'a.csv', '"Report\nof 2024"\nx,y\n1,b\n', {}, 'a: x BIGINT, y VARCHAR'],
  ['a header that is named', 'a.csv', 'of;by\n\nx;y\n1;b\n', { headerRow: 3 }, 'a: x BIGINT, y VARCHAR'],
  [
    'delimiters in a quoted field behind a byte order mark',
    'a.csv',
    '\ufeff"Last, First","say ""hi"""\n"Doe, J",1\n',
    {},
    'a: Last, First VARCHAR, say "hi" BIGINT',
  ],
  ['UTF-16 beyond U+FFFF', 'a.csv', Buffer.from('\ufeffx,y\n1,😀\n', 'utf16le'), {}, 'a: x BIGINT, y VARCHAR'],
  ['UTF-16 without mark', 'a.csv', Buffer.from('x,y\n1,abcdefgh\n', 'utf16le'), {}, 'a: x BIGINT, y VARCHAR'],
  ['Windows', 'a.csv', Buffer.from('x,stra\u00dfe\n1,\u0080\n', 'latin1'), {}, 'a: x BIGINT, straße VARCHAR'],
  [
    'Latin-1, said',
    'a.csv',
    Buffer.from('x,stra\u00dfe\n1,\u00e9\n', 'latin1'),
    { encoding: 'latin-1' },
    'a: x BIGINT, straße VARCHAR',
  ],
  ['null values', 'a.csv', 'x,y\n1,?\n?,2\n', { nullValues: ['?'] }, 'a: x BIGINT, y BIGINT'],
  ['values with leading zeros as texts', 'a.csv', 'x\n007\n', {}, 'a: x VARCHAR'],
  ['integers beyond 64 bits stay exact', 'a.csv', 'x\n12345678901234567890\n', {}, 'a: x DECIMAL(20,0)'],
  [
    'times',
    'a.csv',
    'x,y,z\n2020-01-01 10:00:00.5,2020-01-01,2020-01-01T10:00:00+02:00\n',
    {},
    'a: x TIMESTAMP, y DATE, z TIMESTAMP WITH TIME ZONE',
  ],
  [
    'time format',
    'a.csv',
    'x,y\n25-02-2020 10:00,25-02-2020 later\n',
    { timestampFormat: '%d-%m-%Y %H:%M' },
    'a: x TIMESTAMP, y VARCHAR',
  ],
  [
    'time format beside ISO times',
    'a.csv',
    'x,y,z\n25-02-2020 10:00,2020-01-01 10:00:00,2020-01-01T10:00:00Z\n',
    { timestampFormat: '%d-%m-%Y %H:%M' },
    'a: x TIMESTAMP, y TIMESTAMP, z TIMESTAMP WITH TIME ZONE',
  ],
  ['date format', 'a.csv', 'x\n03/25/2020\n', { dateFormat: '%m/%d/%Y' }, 'a: x DATE'],
  ['types', 'a.csv', 'x,y\n1,2\n', { types: { x: 'VARCHAR' } }, 'a: x VARCHAR, y BIGINT'],
  [
    'odd names',
    'a.csv',
    'a b,"q""x",Été,select\n1,2,3,4\n',
    {},
    'a: a b BIGINT, q"x BIGINT, Été BIGINT, select BIGINT',
  ],
  ['names given twice', 'a.csv', 'x,x,,X\n1,2,3,4\n', {}, 'a: x BIGINT, x_1 BIGINT, column2 BIGINT, X_2 BIGINT'],
  ['gzip', 'a.csv.gz', gzipSync('x,y\n1,b\n'), {}, 'a: x BIGINT, y VARCHAR'],
  ['gzip with tabs', 'a.tsv.gz', gzipSync('x\ty\n1\tb\n'), {}, 'a: x BIGINT, y VARCHAR'],
  [
    'gzip in another encoding',
    'a.csv.gz',
    gzipSync(Buffer.from('x,y\n1,\u00e9\u0080\n', 'latin1')),
    {},
    'a: x BIGINT, y VARCHAR',
  ],
  ['JSON', 'a.json', '[{"x": 1, "y": {"z": [1]}}]', {}, 'a: x BIGINT, y STRUCT(z BIGINT[])'],
  ['JSON lines', 'a.jsonl', '{"x": 1}\n{"x": 2.5, "y": "b"}\n', {}, 'a: x DOUBLE, y VARCHAR'],
  ['JSON lines, other extension', 'a.ndjson', '{"x": true}\n', {}, 'a: x BOOLEAN'],
  ['wildcards and quotes in a name', "it's [1] a?*.csv", 'x\n1\n', {}, "it's [1] a?*: x BIGINT"],
  ['unknown extension', 'a.b.txt', 'x,y\n1,b\n', {}, 'a.b: x BIGINT, y VARCHAR'],
];

describe('file discovery', () => {
  for (const [title, file, content, settings, expected] of readings) {
    it(`reads: ${title}`, async () => {
      assert.deepEqual(shapes(await describeFiles({ [file]: content }, { settings })), [expected]);
    });
  }

  it('says that a decimal comma was found out', async () => {
    const { warnings } = await describeFiles({ 'a.csv': 'x;y\n1;192,50\n' });
    assert.deepEqual(warnings, ['a.csv: numbers are read with a decimal comma; set decimal if that is wrong.']);
    const { warnings: none } = await describeFiles({ 'a.csv': 'x;y\n1;192,50\n' }, { settings: { decimal: ',' } });
    assert.deepEqual(none, []);
  });

  const long = '12345678901234567890123456789012345678901.5';
  const proposals: readonly (readonly [
    what: string,
    files: Files,
    settings: Record<string, unknown>,
    isPart: boolean,
  ])[] = [
    ['CSV', { 'a.csv': `id,no\n1,${long}\n` }, {}, false],
    ['JSON', { 'a.json': `[{"id": 1, "no": ${long}}]` }, {}, false],
    ['parts of CSV', { 'a.csv': `id,no\n1,${long}\n`, 'b.csv': 'id,no\n1,2\n' }, { parts: { all: '*' } }, true],
    ['parts of JSON', { 'a.json': `{"no": ${long}}`, 'b.json': '{"no": 2}' }, { parts: { all: '*' } }, true],
  ];
  for (const [what, files, settings, isPart] of proposals) {
    it(`proposes types for numbers that are texts: ${what}`, async () => {
      const { warnings, proposedTypes = [] } = await describeFiles(files, { settings });
      assert.deepEqual(
        proposedTypes.map(({ message: _, ...rest }) => rest),
        [{ file: Object.keys(files)[0], isPart, column: 'no', types: ['VARCHAR', 'DOUBLE'] }],
      );
      assert.deepEqual(
        warnings,
        proposedTypes.map(({ message }) => message),
      );
      const declared = await describeFiles(files, { settings: { ...settings, types: { no: 'VARCHAR' } } });
      assert.deepEqual([declared.warnings, declared.proposedTypes], [[], undefined]);
    });
  }

  it('lists one data object per file, with statistics', async () => {
    await withCsvFiles({ 'b.csv': 'x,t\n1,2020-01-01\n2,\n' }, {}, async (connector, folder) => {
      const { readAt, ...catalog } = await connector.describe({});
      assert.match(readAt, /^\d{4}-.*Z$/);
      const text = { nullable: true, primaryKey: false, isKeyedByText: true };
      assert.deepEqual(catalog, {
        dataSource: 'files',
        kind: 'csv',
        dialect: 'duckdb',
        hasRowOrder: true,
        complete: true,
        warnings: [],
        objects: [
          {
            name: 'b',
            kind: 'file',
            path: ['b'],
            file: join(folder, 'data', 'b.csv'),
            columns: [
              { ...text, name: 'x', type: 'BIGINT', sense: 'integer', samples: ['1', '2'] },
              { ...text, name: 't', type: 'DATE', sense: 'date', samples: ['2020-01-01'] },
            ],
            primaryKey: [],
            foreignKeys: [],
            statistics: { columnCount: 2, rowEstimate: 2, dataSize: 20 },
          },
        ],
      });
    });
  });

  it('reads Parquet, with the row count', async () => {
    await withCsvFiles({ 'z.csv': 'x\n1\n' }, {}, async (connector, folder) => {
      const session = await openScratch();
      await session.run(`COPY (SELECT range AS i, now() AS t FROM range(1000)) TO '${folder}/data/p.parquet'`);
      await session.close();
      const catalog = await connector.describe({});
      assert.deepEqual(shapes(catalog), ['p: i BIGINT, t TIMESTAMP WITH TIME ZONE', 'z: x BIGINT']);
      assert.equal(catalog.objects[0]?.statistics.rowEstimate, 1000);
    });
  });

  it('counts the rows of a small file without the lines above its header', async () => {
    const catalog = await describeFiles({ 'a.csv': 'sep=;\nx;y\n1;2\n3;4\n' });
    assert.equal(catalog.objects[0]?.statistics.rowEstimate, 2);
  });

  it('estimates the row count of a large file', async () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `${index},some text,${index % 7}`);
    for (const [name, bytes] of [
      ['a.csv', Buffer.from(`i,t,m\n${lines.join('\n')}\n`)],
      ['a.csv.gz', gzipSync(`i,t,m\n${lines.join('\n')}\n`)],
    ] as const) {
      const estimate = (await describeFiles({ [name]: bytes })).objects[0]?.statistics.rowEstimate ?? 0;
      assert.ok(Math.abs(estimate - 50_000) < 5000, `${name}: ${estimate}`);
    }
  });

  it('overrides options for one file', async () => {
    const settings = { delimiter: ';', files: { 'b.csv': { delimiter: ':', types: { y: 'VARCHAR' } }, 'c.csv': {} } };
    const catalog = await describeFiles({ 'a.csv': 'x;y\n1;2\n', 'b.csv': 'x:y\n1:2\n' }, { settings });
    assert.deepEqual(shapes(catalog), ['a: x BIGINT, y BIGINT', 'b: x BIGINT, y VARCHAR']);
    assert.deepEqual(catalog.warnings, ['Data source files: files.c.csv names no file of the source.']);
  });

  it('warns at path of a pattern that matches nothing beside others', async () => {
    const settings = { path: ['data/*.csv', 'late/*.csv'] };
    const catalog = await describeFiles({ 'a.csv': 'x\n1\n' }, { settings });
    assert.deepEqual(shapes(catalog), ['a: x BIGINT']);
    const message = 'Data source files: path has late/*.csv, which matches no file.';
    assert.deepEqual(catalog.unusedSettings, [{ path: ['files', 'path'], message }]);
    assert.deepEqual(catalog.warnings, [message]);
  });

  it('warns about ambiguous formats', async () => {
    const catalog = await describeFiles({
      'a.csv': Buffer.from('x,y\n1,caf\u00e9\n', 'latin1'),
      'b.csv': 'x\n31/12/2020\n',
      'c.csv': 'Report\nx,y\n1,2\n',
      'd.csv': 'Sales,of May\n\nx,y\n1,2\n',
      'e.csv': 'Report\n\nx,y\n1,2\n\n3,4\n',
    });
    assert.deepEqual(catalog.warnings, [
      'a.csv is not UTF-8 and is read as windows-1252; set encoding if letters look wrong.',
      'b.csv: dates are read as %d/%m/%Y; set dateFormat if that is wrong.',
      'c.csv: the first line stands above the header and is left out.',
      'd.csv: line 1 is taken for the header, though an empty line follows; set headerRow: 3 if line 3 is the header.',
      'e.csv: the first 2 lines stand above the header and are left out.',
    ]);
  });

  it('names a broken file, and lists the others', async () => {
    const catalog = await describeFiles({ 'a.csv': 'x,y\n1,2\n', 'b.csv': '', 'c.csv': 'x\0y\n' });
    assert.deepEqual(shapes(catalog), ['a: x BIGINT, y BIGINT']);
    assert.equal(catalog.complete, false);
    assert.deepEqual(
      catalog.warnings.map((warning) => warning.replace(/\S*\/data\//, '')),
      [
        'b.csv is empty. Export the file again; a file without rows needs at least its header line.',
        'c.csv holds binary data (a NUL at byte 2), it is not a text file. Export the data as CSV; if it is text in UTF-16 without byte order mark, set encoding to utf-16.',
      ],
    );
  });

  it('reads the incident trail', async () => {
    const connector = await csvConnector(resolve('samples/incidents'), {
      settings: { path: 'data/*.csv', nullValues: ['?'], timestampFormat: '%d-%m-%Y %H:%M' },
    });
    const { objects, warnings, complete } = await connector.describe({});
    await connector.close();
    const times = objects[0]?.columns.filter((column) => column.sense === 'timestamp').map((column) => column.name);
    assert.deepEqual([objects.length, objects[0]?.name, objects[0]?.columns.length], [1, 'incident_event_log', 36]);
    assert.deepEqual(times, ['opened_at', 'sys_created_at', 'sys_updated_at', 'resolved_at', 'closed_at']);
    assert.deepEqual([warnings, complete], [[], true]);
  });
});

/** One row per source that cannot be described: settings, files, error code, message and place. */
const faults: readonly (readonly [
  title: string,
  settings: Record<string, unknown>,
  files: Files,
  code: string,
  message: RegExp,
  line?: number,
])[] = [
  [
    'no file matches',
    { path: 'data/*.csv' },
    { 'a.txt': 'x' },
    'file-missing',
    /^Data source files: no file in .* matches data\/\*\.csv\.$/,
  ],
  ['missing file', { path: 'data/b.csv' }, { 'a.csv': 'x' }, 'file-missing', /^There is no file .*b\.csv\.$/],
  [
    'folder instead of a file',
    { path: 'data/dir' },
    { 'dir/a.csv': 'x' },
    'file-unreadable',
    /dir is a folder, not a file\.$/,
  ],
  ['empty file', {}, { 'a.csv': '' }, 'source-empty', /a\.csv is empty\.$/],
  ['blank file', {}, { 'a.csv': '\n \n' }, 'source-empty', /a\.csv is empty\.$/],
  ['empty compressed file', {}, { 'a.csv.gz': gzipSync('') }, 'source-empty', /a\.csv\.gz is empty\.$/],
  ['compressed file without a byte', {}, { 'a.csv.gz': '' }, 'source-empty', /a\.csv\.gz is empty\.$/],
  ['empty JSON', { path: 'data/*' }, { 'a.json': '' }, 'source-empty', /a\.json is empty\.$/],
  ['blank JSON Lines', { path: 'data/*' }, { 'a.jsonl': '\n' }, 'source-empty', /a\.jsonl is empty\.$/],
  ['empty Parquet', { path: 'data/*' }, { 'a.parquet': '' }, 'source-empty', /a\.parquet is empty\.$/],
  ['JSON without records', { path: 'data/*' }, { 'a.json': '[]' }, 'source-empty', /a\.json has no records\.$/],
  [
    'JSON without records in a list',
    { path: 'data/*', records: 'value' },
    { 'a.json': '{"value":[]}' },
    'source-empty',
    /a\.json has no records in value\.$/,
  ],
  ['JSON without fields', { path: 'data/*' }, { 'a.json': '[{},{}]' }, 'source-empty', /a\.json has no fields\.$/],
  [
    'one field too many',
    {},
    { 'a.csv': 'x,y\n1,2\n3,4,5\n6,7\n' },
    'file-malformed',
    /^a\.csv, line 3: expected 2 columns, found 3 \(3,4,5\)\.$/,
    3,
  ],
  [
    'one field too few',
    {},
    { 'a.csv': 'x,y,z\n1,2,3\n4,5\n6,7,8\n' },
    'file-malformed',
    /^a\.csv, line 3: expected 3 columns, found 2 \(4,5\)\.$/,
    3,
  ],
  [
    'rows longer than the header',
    {},
    { 'a.csv': 'x,y\n1,2,3\n1,2,3\n1,2,3\n4,5,6\n' },
    'file-malformed',
    /^a\.csv, line 2: expected 2 columns, as the header has them, found 3\.$/,
    2,
  ],
  [
    'a title with more fields than the table',
    {},
    { 'a.csv': 'of,by,in\nx,y\n1,2\n3,4\n' },
    'file-malformed',
    /^a\.csv, line 1: expected 2 columns, as most lines have, found 3\.$/,
    1,
  ],
  [
    'a header behind the last line',
    { headerRow: 4 },
    { 'a.csv': 'x,y\n1,2\n' },
    'file-malformed',
    /a\.csv: headerRow is 4, and the last line is 2\.$/,
  ],
  [
    'ragged after quoted line breaks',
    {},
    { 'a.csv': 'x,y\n1,"a\nb\nc"\n\n3,4,5\n6,7\n' },
    'file-malformed',
    /^a\.csv, line 6: expected 2 columns, found 3/,
    6,
  ],
  [
    'open quote',
    {},
    { 'a.csv': 'x,y\n1,"a\n3,4\n' },
    'file-malformed',
    /^a\.csv, line 2: a quote that is never closed/,
    2,
  ],
  [
    'not the encoding said',
    { encoding: 'utf-8' },
    { 'a.csv': Buffer.from('x,y\n1,2\n3,caf\u00e9\n', 'latin1') },
    'file-malformed',
    /^a\.csv, line 3: bytes that are not UTF-8\.$/,
    3,
  ],
  [
    'no Latin-1',
    { encoding: 'latin-1' },
    { 'a.csv': Buffer.from('x,y\n1,\u0080\n', 'latin1') },
    'file-malformed',
    /^a\.csv: bytes that are not latin-1\.$/,
  ],
  [
    'binary',
    {},
    { 'a.csv': Buffer.from([1, 2, 0, 3, 10, 0, 44, 255]) },
    'file-malformed',
    /a\.csv holds binary data \(a NUL at byte 3\)/,
  ],
  [
    'workbook',
    {},
    { 'a.csv': Buffer.from('PK\x03\x04\x14\0\x06\0') },
    'file-malformed',
    /a\.csv is a zip archive or an Excel workbook, not a text file\.$/,
  ],
  [
    'compressed without the file extension',
    {},
    { 'a.csv': gzipSync('x\n1\n') },
    'file-malformed',
    /a\.csv is compressed with gzip, not a text file\.$/,
  ],
  ['not compressed', {}, { 'a.csv.gz': 'x\n1\n' }, 'file-malformed', /a\.csv\.gz is not a valid gzip file\.$/],
  [
    'cut compressed file',
    {},
    { 'a.csv.gz': gzipSync('x\n1\n2\n').subarray(0, 15) },
    'file-malformed',
    /a\.csv\.gz ends too early: it is not a complete gzip file\.$/,
  ],
  [
    'malformed JSON lines',
    {},
    { 'a.jsonl': '{"a": 1}\n{bad}\n{"a": 3}\n' },
    'file-malformed',
    /^a\.jsonl, line 2: Malformed JSON/,
    2,
  ],
  ['no Parquet', {}, { 'a.parquet': 'x,y' }, 'file-malformed', /^a\.parquet: .*too small to be a Parquet file\.$/],
  [
    'one base name twice',
    {},
    { 'a.csv': 'x\n1\n', 'a.tsv': 'x\n1\n' },
    'source-config',
    /a\.csv and .*a\.tsv are both the data object a\.$/,
  ],
  [
    'names that differ by case',
    {},
    { 'a.csv': 'x\n1\n', 'A.tsv': 'x\n1\n' },
    'source-config',
    /A\.tsv and .*a\.csv give data objects whose names differ only by case\.$/,
  ],
  [
    'unknown encoding',
    { encoding: 'klingon' },
    { 'a.csv': 'x\n1\n' },
    'source-config',
    /a\.csv: there is no encoding of this name\.$/,
  ],
  ['no path', { path: [] }, {}, 'source-config', /^Data source files: path must be a path/],
];

describe('unsupported files', () => {
  for (const [title, settings, files, code, message, line] of faults) {
    it(`explains: ${title}`, async () => {
      await assert.rejects(describeFiles(files, { settings }), (error) => {
        assert.ok(isSourceError(error), String(error));
        assert.deepEqual([error.code, error.details.line], [code, line], error.message);
        assert.match(error.message, message);
        assert.ok(error.details.remedy);
        return true;
      });
    });
  }
});
