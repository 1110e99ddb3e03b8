import assert from 'node:assert/strict';
import { checkFile } from '../../server/src/check/check-file.ts';
import { readTimeline } from '../../server/src/event-graph/read-entities.ts';
import { csvSources, graphText, withGraph, withProject } from '../support/import-text.ts';

describe('row correlations', () => {
  it('correlate start and change events of a row with the entities that it names, not transitively', async () => {
    const files = {
      'entity-sources.yaml': csvSources(),
      'contacts.csv':
        'id,at,closed,incident,tags\nc1,2024-01-01 10:00,2024-01-01 11:00,i1,"[""x"", ""y"", ""x"", null, """", 1.50, 7, true]"\nc2,2024-01-02 10:00,,i9,\n,2024-01-03 10:00,,i2,\nc4,,,i3,[]\n',
      'incidents.csv': 'number,opened\ni1,2024-01-01 09:00\ni2,2024-01-02 09:00\n',
      'graph.entity.yaml': graphText(
        `  - activityName: Call
    dataObject: contacts
    key: id
    startTimestamp: at
    changeTimestamp: closed
    correlatesWith:
      - { entityType: incident, key: incident, qualifier: about }
      - { entityType: tag, key: tags, each: list }
  - { activityName: Open, dataObject: incidents, key: number, entityType: incident, startTimestamp: opened }
`,
      ),
    };
    await withGraph(files, async (project) => {
      const summary = await project.import();
      assert.equal(summary.status, 'imported', summary.error?.message);
      assert.deepEqual(summary.warnings, [
        '1 of 4 rows of "Call" have no key and are left out.',
        '2 keys of "Call" in incident match no incident that something else makes: they are entities without properties.',
      ]);
      assert.deepEqual(
        await project.rows(
          `SELECT event.activity, lifecycle, string_agg(entity_type || ' ' || key || ' ' || qualifier, ', ' ORDER BY entity_type, key)
           FROM event JOIN event_entity ON event_id = event.id JOIN entity ON entity.id = event_entity.entity_id GROUP BY event.id, 1, 2 ORDER BY event.id`,
        ),
        [
          ['Open', 'start', 'incident i1 self'],
          ...['start', 'change'].map((lifecycle) => [
            'Call',
            lifecycle,
            'contacts c1 self, incident i1 about, tag 1.5 tag, tag 7 tag, tag true tag, tag x tag, tag y tag',
          ]),
          ['Open', 'start', 'incident i2 self'],
          ['Call', 'start', 'contacts c2 self, incident i9 about'],
        ],
      );
      // A row without start still creates its incident, a row without key does not.
      assert.deepEqual(
        await project.rows("SELECT string_agg(key, ' ' ORDER BY key) FROM entity WHERE entity_type = 'incident'"),
        [['i1 i2 i3 i9']],
      );
      assert.deepEqual(await project.rows('SELECT count(*) FROM relation'), [['0']]);
    });
  });

  it('give the order process without helper elements: events of orders, supplier orders, items, invoices and a payment', async () => {
    const files = {
      'entity-sources.yaml': csvSources(),
      'order_process.csv': orderProcess,
      'graph.entity.yaml': graphText(`  - activityName: Order process
    dataObject: order_process
    key: event
    ownEntity: false
    startTimestamp: time
    activityColumn: activity
    properties: [event]
    correlatesWith:
      - { entityType: order, key: orders, separator: "," }
      - { entityType: supplier order, key: supplier_order }
      - { entityType: item, key: items, separator: "," }
      - { entityType: invoice, key: invoices, separator: "," }
      - { entityType: payment, key: payment }
`),
    };
    await withProject(files, async (project) => {
      const { status, error, totals, elements, warnings, store = '' } = await project.import();
      assert.equal(status, 'imported', error?.message);
      assert.deepEqual(totals, { events: 21, entities: 12, correlations: 41, relations: 0, directlyFollows: 29 });
      assert.deepEqual(warnings, []);
      assert.equal(elements[0]?.entities, 0);
      assert.deepEqual(await project.rows('SELECT count(*) FROM event WHERE entity_id IS NOT NULL'), [['0']]);
      assert.deepEqual(
        await project.rows(
          `SELECT string_agg(activity, ' > ' ORDER BY event.id) FROM event_entity JOIN event ON event.id = event_id
           JOIN entity ON entity.id = event_entity.entity_id WHERE key = 'X1'`,
        ),
        [['Unpack > Pack Shipment > Ship']],
      );
      // Lists of types contain all of them, and so does the map.
      assert.deepEqual(await project.rows('SELECT DISTINCT entity_type FROM process_map ORDER BY 1'), [
        ['invoice'],
        ['item'],
        ['order'],
        ['payment'],
        ['supplier order'],
      ]);
      const { results } = await checkFile(store, new AbortController().signal);
      assert.deepEqual(
        results.filter(({ ok }) => !ok),
        [],
      );
      const timeline = await project.read((reader) => readTimeline(reader, 1, {}));
      assert.ok(timeline && timeline.events.length > 1);
      assert.ok(timeline.events.every(({ entity, qualifier }) => entity === undefined && qualifier === 'invoice'));
    });
  });

  const lists: readonly (readonly [what: string, value: string, ok: boolean])[] = [
    ['no JSON', 'a;b', false],
    ['an object', '"{""a"": 1}"', false],
    ['a number', '7', false],
    ['a list in a list', '"[""a"", [1]]"', false],
    ['an object in a list', '"[{}]"', false],
    ['a comma too many', '"[1,]"', false],
    ['a word for a number', '[NaN]', false],
    ['an empty list', '[]', true],
    ['blanks', '" [ ""a"" , null ] "', true],
    ['text that looks like JSON', '"[""[1,]""]"', true],
  ];
  for (const [what, value, ok] of lists) {
    it(`${ok ? 'take' : 'refuse'} ${what} as a list of keys${ok ? '' : ', with its row'}`, async () => {
      const files = {
        'entity-sources.yaml': csvSources(),
        'log.csv': `id,at,items\n1,2024-01-01 00:00:00,"[""x""]"\n2,2024-01-02 00:00:00,${value}\n`,
        'graph.entity.yaml': graphText(
          '  - { activityName: Log, dataObject: log, key: id, startTimestamp: at, correlatesWith: [{ entityType: item, key: items, each: list }] }\n',
        ),
      };
      await withGraph(files, async (project) => {
        const { status, error } = await project.import();
        if (ok) return assert.equal(status, 'imported', error?.message);
        assert.deepEqual([status, error?.code], ['failed', 'type-mismatch']);
        assert.match(error?.message ?? '', /^Row 2 of "Log" has ".*" in items, which is not a list of keys\.$/);
        assert.match(error?.remedy ?? '', /JSON array/);
        assert.equal(error?.range?.start.line, 4);
        return undefined;
      });
    });
  }
});

