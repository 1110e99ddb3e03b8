import assert from 'node:assert/strict';
import type { Catalog, Column, DataObject, ForeignKey } from '../../../server/src/catalog/catalog.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { catalog as shop, sources } from './shop-catalog.ts';

const [orders, customers] = shop.objects as readonly [DataObject, DataObject];
const foreignKey = (name: string, column: string, dataObject: string): ForeignKey => ({
  name,
  columns: [column],
  references: { dataObject, columns: ['id'] },
});
/** The shop with its foreign keys, and a cross table. */
const catalog: Catalog = {
  ...shop,
  objects: [
    { ...orders, foreignKeys: [foreignKey('orders_customer_fk', 'customer_id', 'customers')] },
    customers,
    {
      ...orders,
      name: 'baskets',
      path: ['public', 'baskets'],
      foreignKeys: [foreignKey('', 'order_id', 'orders'), foreignKey('', 'customer_id', 'customers')],
      columns: [...orders.columns, ...['order_id'].map((name) => ({ ...(orders.columns[1] as Column), name }))],
    },
  ],
};

const head = 'version: 1\ndataSource: shop\n';
const elements = `${head}elements:
  - { activityName: A, dataObject: orders, startTimestamp: placed_at }
  - { activityName: B, dataObject: customers, key: id, startTimestamp: since }
`;

