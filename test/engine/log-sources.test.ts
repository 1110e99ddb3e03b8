import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { checkFile } from '../../server/src/check/check-file.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { isSourceError } from '../../server/src/connectors/source-error.ts';
import { showQuery, testQuery } from '../../server/src/operations/queries/query-operations.ts';
import { validateFile } from '../../server/src/operations/validation/validate.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { openStore } from '../../server/src/store/duckdb-store.ts';
import { openSqliteFile } from '../../server/src/store/sqlite-file.ts';
import { logDifference } from '../support/log-difference.ts';
import { withProject } from '../support/import-text.ts';
import { describeLog, exportAt, importAt, withLogProject } from '../support/log-projects.ts';
import { changedLog, foreignLog, foreignXes } from '../support/small-logs.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const { signal } = new AbortController();
const projectContext = { permitUses: permitAllUses, readSecret: async () => undefined, environment: {} };

/** docs/event-logs.md, with logs of other tools. */
describe('event logs as data sources', () => {
  let folder = '';
  before(async () => {
    folder = await folderWith({
      'log.jsonocel': JSON.stringify(foreignLog),
      'log.xes': foreignXes,
      'log.xes.gz': gzipSync(foreignXes),
    });
  });
  after(() => removeFolder(folder));

  const problemsOf = async (graph: string): Promise<readonly string[]> => {
    const { problems } = await validateFile(graph, projectContext, { online: true });
    return problems.map(({ severity, code, message }) => `${severity} ${code} ${message}`);
  };

  async function rowsOf(store: string | undefined, sql: string): Promise<readonly string[]> {
    assert.ok(store);
    const reader = await openStore(store);
    try {
      return (await reader.table(sql)).rows.map((row) => row.join(' | '));
    } finally {
      await reader.close();
    }
  }

  it('OCEL › the catalog has the data objects with their columns, types and references', async () => {
    const { objects } = await describeLog('ocel', join(folder, 'log.jsonocel'));
    const shown = objects.map(
      ({ name, columns }) =>
        `${name}: ${columns.map((column) => `${column.name} ${column.type}${column.references ? ` → ${column.references.dataObject}` : ''}`).join(', ')}`,
    );
    const time = 'TIMESTAMP WITH TIME ZONE';
    const event = `ocel_id VARCHAR, ocel_type VARCHAR, ocel_time ${time}, ocel_position BIGINT`;
    const object = `ocel_id VARCHAR, ocel_type VARCHAR, ocel_time ${time}, ocel_changed_field VARCHAR`;
    assert.deepEqual(shown, [
      `event_Place_Order: ${event}, via_web BOOLEAN, due ${time}, event_id VARCHAR, item (item) VARCHAR, order (places) VARCHAR → object_order`,
      `event_Pay: ${event}, Pay (made) VARCHAR → object_Pay, order () VARCHAR → object_order`,
      `event_object_2: ${event}, item (seen) VARCHAR → object_item`,
      `object_order: ${object}, sum_net DECIMAL(38, 2), Price BIGINT, price_2 VARCHAR, note VARCHAR`,
      `object_item: ${object}, weight DOUBLE`,
      `object_Pay: ${object}`,
      'event_object: ocel_event_id VARCHAR, ocel_event_type VARCHAR, ocel_object_id VARCHAR, ocel_object_type VARCHAR, ocel_qualifier VARCHAR',
      'object_object: ocel_source_id VARCHAR, ocel_source_type VARCHAR, ocel_target_id VARCHAR, ocel_target_type VARCHAR, ocel_qualifier VARCHAR',
    ]);
  });

  it('OCEL › the first graph has no problems, and its import is the whole log', () =>
    withLogProject('ocel', join(folder, 'log.jsonocel'), async ({ graph, made }) => {
      assert.deepEqual(made, { chosen: [], choices: [], leftOut: [] });
      assert.deepEqual(await problemsOf(graph), []);
      const { status, store, warnings, error } = await importAt(graph);
      assert.equal(status, 'imported', error?.message);
      assert.deepEqual(warnings, []);
      assert.deepEqual(await rowsOf(store, 'SELECT id, activity, time FROM event ORDER BY id'), [
        '1 | Place.Order | 2024-01-01T08:00:00.000000Z',
        '2 | Pay | 2024-01-02T00:00:00.123456Z',
        '3 | object | 2024-01-05T00:00:00.000000Z',
        '4 | object | 2024-01-05T00:00:00.000000Z',
      ]);
      const correlations =
        'SELECT event_id, entity_type, key, qualifier FROM event_entity JOIN entity ON entity.id = event_entity.entity_id ORDER BY ALL';
      assert.deepEqual(await rowsOf(store, correlations), [
        '1 | item | i1 | item',
        '1 | item | i2 | item',
        '1 | order | o1 | places',
        '2 | Pay | p1 | made',
        '2 | order | o1 | order',
        // The order of the file, where two events have one time.
        '3 | item | i2 | seen',
        '4 | item | i1 | seen',
      ]);
      const relations =
        'SELECT relationship, a.key, b.key FROM relation JOIN entity AS a ON a.id = source_entity_id JOIN entity AS b ON b.id = target_entity_id ORDER BY ALL';
      assert.deepEqual(await rowsOf(store, relations), [
        'contains | o1 | p1',
        'contains (order → item) | o1 | i1',
        'contains (order → item) | o1 | i2',
      ]);
      assert.deepEqual(await rowsOf(store, "SELECT key FROM entity WHERE entity_type = 'item' ORDER BY key"), [
        'i1',
        'i2',
        'never used',
      ]);
    }));

  it('OCEL › after the first export the log is identical, in all forms', () =>
    withLogProject('ocel', join(folder, 'log.jsonocel'), async ({ graph, folder: project }) => {
      await importAt(graph);
      for (const form of ['ocel-json', 'ocel-xml', 'ocel-sqlite'] as const) {
        const first = await exportAt(graph, form, join(project, `first.${form}`));
        await withLogProject('ocel', first, async (again) => {
          const { status, error, warnings } = await importAt(again.graph);
          assert.equal(status, 'imported', error?.message);
          assert.deepEqual(warnings, []);
          const second = await exportAt(again.graph, form, join(again.folder, 'second'));
          const { differences, rows } = await logDifference([first, second], form);
          assert.deepEqual(differences, []);
          assert.deepEqual(
            [rows.events, rows.objects, rows['event values'], rows['event relations'], rows['object relations']],
            [4, 5, 3, 7, 3],
          );
        });
      }
    }));

  it('OCEL › an object has a row with its first values, and one for each later value', () =>
    withLogProject('ocel', join(folder, 'log.jsonocel'), async ({ graph }) => {
      const text =
        'version: 1\ndataSource: log\nelements:\n  - { activityName: A, dataObject: object_order, key: ocel_id, startTimestamp: ocel_time, properties: [ocel_changed_field, sum_net, Price, price_2, note] }\n';
      await writeFile(graph, text);
      const file = await readGraphFile(graph, projectContext);
      const { rows } = await testQuery(file, { kind: 'element', name: 'A' }, projectContext, { limit: 10 });
      assert.deepEqual(rows, [
        ['o1', '1970-01-01T00:00:00.000000Z', null, '10.50', '9007199254740993', "it's", null],
        ['o1', '2024-01-02T00:00:00.000000Z', 'sum.net', '12.00', null, null, null],
        ['o1', '2024-01-03T00:00:00.000000Z', 'note', null, null, null, 'late'],
      ]);
      const { steps } = await showQuery(file, { kind: 'element', name: 'A' }, projectContext);
      assert.ok(
        steps.some(({ title }) => title === 'Rows of object_order'),
        JSON.stringify(steps),
      );
      assert.ok(steps.some(({ role }) => role === 'core'));
    }));

  for (const name of ['log.xes', 'log.xes.gz']) {
    it(`${name} › the first graph has no problems, and its import has every trace and event`, () =>
      withLogProject('xes', join(folder, name), async ({ graph }) => {
        assert.deepEqual(await problemsOf(graph), []);
        const { status, store, error, warnings } = await importAt(graph);
        assert.equal(status, 'imported', error?.message);
        const [warning = '', ...others] = warnings;
        assert.deepEqual(others, []);
        assert.match(
          warning,
          /^Data source log: 1 event has no time:timestamp, the first in line 23 of .*: it is no event/,
        );
        const events = `SELECT event.id, key, activity, time, "org:resource", "org:resource/role", parts, cost
          FROM event JOIN entity ON entity.id = entity_id JOIN properties_1 ON event_id = event.id ORDER BY 1`;
        assert.deepEqual(await rowsOf(store, events), [
          '1 | c & 1 | Report | 2024-01-01T08:00:00.000000Z | Ada | clerk | [{"part":"door"},{"count":"2"}] | 7',
          '2 | c & 1 | Assess | 2024-01-01T08:00:00.000000Z |  |  |  | much',
        ]);
        const entities =
          'SELECT entity_type, key, amount FROM entity LEFT JOIN entity_properties_1 ON entity_id = id ORDER BY key';
        assert.deepEqual(await rowsOf(store, entities), ['claim | c & 1 | 10.5', 'claim | c2 | ']);
      }));
  }

  describe('XES of other tools', () => {
    /** A log with one trace; `head` and `event` are further attributes. */
    const xesOf = (head: string, event: string): string => `<?xml version="1.0" encoding="ISO-8859-1"?>
<log>${head}
<trace><string key="concept:name" value="c1"/>
<event><date key="time:timestamp" value="2024-01-01T08:00:00Z"/>${event}</event>
</trace></log>`;
    const importOf = async (log: string, sql: string) => {
      const path = join(folder, 'other.xes');
      await writeFile(path, log, 'latin1');
      return withLogProject('xes', path, async ({ graph }) => {
        assert.deepEqual(await problemsOf(graph), []);
        const { status, store, warnings, error } = await importAt(graph);
        assert.equal(status, 'imported', error?.message);
        return { rows: await rowsOf(store, sql), warnings };
      });
    };

    it('in ISO-8859-1 are read', async () => {
      const { rows } = await importOf(
        xesOf('', '<string key="concept:name" value="größer"/>'),
        'SELECT activity FROM event',
      );
      assert.deepEqual(rows, ['größer']);
    });

    it('attributes of the log without a key are left out with their content, with a warning', async () => {
      const head = `
<string key="concept:name" value="claim"/>
<int value="1"/><string key="meta" value="2">
<int key="" value="3"><string key="inner" value="4"/></int></string>`;
      const { rows, warnings } = await importOf(
        xesOf(head, '<string key="concept:name" value="a"/>'),
        "SELECT attributes FROM entity JOIN entity_properties_1 ON entity_id = id WHERE entity_type = 'xes:log'",
      );
      assert.deepEqual(rows, ['[{"type":"string","key":"meta","value":"2"}]']);
      assert.deepEqual(warnings, [
        'Data source log: 2 attributes of the log itself are left out, having no key, the first in line 4.',
      ]);
    });

    it('NaN, infinite and empty values are missing, with a warning', async () => {
      const values = ['nan', 'NaN', 'INF', '-inf', ''].map(
        (value, index) => `<float key="f${index}" value="${value}"/>`,
      );
      const others = `<date key="due" value=""/><boolean key="ok" value=""/><int key="n" value="nan"/><string key="note" value=""/>
<list key="parts"><values><float key="weight" value="nan"/></values></list><float key="cost" value="1.5"/>`;
      const { rows, warnings } = await importOf(
        xesOf('<string key="concept:name" value="claim"/>', values.join('') + others),
        'SELECT * EXCLUDE (event_id) FROM properties_1',
      );
      assert.deepEqual(rows, [' | [{"weight":null}] | 1.5']);
      assert.deepEqual(warnings, [
        'Data source log: 9 values are NaN, infinite or empty and counted as missing, the first in line 4: f0 of event 1.',
      ]);
    });

    it('digits of times below microseconds are cut off, with a warning', async () => {
      const times =
        '<date key="due" value="2024-01-01T10:00:00.123456789Z"/><date key="paid" value="2024-01-01T10:00:00.123456000Z"/>';
      const { rows, warnings } = await importOf(
        xesOf('', `<string key="concept:name" value="a"/>${times}`),
        'SELECT due, paid FROM properties_1',
      );
      assert.deepEqual(rows, ['2024-01-01T10:00:00.123456Z | 2024-01-01T10:00:00.123456Z']);
      assert.deepEqual(warnings, [
        'Data source log: 1 time has digits below microseconds, which are cut off, the first of them 2024-01-01T10:00:00.123456789Z of event in line 4.',
      ]);
    });

    for (const [what, classifiers, activity] of [
      ['of one attribute', '<classifier name="Activity" keys="\'the task\'"/>', 'check'],
      [
        'of several attributes',
        '<classifier name="None" keys="other"/><classifier name="Task" keys="the task lifecycle:transition"/>',
        'check+start',
      ],
    ] as const) {
      it(`without concept:name take the activity from a classifier ${what}`, async () => {
        const event = '<string key="the task" value="check"/><string key="lifecycle:transition" value="start"/>';
        const { rows, warnings } = await importOf(
          xesOf(classifiers, event),
          'SELECT activity, "the task", "lifecycle:transition" FROM event JOIN properties_1 ON event_id = id',
        );
        assert.deepEqual([rows, warnings], [[`${activity} | check | start`], []]);
      });
    }
  });

  it('draft and import of named data objects contain these objects only', () =>
    withLogProject(
      'ocel',
      join(folder, 'log.jsonocel'),
      async ({ graph }) => {
        assert.deepEqual(await problemsOf(graph), []);
        const { elements, entities } = await importAt(graph);
        assert.deepEqual([elements.length, entities?.map(({ name }) => name)], [1, ['order', 'item']]);
      },
      ['event_Place_Order', 'object_order', 'object_item'],
    ));

  const json = (change: Parameters<typeof changedLog>[0]): string => changedLog(change);
  const events = (change: (event: Record<string, unknown>) => void): string =>
    json((log) => change((log.events as Record<string, unknown>[])[0] ?? {}));
  const xml = (text: string): string => `<?xml version="1.0"?>${text}`;
  const trace = (text: string): string => xml(`<log>\n<trace>\n<event>\n${text}\n</event></trace></log>`);
  const withEntities = xml('<!DOCTYPE log [<!ENTITY a "text">]><log><string key="x" value="&a;"/></log>');

  const refused: readonly (readonly [kind: 'ocel' | 'xes', what: string, content: string, message: RegExp])[] = [
    [
      'ocel',
      'a file that is cut off',
      JSON.stringify(foreignLog).slice(0, 900),
      /line 1: The text ends too early|line 1/,
    ],
    ['ocel', 'an empty file', '', /bad\.log is empty\.$/],
    ['ocel', 'a table', 'a,b\n1,2\n', /neither JSON nor XML nor an SQLite database/],
    ['ocel', 'JSON of another format', '{"a": 1}', /objectTypes, eventTypes, objects and events are there/],
    ['ocel', 'a log without events', json((log) => delete log.events), /are there.*Not so: events/],
    ['ocel', 'two events of one id', events((event) => (event['id'] = 'first')), /id of its own".*event first/],
    [
      'ocel',
      'a relation to an unknown object',
      events((event) => (event['relationships'] = [{ objectId: 'o9', qualifier: 'q' }])),
      /event second to o9/,
    ],
    ['ocel', 'an event without time', events((event) => delete event['time']), /has a time".*second: none/],
    ['ocel', 'an event at no time', events((event) => (event['time'] = 'yesterday')), /second: yesterday/],
    [
      'ocel',
      'a day that does not exist',
      events((event) => (event['time'] = '2024-02-30T00:00:00Z')),
      /second: 2024-02-30/,
    ],
    [
      'ocel',
      'a value of another type',
      json((log) => (log.events as { attributes: object[] }[])[1]?.attributes.push({ name: 'due', value: 'soon' })),
      /due: soon is no time/,
    ],
    ['ocel', 'malformed XML', '<log>\n<events>', /line 2.*(unclosed tag|not well-formed XML)/],
    ['ocel', 'XML of another format', foreignXes, /in this order".*there are none of them/],
    [
      'ocel',
      'XML with another root',
      xml('<logs/>'),
      /line 1.*not an OCEL 2\.0 log: it begins with <logs>, not with <log>/,
    ],
    [
      'ocel',
      'XML in an unknown encoding',
      '<?xml version="1.0" encoding="x-y"?><log/>',
      /encoding x-y, which is unknown/,
    ],
    ['ocel', 'JSON in UTF-16', `\ufeff${JSON.stringify(foreignLog)}`, /not written in UTF-8 \(line 1, byte 1\)/],
    [
      'ocel',
      'elements inside each other without end',
      `<log>${'<a>'.repeat(1000)}`,
      /More than 1000 elements are inside each other/,
    ],
    [
      'xes',
      'bytes of another encoding than declared',
      '<?xml version="1.0" encoding="Shift_JIS"?>\n<log>\x81',
      /not written in Shift_JIS \(near line 2\)|cut off/,
    ],
    ['ocel', 'XML with entities of a DTD', withEntities, /undefined entity|not well-formed XML/],
    [
      'ocel',
      'JSON of OCEL 1.0',
      '{"ocel:global-log":{"ocel:version":"1.0"},"ocel:events":{}}',
      /is a log of OCEL 1\.0/,
    ],
    [
      'ocel',
      'XML of OCEL 1.0',
      xml('<log>\n<global scope="log"><string key="version" value="1.0"/></global>\n<events/>\n</log>'),
      /is a log of OCEL 1\.0/,
    ],
    ['xes', 'an empty file', '', /bad\.log is empty\.$/],
    ['xes', 'JSON', '{}', /not well-formed XML/],
    ['xes', 'XML of another format', xml('<html/>'), /line 1.*begins with <html>/],
    ['xes', 'a file that is cut off', foreignXes.slice(0, 900), /line \d+.*unclosed tag/],
    ['xes', 'entities of a DTD', withEntities, /undefined entity/],
    ['xes', 'an attribute without key', trace('<string value="a"/>'), /line 4.*<string> of event 1 has no key/],
    ['xes', 'an attribute without value', trace('<string key="a"/>'), /line 4.*attribute a of event 1 has no value/],
    [
      'xes',
      'an attribute that is there twice',
      trace('<int key="a" value="1"/>\n<int key="a" value="2"/>'),
      /line 5.*event 1 has the attribute a twice/,
    ],
    [
      'xes',
      'a fraction as an integer',
      trace('<int key="a" value="1.5"/>'),
      /line 4.*attribute a of event 1 is "1.5", which is no int/,
    ],
    [
      'xes',
      'a day that does not exist',
      trace('<date key="time:timestamp" value="2024-02-30T00:00:00Z"/>'),
      /line 3.*"2024-02-30T00:00:00Z" as time:timestamp/,
    ],
    ['xes', 'no times', trace('<string key="concept:name" value="a"/>'), /no event of the log has a time/],
    ['xes', 'an unknown element', trace('<struct key="a"/>'), /line 4.*<struct> has no place in <event>/],
    [
      'xes',
      'attributes in attributes without end',
      trace('<string key="a" value="">'.repeat(200)),
      /nested more than 100 times/,
    ],
  ];
  for (const [kind, what, content, message] of refused) {
    it(`${kind} › refuses ${what}`, async () => {
      const name = join(folder, 'bad.log');
      await writeFile(name, content, content.startsWith('\ufeff') ? 'utf16le' : 'utf8');
      const error = await describeLog(kind, name).then(
        () => assert.fail('It was read.'),
        (reason: unknown) => reason,
      );
      assert.ok(isSourceError(error), String(error));
      assert.match(error.message, /^Data source log: bad\.log/);
      assert.match(error.message, message);
      assert.equal(error.code, content === '' ? 'source-empty' : 'file-malformed');
      assert.ok(error.details.remedy, error.message);
    });
  }

  it('xes › refuses a compressed file that is cut off', async () => {
    const path = join(folder, 'cut.xes.gz');
    await writeFile(path, gzipSync(foreignXes).subarray(0, 300));
    await assert.rejects(describeLog('xes', path), /cut\.xes\.gz: The compressed file is cut off or damaged/);
  });

  it('ocel › refuses an SQLite database that is cut off', async () => {
    const path = join(folder, 'cut.sqlite');
    const file = await openSqliteFile(path, 'create');
    file.run('CREATE TABLE event (ocel_id TEXT PRIMARY KEY, ocel_type TEXT)');
    file.run(
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO event SELECT i, hex(randomblob(100)) FROM n',
    );
    file.close();
    await writeFile(path, (await readFile(path)).subarray(0, 6000));
    await assert.rejects(describeLog('ocel', path), /Data source log: cut\.sqlite/);
  });

  it('ocel › refuses an SQLite database that is not an event log', async () => {
    const path = join(folder, 'shop.sqlite');
    const file = await openSqliteFile(path, 'create');
    file.run('CREATE TABLE orders (id TEXT)');
    file.close();
    await assert.rejects(describeLog('ocel', path), /Rule: "The six fixed tables are there"\. Not so: event/);
  });

  describe('OCEL in SQLite as pm4py writes it', () => {
    /** Tables as pandas declares them: no keys, no references. */
    const common = [
      'CREATE TABLE event (ocel_id TEXT, ocel_type TEXT)',
      'CREATE TABLE object (ocel_id TEXT, ocel_type TEXT)',
      'CREATE TABLE event_map_type (ocel_type TEXT, ocel_type_map TEXT)',
      'CREATE TABLE object_map_type (ocel_type TEXT, ocel_type_map TEXT)',
      'CREATE TABLE event_object (ocel_event_id TEXT, ocel_object_id TEXT, ocel_qualifier TEXT)',
      'CREATE TABLE object_object (ocel_source_id TEXT, ocel_target_id TEXT, ocel_qualifier TEXT)',
      'CREATE TABLE event_Place (ocel_id TEXT, ocel_time TIMESTAMP)',
      "INSERT INTO event VALUES ('e1', 'Place')",
      "INSERT INTO event_map_type VALUES ('Place', 'Place')",
      "INSERT INTO event_Place VALUES ('e1', '2024-01-02 08:00:00')",
      "INSERT INTO object VALUES ('o1', 'order'), ('o2', 'order')",
      "INSERT INTO object_map_type VALUES ('order', 'Order')",
      "INSERT INTO event_object VALUES ('e1', 'o1', 'places')",
    ];
    const logOf = async (name: string, ...statements: readonly string[]): Promise<string> => {
      const path = join(folder, name);
      const file = await openSqliteFile(path, 'create');
      for (const sql of [...common, ...statements]) file.run(sql);
      file.close();
      return path;
    };
    const valuesSql =
      'SELECT key, price, value_time FROM entity_values_1 JOIN entity ON entity.id = entity_id WHERE price IS NOT NULL ORDER BY value_rank';

    for (const [what, statements, values] of [
      [
        'without times of objects, values hold from the start',
        ['CREATE TABLE object_Order (ocel_id TEXT, price REAL)', "INSERT INTO object_Order VALUES ('o1', 1.5)"],
        ['o1 | 1.5 | '],
      ],
      [
        'with changes, first values without a time hold from the start',
        [
          'CREATE TABLE object_Order (ocel_id TEXT, price REAL, ocel_time TIMESTAMP, ocel_changed_field TEXT)',
          "INSERT INTO object_Order VALUES ('o1', 1.5, NULL, NULL), ('o1', 2.5, '2024-01-03 00:00:00', 'price')",
        ],
        ['o1 | 1.5 | ', 'o1 | 2.5 | 2024-01-02T23:00:00.000000Z'],
      ],
      [
        'columns have the types that Rust4PM declares',
        [
          'CREATE TABLE object_Order (ocel_id TEXT, ocel_time TIMESTAMP, ocel_changed_field TEXT, price DOUBLE PRECISION)',
          "INSERT INTO object_Order VALUES ('o1', '1970-01-01T00:00:00+00:00', NULL, 1.5)",
        ],
        ['o1 | 1.5 | '],
      ],
      [
        'names of tables and columns differ by case',
        [
          'CREATE TABLE OBJECT_order (OCEL_ID TEXT, Ocel_Time TIMESTAMP, price REAL, Ocel_Changed_Field TEXT)',
          "INSERT INTO OBJECT_order VALUES ('o1', NULL, 1.5, NULL), ('o1', '2024-01-03 00:00:00', 2.5, 'PRICE')",
        ],
        ['o1 | 1.5 | ', 'o1 | 2.5 | 2024-01-02T23:00:00.000000Z'],
      ],
    ] as const) {
      it(what, async () => {
        await withLogProject(
          'ocel',
          await logOf(`${what}.sqlite`, ...statements),
          async ({ graph, folder: project }) => {
            assert.deepEqual(await problemsOf(graph), []);
            const sources = join(project, 'entity-sources.yaml');
            const text = await readFile(sources, 'utf8');
            await writeFile(sources, text.replace('kind: ocel', 'kind: ocel, timeZone: Europe/Berlin'));
            const { status, store, warnings, error } = await importAt(graph);
            assert.equal(status, 'imported', error?.message);
            assert.deepEqual(warnings, []);
            assert.deepEqual(await rowsOf(store, valuesSql), values);
          },
        );
      });
    }

    it('two types share a table, as their names differ by case', async () => {
      const path = await logOf(
        'shared.sqlite',
        'CREATE TABLE object_Order (ocel_id TEXT, price REAL)',
        "INSERT INTO object_map_type VALUES ('ORDER', 'ORDER')",
        "INSERT INTO object VALUES ('o3', 'ORDER')",
        "INSERT INTO object_Order VALUES ('o1', 1.5), ('o2', 2.5), ('o3', 3.5)",
      );
      await withLogProject('ocel', path, async ({ graph }) => {
        const { status, store, warnings, error } = await importAt(graph);
        assert.equal(status, 'imported', error?.message);
        assert.deepEqual(warnings, []);
        const values = [1, 2].map((number) => `SELECT price FROM entity_values_${number}`).join(' UNION ALL ');
        assert.deepEqual(await rowsOf(store, `FROM (${values}) WHERE price IS NOT NULL ORDER BY ALL`), [
          '1.5',
          '2.5',
          '3.5',
        ]);
      });
    });

    it('a change without a time is refused', async () => {
      const path = await logOf(
        'untimed.sqlite',
        'CREATE TABLE object_Order (ocel_id TEXT, price REAL, ocel_changed_field TEXT)',
        "INSERT INTO object_Order VALUES ('o1', 2.5, 'price')",
      );
      await assert.rejects(describeLog('ocel', path), /Every value of an object has a time".*o1, price: none/);
    });

    it('a table of objects without ids is refused', async () => {
      const path = await logOf('no-ids.sqlite', 'CREATE TABLE object_Order (id TEXT, price REAL)');
      await assert.rejects(describeLog('ocel', path), /Tables of object types have ocel_id".*object_Order/);
    });

    it('values without an object, another changed field and a table without a type are reported', async () => {
      const path = await logOf(
        'more.sqlite',
        'CREATE TABLE object_Order (ocel_id TEXT, price REAL, size MONEY, ocel_time TIMESTAMP, ocel_changed_field TEXT)',
        "INSERT INTO object_Order VALUES ('o9', 1.5, NULL, NULL, NULL), ('o1', 2.5, NULL, '2024-01-03 00:00:00', 'weight')",
        'CREATE TABLE object_quantity (ocel_id TEXT)',
      );
      const { warnings } = await describeLog('ocel', path);
      assert.deepEqual(warnings, [
        'Data source log: parts of the file that OCEL 2.0 does not have are left out. Rule: "Every table called object_… belongs to an object type". Not so: object_quantity.',
        'Data source log: parts of the file that OCEL 2.0 does not have are left out. Rule: "Later rows of object_Order name the changed field and fill nothing else". Not so: o1, weight.',
        'Data source log: attributes declared as MONEY, such as size of the object type order, are read as texts: the types of OCEL 2.0 are string, time, integer, float, boolean.',
        'Data source log: 1 value of objects that do not exist, such as o9, is left out.',
      ]);
    });
  });

  describe('OCEL in XML', () => {
    const text = `<?xml version="1.0" encoding="ENCODING"?>
<log>
<object-types><object-type name="order"><attributes><attribute name="size" type="string"/></attributes></object-type></object-types>
<event-types><event-type name="Place"><attributes/></event-type></event-types>
<objects><object id="o1" type="order"><attributes><attribute name="size" time="1970-01-01T00:00:00Z">größer</attribute></attributes></object></objects>
<events><event id="e1" type="Place" time="2024-01-01T00:00:00Z"><objects><object object-id="o1" qualifier="of"/></objects></event></events>
</log>`;
    const noteOf = async (name: string, content: Buffer): Promise<readonly string[]> => {
      const path = join(folder, name);
      await writeFile(path, content);
      return withLogProject('ocel', path, async ({ graph }) => {
        const { status, store, warnings, error } = await importAt(graph);
        assert.equal(status, 'imported', error?.message);
        const texts = await rowsOf(store, 'SELECT size FROM entity_properties_1');
        const { results } = await checkFile(path, signal);
        assert.deepEqual(texts, ['größer'], name);
        return [...warnings, ...results.filter(({ ok }) => !ok).map((each) => each.name)];
      });
    };

    for (const [encoding, bytes] of [
      ['ISO-8859-1', (log: string) => Buffer.from(log, 'latin1')],
      ['windows-1252', (log: string) => Buffer.from(log, 'latin1')],
      ['UTF-16', (log: string) => Buffer.from(`\ufeff${log}`, 'utf16le')],
      ['UTF-16', (log: string) => Buffer.from(`\ufeff${log}`, 'utf16le').swap16()],
      ['UTF-16LE', (log: string) => Buffer.from(log, 'utf16le')],
      // Written by programs that declare the encoding of their texts in memory.
      ['utf-16', (log: string) => Buffer.from(log)],
      ['US-ASCII', (log: string) => Buffer.from(log)],
    ] as const) {
      it(`is read in ${encoding}`, async () => {
        const log = text.replace('ENCODING', encoding);
        assert.deepEqual(await noteOf('encoded.xml', bytes(log)), []);
      });
    }

    it('a further block is skipped, with a warning', async () => {
      const block = '<quantities><quantity object-id="o1">7<attribute name="a">b</attribute></quantity></quantities>';
      const log = text.replace('ENCODING', 'UTF-8').replace('<objects>', `${block}<objects>`);
      const rule = 'There are no elements but those of OCEL 2.0';
      assert.deepEqual(await noteOf('block.xml', Buffer.from(log)), [
        `Data source log: parts of the file that OCEL 2.0 does not have are left out. Rule: "${rule}". Not so: quantities in log.`,
        rule,
      ]);
    });

    it('1000 elements are read inside each other', async () => {
      const deep = `${'<a>'.repeat(999)}${'</a>'.repeat(999)}`;
      const log = text.replace('ENCODING', 'UTF-8').replace('<objects>', `${deep}<objects>`);
      assert.equal((await noteOf('deep.xml', Buffer.from(log))).length, 2);
    });
  });

  it('OCEL in JSON › unknown keys of other tools are reported', async () => {
    const path = join(folder, 'more.json');
    await writeFile(
      path,
      json((log) => Object.assign(log, { quantities: [] })),
    );
    const { warnings } = await describeLog('ocel', path);
    assert.equal(warnings.length, 1);
    assert.match(
      warnings[0] ?? '',
      /left out\. Rule: "There are no keys but .*Not so: quantities \(line 1, byte \d+\)\.$/,
    );
  });

  it('OCEL › JSON and XML compressed with gzip are read and checked, a compressed database is refused', async () => {
    await withLogProject('ocel', join(folder, 'log.jsonocel'), async ({ graph, folder: project }) => {
      await importAt(graph);
      for (const form of ['ocel-json', 'ocel-xml', 'ocel-sqlite'] as const) {
        const written = await exportAt(graph, form, join(project, form));
        const path = join(folder, `${form}.gz`);
        await writeFile(path, gzipSync(await readFile(written)));
        if (form === 'ocel-sqlite') {
          const message = /SQLite database compressed with gzip/;
          await assert.rejects(describeLog('ocel', path), message);
          await assert.rejects(checkFile(path, signal), message);
          continue;
        }
        const of = async (log: string) => (await describeLog('ocel', log)).objects.map(({ columns }) => columns);
        assert.deepEqual(await of(path), await of(written));
        const report = await checkFile(path, signal);
        assert.deepEqual([report.form, report.results.filter(({ ok }) => !ok)], [form, []]);
        await writeFile(path, gzipSync(await readFile(written)).subarray(0, 200));
        await assert.rejects(checkFile(path, signal), /compressed file is cut off or damaged/);
        await assert.rejects(describeLog('ocel', path), /compressed file is cut off or damaged/);
      }
    });
  });

  it('OCEL › attributes of events arrive where only some events of the type have an own object', async () => {
    const path = join(folder, 'some-own.json');
    const event = (id: string, value: string, relationships: readonly object[]): object => ({
      ...{ id, type: 'Pay', time: '2024-01-02T00:00:00Z', relationships },
      attributes: [{ name: 'amount', value }],
    });
    const content = json((log) => {
      log.eventTypes = [{ name: 'Pay', attributes: [{ name: 'amount', type: 'integer' }] }];
      log.events = [
        event('own', '1', [{ objectId: 'o1', qualifier: 'self' }]),
        event('other', '2', [{ objectId: 'p1', qualifier: 'self' }]),
        event('none', '3', [{ objectId: 'i1', qualifier: 'of' }]),
      ];
    });
    await writeFile(path, content);
    await withLogProject('ocel', path, async ({ graph }) => {
      assert.deepEqual(await problemsOf(graph), []);
      const { status, store, error } = await importAt(graph);
      assert.equal(status, 'imported', error?.message);
      const amounts = [1, 2, 3].map((number) => `SELECT amount FROM properties_${number}`).join(' UNION ALL ');
      assert.deepEqual(await rowsOf(store, `FROM (${amounts}) ORDER BY ALL`), ['1', '2', '3']);
    });
  });

  it('XES › a join that repeats a long text beyond what memory holds is refused, a shorter one is not', async () => {
    const event =
      '<event><string key="concept:name" value="A"/><date key="time:timestamp" value="2024-01-01T10:00:00Z"/></event>';
    const log = (length: number): string =>
      `<log><trace><string key="concept:name" value="c"/><string key="long" value="${'x'.repeat(length)}"/>${event.repeat(101)}</trace></log>`;
    const graph = `version: 1
name: T
dataSource: log
elements:
  - activityName: E
    dataObject: event
    key: trace_id
    startTimestamp: time:timestamp
    joins: JOIN trace AS t ON t.trace_id = event.trace_id
    properties: [t.long]
`;
    const sources = 'version: 1\ndataSources:\n  log: { kind: xes, path: log.xes }\n';
    const imported = (length: number) =>
      withProject({ 'log.xes': log(length), 'graph.entity.yaml': graph, 'entity-sources.yaml': sources }, (project) =>
        project.import(),
      );
    const { error } = await imported(5_000_000);
    assert.equal(
      error?.message,
      'The 101 rows have 505 MB of text in t.long, because a join repeats long texts: that is more than an import holds in memory.',
    );
    assert.deepEqual((await imported(50_000)).totals.events, 101);
  });

  it('OCEL › the attribute type date of pm4py is a time; values that are not times are refused', async () => {
    const path = join(folder, 'dates.json');
    const withDue = (value: string): string =>
      json((log) => {
        const [type] = log.eventTypes as { attributes: { type: string }[] }[];
        Object.assign(type?.attributes[1] ?? {}, { type: 'date' });
        const due = (log.events as { attributes: { value: string }[] }[])[1]?.attributes[1];
        Object.assign(due ?? {}, { value });
      });
    for (const value of ['2024-02-01 00:00:00+00:00', '2024-02-01']) {
      await writeFile(path, withDue(value));
      await withLogProject('ocel', path, async ({ graph }) => {
        const { status, store, warnings, error } = await importAt(graph);
        assert.equal(status, 'imported', error?.message);
        assert.deepEqual(warnings, []);
        assert.deepEqual(await rowsOf(store, 'SELECT due FROM properties_1'), ['2024-02-01T00:00:00.000000Z']);
      });
    }
    await writeFile(path, withDue('soon'));
    await assert.rejects(describeLog('ocel', path), /due: soon is no date/);
  });

  for (const [what, path, code] of [
    ['a missing file', 'missing.xes', 'file-missing'],
    ['a folder', '.', 'file-unreadable'],
  ] as const) {
    for (const kind of ['ocel', 'xes'] as const) {
      it(`${kind} › refuses ${what}`, async () => {
        const error = await describeLog(kind, join(folder, path)).catch((reason: unknown) => reason);
        assert.ok(isSourceError(error), String(error));
        assert.equal(error.code, code);
        assert.ok(error.details.remedy);
      });
    }
  }
});
