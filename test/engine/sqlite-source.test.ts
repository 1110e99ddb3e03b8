import assert from 'node:assert/strict';
import { open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { noSecrets } from '../support/no-secrets.ts';
import { isSourceError } from '../../server/src/connectors/source-error.ts';
import { validateFile } from '../../server/src/operations/validation/validate.ts';
import type { CompiledQuery } from '../../server/src/query/compiled-query.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { createConnector } from '../support/create-connector.ts';
import { graphText, withGraph } from '../support/import-text.ts';
import { dataSource } from '../support/postgresql-source.ts';
import { createSqliteFile, whileLocked } from '../support/sqlite-database.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const shop = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, code VARCHAR(5));
  CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customer REFERENCES customers, placed DATETIME, paid INTEGER, seen REAL,
    total DECIMAL(10,2), twice REAL GENERATED ALWAYS AS (total * 2) VIRTUAL, is_open BOOLEAN, picture BLOB, anything
  );
  CREATE TABLE lines (order_id INTEGER, line INTEGER, packed TEXT, PRIMARY KEY (order_id, line)) WITHOUT ROWID;
  CREATE VIEW large_orders AS SELECT id, placed, total + 1 AS more FROM orders WHERE total >= 10;
  INSERT INTO customers VALUES (1, 'Ann', '01'), (2, 'Bob "B", Jr' || char(10), '1');
  INSERT INTO orders (id, customer, placed, paid, seen, total, is_open, picture, anything) VALUES
    (1, 1, '2024-01-01 10:00:00', 1704103200, 2460311.5, 9.5, 1, x'00ff', 'text'),
    (2, 1, '2024-01-02 10:00', 1704189600, 2460312.25, 10, 0, NULL, 3),
    (9007199254740993, 2, '2024-01-03T10:00:00.5', NULL, NULL, 12.25, NULL, NULL, 1.5);
  INSERT INTO lines VALUES (1, 1, '2024-01-01T11:00:00+01:00'), (2, 1, NULL);