/** A text, the title of a fix and the text after it. */
const cases: readonly (readonly [name: string, before: string, title: string, after: string])[] = [
  [
    'a misspelt key',
    `${head}elements:\n  - { activityName: A, dataObject: orders, startTimestmp: placed_at } # note\n`,
    'Change to "startTimestamp"',
    `${head}elements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at } # note\n`,
  ],
  [
    'elements in the list of the relationships',
    `version: 1\r\ndataSource: shop\r\nrelationships:\r\n  - { source: A, target: A, mappings: [{ source: id, target: id }] }\r\n  - activityName: A\r\n    dataObject: orders\r\n    startTimestamp: placed_at\r\n  - activityName: B\r\n    dataObject: orders\r\n    startTimestamp: placed_at\r\n`,
    'Insert "elements:"',
    `version: 1\r\ndataSource: shop\r\nrelationships:\r\n  - { source: A, target: A, mappings: [{ source: id, target: id }] }\r\nelements:\r\n  - activityName: A\r\n    dataObject: orders\r\n    startTimestamp: placed_at\r\n  - activityName: B\r\n    dataObject: orders\r\n    startTimestamp: placed_at\r\n`,
  ],
  [
    'a misspelt column in quotes',
    `${head}elements:\n  - activityName: A\n    dataObject: orders\n    startTimestamp: "placedat"\n`,
    'Change to "placed_at"',
    `${head}elements:\n  - activityName: A\n    dataObject: orders\n    startTimestamp: "placed_at"\n`,
  ],
  ['a version', 'version: 2\ndataSource: shop\n', 'Change to "1"', 'version: 1\ndataSource: shop\n'],
  [
    'missing keys in block style',
    `${head}elements:\n  - activityName: A\n    dataObject: orders\n\n  - activityName: B\n    dataObject: customers\n    key: id\n    startTimestamp: since\n`,
    'Add startTimestamp',
    `${head}elements:\n  - activityName: A\n    dataObject: orders\n    startTimestamp: placed_at\n\n  - activityName: B\n    dataObject: customers\n    key: id\n    startTimestamp: since\n`,
  ],
  [
    'missing keys in braces',
    `${head}elements: [{ dataObject: orders }]\n`,
    'Add activityName and startTimestamp',
    `${head}elements: [{ activityName: Change orders, dataObject: orders, startTimestamp: placed_at }]\n`,
  ],
  [
    'an object that is not selected, in brackets',
    `${head}dataObjects: [customers]\nelements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at }\n  - { activityName: B, dataObject: customers, key: id, startTimestamp: since }\n`,
    'Add "orders" to dataObjects',
    `${head}dataObjects: [customers, orders]\nelements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at }\n  - { activityName: B, dataObject: customers, key: id, startTimestamp: since }\n`,
  ],
  [
    'an object that is not selected, in a list of lines',
    `${head}dataObjects:\n  - customers # kept\nelements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at }\n  - { activityName: B, dataObject: customers, key: id, startTimestamp: since }\n`,
    'Add "orders" to dataObjects',
    `${head}dataObjects:\n  - customers # kept\n  - orders\nelements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at }\n  - { activityName: B, dataObject: customers, key: id, startTimestamp: since }\n`,
  ],
  [
    'a selected object without element',
    `${head}dataObjects: [orders, customers]\nelements:\n  - activityName: A\n    dataObject: orders\n    startTimestamp: placed_at\n\nrelationships: []\n`,
    'Create an element for "customers"',
    `${head}dataObjects: [orders, customers]\nelements:\n  - activityName: A\n    dataObject: orders\n    startTimestamp: placed_at\n  - activityName: Change customers\n    dataObject: customers\n    startTimestamp: since\n\nrelationships: []\n`,
  ],
  [
    'an unwanted selected object',
    `${head}dataObjects:\n  - customers\n  - orders\nelements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at }\n`,
    'Remove "customers" from dataObjects',
    `${head}dataObjects:\n  - orders\nelements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at }\n`,
  ],
  [
    'an activity name that another element has',
    `${head}elements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at }\n  - { activityName: A, dataObject: orders, startTimestamp: shipped_on }\n`,
    'Rename it to "A 2"',
    `${head}elements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at }\n  - { activityName: A 2, dataObject: orders, startTimestamp: shipped_on }\n`,
  ],
  [
    'a relationship that is called like another by its ends',
    `${elements}relationships:\n  - { source: A, target: B, mappings: [{ source: id, target: id }] }\n  - source: A\n    target: B\n    mappings: [{ source: customer_id, target: id }]\n`,
    'Name it "A → B 2"',
    `${elements}relationships:\n  - { source: A, target: B, mappings: [{ source: id, target: id }] }\n  - name: A → B 2\n    source: A\n    target: B\n    mappings: [{ source: customer_id, target: id }]\n`,
  ],
  [
    'an element without a key',
    `${head}elements:\n  - activityName: B\n    dataObject: customers # all\n    startTimestamp: since\n`,
    'Identify the entity by "id"',
    `${head}elements:\n  - activityName: B\n    dataObject: customers # all\n    key: id\n    startTimestamp: since\n`,
  ],
  [
    'a draft, by a foreign key',
    `${elements}relationships:\n  - source: A\n    target: B\n    correlate: both\n`,
    'Join by customer_id = id (foreign key orders_customer_fk)',
    `${elements}relationships:\n  - source: A\n    target: B\n    mappings:\n      - { source: customer_id, target: id }\n    correlate: both\n`,
  ],
  [
    'a cross table without mappings',
    `${elements}relationships:\n  - source: A\n    target: B\n    crossTable: { dataObject: baskets, sourceMappings: [] }\n`,
    'Complete it: Join through baskets',
    `${elements}relationships:\n  - source: A\n    target: B\n    crossTable: { dataObject: baskets, sourceMappings: [{ source: id, cross: order_id }], targetMappings: [{ cross: customer_id, target: id }] }\n`,
  ],
  [
    'a number for a name',
    `${head}elements:\n  - { activityName: 007, dataObject: orders, startTimestamp: placed_at }\n`,
    'Put it in quotes',
    `${head}elements:\n  - { activityName: "007", dataObject: orders, startTimestamp: placed_at }\n`,
  ],
  [
    'one name for a list',
    `${head}dataObjects: orders # one\n`,
    'Write it as a list',
    `${head}dataObjects: [orders] # one\n`,
  ],
  [
    'a list for one name',
    `version: 1\ndataSource: [shop]\n`,
    'Write its one value without the list',
    `version: 1\ndataSource: shop\n`,
  ],
  [
    'all keys that the file needs',
    `name: Orders # of the shop\nelements: []\n`,
    'Add version and dataSource',
    `version: 1\nname: Orders # of the shop\ndataSource:\nelements: []\n`,
  ],
  [
    'keys without a value',
    `${head}elements:\n  - activityName:\n    dataObject: orders\n    startTimestamp: # when?\n`,
    'Set activityName and startTimestamp',
    `${head}elements:\n  - activityName: Change orders\n    dataObject: orders\n    startTimestamp: placed_at # when?\n`,
  ],
  [
    'a parenthesis left open in a block',
    `${head}elements:\n  - activityName: A\n    dataObject: orders\n    startTimestamp: placed_at\n    where: |\n      id > 1\n      AND (id < 5\n\n    properties: all\n`,
    'Close the parenthesis',
    `${head}elements:\n  - activityName: A\n    dataObject: orders\n    startTimestamp: placed_at\n    where: |\n      id > 1\n      AND (id < 5)\n\n    properties: all\n`,
  ],
];

