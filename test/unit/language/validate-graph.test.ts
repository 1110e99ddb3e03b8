import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createEntryCache } from '../../../server/src/language/checks/entry-cache.ts';
import { validateDataSources, validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { withRanges } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const head = 'version: 1\ndataSource: shop\n';
const order = '{ activityName: A, dataObject: orders, startTimestamp: placed_at }';
const customer = '{ activityName: B, dataObject: customers, key: id, startTimestamp: since }';

/** A text with the places of its mistakes, and code and words of each. */
type Case = readonly [name: string, marked: string, ...problems: (readonly [string, RegExp])[]];

const cases: readonly Case[] = [
  ['nothing to say', `${head}elements: [${order}]\n`],
  ['the first syntax error alone', 'version: 1\nelements: ‹|[|›\n  - a: b\n', ['yaml-syntax', /never closed/]],
  [
    'a misspelt key is one mistake',
    `${head}elements: [{ activityName: A, dataObject: orders, ‹|startTimestmp|›: placed_at }]\n`,
    ['schema-unknown-property', /"startTimestmp".*"startTimestamp"/],
  ],
  ['a misspelt required key too', 'version: 1\n‹|dataSorce|›: shop\n', ['schema-unknown-property', /"dataSource"/]],
  [
    'a key in two words with its colon is a misspelt one',
    `${head}elements: [{ activityName: A, dataObject: orders, ‹|start timestamp|›: }]\n`,
    ['schema-unknown-property', /Did you mean "startTimestamp"/],
  ],
  ['a missing required key', '‹|version: 1|›\n', ['schema-missing-property', /^The file needs "dataSource"/]],
  [
    'a number for a name',
    `${head}elements: [{ activityName: ‹|5|›, dataObject: orders, startTimestamp: placed_at }]\n`,
    ['schema-type', /"activityName" must be text, not 5\. Put it in quotes: "5"/],
  ],
  [
    'a value that is not allowed',
    `${head}elements: [${order}]\nrelationships: [{ source: A, target: A, correlate: ‹|bot|›, mappings: [{ source: id, target: id }] }]\n`,
    ['schema-value', /"correlate" must be one of both.*not "bot"/],
  ],
  [
    'properties that are neither all nor a list',
    `${head}elements: [{ activityName: A, dataObject: orders, startTimestamp: placed_at, properties: ‹|al|› }]\n`,
    ['schema-value', /"all", not "al"/],
  ],
  [
    'keys that begin with x- are fine anywhere',
    `${head}x-team: blue\nelements: [{ activityName: A, dataObject: orders, startTimestamp: placed_at, x-note: 1 }]\n`,
  ],
  ['an unknown data source', 'version: 1\ndataSource: ‹|shopp|›\n', ['unknown-data-source', /Did you mean "shop"/]],
  [
    'an unconfigured element',
    `${head}elements: [{ activityName: ‹|A|›, dataObject: orders }]\n`,
    ['element-unconfigured', /Start Timestamp is missing/],
  ],
  [
    'a draft',
    `${head}elements: [${order}]\nrelationships: [{ name: ‹|r|›, source: A, target: A }]\n`,
    ['relationship-draft', /nothing joins/],
  ],
  [
    'an incomplete cross table',
    `${head}elements: [${order}]\nrelationships: [{ source: A, target: A, crossTable: ‹|{ dataObject: customers }|› }]\n`,
    ['incomplete-cross-table', /at least one mapping on each side/],
  ],
  [
    'an unknown activity',
    `${head}elements: [${order}]\nrelationships: [{ source: A, target: ‹|a|›, mappings: [{ source: id, target: id }] }]\n`,
    ['unknown-activity', /Did you mean "A"/],
  ],
  [
    'names twice',
    `${head}elements: [${order}, { activityName: ‹|A|›, dataObject: orders, startTimestamp: placed_at }]\n`,
    ['duplicate-activity-name', /already called "A"/],
  ],
  [
    'derived relationship names twice',
    `${head}elements: [${order}]\nrelationships:\n  - { source: A, target: A, mappings: [{ source: id, target: id }] }\n  - ‹|{ source: A, target: A, mappings: [{ source: id, target: customer_id }] }|›\n`,
    ['duplicate-relationship-name', /"A → A"/],
  ],
  [
    'a reserved name',
    `${head}elements: [{ activityName: ‹|self|›, dataObject: orders, startTimestamp: placed_at }]\n`,
    ['reserved-name', /reserved/],
  ],
  [
    'keys of different widths',
    `${head}elements: [${order}, { activityName: B, dataObject: orders, key: [‹|id|›, note], startTimestamp: placed_at }]\n`,
    ['key-width', /of 1 column elsewhere, here of 2 columns/],
  ],
  [
    'an unknown data object',
    `${head}elements: [{ activityName: A, dataObject: ‹|ordrs|›, startTimestamp: placed_at }]\n`,
    ['unknown-data-object', /Did you mean "orders"/],
  ],
  [
    'a selected object that does not exist',
    `${head}dataObjects: [‹|ordrs|›, orders]\nelements: [${order}]\n`,
    ['unknown-data-object', /Did you mean "orders"/],
  ],
  [
    'a table that may not be read',
    `${head}elements: [{ activityName: A, dataObject: ‹|salaries|›, key: id, startTimestamp: at }]\n`,
    ['permission-denied', /may not read it/],
  ],
  [
    'an unknown column',
    `${head}elements: [{ activityName: A, dataObject: orders, startTimestamp: ‹|placed|› }]\n`,
    ['unknown-column', /"placed".*Did you mean "placed_at"|"placed" is neither/],
  ],
  [
    'a joined column is fine, one of an alias that is not joined is not',
    `${head}elements: [{ activityName: A, dataObject: orders, startTimestamp: placed_at, joins: JOIN customers AS c ON true, properties: [c.name, ‹|d.name|›] }]\n`,
    ['unknown-column', /d\.name/],
  ],
  [
    'a column that a joined table lacks, and one of an unknown join',
    `${head}elements: [{ activityName: A, dataObject: orders, startTimestamp: ‹|c.sinc|›, joins: 'JOIN customers AS c ON true JOIN (SELECT 1 AS x) AS d ON true', properties: [c.name, d.x] }]\n`,
    ['unknown-column', /"customers", which is joined as "c".*Did you mean "c\.since"/],
  ],
  [
    'no key',
    `${head}elements: [{ activityName: ‹|A|›, dataObject: customers, startTimestamp: since }]\n`,
    ['missing-key', /no primary key/],
  ],
  [
    'unlike types',
    `${head}elements: [${order}, ${customer}]\nrelationships: [{ source: A, target: B, mappings: [‹|{ source: customer_id, target: name }|›] }]\n`,
    ['type-mismatch', /unlike types/],
  ],
  [
    'a start that is not a time',
    `${head}elements: [{ activityName: A, dataObject: orders, startTimestamp: ‹|id|› }]\n`,
    ['timestamp-type', /of type integer, which holds no time/],
  ],
  [
    'a start that is text',
    `${head}elements: [{ activityName: A, dataObject: orders, startTimestamp: ‹|note|› }]\n`,
    ['timestamp-type', /read as times when the graph is imported/],
  ],
  [
    'SQL that is not contained',
    `${head}elements: [{ activityName: A, dataObject: orders, startTimestamp: placed_at, where: 'id = ‹|(|›1' }]\n`,
    ['sql-not-contained', /never closed/],
  ],
  [
    'selected and used objects that differ',
    `${head}dataObjects: [‹|customers|›]\nelements: [{ activityName: A, dataObject: ‹|orders|›, startTimestamp: placed_at }]\n`,
    ['selected-object-unused', /"customers"/],
    ['element-object-not-selected', /"orders"/],
  ],
  [
    'a selected object that only a subquery of an expression reads',
    `version: 1\ndataSource: shop\ndataObjects: [orders, customers]\nelements: [${order}]\nrelationships: [{ source: A, target: A, mappings: [{ expression: EXISTS (SELECT 1 FROM Customers) }] }]\n`,
  ],
  [
    'a selected object whose name is only part of a longer one, or of a text',
    `version: 1\ndataSource: shop\ndataObjects: [orders, ‹|customers|›]\nelements: [${order.replace(' }', ', where: "orders.customers_id > 1 OR orders.note = \'customers\'" }')}]\n`,
    ['selected-object-unused', /"customers"/],
  ],
  [
    'a joined start that is text',
    `${head}elements: [{ activityName: A, dataObject: orders, joins: JOIN customers c ON true, startTimestamp: ‹|c.name|› }]\n`,
    ['timestamp-type', /"c\.name" is text/],
  ],
  [
    'an optional key without a value, which counts as not set',
    `${head}dataObjects:\nelements:\n  - activityName: ‹|A|›\n    dataObject: orders\n    startTimestamp:\n    sequence:\n`,
    ['element-unconfigured', /Set startTimestamp/],
  ],
  [
    'a required key without a value',
    'version: 1\n‹|dataSource|›:\n',
    ['schema-type', /^"dataSource" is empty: it must be text\.$/],
  ],
  ['an empty entry', `${head}elements:\n  ‹|-|›\n`, ['schema-type', /^An entry of "elements" is empty/]],
  ['a number in quotes', 'version: ‹|"1"|›\ndataSource: shop\n', ['schema-value', /^"version" must be 1, not "1"\.$/]],
  ['an alias without anchor', `${head}elements: [‹|*a|›]\n`, ['yaml-syntax', /"\*a" refers to no anchor/]],
  ['a second document', `${head}‹|---|›\nversion: 1\n`, ['yaml-syntax', /A file holds one document/]],
  [
    'a rule silenced on one line',
    `${head}elements:\n  # entity-graph-disable-next-line timestamp-type, unknown-column\n  - { activityName: A, dataObject: orders, startTimestamp: id }\n`,
  ],
];

describe('validateEntityGraph', () => {
  for (const [name, marked, ...expected] of cases) {
    it(name, () => {
      const { text, ranges } = withRanges(marked);
      const problems = validateEntityGraph({ text, sources, catalog });
      assert.deepEqual(
        problems.map(({ code }) => code),
        expected.map(([code]) => code),
        JSON.stringify(problems),
      );
      const places = problems.map(({ range }) => text.slice(range.start, range.end));
      const wanted = ranges.map(({ start, end }) => text.slice(start, end));
      assert.deepEqual([...new Set(places)], wanted);
      for (const [index, [, message]] of expected.entries()) assert.match(problems[index]?.message ?? '', message);
    });
  }

  const related: readonly (readonly [name: string, marked: string, ...messages: readonly RegExp[]])[] = [
    [
      'both columns of a comparison',
      `${head}elements: [${order}, ${customer}]\nrelationships: [{ source: A, target: B, mappings: [{ source: ‹|customer_id|›, target: ‹|name|› }] }]\n`,
      /"customer_id" is of type integer/,
      /"name" is of type text/,
    ],
    [
      'the element of a mapped column',
      `${head}elements:\n  - ${order.replace('A', '‹|A|›')}\n  - ${customer}\nrelationships:\n  - { source: A, target: B, mappings: [{ source: customr, target: id }] }\n`,
      /a column of this element, whose data object is "orders"/,
    ],
    [
      'the data object of a cross table',
      `${head}elements: [${order}]\nrelationships: [{ source: A, target: A, crossTable: { dataObject: ‹|customers|›, sourceMappings: [{ source: id, cross: idd }], targetMappings: [{ cross: id, target: id }] } }]\n`,
      /a column of this cross table/,
    ],
    [
      'the list of selected data objects',
      `${head}dataObjects: [‹|customers|›]\nelements:\n  - ${order}\n  - ${customer}\n`,
      /selected data objects are listed here/,
    ],
  ];
  for (const [name, marked, ...messages] of related) {
    it(`marks the range of ${name}`, () => {
      const { text, ranges } = withRanges(marked);
      const parser = createGraphParser();
      const memo = createEntryCache();
      const read = (version: string) =>
        validateEntityGraph({ text: version, parsed: parser.parse(version), memo, sources, catalog });
      // Earlier results move when the text above them grows.
      for (const [above, distance] of [
        ['', 0],
        ['name: Orders\n', 13],
      ] as const) {
        const [problem, ...others] = read(`version: 1\n${above}${text.slice('version: 1\n'.length)}`);
        assert.deepEqual(others, []);
        assert.deepEqual(
          problem?.related?.map(({ range }) => range),
          ranges.map(({ start, end }) => ({ start: start + distance, end: end + distance })),
        );
        for (const [index, message] of messages.entries()) assert.match(problem.related[index]?.message ?? '', message);
      }
    });
  }

  it('reports nothing about unknown tables and columns', () => {
    const text = `${head}elements: [{ activityName: A, dataObject: nowhere, key: x, startTimestamp: y }]\n`;
    assert.deepEqual(validateEntityGraph({ text, sources }), []);
    const incomplete = { ...catalog, complete: false, objects: [] };
    assert.deepEqual(validateEntityGraph({ text, sources, catalog: incomplete }), []);
  });

  it('treats data sources as unknown while the sources file is unreadable', () => {
    const broken = parseDataSources(
      'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n  shop: {',
    ).sources;
    const [problem, ...others] = validateEntityGraph({ text: 'version: 1\ndataSource: shopp\n', sources: broken });
    assert.deepEqual([problem?.code, others], ['unknown-data-source', []]);
    assert.match(problem?.message ?? '', /entity-sources\.yaml cannot be read/);
    assert.equal(problem?.suggestions, undefined);
    assert.deepEqual(validateEntityGraph({ text: 'version: 1\ndataSource: files\n', sources: broken }), []);
  });

  it('reports nothing in the samples', () => {
    for (const [folder, name] of [
      ['incidents', 'incidents'],
      ['incidents', 'trail'],
      ['northwind', 'northwind'],
      ['cross-system', 'cross-system'],
    ]) {
      const read = (file: string): string => readFileSync(`samples/${folder}/${file}`, 'utf8');
      const sources = parseDataSources(read('entity-sources.yaml')).sources;
      assert.deepEqual(validateDataSources({ text: read('entity-sources.yaml') }), []);
      assert.deepEqual(validateEntityGraph({ text: read(`${name}.entity.yaml`), sources }), []);
    }
  });

  it('never throws on a truncated file', () => {
    const text = readFileSync('samples/incidents/incidents.entity.yaml', 'utf8');
    for (let end = 0; end < text.length; end += 13) validateEntityGraph({ text: text.slice(0, end), sources, catalog });
  });
});

const sourceCases: readonly Case[] = [
  [
    'a literal password',
    'version: 1\ndataSources:\n  a: { kind: postgresql, database: d, user: u, password: ‹|geheim|› }\n',
    ['literal-secret', /\$\{secret:NAME\}/],
  ],
  [
    'a password in the address of a proxy',
    'version: 1\ndataSources:\n  a: { kind: rest, baseUrl: "https://x.example", proxy: ‹|"http://me:geheim@p:1"|› }\n',
    ['literal-secret', /\$\{secret:NAME\}/],
  ],
  [
    'a password in an address, and a key among parameters of an endpoint',
    'version: 1\ndataSources:\n  a: { kind: rest, baseUrl: ‹|"https://me:geheim@x.example"|›, endpoints: [{ name: o, path: /o, parameters: { api_key: ‹|abcdef|› } }] }\n',
    ['literal-secret', /set "auth"/],
    ['literal-secret', /\$\{secret:NAME\}/],
  ],
  [
    'an address without a password, and a key that is a secret',
    'version: 1\ndataSources:\n  a: { kind: rest, baseUrl: "https://x.example:80/@me", endpoints: [{ name: o, path: /o, parameters: { api_key: "${secret:a}", page: 1 } }] }\n',
  ],
  [
    'a connection to another machine that may continue without encryption',
    'version: 1\ndataSources:\n  a: { kind: postgresql, host: db.example, database: d, user: u, ssl: { mode: ‹|prefer|› } }\n',
    ['unencrypted-connection', /to db\.example in the clear/],
  ],
  [
    'other connections: to this machine, encrypted, without the setting, or to an unknown host',
    [
      'version: 1\ndataSources:',
      '  a: { kind: postgresql, host: 127.0.0.1, database: d, user: u, ssl: { mode: prefer } }',
      '  b: { kind: postgresql, host: db.example, database: d, user: u, ssl: { mode: require } }',
      '  c: { kind: postgresql, host: db.example, database: d, user: u }',
      '  d: { kind: postgresql, host: "${env:PGHOST}", database: d, user: u, ssl: { mode: allow } }',
      '',
    ].join('\n'),
  ],
  [
    'a proxy whose password is a secret',
    'version: 1\ndataSources:\n  a: { kind: rest, baseUrl: "https://x.example", proxy: "http://me:${secret:p}@p:1" }\n',
  ],
  [
    'a secret and an environment variable',
    'version: 1\ndataSources:\n  a: { kind: postgresql, database: d, user: u, password: "${secret:a}", port: "${env:PORT}" }\n',
  ],
  [
    'an unknown kind',
    'version: 1\ndataSources:\n  a: { kind: ‹|postgres|› }\n',
    ['schema-value', /one of postgresql, .*csv.*not "postgres"/],
  ],
  [
    'a setting of another kind',
    'version: 1\ndataSources:\n  a: { kind: csv, path: x.csv, ‹|host|›: y }\n',
    ['schema-unknown-property', /"host"/],
  ],
  [
    'a missing setting',
    'version: 1\ndataSources:\n  ‹|a|›: { kind: csv }\n',
    ['schema-missing-property', /"a" needs "path"/],
  ],
  [
    'neither of two alternative settings',
    'version: 1\ndataSources:\n  ‹|a|›: { kind: mysql, user: u }\n',
    ['schema-missing-property', /^"a" needs "database" or "databases"\. Add one of them\.$/],
  ],
  [
    'a setting, and neither of two alternative ones',
    'version: 1\ndataSources:\n  ‹|a|›: { kind: mysql }\n',
    ['schema-missing-property', /^"a" needs "user" and one of "database", "databases"\. Add them\.$/],
  ],
  [
    'both of two exclusive settings',
    'version: 1\ndataSources:\n  a: { kind: duckdb, path: a.duckdb, ‹|graph|›: b.entity.yaml }\n',
    ['schema-value', /^"a" takes "path" or "graph", not both\. Remove one of them\.$/],
  ],
  [
    'a misspelt one of two alternative settings',
    'version: 1\ndataSources:\n  a: { kind: mysql, user: u, ‹|databse|›: d }\n',
    ['schema-unknown-property', /Did you mean "database"/],
  ],
  [
    'a source that is no group',
    'version: 1\ndataSources:\n  a: ‹|5|›\n',
    ['schema-type', /^"a" must be a group of settings, not a number\.$/],
  ],
  [
    'a number in the wrong notation',
    'version: 1\ndataSources:\n  a: { kind: postgresql, database: d, user: u, statementTimeout: ‹|30sec|› }\n',
    ['schema-value', /must be written like 30s/],
  ],
  [
    'an unknown time zone',
    'version: 1\ndataSources:\n  a: { kind: csv, path: x.csv, timeZone: ‹|Europe/Berln|› }\n',
    ['unknown-time-zone', /Did you mean "Europe\/Berlin"/],
  ],
  [
    'an empty source',
    'version: 1\ndataSources:\n  ‹|a|›:\n',
    ['schema-type', /^"a" is empty: it must be a group of settings\.$/],
  ],
  [
    'a port that is none',
    'version: 1\ndataSources:\n  a: { kind: postgresql, database: d, user: u, port: ‹|70000|› }\n',
    ['schema-value', /at most 65535/],
  ],
];

describe('validateDataSources', () => {
  for (const [name, marked, ...expected] of sourceCases) {
    it(name, () => {
      const { text, ranges } = withRanges(marked);
      const problems = validateDataSources({ text });
      assert.deepEqual(
        problems.map(({ code }) => code),
        expected.map(([code]) => code),
        JSON.stringify(problems),
      );
      assert.deepEqual(
        problems.map(({ range }) => range),
        ranges,
      );
      for (const [index, [, message]] of expected.entries()) assert.match(problems[index]?.message ?? '', message);
    });
  }
});
