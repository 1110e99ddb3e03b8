import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Catalog } from '../../server/src/catalog/catalog.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { csvConnector, fileQuery } from '../support/csv-source.ts';
import { type ImportedProject, graphText, withProject } from '../support/import-text.ts';
import { writeParquet } from '../support/parquet-files.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { fullImport, wholeGraph } from '../support/whole-graph.ts';
import { workbookOf } from '../support/workbook.ts';

interface Files {
  readonly texts?: Readonly<Record<string, string | Uint8Array>>;
  /** SQL of the rows of Parquet files. */
  readonly parquet?: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, unknown>>;
}

async function withFiles<T>({ texts = {}, parquet = {} }: Files, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await folderWith(texts);
  try {
    await writeParquet(folder, parquet);
    return await use(folder);
  } finally {
    await removeFolder(folder);
  }
}

/** `name: column type, …` of each data object. */
async function shapes(files: Files): Promise<readonly string[]> {
  return withFiles(files, async (folder) => {
    const connector = await csvConnector(folder, { settings: files.settings });
    try {
      return shapesOf(await connector.describe({}));
    } finally {
      await connector.close();
    }
  });
}

function shapesOf({ objects }: Catalog): readonly string[] {
  return objects.map(
    ({ name, columns }) => `${name}: ${columns.map((each) => `${each.name} ${each.type}`).join(', ')}`,
  );
}

/** The rows of a query as texts, as staged by an import. */
async function staged(files: Files, sql: string, object: string): Promise<unknown> {
  return withFiles(files, async (folder) => {
    const connector = await csvConnector(folder, { settings: files.settings });
    try {
      return await withBuildDatabase(async (staging) => {
        const pull = await connector.openPull(staging, {});
        await pull.load(fileQuery(sql, [object]), 'staged', {});
        await pull.close();
        return (await staging.table('SELECT COLUMNS(*)::VARCHAR FROM staged ORDER BY rowid')).rows;
      });
    } finally {
      await connector.close();
    }
  });
}

const sales = { path: 'sales/**/*.parquet' };