describe('quick fixes', () => {
  for (const [name, before, title, after] of cases) {
    it(`fix ${name}`, () => {
      const parsed = parseEntityGraph(before);
      const context = { parsed, sources, catalog };
      const fixes = validateEntityGraph({ text: before, ...context }).flatMap((problem) => fixesOf(problem, context));
      const fix = fixes.find((each) => each.title === title);
      assert.ok(fix, fixes.map((each) => each.title).join());
      assert.equal(applyEdits(before, fix.edits), after);
    });
  }

  for (const value of ["'nt", '"nt', '*gone', '!!int x', '&here', '[a', '{ a']) {
    it(`do not fail if ${value} follows a key without a blank`, () => {
      for (const text of [
        `${head}elements:\n  - { activityName ${value}, dataObject: orders, startTimestamp: placed_at }\n`,
        `${head}elements:\n  - { activityName:${value}, dataObject: orders, startTimestamp: placed_at }\n`,
      ]) {
        const parsed = parseEntityGraph(text);
        const context = { parsed, sources, catalog };
        const problems = validateEntityGraph({ text, ...context });
        assert.ok(problems.length > 0, text);
        for (const fix of problems.flatMap((problem) => fixesOf(problem, context))) {
          assert.equal(typeof applyEdits(text, fix.edits), 'string');
        }
      }
    });
  }
});

describe('quick fixes › times that are stored as numbers or texts', () => {
  const timeColumn = (samples: readonly string[], more: Partial<Column> = {}): Column => ({
    ...{ name: 'at', type: 'bigint', sense: 'integer', nullable: true, primaryKey: false },
    ...(samples.length > 0 && { samples }),
    ...more,
  });
  /** Title and result of the fixes, for a column of a joined table. */
  const fixed = (column: Column, dialect = 'postgresql', timeZone = 'UTC'): readonly (readonly [string, string])[] => {
    const text = `${head}elements:\n  - { activityName: A, dataObject: orders, startTimestamp: c.at, joins: JOIN customers AS c ON true }\n`;
    const parsed = parseEntityGraph(text);
    const objects = [orders, { ...customers, columns: [...customers.columns, column] }];
    const ofShop = sources.sources.map((source) => ({ ...source, timeZone }));
    const context = { parsed, sources: { ...sources, sources: ofShop }, catalog: { ...catalog, dialect, objects } };
    const [problem, ...others] = validateEntityGraph({ text, ...context });
    assert.deepEqual([problem?.code, others], ['timestamp-type', []]);
    const fixes = problem ? fixesOf(problem, context) : [];
    return fixes.map(
      ({ title, edits }) => [title, applyEdits(text, edits).slice(text.indexOf('startTimestamp'))] as const,
    );
  };

  it('are an expression over the column of a joined table', () => {
    assert.deepEqual(fixed(timeColumn(['1719820800', '1719820801'])), [
      [
        'Read it as seconds since 1970',
        `startTimestamp: { expression: to_timestamp("c"."at") }, joins: JOIN customers AS c ON true }\n`,
      ],
    ]);
  });

  const titles: readonly (readonly [what: string, column: Column, words: readonly string[]])[] = [
    [
      'numbers without examples',
      timeColumn([]),
      ['seconds since 1970', 'milliseconds since 1970', 'day numbers of Excel'],
    ],
    ['other numbers', timeColumn(['1', '2']), []],
    ['dates as numbers', timeColumn(['20240131']), []],
    ['numbers and others', timeColumn(['1719820800', '7']), []],
    ['digits in texts', timeColumn(['1719820800123'], { type: 'text', sense: 'text' }), ['milliseconds since 1970']],
    ['texts without examples', timeColumn([], { type: 'text', sense: 'text' }), []],
    ['texts of times', timeColumn(['2024-01-01'], { type: 'text', sense: 'text' }), []],
    ['truth values', timeColumn([], { type: 'boolean', sense: 'boolean' }), []],
  ];
  for (const [what, column, words] of titles) {
    it(`are found out by their examples: ${what}`, () => {
      assert.deepEqual(
        fixed(column).map(([title]) => title),
        words.map((each) => `Read it as ${each}`),
      );
    });
  }

  it('are instants, which MySQL has without a zone: only for sources in UTC', () => {
    const words = (timeZone: string): readonly string[] =>
      fixed(timeColumn([]), 'mysql', timeZone).map(([title]) => title);
    assert.equal(words('UTC').length, 3);
    assert.deepEqual(words('Europe/Berlin'), ['Read it as day numbers of Excel']);
  });

  it('are named in the message, for users without an editor', () => {
    const text = `${head}elements:\n  - { activityName: A, dataObject: orders, startTimestamp: at }\n`;
    const objects = [{ ...orders, columns: [...orders.columns, timeColumn(['45474.5'], { sense: 'number' })] }];
    const context = { parsed: parseEntityGraph(text), sources, catalog: { ...catalog, dialect: 'duckdb', objects } };
    assert.match(
      validateEntityGraph({ text, ...context })[0]?.message ?? '',
      /Its values look like day numbers of Excel, which \{ expression: 'TIMESTAMP ''1899-12-30 00:00:00'' \+ .*' \} reads\.$/,
    );
    const unknown = {
      ...catalog,
      dialect: 'mysql',
      objects: [{ ...orders, columns: [...orders.columns, timeColumn([])] }],
    };
    const [problem] = validateEntityGraph({ text, parsed: parseEntityGraph(text), sources, catalog: unknown });
    assert.doesNotMatch(problem?.message ?? '', /look like/, 'without example values');
  });
});

