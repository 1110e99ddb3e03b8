import assert from 'node:assert/strict';
import { readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { stageParts } from '../../server/src/connectors/csv/stage-parts.ts';
import type { InspectedFile } from '../../server/src/connectors/csv/inspected-file.ts';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { type ImportedProject, csvSources, graphText, withProject } from '../support/import-text.ts';
import { type BuildDatabase, createBuildDatabase, openStore } from '../../server/src/store/duckdb-store.ts';
import { fullImport, wholeGraph } from '../support/whole-graph.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { isSoak, soakAssert } from '../support/soak.ts';

const orders = `  - activityName: Place Order
    dataObject: orders
    key: id
    startTimestamp: at
    properties: [note, amount]
`;
const header = 'id,at,note,amount\n';
const sources = csvSources(', parts: { orders: "orders-*.csv" }');
const project = (files: Readonly<Record<string, string>>, graph = graphText(orders)) => ({
  'entity-sources.yaml': sources,
  'graph.entity.yaml': graph,
  ...files,
});
const january = { 'orders-01.csv': `${header}1,2024-01-01 00:00:00,a,5\n2,2024-01-02 00:00:00,b,6\n` };
const february = { 'orders-02.csv': `${header}3,2024-02-01 00:00:00,c,7\n` };

/** Rows of each pulled table that were not read again. */
function kept({ steps, status, error }: ImportSummary): Readonly<Record<string, number | 'all'>> {
  assert.equal(status, 'imported', error?.message);
  return Object.fromEntries(
    (steps ?? []).flatMap(({ name, isUnchanged, keptRows }): [string, number | 'all'][] =>
      isUnchanged ? [[name, 'all']] : keptRows === undefined ? [] : [[name, keptRows]],
    ),
  );
}

/** Imports what has changed and then everything, which must give the same. */
async function assertEqualsFull(files: ImportedProject): Promise<ImportSummary> {
  const summary = await files.import();
  assert.equal(summary.status, 'imported', summary.error?.message);
  const incremental = await wholeGraph(files);
  await files.import(fullImport);
  assert.deepEqual(incremental, await wholeGraph(files));
  return summary;
}

/** Files that have existed for a while, not just written by the test. */
function age(folder: string): void {
  const past = new Date(Date.now() - 60_000);
  for (const name of readdirSync(folder)) if (name.endsWith('.csv')) utimesSync(join(folder, name), past, past);
}

describe('data objects of several files', () => {
  it('have the rows of all their parts, in the order of the files', () =>
    withProject(project({ ...february, ...january }), async (files) => {
      await files.import();
      assert.deepEqual(await files.rows('SELECT note FROM properties_1 ORDER BY event_id'), [['a'], ['b'], ['c']]);
    }));

  it('break ties between events of one time by the order of the parts', () => {
    const at = '2024-01-01 00:00:00';
    const parts = {
      'orders-b.csv': `${header}1,${at},second,1\n`,
      'orders-a.csv': `${header}9,${at},first,1\n`,
      'orders-c.csv': `${header}0,${at},third,1\n`,
    };
    return withProject(project(parts), async (files) => {
      await files.import();
      const notes = 'SELECT note FROM properties_1 ORDER BY event_id';
      assert.deepEqual(await files.rows(notes), [['first'], ['second'], ['third']]);
      writeFileSync(join(files.folder, 'orders-b.csv'), `${header}1,${at},changed,1\n5,${at},new,1\n`);
      await files.import();
      assert.deepEqual(await files.rows(notes), [['first'], ['changed'], ['new'], ['third']]);
    });
  });

  it('are read by queries with joins and by relationships', () => {
    const lines = { 'lines.csv': 'id,order_id,at\n10,1,2024-01-03 00:00:00\n11,3,2024-02-03 00:00:00\n' };
    const joined = `  - activityName: Add Line
    dataObject: lines
    key: id
    startTimestamp: at
    joins: LEFT JOIN orders AS o ON o.id = lines.order_id
    where: o.amount > 5
    properties: []
`;
    const contains = `  - name: contains
    source: Place Order
    target: Add Line
    mappings: [{ source: id, target: order_id }]
`;
    return withProject(
      project({ ...january, ...february, ...lines }, graphText(orders + joined, contains)),
      async (files) => {
        const summary = await assertEqualsFull(files);
        assert.equal(summary.totals?.relations, 1);
        await files.write({ 'orders-03.csv': `${header}4,2024-03-01 00:00:00,d,9\n` });
        assert.deepEqual(kept(await assertEqualsFull(files)), { element_1: 3 });
      },
    );
  });

  it('are read again only in new and changed files', () =>
    withProject(project({ ...january, ...february }), async (files) => {
      assert.deepEqual(kept(await files.import()), {});
      assert.deepEqual(kept(await files.import()), { element_1: 'all' });
      await files.write({ 'orders-03.csv': `${header}4,2024-03-01 00:00:00,d,9\n` });
      assert.deepEqual(kept(await files.import()), { element_1: 3 });
      writeFileSync(join(files.folder, 'orders-01.csv'), `${header}1,2024-01-01 00:00:00,changed,5\n`);
      assert.deepEqual(kept(await files.import()), { element_1: 2 });
      rmSync(join(files.folder, 'orders-02.csv'));
      assert.deepEqual(kept(await files.import()), { element_1: 2 });
      assert.deepEqual(await files.rows('SELECT note FROM properties_1 ORDER BY event_id'), [['changed'], ['d']]);
      assert.deepEqual(kept(await files.import(fullImport)), {});
    }));

  it('are read again in a part of equal size and time', () =>
    withProject(project({ ...january, ...february }), async (files) => {
      age(files.folder);
      await files.import();
      writeFileSync(join(files.folder, 'orders-02.csv'), february['orders-02.csv'].replace(',c,', ',x,'));
      age(files.folder);
      await files.import();
      assert.deepEqual(await files.rows('SELECT note FROM properties_1 ORDER BY event_id'), [['a'], ['b'], ['x']]);
    }));

  it('are read again where a new part changes the type of a column', () =>
    withProject(project({ ...january, ...february }), async (files) => {
      await files.import();
      const type = 'SELECT DISTINCT typeof(amount) FROM properties_1';
      assert.deepEqual(await files.rows(type), [['BIGINT']]);
      await files.write({ 'orders-03.csv': `${header}4,2024-03-01 00:00:00,d,9.5\n` });
      assert.deepEqual(kept(await assertEqualsFull(files)), {});
      assert.deepEqual(await files.rows(type), [['DOUBLE']]);
      await files.write({ 'orders-03.csv': `${header}4,2024-03-01 00:00:00,d,none\n` });
      await assertEqualsFull(files);
      assert.deepEqual(await files.rows(type), [['VARCHAR']]);
      rmSync(join(files.folder, 'orders-03.csv'));
      await assertEqualsFull(files);
      assert.deepEqual(await files.rows(type), [['BIGINT']]);
    }));

  it('take no type from a part without values', () =>
    withProject(
      project({ ...january, 'orders-02.csv': header, 'orders-03.csv': `${header}4,2024-03-01 00:00:00,,\n` }),
      async (files) => {
        await assertEqualsFull(files);
        assert.deepEqual(await files.rows('SELECT DISTINCT typeof(amount) FROM properties_1'), [['BIGINT']]);
      },
    ));

  it('are copied part by part in a graph with a database whose rows have no order', async () => {
    const graph = graphText(
      `${orders}  - { activityName: Open Ticket, dataSource: desk, dataObject: tickets, key: id, startTimestamp: at }\n`,
    );
    await withProject(project({ ...january, ...february }, graph), async (files) => {
      await files.write({ 'entity-sources.yaml': `${sources}  desk: { kind: duckdb, path: desk.duckdb }\n` });
      await createDuckdbFile(join(files.folder, 'desk.duckdb'), [
        "CREATE TABLE tickets AS SELECT 1 AS id, TIMESTAMP '2024-01-01' AS at",
      ]);
      age(files.folder);
      assert.equal((await files.import()).status, 'imported');
      // Not as a whole, which could change the places of rows, by which the next import finds those of a part.
      assert.equal(kept(await files.import())['element_1'], 3);
      await files.write({ 'orders-02.csv': `${header}3,2024-02-01 00:00:00,x,7\n` });
      assert.equal(kept(await assertEqualsFull(files))['element_1'], 2);
    });
  });

  it('are read again completely after an import with a missing source copied their cached rows in any order', async () => {
    const graph = graphText(
      `${orders}  - { activityName: Open Ticket, dataSource: desk, dataObject: tickets, key: id, startTimestamp: at }\n`,
    );
    const parts = { 'data/orders-01.csv': january['orders-01.csv'], 'data/orders-02.csv': february['orders-02.csv'] };
    await withProject(project(parts, graph), async (files) => {
      const shop = 'shop: { kind: csv, path: "data/*.csv", parts: { orders: "data/orders-*.csv" } }';
      await files.write({
        'entity-sources.yaml': `version: 1\ndataSources:\n  ${shop}\n  desk: { kind: duckdb, path: desk.duckdb }\n`,
      });
      await createDuckdbFile(join(files.folder, 'desk.duckdb'), [
        "CREATE TABLE tickets AS SELECT 1 AS id, TIMESTAMP '2024-01-01' AS at",
      ]);
      const [data, away] = [join(files.folder, 'data'), join(files.folder, 'away')];
      age(data);
      assert.equal((await files.import()).status, 'imported');
      // The files stay as they are, as on a disk that is not connected for a while.
      renameSync(data, away);
      const summary = await files.import({ request: { kind: 'build', usesKeptRows: true } });
      assert.equal(summary.status, 'imported', summary.error?.message);
      renameSync(away, data);
      await files.write({ 'data/orders-02.csv': `${header}3,2024-02-01 00:00:00,x,7\n` });
      assert.equal(kept(await assertEqualsFull(files))['element_1'], undefined);
    });
  });

  it('are copied by a statement for each part where rows may be staged in any order', () =>
    withBuildDatabase(async (staging) => {
      await staging.run('CREATE TABLE kept AS SELECT range AS c1 FROM range(6)');
      const partFormat = { kind: 'csv', gzip: false, lines: false } as const;
      const parts = [1, 2, 3].map((inode): InspectedFile => ({
        ...{
          name: 'orders',
          path: `/orders-${inode}.csv`,
          format: partFormat,
          inode,
          size: 1,
          modified: 1,
          changed: 1,
        },
        ...{ plan: {} as InspectedFile['plan'], warnings: [] },
      }));
      const read = async (_: InspectedFile, isFirst: boolean): Promise<void> => {
        const rows = 'SELECT range AS c1 FROM range(2)';
        await staging.run(isFirst ? `CREATE TABLE marked AS ${rows}` : `INSERT INTO marked ${rows}`);
      };
      const common = { parts, read, onRows: undefined, signal: undefined };
      const { marks = '' } = await stageParts({ ...common, staging, table: 'marked', cached: undefined });
      const ran: string[] = [];
      const noting: BuildDatabase = {
        ...staging,
        run: (sql, options) => (ran.push(sql), staging.run(sql, options)),
      };
      const copied = { table: 'kept', columns: [], marks };
      await stageParts({ ...common, staging: noting, table: 'ordered', cached: copied });
      await staging.run('SET preserve_insertion_order = false');
      await stageParts({ ...common, staging: noting, table: 'unordered', cached: copied });
      assert.deepEqual(ran, [
        'CREATE TABLE "ordered" AS SELECT * FROM kept WHERE rowid >= 0 AND rowid < 6',
        'CREATE TABLE "unordered" AS SELECT * FROM kept WHERE rowid >= 0 AND rowid < 2',
        'INSERT INTO "unordered" SELECT * FROM kept WHERE rowid >= 2 AND rowid < 4',
        'INSERT INTO "unordered" SELECT * FROM kept WHERE rowid >= 4 AND rowid < 6',
      ]);
    }));

  it('may have parts with another order of columns, delimiter, encoding and compression', () =>
    withProject(
      project({
        ...january,
        'orders-02.csv': 'note;amount;id;at\nü;7;3;2024-02-01 00:00:00\n',
        'orders-03.csv': '\ufeffid,at,note,amount\r\n4,2024-03-01 00:00:00,d,9\r\n',
      }),
      async (files) => {
        writeFileSync(
          join(files.folder, 'orders-04.csv'),
          Buffer.from(`${header}5,2024-04-01 00:00:00,é,9\n`, 'latin1'),
        );
        await assertEqualsFull(files);
        await files.write({ 'orders-05.csv': `${header}6,2024-05-01 00:00:00,f,1\n` });
        assert.deepEqual(kept(await assertEqualsFull(files)), { element_1: 5 });
        assert.deepEqual(await files.rows('SELECT note FROM properties_1 ORDER BY event_id'), [
          ...[['a'], ['b'], ['ü'], ['d'], ['é'], ['f']],
        ]);
      },
    ));

  it('are refused with other columns in one part, which is named', () =>
    withProject(
      project({ ...january, 'orders-02.csv': 'id,at,remark,amount\n3,2024-02-01 00:00:00,c,7\n' }),
      async (files) => {
        const { error } = await files.import();
        assert.match(error?.message ?? '', /orders-02\.csv has other columns than orders-01\.csv/);
        assert.match(error?.message ?? '', /it lacks note; it also has remark/);
      },
    ));

  it('name file and line of a value that does not fit', async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => `${index},2024-01-01 00:00:00,a,${index}`);
    const bad = [...rows.slice(0, 59_000), 'x,2024-01-01 00:00:00,a,none'];
    const parts = { 'orders-01.csv': `${header}${rows.join('\n')}\n`, 'orders-02.csv': `${header}${bad.join('\n')}\n` };
    await withProject(project(parts), async (files) => {
      const { error } = await files.import();
      assert.match(error?.message ?? '', /orders-02\.csv, line 59002: "none" in column amount is not a BIGINT/);
    });
  });

  it('read mixed line ends that appear in a later part', async () => {
    const rows = Array.from({ length: 30_000 }, (_, index) => `${index},2024-01-01 00:00:00,a,${index}`);
    const mixed = `${header}${rows.join('\n')}\r\n99999,2024-01-01 00:00:00,"x\r\ny",1\n`;
    await withProject(project({ ...january, 'orders-02.csv': mixed }), async (files) => {
      await assertEqualsFull(files);
      await files.write(february);
      await assertEqualsFull(files);
    });
  });

  it('read all parts every time with non-deterministic SQL', () =>
    withProject(
      project(january, graphText(orders.replace('    properties', `    where: '"at" < now()'\n    properties`))),
      async (files) => {
        await files.import();
        await files.write(february);
        assert.deepEqual(kept(await files.import()), {});
      },
    ));

  const family = 'id,at,note,amount,parent\n';
  for (const subquery of [
    'EXISTS (SELECT 1 FROM orders AS o WHERE o.id = orders.parent)',
    'EXISTS (FROM orders AS o WHERE o.id = orders.parent)',
    'EXISTS /* any */ ( from orders AS o WHERE o.id = orders.parent)',
  ]) {
    it(`are read together if a row depends on rows of other parts: ${subquery}`, () =>
      withProject(
        project(
          {
            'orders-01.csv': `${family}1,2024-01-01 00:00:00,a,5,3\n2,2024-01-02 00:00:00,b,6,9\n`,
            'orders-02.csv': `${family}3,2024-02-01 00:00:00,c,7,1\n`,
          },
          graphText(orders.replace('    properties', `    where: '${subquery}'\n    properties`)),
        ),
        async (files) => {
          assert.deepEqual(kept(await files.import()), {});
          assert.deepEqual(await files.rows('SELECT note FROM properties_1 ORDER BY event_id'), [['a'], ['c']]);
        },
      ));
  }

  const dated = (...dates: readonly string[]): string =>
    `id,at,note,amount\n${dates.map((date, index) => `${date.replaceAll(/\D/g, '')}${index},${date},a,1\n`).join('')}`;
  const times = "SELECT strftime(time, '%Y-%m-%d %H:%M') FROM event ORDER BY time";

  for (const [what, first, second, expected] of [
    ['dates', '12/31/2024', '03/04/2024', [['2024-03-04 00:00'], ['2024-12-31 00:00']]],
    ['dates', '03/04/2024', '12/31/2024', [['2024-03-04 00:00'], ['2024-12-31 00:00']]],
    ['dates', '31/12/2024', '03/04/2024', [['2024-04-03 00:00'], ['2024-12-31 00:00']]],
    ['times', '12/31/2024 10:00:00 AM', '03/04/2024 11:00:00 PM', [['2024-03-04 23:00'], ['2024-12-31 10:00']]],
    ['dates in ISO 8601 and others', '2024-12-31', '31/01/2024', [['2024-01-31 00:00'], ['2024-12-31 00:00']]],
  ] as const) {
    it(`read ${what} in the one format that fits all parts: ${first}, ${second}`, () =>
      withProject(project({ 'orders-01.csv': dated(first), 'orders-02.csv': dated(second) }), async (files) => {
        const { error } = await files.import();
        assert.equal(error, undefined);
        assert.deepEqual(await files.rows(times), expected);
      }));
  }

  it('have the decimal comma that only some of their parts show', () => {
    const parts = {
      'orders-01.csv': 'id;at;note;amount\n1;2024-01-01 00:00:00;a;1,234\n',
      'orders-02.csv': 'id;at;note;amount\n2;2024-02-01 00:00:00;b;5\n',
    };
    const amounts = 'SELECT typeof(amount), amount FROM properties_1 ORDER BY event_id';
    return withProject(project(parts), async (files) => {
      await files.import();
      assert.deepEqual(await files.rows(amounts), [
        ['VARCHAR', '1,234'],
        ['VARCHAR', '5'],
      ]);
      await files.write({ 'orders-03.csv': 'id;at;note;amount\n3;2024-03-01 00:00:00;c;7,50\n' });
      await assertEqualsFull(files);
      assert.deepEqual(await files.rows(amounts), [
        ['DOUBLE', 1.234],
        ['DOUBLE', 5],
        ['DOUBLE', 7.5],
      ]);
    });
  });

  it('are read again where a new part shows that the dates of another were read wrongly', () =>
    withProject(project({ 'orders-01.csv': dated('03/04/2024') }), async (files) => {
      await files.import();
      await files.write({ 'orders-02.csv': dated('12/31/2024') });
      await assertEqualsFull(files);
      assert.deepEqual(await files.rows(times), [['2024-03-04 00:00'], ['2024-12-31 00:00']]);
      await files.write({ 'orders-02.csv': dated('31/12/2024') });
      await assertEqualsFull(files);
      assert.deepEqual(await files.rows(times), [['2024-04-03 00:00'], ['2024-12-31 00:00']]);
    }));

  it('are refused if no date format fits all parts, unless one is set', () =>
    withProject(
      project({ 'orders-01.csv': dated('12/31/2024'), 'orders-02.csv': dated('31/12/2024', '03/04/2024') }),
      async (files) => {
        const { error } = await files.import();
        assert.equal(error?.code, 'source-config');
        assert.match(
          error?.message ?? '',
          /none fits all of its files: .*orders-01\.csv in %m\/%d\/%Y, .*orders-02\.csv in %d\/%m\/%Y/,
        );
        await files.write({
          'entity-sources.yaml': csvSources(
            ', parts: { orders: "orders-*.csv" }, files: { orders-02.csv: { dateFormat: "%d/%m/%Y" } }',
          ),
        });
        await files.import();
        assert.deepEqual(await files.rows(times), [['2024-04-03 00:00'], ['2024-12-31 00:00'], ['2024-12-31 00:00']]);
      },
    ));

  it('are distinguished from a file with the name of a part', () =>
    withProject(
      project(
        { ...january, ...february, 'orders, part 1.csv': 'id,at,note,amount\n7,2024-07-01 00:00:00,x,1\n' },
        graphText(
          orders +
            orders.replace('Place Order', 'Other Order').replace('dataObject: orders', 'dataObject: "orders, part 1"'),
        ),
      ),
      async (files) => {
        await assertEqualsFull(files);
        assert.deepEqual(await files.rows('SELECT note FROM properties_1 ORDER BY event_id'), [['a'], ['b'], ['c']]);
        assert.deepEqual(await files.rows('SELECT note FROM properties_2 ORDER BY event_id'), [['x']]);
      },
    ));

  it('may have a slash in their names, also in other encodings than UTF-8', () =>
    withProject(
      {
        ...project({}, graphText(orders.replace('dataObject: orders', 'dataObject: "all/orders"'))),
        'entity-sources.yaml': csvSources(', encoding: shift_jis, parts: { all/orders: "orders-*.csv" }'),
        'orders-01.csv': Buffer.from(`${header}1,2024-01-01 00:00:00,\x82\xa0,5\n`, 'latin1'),
      },
      async (files) => {
        assert.equal((await files.import()).error, undefined);
        assert.deepEqual(await files.rows('SELECT note FROM properties_1'), [['あ']]);
      },
    ));

  it('are found by absolute patterns', () =>
    withProject(project({ ...january, ...february }), async (files) => {
      const folder = files.folder.replaceAll('\\', '/');
      await files.write({
        'entity-sources.yaml': csvSources(`, parts: { orders: ${JSON.stringify(`${folder}/orders-*.csv`)} }`),
      });
      assert.equal((await files.import()).error, undefined);
      assert.equal((await files.rows('SELECT note FROM properties_1')).length, 3);
    }));

  it('stop the import with a remedy if no file matches', () =>
    withProject(project(january), async (files) => {
      await files.write({ 'entity-sources.yaml': csvSources(', parts: { orders: "order_*.csv" }') });
      const { error } = await files.import();
      assert.match(
        error?.message ?? '',
        /"orders" is not a data object of "shop"\. No file that path names matches order_\*\.csv: correct parts\.orders/,
      );
    }));

  it('are filtered in each part', () =>
    withProject(
      project(
        { ...january, ...february },
        graphText(orders.replace('    properties', '    where: amount > 5\n    properties')),
      ),
      async (files) => {
        await files.import();
        await files.write({ 'orders-03.csv': `${header}4,2024-03-01 00:00:00,d,5\n5,2024-03-01 00:00:00,e,9\n` });
        assert.deepEqual(kept(await assertEqualsFull(files)), { element_1: 2 });
        rmSync(join(files.folder, 'orders-01.csv'));
        assert.deepEqual(kept(await assertEqualsFull(files)), { element_1: 2 });
      },
    ));

  it('are all read again when the row cache is damaged', () =>
    withProject(project({ ...january, ...february }), async (files) => {
      await files.import();
      const [folder] = readdirSync(join(files.folder, '.entity-graph/graphs'));
      const cache = join(files.folder, '.entity-graph/graphs', folder ?? '', 'rows.kept');
      const database = await createBuildDatabase({ path: cache, temporaryFolder: files.folder });
      await database.run('DELETE FROM element_1 WHERE rowid = 1');
      await database.close();
      await files.write({ 'orders-03.csv': `${header}4,2024-03-01 00:00:00,d,9\n` });
      assert.deepEqual(kept(await assertEqualsFull(files)), {});
    }));

  it('have marks in the row cache', () =>
    withProject(project({ ...january, ...february }), async (files) => {
      await files.import();
      const [folder] = readdirSync(join(files.folder, '.entity-graph/graphs'));
      const cache = await openStore(join(files.folder, '.entity-graph/graphs', folder ?? '', 'rows.kept'));
      const found = await cache.table('SELECT format, columns[1], json_array_length(marks) FROM kept_rows');
      await cache.close();
      assert.deepEqual(found.rows, [[5, '[', '2']]);
    }));

  it('have the same rows after an import that was cancelled while reading, or that failed', () =>
    withProject(project({ ...january, ...february }), async (files) => {
      await files.import();
      await files.write({ 'orders-03.csv': `${header}4,2024-03-01 00:00:00,d,9\n` });
      const cancel = new AbortController();
      const cancelled = await files.import({
        signal: cancel.signal,
        onProgress: ({ message }) => {
          if (message.startsWith('Place Order')) cancel.abort();
        },
      });
      assert.equal(cancelled.status, 'cancelled');
      await files.write({ 'orders-04.csv': 'id,at\n5,2024-04-01 00:00:00\n' });
      assert.equal((await files.import()).status, 'failed');
      rmSync(join(files.folder, 'orders-04.csv'));
      assert.deepEqual(kept(await assertEqualsFull(files)), { element_1: 3 });
    }));

  it('are refused if a file is a part of two data objects, or of another format', () =>
    withProject(project({ ...january, 'orders-99.json': '[]' }), async (files) => {
      await files.write({ 'entity-sources.yaml': csvSources(', parts: { orders: "orders-*.csv", all: "*.csv" }') });
      assert.match((await files.import()).error?.message ?? '', /orders-01\.csv is a part of orders and of all/);
      const everything = csvSources(', parts: { orders: "orders-*" }').replace('"*.csv"', '"orders-*"');
      await files.write({ 'entity-sources.yaml': everything });
      assert.match(
        (await files.import()).error?.message ?? '',
        /orders-99\.json and .*orders-01\.csv are of two formats, and cannot both be parts of orders/,
      );
    }));

  it('equal a full import after any changes of files', async () => {
    const part = fc.record({
      name: fc.integer({ min: 0, max: 6 }),
      rows: fc.array(
        fc.record({
          id: fc.integer({ min: 0, max: 9 }),
          day: fc.integer({ min: 1, max: 3 }),
          note: fc.constantFrom('a', 'b', '', '"x,y"', 'ü'),
          amount: fc.constantFrom('1', '2', '2', '', '3', '1.5', 'x'),
        }),
        { minLength: 0, maxLength: 4 },
      ),
      form: fc.constantFrom('comma', 'semicolon', 'turned'),
    });
    const change = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), part }) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('remove' as const), name: fc.integer({ min: 0, max: 6 }) }),
      },
    );
    const steps = fc.array(fc.array(change, { minLength: 0, maxLength: 3 }), { minLength: 2, maxLength: 5 });
    let keptOnce = 0;
    await soakAssert(
      fc.asyncProperty(steps, async (sequence) => {
        await withProject(project(january), async (files) => {
          for (const changes of sequence) {
            for (const each of changes) {
              if (each.kind === 'remove') rmSync(join(files.folder, `orders-1${each.name}.csv`), { force: true });
              else await files.write({ [`orders-1${each.part.name}.csv`]: csvOf(each.part) });
            }
            const summary = await files.import();
            assert.equal(summary.status, 'imported', summary.error?.message);
            keptOnce += Object.keys(kept(summary)).length;
            const incremental = await wholeGraph(files);
            // In a folder of its own, as a full import there would replace the cached rows that the next one is to use.
            await withProject(await copyOf(files), async (copy) => {
              await copy.import(fullImport);
              assert.deepEqual(incremental, await wholeGraph(copy));
            });
          }
        });
      }),
      1,
    );
    assert.ok(keptOnce > 0 || isSoak);
  });
});

interface Part {
  readonly rows: readonly {
    readonly id: number;
    readonly day: number;
    readonly note: string;
    readonly amount: string;
  }[];
  readonly form: 'comma' | 'semicolon' | 'turned';
}

function csvOf({ rows, form }: Part): string {
  const lines = rows.map(({ id, day, note, amount }) => [String(id), `2024-01-0${day} 00:00:00`, note, amount]);
  const all = [['id', 'at', 'note', 'amount'], ...lines];
  const cells = form === 'turned' ? all.map((line) => line.toReversed()) : all;
  return cells.map((line) => `${line.join(form === 'semicolon' ? ';' : ',')}\n`).join('');
}

async function copyOf({ folder }: ImportedProject): Promise<Readonly<Record<string, Uint8Array>>> {
  const { readFileSync } = await import('node:fs');
  const names = readdirSync(folder).filter((name) => /\.(csv|yaml)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
}