describe('folders divided by values', () => {
  const parquet = {
    'sales/dt=2024-01-01/part-00000.parquet': 'SELECT 1 AS id',
    'sales/dt=2024-01-02/part-00000.parquet': 'SELECT 2 AS id UNION ALL SELECT 3',
  };

  it('are one data object, with a column for each name', async () => {
    assert.deepEqual(await shapes({ parquet, settings: sales }), ['sales: id INTEGER, dt DATE']);
    assert.deepEqual(await staged({ parquet, settings: sales }, 'SELECT id, dt FROM sales', 'sales'), [
      ['1', '2024-01-01'],
      ['2', '2024-01-02'],
      ['3', '2024-01-02'],
    ]);
  });

  const types: readonly (readonly [values: readonly string[], type: string, read: readonly (string | null)[]])[] = [
    [['1', '-20'], 'BIGINT', ['1', '-20']],
    [['01', '12'], 'VARCHAR', ['01', '12']],
    [['2024-01-01', '2024-02-30'], 'VARCHAR', ['2024-01-01', '2024-02-30']],
    [['2024-01-01 10%3A00%3A00', '2024-01-02'], 'TIMESTAMP', ['2024-01-01 10:00:00', '2024-01-02 00:00:00']],
    [['a b', 'x%2Fy'], 'VARCHAR', ['a b', 'x/y']],
    [['1', '__HIVE_DEFAULT_PARTITION__'], 'BIGINT', ['1', null]],
    [['100%', "it's"], 'VARCHAR', ['100%', "it's"]],
  ];
  for (const [values, type, read] of types) {
    it(`have values of the type ${type}: ${values.join(', ')}`, async () => {
      const files = {
        texts: Object.fromEntries(values.map((value, at) => [`sales/v=${value}/a.csv`, `n\n${at}\n`])),
        settings: { path: 'sales/**/*.csv' },
      };
      assert.deepEqual(await shapes(files), [`sales: n BIGINT, v ${type}`]);
      assert.deepEqual(
        await staged(files, 'SELECT v FROM sales ORDER BY n', 'sales'),
        read.map((text) => [text]),
      );
    });
  }

  it('may be nested, and of text files with any compression', async () => {
    const texts = {
      'sales.csv/year=2024/region=eu/a.csv': 'id\n1\n',
      'sales.csv/year=2025/region=us/a.csv.gz': gzipSync('id\n2\n'),
    };
    const files = { texts, settings: { path: 'sales.csv/**/*', types: { year: 'VARCHAR' } } };
    assert.deepEqual(await shapes(files), ['sales: id BIGINT, year VARCHAR, region VARCHAR']);
    assert.deepEqual(await staged(files, "SELECT id, year FROM sales WHERE region = 'us'", 'sales'), [['2', '2025']]);
  });

  it('have the types and missing values that are set for their files, too', async () => {
    const texts = { 'sales/v=1/a.csv': 'id\n1\n', 'sales/v=NA/b.csv': 'id\nNA\n' };
    const path = 'sales/**/*';
    const nullValues = ['NA'];
    for (const settings of [{ nullValues }, { files: { 'a.csv': { nullValues }, 'b.csv': { nullValues } } }]) {
      const files = { texts, settings: { path, ...settings } };
      assert.deepEqual(await shapes(files), ['sales: id BIGINT, v BIGINT']);
      assert.deepEqual(await staged(files, 'SELECT id, v FROM sales', 'sales'), [
        ['1', '1'],
        [null, null],
      ]);
    }
    const typed = (a: string, b?: string) => ({
      texts: { 'sales/v=1/a.csv': 'id\n1\n', 'sales/v=2/b.csv': 'id\n2\n' },
      settings: { path, files: { 'a.csv': { types: { v: a } }, ...(b && { 'b.csv': { types: { v: b } } }) } },
    });
    assert.deepEqual(await shapes(typed('VARCHAR')), ['sales: id BIGINT, v VARCHAR']);
    await assert.rejects(shapes(typed('VARCHAR', 'DOUBLE')), {
      code: 'source-config',
      message: 'types names VARCHAR and DOUBLE for v, which is one column of all files in the folders v=….',
    });
  });

  it('give no column that the files have themselves', async () => {
    const own = { 'sales/dt=x%3Ay/0.parquet': "SELECT 'x:y' AS dt, 1 AS id" };
    assert.deepEqual(await shapes({ parquet: own, settings: sales }), ['sales: dt VARCHAR, id INTEGER']);
  });

  it('may be selected by parts, also beside the data sources file', async () => {
    const texts = { 'dt=2024-01-01/orders.csv': 'id\n1\n', 'dt=2024-01-02/orders.csv': 'id\n2\n' };
    const settings = { path: '**/*.csv', parts: { all: '**/*.csv' } };
    assert.deepEqual(await shapes({ texts, settings }), ['all: id BIGINT, dt DATE']);
  });

  it('refuse a declared type that a value does not have, other names of folders, and files of another format', async () => {
    const wrong = { texts: { 'sales/v=x/a.csv': 'id\n1\n' }, settings: { path: 'sales/**/*', types: { v: 'DATE' } } };
    await assert.rejects(shapes(wrong), {
      code: 'source-config',
      message: /DATE for v, and the folder v=x has another/,
    });
    const unlike = { 'sales/v=x/a.csv': 'id\n1\n', 'sales/w=x/a.csv': 'id\n1\n' };
    await assert.rejects(shapes({ texts: unlike, settings: { path: 'sales/**/*' } }), { code: 'source-config' });
    const mixed = { 'sales/v=x/a.csv': 'id\n1\n', 'sales/v=y/a.json': '{"id":1}\n' };
    await assert.rejects(shapes({ texts: mixed, settings: { path: 'sales/**/*' } }), {
      code: 'source-config',
      message: /are of two formats, and cannot both be parts of sales/,
    });
  });

  it('are named in messages about files of one name', async () => {
    const refused = async (files: Omit<Files, 'settings'>, types: object, message: RegExp): Promise<void> => {
      const settings = { path: 'sales/**/*', types };
      await assert.rejects(staged({ ...files, settings }, 'SELECT * FROM sales', 'sales'), { message });
    };
    const texts = { 'sales/v=1/a.csv': 'id,n\n1,2\n', 'sales/v=2/a.csv': 'id,n\n1,x\n' };
    await refused({ texts }, { n: 'BIGINT' }, /^v=2\/a\.csv, line 2: "x" in column n is not a BIGINT/);
    const fewer = { ...texts, 'sales/v=2/a.csv': 'id\n1\n' };
    await refused({ texts: fewer }, {}, /^v=2\/a\.csv has other columns than v=1\/a\.csv/);
    const parquet = { 'sales/v=1/a.parquet': 'SELECT 1 AS n', 'sales/v=2/a.parquet': "SELECT 'x' AS n" };
    await refused({ parquet }, {}, /^Column n is INTEGER in v=1\/a\.parquet and VARCHAR in v=2\/a\.parquet/);
  });

  it('are read again only in new files, and give keys and properties', async () => {
    const sources = 'version: 1\ndataSources:\n  shop: { kind: csv, path: "orders/**/*.parquet" }\n';
    const element = `  - activityName: Place Order
    dataObject: orders
    key: [region, id]
    startTimestamp: dt
    properties: [dt, region]
`;
    const files = { 'entity-sources.yaml': sources, 'graph.entity.yaml': graphText(element) };
    await withProject(files, async (project) => {
      await writeParquet(project.folder, {
        'orders/dt=2024-01-01/region=1/a.parquet': 'SELECT 1 AS id',
        'orders/dt=2024-01-02/region=2/a.parquet': 'SELECT 1 AS id',
      });
      await project.import();
      const rows = `SELECT key, strftime(time, '%Y-%m-%d'), region FROM event JOIN entity ON entity.id = entity_id
        JOIN properties_1 ON event_id = event.id ORDER BY event.id`;
      assert.deepEqual(await project.rows(rows), [
        ['["1","1"]', '2024-01-01', '1'],
        ['["2","1"]', '2024-01-02', '2'],
      ]);
      await writeParquet(project.folder, { 'orders/dt=2024-01-03/region=3/a.parquet': 'SELECT 1 AS id' });
      assert.equal(await keptRows(project), 2);
      await assertEqualsFull(project);
      rmSync(join(project.folder, 'orders/dt=2024-01-01'), { recursive: true });
      await assertEqualsFull(project);
      assert.equal((await project.rows(rows)).length, 2);
    });
  });
});