describe('quick fixes › times that a column stores as text', () => {
  const fixed = (samples: readonly string[], more: Partial<Catalog> = {}) => {
    const at = { name: 'at', type: 'VARCHAR', sense: 'text', nullable: true, primaryKey: false, samples } as const;
    const files: Catalog = {
      ...{ ...catalog, dataSource: 'shop', kind: 'csv', dialect: 'duckdb' },
      objects: [{ ...orders, name: 'web orders', path: ['web orders'], columns: [...orders.columns, at] }],
      ...more,
    };
    const text = `${head}elements:\n  - activityName: A\n    dataObject: web orders\n    key: id\n    startTimestamp: at # text\n`;
    const context = { parsed: parseEntityGraph(text), sources, catalog: files };
    return validateEntityGraph({ text, ...context })
      .filter(({ code }) => code === 'timestamp-type')
      .flatMap((problem) => fixesOf(problem, context))
      .map(({ title, preferred, edits }) => [
        title,
        preferred,
        applyEdits(text, edits).slice(text.indexOf('    startT')),
      ]);
  };
  const read = (format: string): string =>
    `    startTimestamp:\n      expression: 'try_strptime("web orders"."at"::VARCHAR, ''${format}'')' # text\n`;

  it('are read in the format of the example values', () => {
    assert.deepEqual(fixed(['15.03.2024 10:00', '01.04.2024 09:30']), [
      ['Read it as %d.%m.%Y %H:%M', true, read('%d.%m.%Y %H:%M')],
    ]);
  });

  it('are read in one of two formats where day and month are ambiguous', () => {
    assert.deepEqual(fixed(['01/02/2024', '03/04/2024']), [
      ['Read it as %d/%m/%Y', false, read('%d/%m/%Y')],
      ['Read it as %m/%d/%Y', false, read('%m/%d/%Y')],
    ]);
  });

  it('are left where no format fits, the texts are times already, or the engine has no formats', () => {
    for (const samples of [[], ['soon'], ['2024-03-15 10:00:00'], ['15.03.2024', '03.15.2024']])
      assert.deepEqual(fixed(samples), [], samples.join());
    assert.deepEqual(fixed(['15.03.2024'], { dialect: 'sqlite' }), []);
  });
});

describe('quick fixes › joins of a graph over several data sources', () => {
  const all = { ...catalog, objects: [orders], others: [{ ...catalog, dataSource: 'erp' }] };
  const fixed = (ends: readonly [string, string], relationship: string): readonly (readonly [string, string])[] => {
    const text = `${head}elements:
  - { activityName: A, ${ends[0]}dataObject: orders, startTimestamp: placed_at }
  - { activityName: B, ${ends[1]}dataObject: customers, key: id, startTimestamp: since }
relationships:
  - { source: A, target: B${relationship} }
`;
    const context = { parsed: parseEntityGraph(text), sources, catalog: all };
    return validateEntityGraph({ text, ...context })
      .filter(({ code }) => code === 'relationship-draft' || code === 'incomplete-cross-table')
      .flatMap((problem) => fixesOf(problem, context))
      .flatMap(({ title, edits }) =>
        edits && edits.length > 0 ? [[title, applyEdits(text, edits).split('\n').at(-2) ?? ''] as const] : [],
      );
  };
  const erp = 'dataSource: erp, ';

  it('come from the common data source of both ends, and name it at a cross table', () => {
    assert.deepEqual(fixed([erp, erp], '').slice(0, 2), [
      [
        'Join by customer_id = id (foreign key orders_customer_fk)',
        '  - { source: A, target: B, mappings: [{ source: customer_id, target: id }] }',
      ],
      [
        'Join through baskets',
        '  - { source: A, target: B, crossTable: { dataSource: erp, dataObject: baskets, sourceMappings: [{ source: id, cross: order_id }], targetMappings: [{ cross: customer_id, target: id }] } }',
      ],
    ]);
  });

  it('complete a cross table only if it is in the data source of the foreign keys', () => {
    const completed =
      'sourceMappings: [{ source: id, cross: order_id }], targetMappings: [{ cross: customer_id, target: id }] } }';
    assert.deepEqual(fixed([erp, erp], ', crossTable: { dataSource: erp, dataObject: baskets }'), [
      [
        'Complete it: Join through baskets',
        `  - { source: A, target: B, crossTable: { dataSource: erp, dataObject: baskets, ${completed}`,
      ],
    ]);
    assert.deepEqual(fixed([erp, erp], ', crossTable: { dataObject: baskets }'), []);
  });

  it('are not offered for ends of different data sources, whose foreign keys refer to other tables', () => {
    assert.deepEqual(fixed(['', erp], ''), []);
  });
});
