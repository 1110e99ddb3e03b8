import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { showQuery, testQuery } from '../../server/src/operations/queries/query-operations.ts';
import { statePaths } from '../../server/src/state/state-folder.ts';
import { openScratch } from '../../server/src/store/duckdb-store.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { type ImportedProject, csvSources, graphText, withGraph, withProject } from '../support/import-text.ts';
import { noSecrets } from '../support/no-secrets.ts';
import { soakAssert } from '../support/soak.ts';

/** The keys of the entities of a type. */
async function keysOf(project: ImportedProject, type: string): Promise<readonly unknown[]> {
  const rows = await project.rows(`SELECT key FROM entity WHERE entity_type = '${type}' ORDER BY id`);
  return rows.map(([key]) => key);
}

const element = '  - { activityName: A, dataObject: a, key: x, startTimestamp: at }\n';

/** One row per column of different texts with equal values. */
const columns: readonly (readonly [title: string, texts: readonly string[]])[] = [
  ['numbers', ['12E3', '1200E1', '12000', '7E1', '70']],
  ['whole numbers', ['1', '01', '+1', ' 1', '1 ']],
  ['decimals', ['0.10', '0.1', '.1', '1e-1', '0', '-0']],
  ['booleans', ['true', 'TRUE', 't', 'yes', 'f']],
  ['texts like numbers, such as NaN', ['NaN', 'nan', '1', 'inf', 'Infinity']],
  ['dates', ['2024-1-1', '2024-01-01', ' 2024-01-01']],
  ['times', ['2024-01-01 10:00', '2024-01-01 10:00:00', '2024-01-01T10:00:00.000']],
  ['times with zone', ['2024-01-01 10:00:00+00', '2024-01-01 12:00:00+02', '2024-01-01T10:00:00Z']],
  ['times of day', ['10:00', '10:00:00', '9:00']],
];

