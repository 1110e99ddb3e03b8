import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { duckdb } from '../../server/src/dialects/duckdb.ts';
import { openScratch } from '../../server/src/store/duckdb-store.ts';
import { exportProject } from '../support/export-project.ts';
import { type ImportedProject, csvSources, graphText, withProject } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';
import { xesFaults, xesTraces } from '../support/xes-faults.ts';

const shop = {
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graphText(
    `  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at, changeTimestamp: changed, properties: [amount, paid, note, level, case_id, "a:b <µ>"] }
  - { activityName: Audit, dataObject: audits, key: order, entityType: order, startTimestamp: at, properties: [level] }
  - { activityName: Win, dataObject: customers, key: id, entityType: customer, startTimestamp: since }
`,
    `  - { name: places, source: Win, target: Place, mappings: [{ source: id, target: customer }] }
  - { name: owns, source: Win, target: Place, mappings: [{ source: id, target: customer }] }
`,
  ),
  'orders.csv': `id,customer,at,changed,amount,paid,note,level,case_id,"a:b <µ>"
"B ""2"" <&",7,2024-01-03 08:00:00,2024-01-06 00:00:00.000001,2.25,true,"=1+1, ""x""
y",3,own,z
A,7,2024-01-02 08:00:00,,1.5,,-,4,,
`,
  'audits.csv': 'order,at,level\nA,2024-01-02 08:00:00,high\nA,2024-01-01 00:00:00,low\n',
  'customers.csv': 'id,since\n7,2024-01-04\n8,2024-01-02\n',
};

async function withShop(use: (of: ImportedProject) => Promise<void>): Promise<void> {
  await withProject(shop, async (of) => {
    const done = await of.import();
    assert.equal(done.status, 'imported', done.error?.message);
    await use(of);
  });
}

const exported = async (
  of: ImportedProject,
  format: string,
  entityType?: string,
  guardFormulas = false,
): Promise<string> => readFile(await exportProject(of, format, `log.${format}`, { entityType, guardFormulas }), 'utf8');

/** By the store: each event of an entity once, however often it is correlated. */
const pairsSql = (type: string): string =>
  `SELECT key, list('e' || event_id ORDER BY event_id) FROM (SELECT DISTINCT entity_id, event_id FROM event_entity) JOIN entity ON id = entity_id
   WHERE entity_type = '${type}' GROUP BY id, key ORDER BY id`;