`;

const sources =
  'version: 1\ndataSources:\n  shop: { kind: sqlite, path: shop.sqlite, times: { orders.paid: unix-seconds, orders.seen: julian-days } }\n';

/** docs/sqlite.md */
describe('sqlite › a database file as a data source', () => {
  let folder = '';
  let file = '';
  beforeEach(async () => {
    folder = await folderWith({});
    file = join(folder, 'shop.sqlite');
    createSqliteFile(file, shop);
  });
  afterEach(() => removeFolder(folder));

  const connect = (settings: Readonly<Record<string, unknown>> = {}) =>
    createConnector(dataSource('shop', { kind: 'sqlite', path: 'shop.sqlite', ...settings }), { folder, ...noSecrets });

  const queryOf = (sql: string, dataObjects: readonly string[] = ['orders']): CompiledQuery => ({
    ...{ dialect: 'sqlite', sql, columns: [], dataObjects, fragments: [], references: [] },
  });

  async function describeFile(settings: Readonly<Record<string, unknown>> = {}) {
    const connector = await connect(settings);
    return connector.describe({}).finally(() => connector.close());
  }

  /** The message and remedy of a file or query that fails. */
  async function refusal(work: Promise<unknown>): Promise<string> {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(isSourceError(error), String(error));
    return `${error.code}: ${error.message} ${error.details.remedy ?? ''}`.replaceAll(folder, '…').trim();
  }

  async function firstRows(sql: string, settings: Readonly<Record<string, unknown>> = {}) {
    const connector = await connect(settings);
    const { columns, rows } = await connector.preview(queryOf(sql), { limit: 10 }).finally(() => connector.close());
    return { types: columns.map(({ type }) => type), rows };
  }

  it('the catalog has tables, views, keys, generated columns and types by affinity, with warnings about guesses', async () => {
    const { objects, warnings } = await describeFile({
      times: { 'orders.paid': 'unix-seconds', 'orders.gone': 'text' },
    });
    assert.deepEqual(
      objects.map(
        ({ name, kind, primaryKey, columns }) =>
          `${kind} ${name} by ${primaryKey.join('+')}: ${columns.map((each) => `${each.name} ${each.type} ${each.sense}${each.references ? ` → ${each.references.dataObject}.${each.references.column}` : ''}`).join(', ')}`,
      ),
      [
        'table customers by id: id INTEGER integer, name TEXT text, code VARCHAR(5) text',
        'view large_orders by : id INTEGER integer, placed TIMESTAMP as text timestamp, more REAL number',
        'table lines by order_id+line: order_id INTEGER integer, line INTEGER integer, packed TIMESTAMP as text timestamp',
        'table orders by id: id INTEGER integer, customer INTEGER integer → customers.id, placed TIMESTAMP as text timestamp, paid TIMESTAMP as Unix seconds timestamp, seen REAL number, total DECIMAL(10,2) number, twice REAL number, is_open BOOLEAN boolean, picture BLOB binary, anything TEXT text',
      ],
    );
    assert.equal(
      objects.find(({ name }) => name === 'orders')?.columns.find(({ name }) => name === 'placed')?.comment,
      'Read as TIMESTAMP as text, guessed from the first values. Set times.orders.placed to change it.',
    );
    assert.deepEqual(warnings, ['Data source shop: times.orders.gone names no column of the file.']);
  });

  it('Test Query shows values of all types', async () => {
    const { types, rows } = await firstRows(
      'SELECT id, placed, paid, seen, total, twice, is_open, picture, anything, total > 10 AS is_large FROM orders ORDER BY id',
      { times: { 'orders.paid': 'unix-seconds', 'orders.seen': 'julian-days' } },
    );
    assert.deepEqual(types.slice(1, 4), ['TIMESTAMP as text', 'TIMESTAMP as Unix seconds', 'TIMESTAMP as Julian days']);
    assert.deepEqual(rows, [
      [
        '1',
        '2024-01-01T10:00:00.000000Z',
        '2024-01-01T10:00:00.000000Z',
        '2024-01-02T00:00:00.000000Z',
        9.5,
        19,
        true,
        '00ff',
        'text',
        '0',
      ],
      [
        '2',
        '2024-01-02T10:00:00.000000Z',
        '2024-01-02T10:00:00.000000Z',
        '2024-01-02T18:00:00.000000Z',
        10,
        20,
        false,
        null,
        3,
        '0',
      ],
      ['9007199254740993', '2024-01-03T10:00:00.500000Z', null, null, 12.25, 24.5, null, null, 1.5, '1'],
    ]);
  });

  it('an import reads tables and views in one transaction, and leaves the file as it was', () =>
    withGraph(
      {
        'entity-sources.yaml': sources,
        'graph.entity.yaml': graphText(
          `  - { activityName: Place Order, dataObject: orders, entityType: order, startTimestamp: placed, changeTimestamp: paid, properties: [total, seen, is_open, anything] }
  - { activityName: Win Customer, dataObject: customers, entityType: customer, key: code, joins: "JOIN orders AS o ON o.customer = customers.id", startTimestamp: o.placed, properties: [name] }
  - { activityName: Pack Line, dataObject: lines, entityType: line, startTimestamp: packed }
  - { activityName: Approve Order, dataObject: large_orders, entityType: order, key: id, startTimestamp: placed, where: "more > 11" }