describe('parts', () => {
  it('of Parquet have the columns of all files', async () => {
    const parquet = {
      'a.parquet':
        "SELECT 1::TINYINT AS id, 0.5::FLOAT AS f, 7::BIGINT AS gaps, DATE '2024-01-01' AS t, 5::UBIGINT AS u",
      'b.parquet':
        "SELECT 2::INTEGER AS id, 2.5::DOUBLE AS f, NULL::DOUBLE AS gaps, TIMESTAMP '2024-01-02 10:00' AS t, 'x' AS note, 3::BIGINT AS u",
    };
    const files = { parquet, settings: { path: '*.parquet', parts: { all: '*' } } };
    assert.deepEqual(await shapes(files), [
      'all: id INTEGER, f DOUBLE, gaps DOUBLE, t TIMESTAMP, u HUGEINT, note VARCHAR',
    ]);
    assert.deepEqual(await staged(files, 'SELECT * FROM "all"', 'all'), [
      ['1', '0.5', '7.0', '2024-01-01 00:00:00', '5', null],
      ['2', '2.5', null, '2024-01-02 10:00:00', '3', 'x'],
    ]);
  });

  it('of Parquet take no type from a file without values', async () => {
    const parquet = {
      'a.parquet': 'SELECT 1 AS id, NULL::INTEGER AS note',
      'b.parquet': "SELECT 2 AS id, 'x' AS note",
    };
    const files = { parquet, settings: { path: '*.parquet', parts: { all: '*' } } };
    assert.deepEqual(await staged(files, 'SELECT * FROM "all"', 'all'), [
      ['1', null],
      ['2', 'x'],
    ]);
  });

  it('of Parquet refuse what no type holds', async () => {
    const settings = { path: '*.parquet', parts: { all: '*' } };
    const refused = async (one: string, other: string, message: RegExp): Promise<void> => {
      const parquet = { 'a.parquet': `SELECT ${one}`, 'b.parquet': `SELECT ${other}` };
      await assert.rejects(shapes({ parquet, settings }), { code: 'source-config', message });
    };
    await refused('1 AS v', "'x' AS v", /Column v is INTEGER in a\.parquet and VARCHAR in b\.parquet/);
    await refused("'x' AS v", '1 AS v', /Column v is VARCHAR in a\.parquet and INTEGER in b\.parquet/);
    await refused('now() AS v', 'now()::TIMESTAMP AS v', /no type holds the values of both/);
    await refused('1 AS v', '1 AS V', /differ only by case/);
    const digits = { 'a.parquet': 'SELECT 9007199254740993 AS v', 'b.parquet': 'SELECT 0.5::DOUBLE AS v' };
    await assert.rejects(staged({ parquet: digits, settings }, 'SELECT v FROM "all"', 'all'), {
      code: 'file-malformed',
      message: /^a\.parquet, record 1: "9007199254740993" in column v has more digits than a DOUBLE keeps/,
    });
  });

  it('of JSON have the fields of all files, and types of all values', async () => {
    const texts = {
      'a.json': '[{"id": 1, "t": "2024-01-01", "o": {"x": 1}}]',
      'b.jsonl': '{"id": 2.5, "t": "2024-01-02 10:00:00", "o": {"y": "b"}}\n{"id": 3, "late": true}\n',
    };
    const files = { texts, settings: { path: '*.json*', parts: { all: '*' } } };
    assert.deepEqual(await shapes(files), ['all: id DOUBLE, t TIMESTAMP, o STRUCT(x BIGINT, y VARCHAR), late BOOLEAN']);
    assert.deepEqual(await staged(files, 'SELECT id, t, o.x, o.y, late FROM "all"', 'all'), [
      ['1.0', '2024-01-01 00:00:00', '1', null, null],
      ['2.5', '2024-01-02 10:00:00', null, 'b', null],
      ['3.0', null, null, null, 'true'],
    ]);
  });

  it('of JSON name file and record of a value of another type than is declared', async () => {
    const texts = { 'a.json': '[{"id": 1}]', 'b.json': '[{"id": 1}, {"id": "x"}]' };
    const settings = { path: '*.json', parts: { all: '*' }, types: { id: 'BIGINT' } };
    await assert.rejects(staged({ texts, settings }, 'SELECT id FROM "all"', 'all'), {
      code: 'file-malformed',
      message: /^b\.json, record 2: "x" in column id is not a BIGINT/,
    });
  });

  it('of JSON have the settings of all, or are refused', async () => {
    const texts = { 'a.json': '[{"t": "01.02.2024"}]', 'b.json': '[{"t": "03.02.2024"}, {"u": 1}]' };
    const settings = { path: '*.json', parts: { all: '*' } };
    const files = { texts, settings: { ...settings, dateFormat: '%d.%m.%Y' } };
    assert.deepEqual(await shapes(files), ['all: t DATE, u BIGINT']);
    const one = { ...settings, files: { 'b.json': { dateFormat: '%d.%m.%Y' } } };
    await assert.rejects(shapes({ texts, settings: one }), { code: 'source-config' });
  });
});

