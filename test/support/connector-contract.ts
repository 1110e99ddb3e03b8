import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { readSamples } from '../../server/src/operations/graph-files/read-samples.ts';
import { maxPreviewBytes } from '../../protocol/preview-limits.ts';
import { withBuildDatabase } from './build-database.ts';
import { type ContractDatabase, type ContractSql, type StartedDatabase, strangeTable } from './contract-database.ts';
import { waitUntil } from './wait-until.ts';

interface Case {
  readonly database: StartedDatabase;
  readonly connector: Connector;
  readonly sql: ContractSql;
}

const textOfPosition = (sql: string, error: unknown): string => {
  const { position } = (error as { details: { position?: number } }).details;
  return position === undefined ? 'nowhere' : sql.slice(position);
};

/** How long a busy server may take to begin or end a statement: nearly as long as a test. */
const patienceMs = 100_000;

/** The behaviour of every connector of a database, as one test case for all kinds. */
const cases: readonly (readonly [title: string, check: (given: Case) => Promise<void>])[] = [
  [
    'the catalog has keys, references, comments of none and columns in order',
    async ({ connector, sql }) => {
      const { objects, complete } = await connector.describe({});
      const children = objects.find(({ name }) => name === 'child');
      assert.equal(complete, true);
      assert.deepEqual(
        children?.columns.map(({ name, nullable, primaryKey, references }) => [name, nullable, primaryKey, references]),
        [
          ['id', false, !sql.hasNoKeys, undefined],
          ['parent_id', true, false, sql.hasNoKeys ? undefined : { dataObject: 'parent', column: 'id' }],
        ],
      );
      assert.deepEqual(children.primaryKey, sql.hasNoKeys ? [] : ['id']);
      assert.deepEqual(
        children.foreignKeys.map(({ columns, references }) => [columns, references]),
        sql.hasNoKeys ? [] : [[['parent_id'], { dataObject: 'parent', columns: ['id'] }]],
      );
    },
  ],
  [
    'a preview has as many rows as wanted, in order, and says whether there are more',
    async ({ connector, sql }) => {
      const rows = async (text: string, limit: number) => {
        const found = await connector.preview(sql.query(text), { limit });
        // Kinds whose integers have 64 bits show texts.
        return [found.rows.map((row) => row.map(Number)), found.truncated];
      };
      assert.deepEqual(await rows('SELECT i FROM n WHERE i <= 2', 2), [[[1], [2]], false]);
      assert.deepEqual(await rows('SELECT i FROM n WHERE i <= 3 -- end', 2), [[[1], [2]], true]);
      assert.deepEqual(await rows('SELECT i FROM n WHERE i < 0', 2), [[], false]);
    },
  ],
  [
    'a preview ends at its size limit, and so does the statement',
    async ({ connector, sql, database }) => {
      const length = 100_000;
      const text = `SELECT a.i, ${sql.repeat('x', length)} AS note FROM n AS a CROSS JOIN n AS b /* endless */`;
      const { rows, truncated, sizeLimit } = await connector.preview(sql.query(text), { limit: 1_000_000 });
      assert.deepEqual([truncated, sizeLimit], [true, maxPreviewBytes]);
      assert.ok(Math.abs(rows.length - maxPreviewBytes / length) < 2, `${rows.length} rows`);
      await waitUntil(
        'no statement of it runs',
        async () => (((await database.running('endless')) ?? 0) === 0 ? true : undefined),
        patienceMs,
      );
    },
  ],
  [
    'the first rows that a first graph is guessed from are read, and long texts are cut off',
    async ({ connector }) => {
      const catalog = await connector.describe({});
      const notes = catalog.objects.filter(({ name }) => name === 'notes');
      const signal = new AbortController().signal;
      const [input] = await readSamples(connector, catalog, notes, { signal });
      const { columns, rows = [], isWhole } = input?.sample ?? {};
      assert.deepEqual([columns, rows.length, isWhole], [['i', 'note'], 5000, true]);
      assert.deepEqual(
        new Set(rows.map(([, note]) => String(note).slice(0, 6) + String(note).length)),
        new Set(['ö,"ö,"200']),
      );
    },
  ],
  [
    'nothing that writes is run',
    async ({ connector, sql }) => {
      for (const text of sql.writes) {
        await assert.rejects(connector.preview(sql.query(text), { limit: 1 }), { name: 'SourceError' }, text);
      }
      const { objects } = await connector.describe({});
      assert.equal(
        objects.some(({ name }) => name === 'hacked'),
        false,
      );
      const { rows } = await connector.preview(sql.query('SELECT i FROM n WHERE i = 0'), { limit: 1 });
      assert.deepEqual(rows, []);
    },
  ],
  [
    'a statement ends at the time limit, and when it is cancelled',
    async ({ connector, sql, database }) => {
      const slow = sql.query(`${sql.slow} /* slow */`);
      await assert.rejects(connector.preview(slow, { limit: 1, timeoutMs: 50 }), { code: 'statement-timeout' });
      const quick = await database.connector({ statementTimeout: '50ms' });
      await assert.rejects(quick.preview(slow, { limit: 1 }), { code: 'statement-timeout' });
      const stop = new AbortController();
      const cancelled = assert.rejects(connector.preview(slow, { limit: 1, signal: stop.signal }), {
        message: 'enough',
      });
      await waitUntil('it runs', async () => ((await database.running('slow')) !== 0 ? true : undefined), patienceMs);
      stop.abort(new Error('enough'));
      await cancelled;
      await waitUntil('it runs no more', async () => ((await database.running('slow')) ? undefined : true), patienceMs);
    },
  ],
  [
    'an error has a code, and its place in the SQL',
    async ({ connector, sql }) => {
      const failing: readonly (readonly [text: string, code: string, place: string])[] = [
        ['SELECT i FROM n WHERE nonsense = 1', 'column-missing', 'nonsense = 1'],
        ['SELECT i FROM n WHERE n.nonsense = 1', 'column-missing', 'n.nonsense = 1'],
        ['SELECT i FROM nowhere', 'object-missing', 'nowhere'],
        ['SELECT i FROM n WHERE i = > 1', 'sql-error', '> 1'],
        ['SELECT no_such_function(i) AS a FROM n', 'sql-error', 'no_such_function(i) AS a FROM n'],
      ];
      for (const [text, code, place] of failing) {
        const [refusal] = (await connector.checkQueries?.([sql.query(text)], {})) ?? [];
        const thrown = await connector.preview(sql.query(text), { limit: 1 }).catch((error: unknown) => error);
        // Other kinds are validated by the same engine without the source.
        for (const error of connector.checkQueries ? [refusal, thrown] : [thrown]) {
          assert.equal((error as { code?: string } | undefined)?.code, code, text);
          assert.equal(textOfPosition(text, error), place, text);
        }
      }
      const refusals = await connector.checkQueries?.([sql.query('SELECT i FROM n')], {});
      assert.deepEqual(refusals ?? [undefined], [undefined]);
    },
  ],
  [
    'a source that cannot be read is a clear failure',
    async ({ database, sql }) => {
      for (const [settings, code] of sql.unreachable) {
        const connector = await database.connector(settings);
        await assert.rejects(connector.describe({}), { name: 'SourceError', code }, JSON.stringify(settings));
      }
    },
  ],
  [
    'names with quotes, dots, spaces and other scripts are those of the catalog',
    async ({ connector, sql }) => {
      const { objects } = await connector.describe({});
      const inCatalog = (name: string): string => sql.catalogName?.(name) ?? name;
      const object = objects.find(({ name }) => name === inCatalog(sql.strangeTable ?? strangeTable));
      assert.deepEqual(
        object?.columns.map(({ name }) => name),
        strangeColumns.map(inCatalog),
      );
      const list = strangeColumns.map((name) => sql.quote(name)).join(', ');
      const from = object.path.map((part) => sql.quote(part)).join('.');
      const { columns, rows } = await connector.preview(sql.query(`SELECT ${list} FROM ${from}`), { limit: 1 });
      assert.deepEqual(
        columns.map(({ name }) => name),
        strangeColumns,
      );
      assert.deepEqual(rows, [['a', 'b', 'c', 'd']]);
    },
  ],
  [
    'a pull stages all rows in the columns that it describes, and tells how many there are',
    async ({ connector, sql }) => {
      const query = sql.query('SELECT i, note FROM notes');
      await withBuildDatabase(async (staging) => {
        const pull = await connector.openPull(staging, {});
        try {
          const counts: number[] = [];
          const described = await pull.columnsOf(query, {});
          const { sourceRows, columns } = await pull.load(query, 'staged', { onRows: (rows) => counts.push(rows) });
          assert.deepEqual(described, columns);
          assert.deepEqual([sourceRows, counts.at(-1)], [5000, 5000]);
          const [found = {}] = await staging.query(
            `SELECT count(*)::INTEGER AS amount, count(DISTINCT c2)::INTEGER AS texts, min(length(c2))::INTEGER AS length FROM staged`,
          );
          assert.deepEqual(found, { amount: 5000, texts: 5000, length: 2004 });
          const { sourceRows: few } = await pull.load(query, 'few', { sample: 7 });
          assert.equal(few, 7);
          assert.deepEqual(await readdir(staging.temporaryFolder), []);
        } finally {
          await pull.close();
        }
      });
    },
  ],
  [
    'a pull sees one snapshot',
    async ({ connector, sql, database }) => {
      const query = sql.query('SELECT i FROM changing');
      await withBuildDatabase(async (staging) => {
        const pull = await connector.openPull(staging, {});
        try {
          const first = await pull.load(query, 'one', {});
          const written = database.run('INSERT INTO changing VALUES (2)');
          if (sql.locksWriters) await assert.rejects(written);
          else await written;
          const second = await pull.load(query, 'two', {});
          assert.deepEqual([first.sourceRows, second.sourceRows], [1, 1]);
        } finally {
          await pull.close();
        }
      });
    },
  ],
  [
    'a pull that fails or is cancelled leaves nothing behind',
    async ({ connector, sql, database }) => {
      await withBuildDatabase(async (staging) => {
        const left = async (): Promise<readonly unknown[]> => [
          await readdir(staging.temporaryFolder),
          await staging.query('SELECT table_name FROM duckdb_tables()'),
        ];
        const failing = await connector.openPull(staging, {});
        await assert.rejects(failing.load(sql.query('SELECT nonsense FROM n'), 'staged', {}), {
          code: 'column-missing',
        });
        await failing.close();
        assert.deepEqual(await left(), [[], []]);
        const stop = new AbortController();
        const pull = await connector.openPull(staging, {});
        const endless = sql.query(
          `SELECT a.i, ${sql.repeat('x', 100_000)} AS note FROM n AS a CROSS JOIN n AS b /* pulled */`,
        );
        let rows = 0;
        const onRows = (count: number): void => void (rows = count);
        const cancelled = assert.rejects(pull.load(endless, 'staged', { signal: stop.signal, onRows }), {
          message: 'enough',
        });
        const hasBegun = (): boolean => (sql.stagesAtOnce ? staging.progress() !== undefined : rows > 100);
        await waitUntil('rows are staged', async () => (hasBegun() ? true : undefined), patienceMs);
        stop.abort(new Error('enough'));
        await cancelled;
        await pull.close();
        assert.deepEqual(await left(), [[], []]);
        await waitUntil(
          'no statement of it runs',
          async () => (((await database.running('pulled')) ?? 0) === 0 ? true : undefined),
          patienceMs,
        );
      });
    },
  ],
  [
    'Show Query has the core query byte for byte, for a preview and for an import',
    async ({ connector, sql }) => {
      const query = sql.query('SELECT i\nFROM n -- all');
      for (const purpose of [{ kind: 'preview', limit: 5 }, { kind: 'import' }] as const) {
        const steps = await connector.steps(query, purpose);
        const core = steps.filter(({ role }) => role === 'core');
        assert.deepEqual(
          core.map((step) => ('text' in step ? step.text : '')),
          [query.sql],
        );
        assert.ok(steps.some((step) => step.role === 'wrap' && 'text' in step && step.text.includes(query.sql)));
      }
    },
  ],
];

