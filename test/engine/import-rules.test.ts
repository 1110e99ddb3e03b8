import assert from 'node:assert/strict';
import { type Cell, type ImportedProject, csvSources, graphText, withGraph } from '../support/import-text.ts';

/** A small input, the expected graph, and the expected summary beside its counts. */
interface RuleCase {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly settings?: string;
  readonly elements: string;
  readonly relationships?: string;
  /** Query over the store → its rows. */
  readonly graph?: Readonly<Record<string, readonly (readonly Cell[])[]>>;
  readonly warnings?: readonly RegExp[];
  /** Expected code and message when the import must be refused. */
  readonly refused?: readonly [string, RegExp];
}

const element = (lines: string): string =>
  `  - activityName: A\n    dataObject: orders\n    startTimestamp: at\n${lines}`;
const keyed = element('    key: id\n');
const keys = 'SELECT entity_type, key FROM entity ORDER BY 1, 2';
const story = "SELECT id, activity, lifecycle, strftime(time, '%d %H:%M') FROM event ORDER BY id";
const perEntity = `SELECT key, string_agg(event.element || ' ' || lifecycle, ', ' ORDER BY event.id) FROM event JOIN entity ON entity.id = entity_id GROUP BY 1 ORDER BY 1`;
const correlated = `SELECT entity.key, string_agg(event.element || ' ' || qualifier, ', ' ORDER BY event.id, qualifier)
  FROM event_entity JOIN event ON event.id = event_id JOIN entity ON entity.id = event_entity.entity_id GROUP BY 1 ORDER BY 1`;
const pairs = `SELECT relationship, source.key, target.key FROM relation
  JOIN entity AS source ON source.id = source_entity_id JOIN entity AS target ON target.id = target_entity_id ORDER BY 1, 2, 3`;