describe('folders with one name inside each other', () => {
  it('are refused, also in another case of letters', async () => {
    for (const inner of ['dt', 'DT']) {
      const texts = { [`sales/dt=1/${inner}=2/a.csv`]: 'id\n1\n' };
      await assert.rejects(shapes({ texts, settings: { path: 'sales/**/*.csv' } }), {
        code: 'source-config',
        message: new RegExp(`a\\.csv is in two folders with the name ${inner} before the =`),
      });
    }
  });
});

describe('workbooks', () => {
  const one = workbookOf({ rows: '<row><c t="str"><v>id</v></c></row><row><c><v>1</v></c></row>' });

  it('cannot be parts of a data object, and are named', async () => {
    const texts = { 'a.xlsx': one, 'b.xlsx': one };
    await assert.rejects(shapes({ texts, settings: { path: '*.xlsx', parts: { all: '*' } } }), {
      code: 'source-config',
      message: /a\.xlsx would be a part of all, but a workbook cannot be one/,
    });
  });

  it('cannot be in folders divided by values, also beside other files', async () => {
    for (const other of ['dt=2/a.csv', 'dt=2/b.xlsx']) {
      const texts = { 'sales/dt=1/a.xlsx': one, [`sales/${other}`]: other.endsWith('.csv') ? 'id\n1\n' : one };
      await assert.rejects(shapes({ texts, settings: { path: 'sales/**/*' } }), {
        code: 'source-config',
        message: /a\.xlsx would be a part of sales, but a workbook cannot be one/,
      });
    }
  });
});