describe('event logs of one entity type', () => {
  it('XES › a trace for each entity, with the events that belong to it in their order, own and related', () =>
    withShop(async (of) => {
      for (const type of ['order', 'customer']) {
        const log = await exported(of, 'xes', type);
        assert.deepEqual(xesFaults(log), [], type);
        const traces = xesTraces(log).map(({ name, events }) => [
          name,
          JSON.stringify(events.map((event) => event['event_id'])),
        ]);
        const stored = await of.rows(pairsSql(type));
        assert.deepEqual(
          traces,
          stored.map(([key, ids]) => [key, ids]),
          type,
        );
      }
    }));

  it('XES › values with their types, keys that are names, and texts that need escapes', () =>
    withShop(async (of) => {
      const log = await exported(of, 'xes', 'order');
      const events = xesTraces(log).flatMap(({ name, events: own }) => own.map((event) => ({ case: name, ...event })));
      const common = { 'concept:name': 'Place', element: 'Place', lifecycle: 'start' };
      const customer = {
        'concept:name': 'Win',
        element: 'Win',
        lifecycle: 'start',
        'time:timestamp': '2024-01-04T00:00:00.000000Z',
        event_id: 'e6',
      };
      const second = {
        case: 'B "2" <&',
        amount: '2.25',
        paid: 'true',
        note: '=1+1, "x"\ny',
        level: '3',
        case_id: 'own',
        a_b____: 'z',
      };
      assert.deepEqual(events, [
        {
          case: 'A',
          'concept:name': 'Audit',
          'time:timestamp': '2024-01-01T00:00:00.000000Z',
          lifecycle: 'start',
          event_id: 'e1',
          element: 'Audit',
          level: 'low',
        },
        {
          ...common,
          case: 'A',
          'time:timestamp': '2024-01-02T08:00:00.000000Z',
          event_id: 'e3',
          amount: '1.5',
          note: '-',
          level: '4',
        },
        {
          case: 'A',
          'concept:name': 'Audit',
          'time:timestamp': '2024-01-02T08:00:00.000000Z',
          lifecycle: 'start',
          event_id: 'e4',
          element: 'Audit',
          level: 'high',
        },
        { case: 'A', ...customer },
        { ...common, ...second, 'time:timestamp': '2024-01-03T08:00:00.000000Z', event_id: 'e5' },
        { case: 'B "2" <&', ...customer },
        { ...common, ...second, lifecycle: 'change', 'time:timestamp': '2024-01-06T00:00:00.000001Z', event_id: 'e7' },
      ]);
      for (const text of [
        '<float key="amount" value="1.5"/>',
        '<boolean key="paid" value="true"/>',
        '<string key="level" value="4"/>',
      ]) {
        assert.ok(log.includes(text), text);
      }
    }));

  it('XES › attributes of the standard extensions keep their names, in the types of the extensions', () =>
    withProject(
      {
        'entity-sources.yaml': csvSources(),
        'graph.entity.yaml': graphText(
          '  - { activityName: Place, dataObject: orders, key: id, startTimestamp: at, properties: ["org:resource", "lifecycle:transition", "cost:total", "shop:x"] }\n',
        ),
        'orders.csv':
          'id,at,org:resource,lifecycle:transition,cost:total,shop:x\n1,2024-01-01,7,complete,9007199254740993,5\n',
      },
      async (of) => {
        assert.equal((await of.import()).status, 'imported');
        const log = await exported(of, 'xes');
        assert.deepEqual(xesFaults(log), []);
        assert.match(
          log,
          /<string key="org:resource" value="7"\/><string key="lifecycle:transition" value="complete"\/><float key="cost:total" value="9007199254740993\.0"\/><int key="shop_x" value="5"\/>/,
        );
      },
    ));

  it('CSV › a row for each event of an entity; a name that is taken is numbered', () =>
    withShop(async (of) => {
      const path = await exportProject(of, 'csv-log', 'log.csv', { entityType: 'order' });
      const scratch = await openScratch();
      try {
        const read = `read_csv(${duckdb.literals.quote(path)}, header = true, all_varchar = true, quote = '"', escape = '"', delim = ',')`;
        const { columns, rows } = await scratch.table(`SELECT * FROM ${read}`);
        assert.deepEqual(
          columns.map(({ name }) => name),
          [
            'case_id',
            'activity',
            'timestamp',
            'lifecycle',
            'event_id',
            'element',
            'amount',
            'paid',
            'note',
            'level',
            'case_id_2',
            'a:b <µ>',
          ],
        );
        const second = ['2.25', 'true', '=1+1, "x"\ny', '3', 'own', 'z'];
        const none = [null, null, null, null, null, null];
        assert.deepEqual(rows, [
          ['A', 'Audit', '2024-01-01T00:00:00.000000Z', 'start', '1', 'Audit', null, null, null, 'low', null, null],
          ['A', 'Place', '2024-01-02T08:00:00.000000Z', 'start', '3', 'Place', '1.5', null, '-', '4', null, null],
          ['A', 'Audit', '2024-01-02T08:00:00.000000Z', 'start', '4', 'Audit', null, null, null, 'high', null, null],
          ['A', 'Win', '2024-01-04T00:00:00.000000Z', 'start', '6', 'Win', ...none],
          ['B "2" <&', 'Place', '2024-01-03T08:00:00.000000Z', 'start', '5', 'Place', ...second],
          ['B "2" <&', 'Win', '2024-01-04T00:00:00.000000Z', 'start', '6', 'Win', ...none],
          ['B "2" <&', 'Place', '2024-01-06T00:00:00.000001Z', 'change', '7', 'Place', ...second],
        ]);
      } finally {
        await scratch.close();
      }
    }));

  it('CSV › properties of the entity are columns of each of its events, called case_…', () =>
    withProject(
      {
        'entity-sources.yaml': csvSources(),
        'graph.entity.yaml': graphText(
          '  - { activityName: Place, dataObject: orders, key: id, startTimestamp: at, entityType: order, properties: [case_name, level] }\n',
          '',
        ).replace(
          /\n*$/,
          `
entities:
  - { name: by desk, entityType: order, dataObject: desk, key: id, properties: [name, level] }
  - { name: by web, entityType: order, dataObject: web, key: id, properties: [name, "=sum"] }
`,
        ),
        'orders.csv': 'id,at,case_name,level\n1,2024-01-01,own,7\n2,2024-01-02,,8\n3,2024-01-03,,9\n',
        'desk.csv': 'id,name,level\n1,Ada,1.5\n2,,\n',
        'web.csv': 'id,name,=sum\n1,Bob,=1\n2,Bea,x\n3,,\n',
      },
      async (of) => {
        const done = await of.import();
        assert.equal(done.status, 'imported', done.error?.message);
        assert.equal(
          await exported(of, 'csv-log', 'order'),
          `case_id,activity,timestamp,lifecycle,event_id,element,case_name,level,case_name_2,case_level,case_=sum
1,Place,2024-01-01T00:00:00.000000Z,start,1,Place,own,7,Bob,1.5,=1
2,Place,2024-01-02T00:00:00.000000Z,start,2,Place,,8,Bea,,x
3,Place,2024-01-03T00:00:00.000000Z,start,3,Place,,9,,,
`,
        );
        assert.ok((await exported(of, 'csv-log', 'order', true)).includes(",1.5,'=1\n"));
        assert.match(await exported(of, 'xes', 'order'), /<string key="name" value="Bob"\/>/);
      },
    ));

  it('CSV › guards formulas on request', () =>
    withShop(async (of) => {
      assert.ok((await exported(of, 'csv-log', 'order')).includes('"=1+1, '));
      const guarded = await exported(of, 'csv-log', 'order', true);
      assert.ok(guarded.includes(`"'=1+1, `) && guarded.includes(`,'-,4,`) && !guarded.includes('"=1+1, '), guarded);
    }));

  it('requires the entity type if there are several and lists them; takes the only one', () =>
    withShop(async (of) => {
      for (const form of ['xes', 'csv-log']) {
        await assert.rejects(exported(of, form), {
          failure: {
            code: 'entity-type-missing',
            message: 'The cases of an event log are the entities of one type, and the graph has several.',
            remedy: 'Name one with --type: customer, order.',
          },
        });
        await assert.rejects(exported(of, form, 'ordr'), {
          failure: {
            code: 'entity-type-unknown',
            message: 'The graph has no entities of the type ordr.',
            remedy: 'Name one of these with --type: customer, order.',
          },
        });
      }
      await of.write({
        'graph.entity.yaml': graphText(
          '  - { activityName: Win, dataObject: customers, key: id, startTimestamp: since }\n',
        ),
      });
      assert.equal((await of.import()).status, 'imported');
      assert.equal(xesTraces(await exported(of, 'xes')).length, 2);
      await of.write({
        'graph.entity.yaml': `${graphText(
          '  - { activityName: Win, dataObject: customers, key: id, startTimestamp: since }\n',
        )}entities:\n  - { name: years, entityType: year, dataObject: customers, key: since }\n`,
      });
      assert.equal((await of.import()).status, 'imported');
      assert.equal(xesTraces(await exported(of, 'xes')).length, 2, 'master data without events is no case');
      await of.write({
        'graph.entity.yaml': graphText(
          '  - { activityName: Win, dataObject: customers, key: id, startTimestamp: since }\n',
        ),
      });
      await of.write({ 'customers.csv': 'id,since\n,2024-01-01\n' });
      assert.equal((await of.import()).status, 'imported');
      await assert.rejects(exported(of, 'xes'), {
        failure: { code: 'no-entities', message: 'The graph has no entities.', remedy: 'Import some rows first.' },
      });
    }));

  it('are written by the command line', () =>
    withShop(async (of) => {
      const run = (...args: readonly string[]) =>
        runCommand(['export', 'graph.entity.yaml', ...args, '--workspace', of.folder, '--format', 'json'], of.folder);
      const written = await run('--as', 'xes', '--type', 'order', '--output', 'orders.xes');
      assert.deepEqual(
        [written.code, JSON.parse(written.stdout)],
        [0, { files: [join(of.folder, 'orders.xes')] }],
        written.stderr,
      );
      assert.deepEqual(xesFaults(await readFile(join(of.folder, 'orders.xes'), 'utf8')), []);
      const refused = await run('--as', 'csv', '--type', 'order', '--output', 'tables');
      assert.equal(refused.code, 2);
      assert.match(refused.stderr + refused.stdout, /--type is for --as xes, csv-log: csv has entities of all types\./);
    }));

  it('hold integers of more than 64 bits as texts, numbers that are not finite in the words of XML, and no infinite time', () =>
    withProject(
      {
        ...shop,
        'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.parquet" }\n',
        'graph.entity.yaml': graphText(
          '  - { activityName: Win, dataObject: big, key: id, startTimestamp: since, properties: [large, small, ratio, rest, until] }\n',
        ),
      },
      async (of) => {
        const scratch = await openScratch();
        const rows = `SELECT 1 AS id, TIMESTAMP '2024-01-01' AS since, 18446744073709551615::UBIGINT AS large, 5::UBIGINT AS small, '-inf'::DOUBLE AS ratio, 'nan'::FLOAT AS rest, TIMESTAMP 'infinity' AS until`;
        await scratch.run(`COPY (${rows}) TO ${duckdb.literals.quote(join(of.folder, 'big.parquet'))}`);
        await scratch.close();
        assert.equal((await of.import()).status, 'imported');
        const log = await exported(of, 'xes');
        assert.deepEqual(xesFaults(log), []);
        assert.ok(
          log.includes(
            '<string key="large" value="18446744073709551615"/><int key="small" value="5"/><float key="ratio" value="-INF"/><float key="rest" value="NaN"/></event>',
          ),
          log,
        );
      },
    ));

  it('are validated by the rules of XES', () => {
    const head = ['concept', 'time']
      .map((prefix) => `<extension name="${prefix}" prefix="${prefix}" uri="x"/>`)
      .join('');
    const log = (inner: string): string => `<log xes.version="1849.2023" xes.features="">${head}${inner}</log>`;
    const event =
      '<event><string key="concept:name" value="a"/><date key="time:timestamp" value="2024-01-01T00:00:00Z"/></event>';
    const trace = `<trace><string key="concept:name" value="c"/>${event}</trace>`;
    assert.deepEqual(xesFaults(log(trace)), []);
    for (const wrong of [
      log(`${trace}<extension name="Time" prefix="time" uri="x"/>`),
      log(trace.replace('"2024-01-01T00:00:00Z"', '"infinity"')),
      log(trace.replace('<date', '<int')),
      log(trace.replace('</event>', '<string key="a b" value=""/></event>')),
      log(trace.replace('</event>', '<int key="n" value="9223372036854775808"/></event>')),
      log(trace.replace('</event>', '<string key="concept:name" value="b"/></event>')),
      log(trace.replace('</event>', 'text</event>')),
      log(trace.replace('</event>', '<string key="org:resource" value="Ada"/></event>')),
      log(trace).replace('1849.2023', '1849-2023'),
    ]) {
      assert.equal(xesFaults(wrong).length > 0, true, wrong);
    }
  });
});