/** An order process of the size of the published tutorial: 21 events, 12 entities. */
const orderProcess = `event,activity,time,orders,supplier_order,items,invoices,payment
e1,Create Order,2021-05-01 09:05:00,O1,,,,
e2,Create Order,2021-05-01 09:30:00,O2,,,,
e3,Place SO,2021-05-01 11:25:00,,A,,,
e4,Place SO,2021-05-01 11:55:00,,B,,,
e5,Create Invoice,2021-05-03 16:15:00,O2,,,I2,
e6,Receive SO,2021-05-04 10:00:00,,A,,,
e7,Update SO,2021-05-04 10:15:00,,B,,,
e8,Unpack,2021-05-04 10:25:00,,A,X1,,
e9,Unpack,2021-05-04 10:30:00,,A,X2,,
e10,Unpack,2021-05-04 10:35:00,,A,X3,,
e11,Update Invoice,2021-05-05 09:00:00,O2,,,I2,
e12,Receive SO,2021-05-06 09:10:00,,B,,,
e13,Unpack,2021-05-06 10:00:00,,B,Y1,,
e14,Unpack,2021-05-06 10:05:00,,B,Y2,,
e15,Pack Shipment,2021-05-07 08:00:00,O1,,"X1,Y1",,
e16,Create Invoice,2021-05-07 08:30:00,O1,,,I1,
e17,Pack Shipment,2021-05-07 09:00:00,O2,,"X2,X3,Y2",,
e18,Ship,2021-05-08 09:00:00,O1,,"X1,Y1",,
e19,Ship,2021-05-08 10:00:00,O2,,"X2,X3",,
e20,Receive Payment,2021-05-09 09:00:00,,,,,P1
e21,Clear Invoice,2021-05-10 09:00:00,O1,,,"I1,I2",P1
`;