const strangeColumns = ['select', 'a.b', "it's", 'Größe €'];

/** The connector contract tests of one kind of database. */
export function describeConnectorContract({ kind, start, sql }: ContractDatabase): void {
  describe(`the connector of ${kind}`, () => {
    let given: Case;

    before(async function () {
      // Starting Trino takes minutes under load.
      this.timeout(600_000);
      const database = await start();
      const connector = await database.connector();
      const key = `id int NOT NULL${sql.hasNoKeys ? '' : ' PRIMARY KEY'}`;
      const reference = sql.hasNoKeys ? '' : ', FOREIGN KEY (parent_id) REFERENCES parent (id)';
      const digits = (integer: string): string => sql.digits?.(integer) ?? integer;
      await database.run(sql.numbers(5000));
      await database.run(`CREATE TABLE parent (${key})`);
      await database.run(`CREATE TABLE child (${key}, parent_id int${reference})`);
      await database.run(`CREATE TABLE notes (i int, note ${sql.text})`);
      await database.run(
        `INSERT INTO notes SELECT i, CONCAT(${sql.repeat('ö,"', 667)}, ${digits('1000 + i')}) FROM n WHERE i < 9000`,
      );
      await database.run(`UPDATE notes SET note = CONCAT(SUBSTRING(note, 1, 2000), ${digits('i + 1000')})`);
      await database.run('CREATE TABLE changing (i int)');
      await database.run('INSERT INTO changing VALUES (1)');
      const strange = sql.quote(sql.strangeTable ?? strangeTable);
      const columns = strangeColumns.map((name) => `${sql.quote(name)} varchar(9)`).join(', ');
      await database.run(`CREATE TABLE ${strange} (${columns})`);
      await database.run(`INSERT INTO ${strange} VALUES ('a', 'b', 'c', 'd')`);
      given = { database, connector, sql };
    });
    after(async () => {
      await given.connector.close();
      await given.database.stop?.();
    });

    for (const [title, check] of cases) it(title, () => check(given));
  });
}