`,
          `  - { name: buys, source: Win Customer, target: Place Order, mappings: [{ source: id, target: customer }] }\n`,
        ),
      },
      async (project) => {
        const path = join(project.folder, 'shop.sqlite');
        createSqliteFile(path, shop);
        const before = await readFile(path);
        const { status, error, relationships, warnings } = await project.import();
        assert.equal(status, 'imported', error?.message);
        assert.deepEqual(
          relationships.map(({ name, pairs }) => `${name} ${pairs}`),
          ['buys 3'],
        );
        assert.deepEqual(await project.rows(`SELECT entity_type, key FROM entity ORDER BY ALL`), [
          ['customer', '01'],
          ['customer', '1'],
          ['line', '["1","1"]'],
          ['line', '["2","1"]'],
          ['order', '1'],
          ['order', '2'],
          ['order', '9007199254740993'],
        ]);
        assert.deepEqual(
          await project.rows(`SELECT total, CAST(seen AS VARCHAR), is_open, anything FROM properties_1 ORDER BY total`),
          [
            [9.5, '2024-01-02 00:00:00', true, 'text'],
            [10, '2024-01-02 18:00:00', false, '3'],
            [12.25, null, null, '1.5'],
          ],
        );
        assert.ok(before.equals(await readFile(path)), 'the file has changed');
        assert.deepEqual(warnings, ['The joins of "Win Customer" make 3 rows of 2 (× 1.5): each of them is an event.']);
      },
    ));

  it('a column with values of other types than its own becomes text, with a warning', async () => {
    createSqliteFile(file, `CREATE TABLE mixed (n INTEGER); INSERT INTO mixed VALUES (1), (1.5), ('many')`);
    const connector = await connect();
    await withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      const { columns, warnings, sourceRows } = await pull.load(queryOf('SELECT n FROM mixed', ['mixed']), 'mixed', {});
      await pull.close();
      assert.deepEqual(await staging.query('SELECT c1 FROM mixed'), [{ c1: '1' }, { c1: '1.5' }, { c1: 'many' }]);
      assert.deepEqual(
        [sourceRows, columns.map(({ stagedType }) => stagedType), warnings],
        [3, ['VARCHAR'], ['n has the value many, which is no INTEGER: its values are texts in the graph.']],
      );
    });
    await connector.close();
  });

  it('a column that holds no times names the setting that declares them', async () => {
    const graph = graphText(
      '  - { activityName: Place, dataObject: orders, key: id, startTimestamp: total }\n  - { activityName: Name, dataObject: customers, key: id, startTimestamp: code }\n',
    );
    await writeFile(join(folder, 'entity-sources.yaml'), sources);
    await writeFile(join(folder, 'graph.entity.yaml'), graph);
    const projectContext = { ...noSecrets, environment: process.env, workspaceFolderOf: () => folder };
    const { problems } = await validateFile(join(folder, 'graph.entity.yaml'), projectContext, { online: true });
    assert.deepEqual(
      problems.filter(({ code }) => code === 'timestamp-type').map(({ message }) => message),
      [
        '"total" is of type DECIMAL(10,2), which holds no time. Choose a column with timestamps or dates. Times are declared in "times" of the data source.',
        '"code" is text (VARCHAR(5)): its values are read as times when the graph is imported, and one that is none stops the import. Times are declared in "times" of the data source.',
      ],
    );
  });

  it('texts keep quotes, line ends, commas and empty texts apart from NULL', async () => {
    createSqliteFile(
      file,
      `CREATE TABLE texts (t TEXT); INSERT INTO texts VALUES (''), (NULL), ('a,"b"' || char(13, 10) || 'c'), ('NULL'), ('a\ufffd'), ('ü😀')`,
    );
    const connector = await connect();
    await withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      await pull.load(queryOf('SELECT t FROM texts', ['texts']), 'texts', {});
      await pull.close();
      assert.deepEqual(
        (await staging.query('SELECT c1 FROM texts')).map(({ c1 }) => c1),
        ['', null, 'a,"b"\r\nc', 'NULL', 'a\ufffd', 'ü😀'],
      );
    });
    await connector.close();
  });

  it('texts that are not UTF-8 are refused by name, as several would become one', async () => {
    createSqliteFile(
      file,
      `CREATE TABLE texts (id INTEGER, t TEXT); INSERT INTO texts VALUES (1, 'a\ufffd'), (2, CAST(x'61ff' AS TEXT)), (3, CAST(x'61fe' AS TEXT))`,
    );
    const connector = await connect();
    await withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      await assert.rejects(pull.load(queryOf('SELECT id, t FROM texts', ['texts']), 'texts', {}), {
        code: 'type-mismatch',
        message: 't has a text whose bytes are not UTF-8: "a\ufffd", with \ufffd in their place.',
      });
      const { sourceRows } = await pull.load(queryOf('SELECT id, t FROM texts WHERE id = 1', ['texts']), 'texts', {});
      await pull.close();
      assert.equal(sourceRows, 1);
    });
    await connector.close();
  });

  it('texts that differ behind a NUL are different keys', async () => {
    createSqliteFile(
      file,
      `CREATE TABLE texts (t TEXT, day DATE); INSERT INTO texts VALUES ('a' || char(0) || 'b', '2024-01-01'), ('a' || char(0) || 'c', '2024-01-01')`,
    );
    const elements = '  - { activityName: Say, dataObject: texts, key: t, startTimestamp: day }\n';
    const relationships =
      '  - { name: same, source: Say, target: Say, correlate: none, mappings: [{ source: t, target: t }] }\n';
    const files = { 'entity-sources.yaml': sources, 'graph.entity.yaml': graphText(elements, relationships) };
    await withGraph(files, async (project) => {
      await writeFile(join(project.folder, 'shop.sqlite'), await readFile(file));
      const { status, error } = await project.import();
      assert.equal(status, 'imported', error?.message);
      assert.deepEqual(await project.rows('SELECT key FROM entity ORDER BY key'), [['a\0b'], ['a\0c']]);
      assert.deepEqual(await project.rows('SELECT count(*)::INTEGER FROM relation'), [[2]]);
    });
  });

  it('a file in WAL mode is read while another program writes, in one state', async () => {
    const writer = new DatabaseSync(file);
    writer.exec('PRAGMA journal_mode = WAL');
    writer.exec(`INSERT INTO customers VALUES (3, 'in the log', 'x')`);
    const connector = await connect();
    try {
      await withBuildDatabase(async (staging) => {
        const pull = await connector.openPull(staging, {});
        writer.exec(`INSERT INTO customers VALUES (4, 'later', 'y')`);
        await pull.load(queryOf('SELECT id FROM customers', ['customers']), 'one', {});
        await pull.load(queryOf('SELECT count(*) AS n FROM customers', ['customers']), 'two', {});
        await pull.close();
        assert.deepEqual(await staging.query('SELECT count(*) AS a, (SELECT c1 FROM two) AS b FROM one'), [
          { a: 3n, b: 3n },
        ]);
      });
    } finally {
      await connector.close();
      writer.close();
    }
  });

  it('a file that another program locks is refused by name', async () => {
    await whileLocked(folder, file, async () => {
      assert.equal(
        await refusal(describeFile()),
        'file-unreadable: …/shop.sqlite is locked by another program that writes to it. Try again when that program has finished, or set its database to the journal mode WAL, which lets others read meanwhile.',
      );
    });
  });

  it('a file that is not an SQLite database is refused with its actual type', async () => {
    // SQLite reads the missing part of the last page as zeros: wrong rows, without an error.
    const { size } = await stat(file);
    await truncate(file, size - 100);
    assert.equal(
      await refusal(describeFile()),
      `file-malformed: …/shop.sqlite is damaged or incomplete: it has ${size - 100} of its ${size} bytes. Copy the file again, or restore it from a backup.`,
    );
    const page = await open(file, 'r+');
    await page.write(Buffer.alloc(3000, 0xff), 0, 3000, 8192);
    await page.close();
    await truncate(file, 9000);
    const truncated = await refusal(describeFile());
    await writeFile(file, Buffer.from('00000000000000004455434b00000000', 'hex'));
    const duckdb = await refusal(describeFile());
    await writeFile(file, 'id,name\n1,Ann and Bob\n');
    const text = await refusal(describeFile());
    await writeFile(file, '');
    const empty = await refusal(describeFile());
    assert.match(
      truncated,
      /^file-malformed: …\/shop\.sqlite is damaged or incomplete: .+ Copy the file again, or restore it from a backup\.$/,
    );
    assert.deepEqual(
      [duckdb, text, empty, await refusal(describeFile({ path: 'nowhere.sqlite' }))],
      [
        'file-malformed: …/shop.sqlite is a DuckDB database. Set kind: duckdb for this data source.',
        'file-malformed: …/shop.sqlite is not an SQLite database, or is encrypted. Correct path in the data sources file, or point it at a copy without encryption.',
        'file-malformed: …/shop.sqlite is empty. Point path at an SQLite database file.',
        'file-missing: There is no file …/nowhere.sqlite. Correct path in the data sources file, or put the file there.',
      ],
    );
  });

  it('mistakes in SQL are found with their position, without running it', async () => {
    const connector = await connect();
    const queries = [
      'SELECT id, totl FROM orders',
      'SELECT id FROM ordrs',
      'SELECT id FROM orders WHERE lngth(placed) > 1',
      'SELECT id FROM orders WHERE "no such name" = 1',
      'SELECT id FROM orders WHERE id >> > 1',
      'SELECT id FROM orders',
    ];
    const found = await connector
      .checkQueries?.(
        queries.map((sql) => queryOf(sql)),
        {},
      )
      .finally(() => connector.close());
    assert.deepEqual(
      found?.map((error) => error && `${error.code} at ${error.details.position}: ${error.message}`),
      [
        'column-missing at 11: There is no column totl.',
        'object-missing at 15: ordrs is not a data object of this source.',
        'sql-error at 28: SQLite has no function lngth.',
        'column-missing at 28: There is no column no such name.',
        'sql-error at undefined: Syntax error near >.',
        undefined,
      ],
    );
  });

  it('a result of many segment files is complete, and memory is released meanwhile', async () => {
    const many = `WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 200000)
      SELECT x, printf('%080d', x) AS text, x * 0.5 AS half, 'a' AS a, 'b' AS b FROM n`;
    const connector = await connect();
    await withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      const { sourceRows } = await pull.load(queryOf(many), 'many', {});
      await pull.close();
      const [counted] = await staging.query('SELECT count(DISTINCT c1) AS n, max(c1) AS last FROM many');
      assert.deepEqual([sourceRows, counted], [200000, { n: 200000n, last: 200000n }]);
    });
    await connector.close();
  });

  it('every value is staged unchanged, even one of another type than its column', async () => {
    createSqliteFile(
      file,
      `CREATE TABLE odd (n INTEGER, t TEXT, u);
       INSERT INTO odd VALUES (1, 'it''s "a", b' || char(10) || 'c', 0.1 + 0.2), (2, x'00ff', 'NULL'), (3, 'a' || char(0) || 'b', ''), (4, NULL, NULL), (NULL, '', x'')`,
    );
    const connector = await connect();
    await withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      const { sourceRows } = await pull.load(queryOf('SELECT * FROM odd', ['odd']), 'odd', {});
      const single = await pull.load(queryOf('SELECT t FROM odd', ['odd']), 'single', {});
      await pull.close();
      assert.deepEqual([sourceRows, single.sourceRows], [5, 5]);
      const rows = await staging.query('SELECT c1, c2, c3 FROM odd ORDER BY c1 NULLS LAST');
      assert.deepEqual(
        rows.map((row) => [row['c1'], row['c2'], row['c3']]),
        [
          [1n, 'it\'s "a", b\nc', '0.30000000000000004'],
          [2n, '00ff', 'NULL'],
          [3n, 'a\0b', ''],
          [4n, null, null],
          [null, '', ''],
        ],
      );
      const [texts] = await staging.query('SELECT count(*) AS n, count(c1) AS texts FROM single');
      assert.deepEqual(texts, { n: 5n, texts: 4n });
    });
    await connector.close();
  });

  it('texts of all characters, numbers of all sizes, and JSON of functions are staged as SQLite prints them', async () => {
    const values = [
      ...Array.from({ length: 32 }, (_, code) => `a${String.fromCharCode(code)}b"\\${String.fromCharCode(code)}`),
      ...[
        '\\',
        '\\\\',
        '\\"',
        '"',
        '""',
        '\\u0000',
        '\\n',
        '[1,"a"]',
        'null',
        'NULL',
        '',
        ' ',
        ',',
        "'",
        '\u007f',
        '\ufeff',
        'ü😀',
      ],
      ...[9223372036854775807n, -9223372036854775808n, 9007199254740993n, 1e20, 1.5, -0.25, 0.1 + 0.2, 5e-324, 1.7e308],
      ...['', '00', '0b', '1361'].map((hex) => Buffer.from(hex, 'hex')),
      null,
    ];
    const columns = [
      'u',
      't',
      'j',
      `json_object('u', odd.id, 'list', json_array('"', 1))`,
      `json_extract(j, '$')`,
      'e.value',
    ];
    const tables = `odd, json_each('[[1,"a"],{"a":1},2]') AS e`;
    const writer = new DatabaseSync(file);
    writer.exec('CREATE TABLE odd (id INTEGER PRIMARY KEY, t TEXT COLLATE NOCASE, u, j JSON)');
    const insert = writer.prepare(`INSERT INTO odd (u, t, j) VALUES (?1, ?1, json_object('it''s "', char(10)))`);
    for (const value of values) insert.run(value);
    const printed = columns.map(
      (each, index) =>
        `CASE typeof(${each}) WHEN 'real' THEN quote(${each}) WHEN 'blob' THEN lower(hex(${each})) ELSE CAST(${each} AS TEXT) END AS c${index}`,
    );
    const expected = writer.prepare(`SELECT ${printed.join(', ')} FROM ${tables} ORDER BY odd.id, e.key`).all();
    writer.close();
    const connector = await connect();
    await withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      const names = columns.map((each, index) => `${each} AS v${index}`);
      await pull.load(queryOf(`SELECT ${names.join(', ')}, odd.id, e.key FROM ${tables}`, ['odd']), 'odd', {});
      await pull.close();
      const rows = await staging.query('SELECT c1, c2, c3, c4, c5, c6 FROM odd ORDER BY c7, c8');
      assert.deepEqual(
        rows.map((row) => Object.values(row)),
        expected.map((row) => Object.values(row as object)),
      );
    });
    await connector.close();
  });

  it('a row of more columns than a function has arguments is staged', async () => {
    const connector = await connect();
    const numbers = Array.from({ length: 250 }, (_, index) => index);
    await withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      await pull.load(queryOf(`SELECT ${numbers.map((each) => `${each} AS n${each}`).join(', ')}`, []), 'wide', {});
      await pull.close();
      const [row = {}] = await staging.query('SELECT * FROM wide');
      assert.deepEqual(Object.values(row).map(Number), numbers);
    });
    await connector.close();
  });

  it('a long query is stopped by its time limit and by cancellation', async () => {
    const endless = 'WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) AS c FROM n';
    const connector = await connect();
    try {
      assert.match(
        await refusal(connector.preview(queryOf(endless), { limit: 1, timeoutMs: 300 })),
        /^statement-timeout: /,
      );
      await withBuildDatabase(async (staging) => {
        const pull = await connector.openPull(staging, {});
        const controller = new AbortController();
        const loading = pull.load(queryOf(endless), 'endless', { signal: controller.signal });
        controller.abort(new Error('cancelled here'));
        await assert.rejects(loading, /cancelled here/);
        await pull.close();
      });
    } finally {
      await connector.close();
    }
  });
});
