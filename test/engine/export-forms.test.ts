import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkFile } from '../../server/src/check/check-file.ts';
import { type LogTable, createLogDatabase, logTables } from '../../server/src/event-logs/ocel/log-tables.ts';
import { readJsonLog } from '../../server/src/event-logs/ocel/read-json.ts';
import { readSqliteLog } from '../../server/src/event-logs/ocel/read-sqlite.ts';
import { readXmlLog } from '../../server/src/event-logs/ocel/read-xml.ts';
import { exportGraph } from '../../server/src/operations/stored-graphs/export-graph.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { type DuckDbSession, openScratch } from '../../server/src/store/duckdb-store.ts';
import { openSqliteFile } from '../../server/src/store/sqlite-file.ts';
import { endedProcess, tagOf } from '../support/ended-process.ts';
import { type Cell, type ImportedProject, csvSources, graphText, withProject } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { noSecrets } from '../support/no-secrets.ts';

const { signal } = new AbortController();

/** Two elements of one entity type with different `level` values, colliding names, values that need escapes, ties. */
const project = {
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graphText(
    `  - { activityName: Place order, dataObject: orders, key: id, entityType: order, startTimestamp: at, changeTimestamp: changed, properties: [amount, paid, due, note, level, OCEL_id] }
  - { activityName: place-Order, dataObject: audits, key: order, entityType: order, startTimestamp: at, properties: [level, note, id, time, activity, element, entity_id, first, v1, name] }
  - { activityName: Win, dataObject: customers, key: id, entityType: object, startTimestamp: since }
`,
    `  - { name: 'places "it"', source: Win, target: Place order, mappings: [{ source: id, target: customer }] }
  - { name: watches & waits, source: Win, target: Place order, mappings: [{ source: id, target: customer }] }
`,
  ),
  'orders.csv': `id,customer,at,changed,amount,paid,due,note,level,OCEL_id
1,7,2024-01-02 08:00:00,2024-01-05 08:00:00,1.5,true,2024-02-01,"a ""b"" <&>'
c	d",3,x
1,7,2024-01-03 08:00:00,,2.25,true,2024-02-01,,3,x
2,7,2024-01-03 08:00:00,,,false,,Ünïcode 🦆 \\ line,4,
`,
  'audits.csv':
    'order,at,level,note,id,time,activity,element,entity_id,first,v1,name\n1,2024-01-03 08:00:00,high,looked at,,,,,,,,\n1,2024-01-04 08:00:00.123456,high,,,,,,,,,\n2,2024-01-01 00:00:00,low,early,ii,tt,aa,ee,xx,ff,vv,nn\n',
  'customers.csv': 'id,since\n7,2024-01-01\n8,2024-01-02\n',
};

async function exported(of: ImportedProject, format: string, name = 'out'): Promise<string> {
  const projectContext = { ...noSecrets, workspaceFolderOf: () => of.folder };
  const file = await readGraphFile(join(of.folder, 'graph.entity.yaml'), projectContext);
  const output = join(of.folder, name);
  await exportGraph(file, projectContext, { format, output, signal });
  return output;
}

/** The rows of every table of a log, sorted, with times and booleans in one notation. */
async function rowsOf(read: (database: DuckDbSession, folder: string) => Promise<unknown>) {
  const folder = await folderWith({});
  const database = await createLogDatabase(folder);
  try {
    await read(database, folder);
    const rows: Partial<Record<LogTable, readonly (readonly Cell[])[]>> = {};
    for (const table of Object.keys(logTables) as LogTable[]) {
      // Only the reader of SQLite fills this table.
      if (table === 'event_order') continue;
      const found = (await database.table(`SELECT ${logTables[table].join(', ')} FROM ${table} ORDER BY ALL`)).rows;
      rows[table] = found
        .map((row) => row.map(oneForm))
        .toSorted((left, right) => String(left).localeCompare(String(right)));
    }
    return rows;
  } finally {
    await database.close();
    await removeFolder(folder);
  }
}

/** SQLite writes 2024-01-02T08:00:00.000000Z as 2024-01-02 08:00:00. */
function oneForm(cell: Cell): Cell {
  const time = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d+)?Z?$/.exec(String(cell));
  return time ? `${time[1]} ${time[2]}${(time[3] ?? '').replace(/\.?0+$/, '')}` : cell;
}