describe('JSON files', () => {
  const answer =
    '{"@odata.context": "x", "value": [{"id": 1, "t": "[\\"]"}, {"id": 2.5}], "next": {"value": [{"no": 1}]}}';

  it('may be compressed', async () => {
    const lines = gzipSync('{"id": 1}\n{"id": 90071992547409.93}\n');
    const texts = {
      'a.json.gz': gzipSync('[{"id": 1}]'),
      'b.jsonl.gz': lines,
      'c.ndjson.gz': gzipSync('{"t": "2024-01-01"}'),
    };
    const settings = { path: '*.gz' };
    assert.deepEqual(await shapes({ texts, settings }), ['a: id BIGINT', 'b: id DECIMAL(16,2)', 'c: t DATE']);
    assert.deepEqual(await staged({ texts, settings }, 'SELECT id FROM a', 'a'), [['1']]);
    assert.deepEqual(await staged({ texts, settings }, 'SELECT id FROM b', 'b'), [['1.00'], ['90071992547409.93']]);
    const parts = { texts, settings: { ...settings, parts: { all: '*' } } };
    assert.deepEqual(await staged(parts, 'SELECT id FROM "all"', 'all'), [
      ['1.00'],
      ['1.00'],
      ['90071992547409.93'],
      [null],
    ]);
    const cut = { 'a.json.gz': lines.subarray(0, -9) };
    await assert.rejects(shapes({ texts: cut, settings }), { code: 'file-malformed', message: /ends too early/ });
  });

  const wrapped: readonly (readonly [what: string, file: string, text: string | Uint8Array, records: string])[] = [
    ['an answer of OData', 'a.json', answer, 'value'],
    ['a compressed file', 'a.json.gz', gzipSync(answer), 'value'],
    [
      'inner objects',
      'a.json',
      `{"d": {"x": {"results": [9]}, "results": [{"id": 1, "t": "[\\"]"}, {"id": 2.5}]}}`,
      'd.results',
    ],
    ['a name with escaped letters', 'a.json', answer.replace('"value"', '"v\\u0061lue"'), 'value'],
    [
      'the list at the end',
      'a.json',
      '\ufeff{"a": [1, {"value": 2}], "value": [{"id": 1, "t": "[\\"]"}, {"id": 2.5}]}',
      'value',
    ],
    ['one line', 'a.jsonl', answer, 'value'],
  ];
  for (const [what, file, text, records] of wrapped) {
    it(`have the records of the list that the setting records names: ${what}`, async () => {
      const files = { texts: { [file]: text }, settings: { path: 'a.*', records } };
      assert.deepEqual(await shapes(files), ['a: id DOUBLE, t VARCHAR']);
      assert.deepEqual(await staged(files, 'SELECT id, t FROM a', 'a'), [
        ['1.0', '["]'],
        ['2.5', null],
      ]);
    });
  }

  it('have records in lists of several parts, in a given format', async () => {
    const texts = { 'a.json': '{"value": [{"t": "01.02.2024"}]}', 'b.json': '{"value": [], "n": 1}' };
    const settings = { path: '*.json', records: 'value', dateFormat: '%d.%m.%Y', parts: { all: '*' } };
    assert.deepEqual(await shapes({ texts, settings }), ['all: t DATE']);
    assert.deepEqual(await staged({ texts, settings }, 'SELECT t FROM "all"', 'all'), [['2024-02-01']]);
  });

  const refused: readonly (readonly [text: string, message: RegExp])[] = [
    ['{"values": []}', /^a\.json has no list "value", which records names\./],
    ['[{"value": []}]', /^a\.json has no list "value", which records names\./],
    ['{"value": {"value": []}}', /^a\.json has no list "value", which records names\./],
    ['{"value": [1', /^a\.json ends within a value: it is no complete JSON\./],
    ['{"value": [], "value": []}', /^a\.json has more than one list "value"\./],
    ['{"value": [{"id" 1}]}', /a\.json/],
    ['{"value": [{"id": 1}]} trailing', /^a\.json has text before or behind its object: it is not JSON\./],
    ['{"value": [{"id": 1}]}\n{"n": 2}', /^a\.json has text before or behind its object: it is not JSON\./],
    ['{"value": [{"id": 1}]}]', /^a\.json has text before or behind its object: it is not JSON\./],
    ['callback({"value": [{"id": 1}]})', /^a\.json has text before or behind its object: it is not JSON\./],
  ];
  for (const [text, message] of refused) {
    it(`are refused where the list is wrong: ${text}`, async () => {
      const files = { texts: { 'a.json': text }, settings: { path: '*.json', records: 'value' } };
      await assert.rejects(shapes(files), { code: 'file-malformed', message });
    });
  }

  it('are said to need the setting records where a single record has one list of records', async () => {
    const warnings = async (text: string, settings = {}): Promise<readonly string[]> =>
      withFiles({ texts: { 'a.json': text }, settings }, async (folder) => {
        const connector = await csvConnector(folder, { settings: { path: '*.json', ...settings } });
        try {
          return (await connector.describe({})).warnings;
        } finally {
          await connector.close();
        }
      });
    assert.deepEqual(await warnings(answer.replace('"next"', '"next": 1, "then"').replace('{"no": 1}', '1')), [
      'a.json is one record; set records: value if the items of that list are the records.',
    ]);
    assert.deepEqual(await warnings('{"d": {"results": [{"id": 1}]}}'), [
      'a.json is one record; set records: d.results if the items of that list are the records.',
    ]);
    assert.deepEqual(await warnings(answer, { records: 'value' }), []);
    assert.deepEqual(await warnings('[{"lines": [{"id": 1}]}, {"lines": [{"id": 2}]}]'), []);
  });
});