describe('text file keys', () => {
  for (const [title, texts] of columns) {
    for (const [file, delimiter] of [
      ['a.csv', ','],
      ['a.tsv', '\t'],
    ] as const) {
      it(`are cell texts › ${title}, ${file}`, async () => {
        const lines = texts.map((text) => ['2024-01-01', text].join(delimiter));
        const files = {
          'entity-sources.yaml': csvSources().replace('*.csv', file),
          'graph.entity.yaml': graphText(element),
          [file]: `${['at', 'x'].join(delimiter)}\n${lines.join('\n')}\n`,
        };
        await withGraph(files, async (project) => {
          const { error, totals } = await project.import();
          assert.deepEqual([error, totals.entities], [undefined, texts.length]);
          assert.deepEqual(await keysOf(project, 'a'), texts.toSorted());
        });
      });
    }
  }

  const shop =
    '  - { activityName: Win, dataObject: customers, startTimestamp: since, key: id }\n  - { activityName: Order, dataObject: orders, startTimestamp: at, key: id, properties: all }\n';
  const places = (operator: string): string =>
    `  - { name: places, source: Win, target: Order, mappings: [{ source: id, operator: "${operator}", target: customer }] }\n`;

  /** Pairs of a relationship between customers and orders, and the import's warnings. */
  async function pairs(
    customers: readonly string[],
    orders: readonly string[],
    { operator = '=', settings = '' } = {},
  ): Promise<unknown> {
    const files = {
      'entity-sources.yaml': csvSources(settings),
      'graph.entity.yaml': graphText(shop, places(operator)),
      'customers.csv': `id,since\n${customers.map((id) => `${id},2024-01-01\n`).join('')}`,
      'orders.csv': `id,at,customer\n${orders.map((id, index) => `o${index},2024-01-02,${id}\n`).join('')}`,
    };
    return withGraph(files, async (project) => {
      const { error, warnings } = await project.import();
      assert.equal(error, undefined);
      const rows = await project.rows(
        'SELECT s.key, t.key FROM relation JOIN entity AS s ON s.id = source_entity_id JOIN entity AS t ON t.id = target_entity_id ORDER BY 1, 2',
      );
      return { pairs: rows.map((row) => row.join(' ')), warnings };
    });
  }

  const mend = (type: string): string =>
    `To compare values, declare the type: types: { "id": ${type} } for customers.csv, types: { "customer": ${type} } for orders.csv.`;
  const unequal = (one: string, other: string, type: string): string =>
    `"${one}" in id of customers and "${other}" in customer of orders are one value, but different texts: a mapping with = compares texts of files, so they are not related. ${mend(type)}`;

  /** One row per columns of customers and orders, the pairs that = finds, and the warnings. */
  const mappings: readonly (readonly [
    title: string,
    customers: readonly string[],
    orders: readonly string[],
    pairs: readonly string[],
    warnings: readonly string[],
  ])[] = [
    ['equal texts', ['1', '2'], ['1', '1', '3'], ['1 o0', '1 o1'], []],
    ['10 and 10.0', ['10', '11'], ['10.0', '11'], ['11 o1'], [unequal('10', '10.0', 'DOUBLE')]],
    ['numbers of one type', ['1', '2', '3'], ['+1', '2'], ['2 o1'], [unequal('1', '+1', 'BIGINT')]],
    ['1 and 01, which is a text to DuckDB', ['1', '2'], ['01', '2'], ['2 o1'], [unequal('1', '01', 'BIGINT')]],
    ['numbers and names', ['1', '2'], ['1', 'x'], ['1 o0'], []],
    [
      'dates',
      ['2024-01-01', '2024-01-02'],
      ['2024-1-1', '2024-01-02'],
      ['2024-01-02 o1'],
      [unequal('2024-01-01', '2024-1-1', 'DATE')],
    ],
    ['booleans', ['true', 'false'], ['TRUE', 'false'], ['false o1'], [unequal('true', 'TRUE', 'BOOLEAN')]],
    ['several ways to write one', ['7', '70'], ['7E0', '7E1', '70'], ['70 o2'], [unequal('7', '7E0', 'DOUBLE')]],
  ];
  for (const [title, customers, orders, expected, warnings] of mappings) {
    it(`are compared as texts by relationship mappings › ${title}`, async () => {
      assert.deepEqual(await pairs(customers, orders), { pairs: expected, warnings });
    });
  }

  it('differ when their texts differ', async () => {
    assert.deepEqual(await pairs(['10', '11'], ['10.0', '11'], { operator: '!=' }), {
      pairs: ['10 o0', '10 o1', '11 o0'],
      warnings: [],
    });
  });

  it('are typed values in comparisons by order', async () => {
    assert.deepEqual(await pairs(['9', '10'], ['9.5', '100.0'], { operator: '<' }), {
      pairs: ['10 o1', '9 o0', '9 o1'],
      warnings: [],
    });
  });

  it('of declared types are canonical texts', async () => {
    const settings =
      ', files: { customers.csv: { types: { id: BIGINT } }, orders.csv: { types: { customer: DOUBLE } } }';
    assert.deepEqual(await pairs(['10', '011'], ['10.0', '11', '1.1E1'], { settings }), {
      pairs: ['10 o0', '11 o1', '11 o2'],
      warnings: [],
    });
  });

  it('match canonical texts when one type is declared', async () => {
    const settings = ', files: { orders.csv: { types: { customer: DOUBLE } } }';
    assert.deepEqual(await pairs(['10', '011', '12.0'], ['10.0', '11', '12'], { settings }), {
      pairs: ['10 o0'],
      warnings: [unequal('011', '11', 'DOUBLE')],
    });
  });

  /** Rows of a graph over these files, by SQL. */
  async function rowsOf(
    files: Readonly<Record<string, string | Uint8Array>>,
    elements: string,
    sql: string,
    { relationships = '', settings = '', warnings = [] as readonly string[] } = {},
  ): Promise<readonly (readonly unknown[])[]> {
    const all = {
      'entity-sources.yaml': csvSources(settings).replace('*.csv', '*.*s*'),
      'graph.entity.yaml': graphText(elements, relationships),
      ...files,
    };
    return withGraph(all as Record<string, string>, async (project) => {
      const summary = await project.import();
      assert.deepEqual([summary.error, summary.warnings], [undefined, warnings]);
      return project.rows(sql);
    });
  }

  const keys = 'SELECT entity_type, key FROM entity ORDER BY 1, 2';

  it('in composite keys are texts next to parts of declared types', async () => {
    const files = { 'a.csv': 'x,y,at\n1.0,2.0,2024-01-01\n1,2,2024-01-01\n' };
    const settings = ', types: { y: DOUBLE }';
    assert.deepEqual(await rowsOf(files, element.replace('key: x', 'key: [x, y]'), keys, { settings }), [
      ['a', '["1","2"]'],
      ['a', '["1.0","2"]'],
    ]);
  });

  it('respect nullValues and quotes', async () => {
    const files = { 'a.csv': 'x,at\n"1.0",2024-01-01\n?,2024-01-01\n"?",2024-01-01\n,2024-01-01\n" 1",2024-01-01\n' };
    const warnings = ['3 of 5 rows of "A" have no key and are left out.'];
    assert.deepEqual(await rowsOf(files, element, keys, { settings: ', nullValues: ["?"]', warnings }), [
      ['a', ' 1'],
      ['a', '1.0'],
    ]);
  });

  it('as activities are texts, while properties, sequences and times are typed', async () => {
    const files = { 'a.csv': 'x,at,n\n1,2024-01-01,10.0\n1,2024-01-01,9\n1,2024-01-01,10\n' };
    const elements =
      '  - { activityName: A, dataObject: a, key: x, startTimestamp: at, activityColumn: n, sequence: n, properties: all }\n';
    const sql =
      'SELECT activity, typeof(p.n), p.n, typeof(p.x), p.x, typeof(p.at) FROM event JOIN properties_1 AS p ON p.event_id = id ORDER BY id';
    assert.deepEqual(await rowsOf(files, elements, sql), [
      ['9', 'DOUBLE', 9, 'BIGINT', '1', 'DATE'],
      ['10.0', 'DOUBLE', 10, 'BIGINT', '1', 'DATE'],
      ['10', 'DOUBLE', 10, 'BIGINT', '1', 'DATE'],
    ]);
  });

  it('of joined files are texts, and typed values in custom SQL', async () => {
    const files = {
      'a.csv': 'id,at\n1,2024-01-01\n2,2024-01-02\n',
      'b.csv': 'a,x\n1.0,0.10\n2.0,0.1\n3.0,7\n',
    };
    const elements = `  - activityName: A
    dataObject: a
    key: [id, l.x]
    startTimestamp: at
    joins: JOIN b AS l ON l.a = a.id
    where: l.x < 1 AND a.id + 0 = l.a
    properties: [l.x]
`;
    const sql = `SELECT entity.key, typeof(p."l.x") FROM entity JOIN event ON event.entity_id = entity.id JOIN properties_1 AS p ON p.event_id = event.id ORDER BY 1`;
    assert.deepEqual(await rowsOf(files, elements, sql), [
      ['["1","0.10"]', 'DOUBLE'],
      ['["2","0.1"]', 'DOUBLE'],
    ]);
  });

  it('are compared as typed values by NATURAL JOIN', async () => {
    const files = { 'a.csv': 'id,at\n1,2024-01-01\n2,2024-01-02\n', 'b.csv': 'id,y\n1.0,5\n2.0,6\n' };
    const elements =
      '  - { activityName: A, dataObject: a, key: [id, b.y], startTimestamp: at, joins: NATURAL JOIN b }\n';
    assert.deepEqual(await rowsOf(files, elements, keys), [
      ['a', '["1","5"]'],
      ['a', '["2","6"]'],
    ]);
  });

  it('are compared on both sides of a cross table', async () => {
    const files = {
      'a.csv': 'id,at\n1,2024-01-01\n2,2024-01-02\n',
      'b.csv': 'id,at\n0.5,2024-01-01\n0.50,2024-01-02\n',
      'c.csv': 'a,b\n1,0.5\n1,0.50\n2.0,0.5\n',
    };
    const elements =
      '  - { activityName: A, dataObject: a, key: id, startTimestamp: at }\n  - { activityName: B, dataObject: b, key: id, startTimestamp: at }\n';
    const relationships =
      '  - { name: r, source: A, target: B, crossTable: { dataObject: c, sourceMappings: [{ source: id, cross: a }], targetMappings: [{ cross: b, target: id }] } }\n';
    const sql =
      'SELECT s.key, t.key FROM relation JOIN entity AS s ON s.id = source_entity_id JOIN entity AS t ON t.id = target_entity_id ORDER BY 1, 2';
    const wish = 'To compare values, declare the type: ';
    const rule =
      'are one value, but different texts: a mapping with = compares texts of files, so they are not related.';
    const warnings = [
      `"2" in id of a and "2.0" in a of c ${rule} ${wish}types: { "id": DOUBLE } for a.csv, types: { "a": DOUBLE } for c.csv.`,
      `"0.5" in b of c and "0.50" in id of b ${rule} ${wish}types: { "b": DOUBLE } for c.csv, types: { "id": DOUBLE } for b.csv.`,
    ];
    assert.deepEqual(await rowsOf(files, elements, sql, { relationships, warnings }), [
      ['1', '0.5'],
      ['1', '0.50'],
    ]);
  });

  it('of shared entities are reported when one number has different texts', async () => {
    const files = { 'a.csv': 'id,at\n7,2024-01-01\n8,2024-01-01\n', 'b.csv': 'id,at\n7.0,2024-01-02\n8,2024-01-02\n' };
    const elements =
      '  - { activityName: A, dataObject: a, key: id, entityType: t, startTimestamp: at }\n  - { activityName: B, dataObject: b, key: id, entityType: t, startTimestamp: at }\n';
    const warnings = [
      '"7" and "7.0" are one number, but different texts: keys of files are texts, so they are two entities of type t. To make one of them, declare the type of the column (types) in every file that has it.',
    ];
    assert.deepEqual(await rowsOf(files, elements, keys, { warnings }), [
      ['t', '7'],
      ['t', '7.0'],
      ['t', '8'],
    ]);
    const settings = ', types: { id: DOUBLE }';
    assert.deepEqual(await rowsOf(files, elements, keys, { settings }), [
      ['t', '7'],
      ['t', '8'],
    ]);
  });

  for (const [made, files, elements, entities] of [
    [
      'an entry of entities',
      { 'a.csv': 'id,at\n7,2024-01-01\n', 'b.csv': 'id\n7.0\n' },
      '  - { activityName: A, dataObject: a, key: id, entityType: t, startTimestamp: at }\n',
      'entities:\n  - { entityType: t, dataObject: b, key: id }\n',
    ],
    [
      'rows that name them',
      { 'a.csv': 'id,at\n7,2024-01-01\n', 'b.csv': 'id,t,at\nx,7.0,2024-01-02\n' },
      '  - { activityName: A, dataObject: a, key: id, entityType: t, startTimestamp: at }\n  - { activityName: B, dataObject: b, key: id, ownEntity: false, startTimestamp: at, correlatesWith: [{ entityType: t, key: t }] }\n',
      '',
    ],
  ] as const) {
    it(`of entities shared with ${made} are reported when one number has different texts`, async () => {
      const warning =
        '"7" and "7.0" are one number, but different texts: keys of files are texts, so they are two entities of type t. To make one of them, declare the type of the column (types) in every file that has it.';
      const unmatched =
        made === 'rows that name them'
          ? ['1 key of "B" in t matches no t that something else makes: it is an entity without properties.']
          : [];
      assert.deepEqual(await rowsOf(files, elements + entities, keys, { warnings: [...unmatched, warning] }), [
        ['t', '7'],
        ['t', '7.0'],
      ]);
    });
  }

  it('helper columns have names that no file column has', async () => {
    const files = { 'a.csv': 'x,at,__text_a_x,x as text\n1.0,2024-01-01,p,q\n1,2024-01-02,r,s\n' };
    const elements = element.replace(' }', ', properties: all }');
    const sql = `SELECT entity.key, p.* EXCLUDE (event_id) FROM entity JOIN event ON event.entity_id = entity.id JOIN properties_1 AS p ON p.event_id = event.id ORDER BY 1`;
    assert.deepEqual(await rowsOf(files, elements, sql), [
      ['1', 1, '2024-01-02', 'r', 's'],
      ['1.0', 1, '2024-01-01', 'p', 'q'],
    ]);
  });

  it('of JSON are verbatim strings, and numbers as values', async () => {
    const records = [
      { day: '2024-01-01', n: 10, id: 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', at: '2024-01-01 10:00' },
      { day: '2024-1-1', n: 10.0, id: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', at: '2024-01-01 10:00' },
    ];
    const elements = element.replace('key: x', 'key: [day, n, id, at]');
    assert.deepEqual(
      await rowsOf({ 'a.jsonl': records.map((record) => JSON.stringify(record)).join('\n') }, elements, keys),
      [
        ['a', '["2024-01-01","10","A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11","2024-01-01 10:00"]'],
        ['a', '["2024-1-1","10","a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11","2024-01-01 10:00"]'],
      ],
    );
  });

  it('helper columns are hidden by Test Query and shown by Show Query', async () => {
    const files = {
      'entity-sources.yaml': csvSources(),
      'graph.entity.yaml': graphText(
        '  - { activityName: A, dataObject: a, key: x, startTimestamp: at, properties: all, joins: LEFT JOIN a AS b ON false }\n',
      ),
      'a.csv': 'x,at\n1.0,2024-01-01\n1,2024-01-02\n,2024-01-03\n',
    };
    await withGraph(files, async ({ folder }) => {
      const projectContext = { ...noSecrets, workspaceFolderOf: () => folder };
      const file = await readGraphFile(join(folder, 'graph.entity.yaml'), projectContext);
      const target = { kind: 'element', name: 'A' } as const;
      const { columns, rows, warnings, marks } = await testQuery(file, target, projectContext);
      assert.deepEqual(
        columns.map(({ name, type, nulls }) => [name, type, nulls]),
        [
          ['x', 'DOUBLE', 1],
          ['at', 'DATE', 0],
        ],
      );
      assert.deepEqual(rows, [
        [1, '2024-01-01'],
        [1, '2024-01-02'],
        [null, '2024-01-03'],
      ]);
      assert.deepEqual(warnings, ['1 of 3 rows have no x: they have no key and are left out.']);
      assert.deepEqual(marks, [
        { row: 2, column: 0, severity: 'warning', message: 'No key: an import leaves this row out.' },
      ]);
      const { steps } = await showQuery(file, target, projectContext);
      const [core = ''] = steps.flatMap(({ role, text }) => (role === 'core' ? [text] : []));
      assert.match(
        core,
        /"a"\."x" AS "x",\n {2}"a"\."at" AS "at",\n {2}"a"\."__text_a_x" AS "x as text",\n {2}"a"\."__file_row"/,
      );
      assert.ok(steps.some(({ role, text }) => role === 'wrap' && text.includes(core)));
    });
  });

  it('of random texts are all distinct', async function () {
    this.timeout(600_000);
    const cell = fc.oneof(
      fc.double().map(String),
      fc.integer({ min: -20, max: 20 }).map((n) => n.toFixed(n & 3)),
      fc.constantFrom(
        '12E3',
        '1200E1',
        '+1',
        '1_0',
        '0x1',
        'TRUE',
        'true',
        'NaN',
        'nan',
        '2024-1-1',
        '2024-01-01',
        '1:00',
        '01:00',
      ),
      fc.string({ unit: fc.constantFrom('0', '1', '.', '-', 'e', ' ', ':', '"', ',', 'é', '\n') }),
    );
    // DuckDB cannot read an empty last line of a file with one column; an empty key is not a key.
    const texts = fc.uniqueArray(cell, { minLength: 1, maxLength: 30 }).map((all) => all.filter((text) => text !== ''));
    await soakAssert(
      fc.asyncProperty(texts, async (all) => {
        const lines = all.map((text) => `2024-01-01,"${text.replaceAll('"', '""')}"`);
        const found = await rowsOf({ 'a.csv': `at,x\n${lines.join('\n')}\n` }, element, keys, {
          warnings:
            all.length === 0 ? ['"A" has no rows: its table is empty, or its filter lets nothing through.'] : [],
        });
        assert.deepEqual(found.map(([, key]) => key).toSorted(), all.toSorted());
      }),
      4,
    );
  });

  it('are read again from an unchanged file whose cached rows have another format', async () => {
    const files = {
      'entity-sources.yaml': csvSources(),
      'graph.entity.yaml': graphText(element),
      'a.csv': 'x,at\n1.0,2024-01-01\n1,2024-01-02\n',
    };
    await withProject(files, async ({ folder, import: run }) => {
      const unchanged = async (): Promise<readonly (boolean | undefined)[]> =>
        ((await run()).steps ?? []).filter(({ name }) => name === 'element_1').map(({ isUnchanged }) => isUnchanged);
      assert.deepEqual([await unchanged(), await unchanged()], [[undefined], [true]]);
      const scratch = await openScratch();
      await scratch.run(`ATTACH '${statePaths.rows(join(folder, '.entity-graph'), 'graph')}' AS kept`);
      await scratch.run('UPDATE kept.kept_rows SET format = 1');
      await scratch.close();
      assert.deepEqual([await unchanged(), await unchanged()], [[undefined], [true]]);
    });
  });
});