/** By section of docs/semantics.md. */
const rules: Readonly<Record<string, readonly RuleCase[]>> = {
  '4. Keys': [
    {
      name: 'no key and no primary key is refused',
      files: { 'orders.csv': 'id,at\n1,2024-01-01 00:00:00\n' },
      elements: element(''),
      refused: ['missing-key', /key/],
    },
    {
      name: 'a row without key is left out and counted',
      files: { 'orders.csv': 'id,line,at\n1,1,2024-01-01 00:00:00\n,2,2024-01-02 00:00:00\n3,,2024-01-03 00:00:00\n' },
      elements: element('    key: [id, line]\n'),
      graph: { [keys]: [['orders', '["1","1"]']], 'SELECT count(*)::INT FROM event': [[1]] },
      warnings: [/2 of 3 rows of "A" have no key/],
    },
    {
      name: 'a key is the unchanged value, with blanks and case',
      files: { 'orders.csv': 'id,at\n" x",2024-01-01 00:00:00\nX,2024-01-01 00:00:00\nx,2024-01-01 00:00:00\n' },
      elements: keyed,
      graph: {
        [keys]: [
          ['orders', ' x'],
          ['orders', 'X'],
          ['orders', 'x'],
        ],
      },
    },
    {
      name: 'several key columns become a JSON array of strings, with escaped quotes',
      files: { 'orders.csv': 'id,n,at\n"a""b",1.50,2024-01-01 00:00:00\n' },
      elements: element('    key: [id, n]\n'),
      graph: { [keys]: [['orders', '["a\\"b","1.50"]']] },
    },
    {
      name: 'keys are the texts of cells, and different texts are different entities',
      files: { 'orders.csv': 'id,d,at\n10.0,2024-01-02,2024-01-01 00:00:00\n10,2024-1-2,2024-01-01 00:00\n' },
      elements: element('    key: [id, d, at]\n'),
      graph: {
        [keys]: [
          ['orders', '["10","2024-1-2","2024-01-01 00:00"]'],
          ['orders', '["10.0","2024-01-02","2024-01-01 00:00:00"]'],
        ],
      },
    },
    {
      name: 'numbers and times of declared types have one text form',
      files: { 'orders.csv': 'id,d,at\n10.0,2024-01-02,2024-01-01 00:00:00\n10,2024-1-2,2024-01-01 00:00\n' },
      settings: ', types: { id: DOUBLE, d: DATE, at: TIMESTAMP }',
      elements: element('    key: [id, d, at]\n'),
      graph: { [keys]: [['orders', '["10","2024-01-02","2024-01-01T00:00:00.000000Z"]']] },
    },
    {
      name: 'keys of one entity type have one width',
      files: { 'orders.csv': 'id,line,at\n1,1,2024-01-01 00:00:00\n' },
      elements: keyed + keyed.replace('activityName: A', 'activityName: B').replace('key: id', 'key: [id, line]'),
      refused: ['key-width', /orders/],
    },
  ],
  '5. Rows and events': [
    {
      name: 'each of several equal rows is an event',
      files: { 'orders.csv': 'id,at\n1,2024-01-01 00:00:00\n1,2024-01-01 00:00:00\n' },
      elements: keyed,
      graph: { 'SELECT count(*)::INT FROM event': [[2]], 'SELECT count(*)::INT FROM directly_follows': [[1]] },
    },
    {
      name: 'joins that multiply rows warn with the factor',
      files: {
        'orders.csv': 'id,at\n1,2024-01-01 00:00:00\n2,2024-01-02 00:00:00\n',
        'lines.csv': 'order_id,sku\n1,a\n1,b\n2,c\n',
      },
      elements: element('    key: id\n    joins: JOIN lines AS l ON l.order_id = orders.id\n'),
      graph: { 'SELECT count(*)::INT FROM event': [[3]] },
      warnings: [/"A" make 3 rows of 2 \(× 1\.5\)/],
    },
    {
      name: 'a row without start makes its entity, but no event, not even a change',
      files: { 'orders.csv': 'id,at,changed\n1,,2024-01-05 00:00:00\n2,2024-01-01 00:00:00,2024-01-05 00:00:00\n' },
      elements: element('    key: id\n    changeTimestamp: changed\n'),
      graph: {
        [keys]: [
          ['orders', '1'],
          ['orders', '2'],
        ],
        [perEntity]: [['2', 'A start, A change']],
      },
    },
    {
      name: 'a change counts only when it differs from the start',
      files: {
        'orders.csv':
          'id,at,changed\n1,2024-01-01 00:00:00,2024-01-01 00:00:00\n2,2024-01-01 00:00:00,\n3,2024-01-01 00:00:00,2024-01-02 00:00:00\n',
      },
      elements: element('    key: id\n    changeTimestamp: changed\n'),
      graph: {
        [perEntity]: [
          ['1', 'A start'],
          ['2', 'A start'],
          ['3', 'A start, A change'],
        ],
      },
    },
    {
      name: 'a change before the start is an event and a warning',
      files: { 'orders.csv': 'id,at,changed\n1,2024-01-02 00:00:00,2024-01-01 00:00:00\n' },
      elements: element('    key: id\n    changeTimestamp: changed\n'),
      graph: { [perEntity]: [['1', 'A change, A start']] },
      warnings: [/1 of 1 rows of "A" change before they start/],
    },
  ],
  '6. Relations and correlations': [
    {
      name: 'rows without start are related, NULL matches nothing, and a relation of an entity to itself correlates nothing',
      files: {
        'orders.csv': 'id,at,parent\n1,2024-01-01 00:00:00,1\n2,2024-01-02 00:00:00,1\n3,,2\n4,2024-01-03 00:00:00,\n',
      },
      elements: keyed,
      relationships: '  - { name: child of, source: A, target: A, mappings: [{ source: parent, target: id }] }\n',
      graph: {
        [pairs]: [
          ['child of', '1', '1'],
          ['child of', '2', '1'],
          ['child of', '3', '2'],
        ],
        [correlated]: [
          ['1', 'A self, A child of'],
          ['2', 'A child of, A self'],
          ['3', 'A child of'],
          ['4', 'A self'],
        ],
      },
    },
    {
      name: 'a different-from mapping does not match NULL either, and all mappings must hold',
      files: { 'orders.csv': 'id,at,kind\n1,2024-01-01 00:00:00,x\n2,2024-01-02 00:00:00,y\n3,2024-01-03 00:00:00,\n' },
      elements: keyed,
      relationships: `  - name: other
    source: A
    target: A
    mappings:
      - { source: kind, operator: "!=", target: kind }
      - { expression: source.id < target.id }
`,
      graph: { [pairs]: [['other', '1', '2']] },
    },
    {
      name: 'a cross table joins both sides',
      files: {
        'orders.csv': 'id,at\n1,2024-01-01 00:00:00\n2,2024-01-02 00:00:00\n',
        'items.csv': 'sku,at\na,2024-01-01 00:00:00\nb,2024-01-02 00:00:00\n',
        'links.csv': 'o,s\n1,a\n1,a\n2,b\n2,z\n,a\n',
      },
      elements: keyed + '  - { activityName: B, dataObject: items, key: sku, startTimestamp: at }\n',
      relationships: `  - name: has
    source: A
    target: B
    crossTable:
      dataObject: links
      sourceMappings: [{ source: id, cross: o }]
      targetMappings: [{ cross: s, target: sku }]
`,
      graph: {
        [pairs]: [
          ['has', '1', 'a'],
          ['has', '2', 'b'],
        ],
      },
    },
    ...(['both', 'source', 'target', 'none'] as const).map((correlate) => ({
      name: `correlate: ${correlate}, and every event of an entity takes part, from whichever element`,
      files: {
        'orders.csv': 'id,at,item\n1,2024-01-01 00:00:00,a\n',
        'payments.csv': 'order_id,at\n1,2024-01-03 00:00:00\n',
        'items.csv': 'sku,at\na,2024-01-02 00:00:00\n',
      },
      elements: `${element('    key: id\n    entityType: order\n')}  - { activityName: P, dataObject: payments, key: order_id, entityType: order, startTimestamp: at }
  - { activityName: B, dataObject: items, key: sku, startTimestamp: at }
`,
      relationships: `  - { name: has, source: A, target: B, mappings: [{ source: item, target: sku }], correlate: ${correlate} }\n`,
      graph: {
        [correlated]: {
          both: [
            ['1', 'A self, B has, P self'],
            ['a', 'A has, B self, P has'],
          ],
          source: [
            ['1', 'A self, P self'],
            ['a', 'A has, B self, P has'],
          ],
          target: [
            ['1', 'A self, B has, P self'],
            ['a', 'B self'],
          ],
          none: [
            ['1', 'A self, P self'],
            ['a', 'B self'],
          ],
        }[correlate],
      },
    })),
    {
      name: 'two relationships between the same entities give two qualifiers and one directly-follows edge',
      files: { 'orders.csv': 'id,at,parent\n1,2024-01-01 00:00:00,\n2,2024-01-02 00:00:00,1\n' },
      elements: keyed,
      relationships: `  - { name: r, source: A, target: A, mappings: [{ source: parent, target: id }] }
  - { name: s, source: A, target: A, mappings: [{ source: id, target: parent }] }
`,
      graph: {
        'SELECT count(*)::INT FROM event_entity': [[6]],
        'SELECT entity_id::INT, source_event_id::INT, target_event_id::INT FROM directly_follows ORDER BY 1': [
          [1, 1, 2],
          [2, 1, 2],
        ],
      },
    },
  ],
  '7. Order': [
    {
      name: 'time, then sequence as a number with the missing first, then start before change, then element, then file row',
      files: {
        'orders.csv':
          'id,at,changed,n,what\n1,2024-01-01 00:00:00,2024-01-02 00:00:00,10,ten\n1,2024-01-01 00:00:00,,9,nine\n1,2024-01-01 00:00:00,,,none\n1,2024-01-01 00:00:00,,9,nine again\n',
      },
      elements:
        element('    key: id\n    changeTimestamp: changed\n    sequence: n\n    activityColumn: what\n') +
        element('    key: id\n').replace('activityName: A', 'activityName: B'),
      graph: {
        'SELECT activity FROM event ORDER BY id': [
          ['none'],
          ['B'],
          ['B'],
          ['B'],
          ['B'],
          ['nine'],
          ['nine again'],
          ['ten'],
          ['ten'],
        ],
      },
    },
    {
      name: 'a text sequence orders as text, a time sequence by time',
      files: {
        'orders.csv':
          'id,at,t,w,what\n1,2024-01-01 00:00:00,2024-01-02 10:00:00,b,x\n1,2024-01-01 00:00:00,2024-01-02 09:00:00,a,y\n',
      },
      elements: element('    key: id\n    sequence: t\n    activityColumn: what\n'),
      graph: { 'SELECT activity FROM event ORDER BY id': [['y'], ['x']] },
    },
    {
      name: 'events of one time and start are ordered by the position of their element in the file',
      files: { 'orders.csv': 'id,at\n1,2024-01-01 00:00:00\n' },
      elements: keyed.replace('activityName: A', 'activityName: Z') + keyed,
      graph: {
        [story]: [
          ['1', 'Z', 'start', '01 00:00'],
          ['2', 'A', 'start', '01 00:00'],
        ],
      },
    },
  ],
  '8. Time': [
    {
      name: 'times without zone and dates are read in the source time zone; gap forward, overlap earlier',
      files: {
        'orders.csv': 'id,at\n1,2024-03-31 02:30:00\n2,2024-10-27 02:30:00\n3,2024-07-01 12:00:00\n',
        'days.csv': 'id,day\n4,2024-07-02\n',
      },
      settings: ', timeZone: Europe/Berlin',
      elements: keyed + '  - { activityName: D, dataObject: days, key: id, startTimestamp: day }\n',
      graph: {
        "SELECT strftime(time, '%Y-%m-%dT%H:%M') FROM event ORDER BY id": [
          ['2024-03-31T01:30'],
          ['2024-07-01T10:00'],
          ['2024-07-01T22:00'],
          ['2024-10-27T00:30'],
        ],
      },
    },
    {
      name: 'a text that is not a time is refused with its row',
      files: { 'orders.csv': 'id,at\n1,2024-01-01 00:00:00\n2,soon\n' },
      settings: ', types: { at: VARCHAR }',
      elements: keyed,
      refused: ['type-mismatch', /Row 2 of "A" has "soon" in at/],
    },
    {
      name: 'a time zone that does not exist is refused',
      files: { 'orders.csv': 'id,at\n1,2024-01-01 00:00:00\n' },
      settings: ', timeZone: Mars/Olympus',
      elements: keyed,
      refused: ['unknown-time-zone', /timeZone is not a time zone/],
    },
    {
      name: 'a time zone is spelt as in the IANA list',
      files: { 'orders.csv': 'id,at\n1,2024-01-01 00:00:00\n' },
      settings: ', timeZone: utc',
      elements: keyed,
      refused: ['unknown-time-zone', /Data source shop: timeZone "utc" is not a time zone/],
    },
  ],
  '9. Names': [
    {
      name: 'a column is matched whole before alias.column',
      files: { 'orders.csv': 'id,at,c.name\n1,2024-01-01 00:00:00,whole\n', 'callers.csv': 'id,name\n1,joined\n' },
      elements: element(
        '    key: id\n    joins: JOIN callers AS c ON c.id = orders.id\n    properties: [c.name, c.id]\n',
      ),
      graph: { 'SELECT "c.name", "c.id"::INT FROM properties_1': [['whole', 1]] },
    },
    {
      name: 'names that differ only by case are refused',
      files: { 'orders.csv': 'id,at\n1,2024-01-01 00:00:00\n', 'ORDERS.csv': 'id,at\n1,2024-01-01 00:00:00\n' },
      elements: keyed,
      refused: ['source-config', /orders/i],
    },
  ],
  '10. Properties': [
    {
      name: 'all selects the columns of the data object in catalog order; joined columns are called alias.column',
      files: { 'orders.csv': 'id,at,z,a\n1,2024-01-01 00:00:00,9,x\n', 'callers.csv': 'id,name\n1,joined\n' },
      elements:
        element('    key: id\n    joins: JOIN callers AS c ON c.id = orders.id\n    properties: all\n') +
        element('    key: id\n    joins: JOIN callers AS c ON c.id = orders.id\n    properties: [a, c.name]\n').replace(
          ': A',
          ': B',
        ),
      graph: {
        "SELECT table_name, string_agg(column_name || ' ' || data_type, ', ' ORDER BY column_index) FROM duckdb_columns() WHERE table_name LIKE 'properties%' GROUP BY 1 ORDER BY 1":
          [
            ['properties_1', 'event_id BIGINT, id BIGINT, at TIMESTAMP, z BIGINT, a VARCHAR'],
            ['properties_2', 'event_id BIGINT, a VARCHAR, c.name VARCHAR'],
          ],
      },
    },
    {
      name: 'a property called event_id does not hide the event',
      files: { 'orders.csv': 'id,at,event_id\n1,2024-01-01 00:00:00,77\n' },
      elements: element('    key: id\n    properties: [event_id]\n'),
      graph: { 'SELECT event_id::INT, "event_id~2"::INT FROM properties_1': [[1, 77]] },
    },
  ],
  '11. Dialects': [
    {
      name: 'comparing columns of different types is refused',
      files: { 'orders.csv': 'id,at,name\n1,2024-01-01 00:00:00,x\n' },
      elements: keyed,
      relationships: '  - { name: r, source: A, target: A, mappings: [{ source: id, operator: "<", target: name }] }\n',
      refused: ['type-mismatch', /id.*name/],
    },
    {
      name: 'comparing columns of different declared types is refused',
      files: { 'orders.csv': 'id,at,name\n1,2024-01-01 00:00:00,x\n' },
      settings: ', types: { id: BIGINT, name: VARCHAR }',
      elements: keyed,
      relationships: '  - { name: r, source: A, target: A, mappings: [{ source: id, target: name }] }\n',
      refused: ['type-mismatch', /id.*name/],
    },
    {
      name: 'texts of cells are compared by =, regardless of their types',
      files: { 'orders.csv': 'id,at,name\n1,2024-01-01 00:00:00,x\n2,2024-01-02 00:00:00,1\n' },
      elements: keyed,
      relationships: '  - { name: r, source: A, target: A, mappings: [{ source: id, target: name }] }\n',
      graph: { 'SELECT count(*)::INT FROM relation': [[1]] },
    },
  ],
};