describe('previews', () => {
  const previews: readonly (readonly [what: string, files: Files, sql: string, object: string, rows: unknown])[] = [
    [
      'folders',
      { parquet: { 'sales/dt=2024-01-02/a.parquet': 'SELECT 1 AS id' }, settings: sales },
      'SELECT id, dt FROM sales',
      'sales',
      [[1, '2024-01-02']],
    ],
    [
      'a list in a compressed JSON file',
      { texts: { 'a.json.gz': gzipSync('{"value": [{"id": 1}]}') }, settings: { path: '*.gz', records: 'value' } },
      'SELECT id FROM a',
      'a',
      [['1']],
    ],
    [
      'parts of Parquet with other types',
      {
        parquet: { 'a.parquet': 'SELECT 1 AS id', 'b.parquet': 'SELECT 2.5::DOUBLE AS id' },
        settings: { path: '*.parquet', parts: { all: '*' } },
      },
      'SELECT id FROM "all"',
      'all',
      [[1], [2.5]],
    ],
  ];
  for (const [what, files, sql, object, rows] of previews) {
    it(`read ${what}`, () =>
      withFiles(files, async (folder) => {
        const connector = await csvConnector(folder, { settings: files.settings });
        try {
          const preview = await connector.preview(fileQuery(sql, [object]), { limit: 10 });
          assert.deepEqual(preview.rows, rows);
        } finally {
          await connector.close();
        }
      }));
  }
});

/** Rows that an import took from the row cache. */
async function keptRows(project: ImportedProject): Promise<number | undefined> {
  const { steps = [] } = await project.import();
  return steps.find(({ keptRows: kept }) => kept !== undefined)?.keptRows;
}

async function assertEqualsFull(project: ImportedProject): Promise<void> {
  const { status, error } = await project.import();
  assert.equal(status, 'imported', error?.message);
  const incremental = await wholeGraph(project);
  await project.import(fullImport);
  assert.deepEqual(incremental, await wholeGraph(project));
}