describe('graph exports', () => {
  it('times of OCEL JSON and XML end with +00:00 if readers need it', async () => {
    await withProject(project, async (of) => {
      assert.equal((await of.import()).status, 'imported');
      const { folder } = of;
      for (const form of ['ocel-json', 'ocel-xml']) {
        const args = ['export', 'graph.entity.yaml', '--as', form, '--workspace', folder, '--output'];
        for (const more of [['plain'], ['offset', '--utc-offset']]) {
          const { code, stderr } = await runCommand([...args, ...more], folder);
          assert.equal(code, 0, stderr);
        }
        const texts = ['plain', 'offset'].map((name) => readFileSync(join(folder, name), 'utf8'));
        const times = /(\d\d:\d\d:\d\d(?:\.\d{6})?)Z(?=["<])/gu;
        assert.equal(texts[1], texts[0]?.replaceAll(times, '$1+00:00'));
        assert.match(texts[1] ?? '', /1970-01-01T00:00:00\+00:00[^]*2024-01-04T08:00:00\.123456\+00:00/u);
        const { results } = await checkFile(join(folder, 'offset'), signal);
        assert.deepEqual(
          results.filter(({ ok }) => !ok),
          [],
        );
      }
      const refused = await runCommand(
        ['export', 'graph.entity.yaml', '--as', 'csv', '--workspace', folder, '--output', 'x', '--utc-offset'],
        folder,
      );
      assert.deepEqual(
        [refused.code, refused.stderr.includes('--utc-offset is for --as ocel-json, ocel-xml.')],
        [2, true],
      );
    });
  });

  it('OCEL JSON, XML and SQLite have the same content', async () => {
    await withProject(project, async (of) => {
      assert.equal((await of.import()).status, 'imported');
      const json = await exported(of, 'ocel-json');
      const fromJson = await rowsOf((database, folder) => readJsonLog(json, database, folder, signal));
      const xml = await exported(of, 'ocel-xml');
      const fromXml = await rowsOf((database, folder) => readXmlLog(xml, database, folder, signal));
      const sqlite = await exported(of, 'ocel-sqlite');
      const fromSqlite = await rowsOf((database, folder) => readSqliteLog(sqlite, database, folder, signal));
      assert.deepEqual(fromXml, fromJson);
      // SQLite has no boolean literals, and compares OCEL_id and ocel_id as equal.
      const asSqlite = JSON.parse(
        JSON.stringify(fromJson)
          .replaceAll('"paid","true"', '"paid","1"')
          .replaceAll('"paid","false"', '"paid","0"')
          .replaceAll('"OCEL_id"', '"OCEL_id_2"'),
      ) as typeof fromJson;
      assert.deepEqual(fromSqlite, asSqlite);
      assert.deepEqual(
        fromJson.object_value,
        [
          ['order:1', 'OCEL_id', 'x', '1970-01-01 00:00:00'],
          ['order:1', 'amount', '1.5', '1970-01-01 00:00:00'],
          ['order:1', 'amount', '2.25', '2024-01-03 08:00:00'],
          ['order:1', 'amount', '1.5', '2024-01-05 08:00:00'],
          ['order:1', 'due', '2024-02-01 00:00:00', '1970-01-01 00:00:00'],
          ['order:1', 'level', '3', '1970-01-01 00:00:00'],
          ['order:1', 'level', '3', '2024-01-05 08:00:00'],
          ['order:1', 'level', 'high', '2024-01-03 08:00:00'],
          ['order:1', 'note', 'a "b" <&>\'\nc\td', '1970-01-01 00:00:00'],
          ['order:1', 'note', 'a "b" <&>\'\nc\td', '2024-01-05 08:00:00'],
          ['order:1', 'note', 'looked at', '2024-01-03 08:00:00'],
          ['order:1', 'paid', 'true', '1970-01-01 00:00:00'],
          ...['id:ii', 'time:tt', 'activity:aa', 'element:ee', 'entity_id:xx', 'first:ff', 'v1:vv', 'name:nn'].map(
            (pair) => ['order:2', ...pair.split(':'), '1970-01-01 00:00:00'],
          ),
          ['order:2', 'level', '4', '2024-01-03 08:00:00'],
          ['order:2', 'level', 'low', '1970-01-01 00:00:00'],
          ['order:2', 'note', 'early', '1970-01-01 00:00:00'],
          ['order:2', 'note', 'Ünïcode 🦆 \\ line', '2024-01-03 08:00:00'],
          ['order:2', 'paid', 'false', '2024-01-03 08:00:00'],
        ].toSorted((left, right) => String(left).localeCompare(String(right))),
      );
    });
  });

  it('OCEL exports contain every event, object, correlation and relation of the store, and pass the check', async () => {
    await withProject(project, async (of) => {
      const { totals } = await of.import();
      const readers = { 'ocel-json': readJsonLog, 'ocel-xml': readXmlLog, 'ocel-sqlite': readSqliteLog };
      for (const [format, read] of Object.entries(readers)) {
        const path = await exported(of, format, `out.${format}`);
        const rows = await rowsOf((database, folder) => read(path, database, folder, signal));
        assert.deepEqual(
          [rows.event?.length, rows.object?.length, rows.event_object?.length, rows.object_object?.length],
          [totals.events, totals.entities, totals.correlations, totals.relations],
          format,
        );
        const { form, results } = await checkFile(path, signal);
        assert.equal(form, format);
        assert.deepEqual(
          results.filter(({ ok }) => !ok),
          [],
          format,
        );
      }
      const events = (await of.rows('SELECT id, activity, time FROM event')).map((row) => row.map(oneForm));
      const json = await rowsOf((database, folder) =>
        readJsonLog(join(of.folder, 'out.ocel-json'), database, folder, signal),
      );
      assert.deepEqual(
        new Set(json.event?.map(String)),
        new Set(events.map(([id, activity, time]) => `e${String(id)},${String(activity)},${String(time)}`)),
      );
    });
  });

  it('SQLite table names are unique and columns have types', async () => {
    await withProject(project, async (of) => {
      await of.import();
      const file = await openSqliteFile(await exported(of, 'ocel-sqlite'), 'read');
      try {
        const all = (sql: string): unknown[] => [...file.rows(sql)].map((row) => Object.values(row));
        assert.deepEqual(all('SELECT * FROM event_map_type ORDER BY 1'), [
          ['Place order', 'PlaceOrder'],
          ['Win', 'Win'],
          ['place-Order', 'PlaceOrder_2'],
        ]);
        assert.deepEqual(all('SELECT * FROM object_map_type ORDER BY 1'), [
          ['object', 'Object_2'],
          ['order', 'Order'],
        ]);
        assert.deepEqual(
          all("SELECT name, type FROM pragma_table_info('object_Order') WHERE cid < 8 OR name LIKE 'ocel%'"),
          [
            ['ocel_id', 'TEXT'],
            ['ocel_time', 'TIMESTAMP'],
            ['amount', 'REAL'],
            ['paid', 'BOOLEAN'],
            ['due', 'TIMESTAMP'],
            ['note', 'TEXT'],
            ['level', 'TEXT'],
            ['OCEL_id_2', 'TEXT'],
            ['ocel_changed_field', 'TEXT'],
          ],
        );
        assert.deepEqual(
          all(
            'SELECT typeof(amount), typeof(paid), typeof(level), typeof(ocel_time) FROM event_PlaceOrder WHERE amount = 2.25',
          ),
          [['real', 'integer', 'integer', 'text']],
        );
      } finally {
        file.close();
      }
    });
  });

  it('Neo4j files contain the graph with typed headers, labels and a matching import script', async () => {
    await withProject(project, async (of) => {
      const { totals } = await of.import();
      const folder = await exported(of, 'neo4j', 'neo');
      assert.deepEqual((await readdir(folder)).toSorted(), [
        '.entity-graph-export.json',
        'corr.csv',
        'df.csv',
        'entities.csv',
        'events_1.csv',
        'events_2.csv',
        'events_3.csv',
        'load.cypher',
        'neo4j-admin.args',
        'rel.csv',
      ]);
      const head = (await readFile(join(folder, 'events_1.csv'), 'utf8')).split('\n')[0];
      assert.equal(
        head,
        'eventId:ID(Event),Activity,timestamp:datetime,lifecycle,element,amount:double,paid:boolean,due:datetime,note,level:long,OCEL_id,:LABEL',
      );
      const scratch = await openScratch();
      try {
        const csv = (name: string): string =>
          `read_csv('${join(folder, name)}', all_varchar = true, header = true, quote = '"', escape = '\\', delim = ',')`;
        const count = async (sql: string): Promise<number> => Number((await scratch.table(sql)).rows[0]?.[0]);
        assert.deepEqual(
          [
            await count(
              `SELECT count(*) FROM (${[1, 2, 3].map((n) => `SELECT "eventId:ID(Event)" AS id FROM ${csv(`events_${n}.csv`)} WHERE ":LABEL" = 'Event'`).join(' UNION ')})`,
            ),
            await count(`SELECT count(*) FROM ${csv('entities.csv')} WHERE ":LABEL" = 'Entity'`),
            await count(`SELECT count(*) FROM ${csv('corr.csv')} WHERE ":TYPE" = 'CORR'`),
            await count(`SELECT count(*) FROM ${csv('rel.csv')} WHERE ":TYPE" = 'REL'`),
            await count(`SELECT count(*) FROM ${csv('df.csv')} WHERE ":TYPE" = 'DF'`),
          ],
          [totals.events, totals.entities, totals.correlations, totals.relations, totals.directlyFollows],
        );
        const edges = (
          await scratch.table(
            `SELECT ":START_ID(Event)", ":END_ID(Event)", "EntityType" || ':' || "ID" FROM ${csv('df.csv')}`,
          )
        ).rows;
        const stored = await of.rows(
          "SELECT source_event_id, target_event_id, entity_type || ':' || key FROM directly_follows JOIN entity ON id = entity_id",
        );
        assert.deepEqual(new Set(edges.map(String)), new Set(stored.map(String)));
        // An option that takes files consumes all following arguments, including the database's name, until the next
        // option.
        assert.deepEqual((await readFile(join(folder, 'neo4j-admin.args'), 'utf8')).trimEnd().split('\n'), [
          '--nodes=entities.csv',
          ...[1, 2, 3].map((number) => `--nodes=events_${number}.csv`),
          ...['corr', 'df', 'rel'].map((name) => `--relationships=${name}.csv`),
          '--legacy-style-quoting=true',
          '--multiline-fields=true',
        ]);
        const notes = await scratch.table(`SELECT note FROM ${csv('events_1.csv')} WHERE note IS NOT NULL ORDER BY 1`);
        const held = await of.rows('SELECT note FROM properties_1 WHERE note IS NOT NULL ORDER BY 1');
        assert.deepEqual(notes.rows, held);
        const script = await readFile(join(folder, 'load.cypher'), 'utf8');
        assert.ok(!/^\s*:/m.test(script), 'commands of a browser are none of the shell');
        for (const name of ['entities.csv', 'events_1.csv', 'corr.csv']) {
          const columns = (await scratch.describe(`SELECT * FROM ${csv(name)}`)).map((column) => column.name);
          const block = script.split('LOAD CSV').find((part) => part.includes(`'file:///${name}'`)) ?? '';
          for (const [, used] of block.matchAll(/row\['([^']+)'\]/g))
            assert.ok(columns.includes(used ?? ''), `${name}: ${used}`);
        }
      } finally {
        await scratch.close();
      }
    });
  });

  it('files are replaced atomically, and temporary files of killed exports are deleted', async () => {
    await withProject(project, async (of) => {
      await of.import();
      await of.write({ [`.entity-graph-export-${await tagOf(endedProcess)}-abc/ocel.json`]: 'half' });
      await writeFile(join(of.folder, 'out'), 'old');
      await exported(of, 'ocel-json');
      assert.match(await readFile(join(of.folder, 'out'), 'utf8'), /^\{"objectTypes"/);
      assert.deepEqual(
        (await readdir(of.folder)).filter((name) => name.startsWith('.entity-graph-export-')),
        [],
      );
    });
  });
});