describe('import rules for files', () => {
  for (const [rule, cases] of Object.entries(rules)) {
    describe(rule, () => {
      for (const each of cases) it(each.name, () => runCase(each));
    });
  }
});

async function runCase(each: RuleCase): Promise<void> {
  const files = {
    ...each.files,
    'entity-sources.yaml': csvSources(each.settings),
    'graph.entity.yaml': graphText(each.elements, each.relationships),
  };
  await withGraph(files, async (project: ImportedProject) => {
    const summary = await project.import();
    if (each.refused) {
      assert.equal(summary.status, 'failed', JSON.stringify(summary));
      assert.equal(summary.error?.code, each.refused[0], summary.error?.message);
      assert.match(summary.error?.message ?? '', each.refused[1]);
      return;
    }
    assert.equal(summary.status, 'imported', summary.error?.message);
    const queries = Object.entries(each.graph ?? {});
    const found = await project.rowsOfAll(queries.map(([sql]) => sql));
    for (const [index, [sql, expected]] of queries.entries()) assert.deepEqual(found[index], expected, sql);
    const expectedWarnings = each.warnings ?? [];
    assert.equal(summary.warnings.length, expectedWarnings.length, summary.warnings.join('\n'));
    for (const [index, pattern] of expectedWarnings.entries()) assert.match(summary.warnings[index] ?? '', pattern);
  });
}
