import assert from 'node:assert/strict';
import type { SemanticToken, TokenCache } from '../../../server/src/language/semantic-tokens.ts';
import { findingTokens } from '../../support/finding-tokens.ts';
import { sourceTokens } from '../../../server/src/language/source-tokens.ts';
import { joinAliases, sqlRoles } from '../../../server/src/language/sql/sql-roles.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { type ParsedEntityGraph, parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { toEnd } from '../../../server/src/model/steps.ts';

const written = (text: string, tokens: readonly { type: string; range: { start: number; end: number } }[]): string[] =>
  tokens.map(({ type, range }) => `${type} ${text.slice(range.start, range.end)}`);

/** SQL, and the types of its words. */
const roles: readonly (readonly [sql: string, roles: string])[] = [
  ['active = true', 'column active, keyword true'],
  ["note LIKE 'a%' AND id >= 1.5", "column note, keyword LIKE, string 'a%', keyword AND, column id, number 1.5"],
  [
    'lower(orders.note) IS NOT NULL',
    'function lower, alias orders, column note, keyword IS, keyword NOT, keyword NULL',
  ],
  ['id IN (1, 2)', 'column id, keyword IN, number 1, number 2'],
  ['"Odd Name" = o."End"', 'column Odd Name, alias o, column End'],
  [
    'LEFT JOIN users AS u ON u.id = a',
    'keyword LEFT, keyword JOIN, table users, keyword AS, alias u, keyword ON, alias u, column id, column a',
  ],
  ['join sales.orders o using (id)', 'keyword join, table sales, table orders, alias o, keyword using, column id'],
  [
    'JOIN a ON true JOIN b ON true',
    'keyword JOIN, table a, keyword ON, keyword true, keyword JOIN, table b, keyword ON, keyword true',
  ],
  ["left(note, 2) = 'x' -- why", "function left, column note, number 2, string 'x', comment -- why"],
  ['CAST(a AS text) = b::varchar', 'function CAST, column a, keyword AS, type text, column b, type varchar'],
  ['extract(year FROM placed_at) = 2024', 'function extract, column year, keyword FROM, column placed_at, number 2024'],
  [
    'EXISTS (SELECT 1 FROM lines l WHERE l.order_id = id)',
    'keyword EXISTS, keyword SELECT, number 1, keyword FROM, table lines, alias l, keyword WHERE, alias l, column order_id, column id',
  ],
  ['orders.date = 1', 'alias orders, column date, number 1'],
  ["note = 'not closed", "column note, string 'not closed"],
  ['', ''],
];

describe('sqlRoles', () => {
  for (const [sql, expected] of roles) {
    it(`classifies ${sql}`, () =>
      assert.equal(
        sqlRoles(sql)
          .map(({ role, text }) => `${role} ${text}`)
          .join(', '),
        expected,
      ));
  }

  it('recognises aliases of joins', () => {
    const joins = 'LEFT JOIN users AS U ON true JOIN sales.items i ON true JOIN lines USING (id) JOIN last';
    assert.deepEqual([...joinAliases(joins)], ['u', 'i', 'lines', 'last']);
  });
});

const element = (lines: string): string => `elements:\n  - dataObject: orders\n${lines}`;

const graphs: readonly (readonly [name: string, text: string, tokens: readonly string[]])[] = [
  [
    'names',
    `dataSource: shop
dataObjects: [orders]
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    properties: [note]
relationships:
  - source: Place Order
    target: Place Order
    mappings: [{ source: id, target: customer_id }]
`,
    [
      ...['namespace shop', 'class orders', 'event Place Order', 'class orders', 'property placed_at', 'property note'],
      ...['event Place Order', 'event Place Order', 'property id', 'property customer_id'],
    ],
  ],
  [
    'aliases of joined tables, at their definition and use',
    `elements:
  - activityName: A
    dataObject: orders
    startTimestamp: c.since
    properties: [a.b, c.name, "c.note"]
    joins: JOIN customers AS c ON true
relationships:
  - { source: A, target: A, mappings: [{ source: c.id, target: d.id }] }
`,
    [
      ...['event A', 'class orders', 'variable c', 'property since', 'property a.b', 'variable c', 'property name'],
      ...[
        'property "c.note"',
        'keyword JOIN',
        'class customers',
        'keyword AS',
        'variable c',
        'keyword ON',
        'keyword true',
      ],
      ...['event A', 'event A', 'variable c', 'property id', 'property d.id'],
    ],
  ],
  [
    'columns of expectations of elements and of entities',
    `elements:
  - { dataObject: orders, expect: { unique: [[id, line]], values: { state: [new] } } }
entities:
  - { dataObject: customers, expect: { unique: [code], notNull: [label], values: { kind: [b] } } }
`,
    [
      ...['class orders', 'property id', 'property line', 'property state'],
      ...['class customers', 'property code', 'property label', 'property kind'],
    ],
  ],
  [
    'SQL in a plain scalar',
    element('    where: lower(note) = 1 # few\n'),
    ['class orders', 'function lower', 'property note', 'number 1'],
  ],
  [
    'SQL in single quotes',
    element("    where: 'note = ''it''''s'' AND id = 1'\n"),
    ['class orders', 'property note', "string ''it''''s''", 'keyword AND', 'property id', 'number 1'],
  ],
  [
    'SQL in double quotes',
    element('    where: "\\"Odd Name\\" = 1"\n'),
    ['class orders', 'property \\"Odd Name\\"', 'number 1'],
  ],
  [
    'SQL in a literal block, a text over two lines as two tokens',
    element("    where: |\n      id = 1\n      AND note = 'a\n        b'\n"),
    ['class orders', 'property id', 'number 1', 'keyword AND', 'property note', "string 'a", "string b'"],
  ],
  [
    'SQL in a folded block',
    element('    where: >-\n      id = 1\n      AND note IS NULL\n'),
    ['class orders', 'property id', 'number 1', 'keyword AND', 'property note', 'keyword IS', 'keyword NULL'],
  ],
  [
    'SQL in a plain scalar of several lines, and with Windows line ends',
    element('    where: id = 1\n      AND note = 2\n').replaceAll('\n', '\r\n'),
    ['class orders', 'property id', 'number 1', 'keyword AND', 'property note', 'number 2'],
  ],
  [
    'SQL behind an alias of YAML, where it is written only',
    'elements:\n  - { dataObject: a, where: &few id = 1 }\n  - { dataObject: b, where: *few }\n',
    ['class a', 'property id', 'number 1', 'class b'],
  ],
  [
    'expressions',
    'relationships:\n  - mappings:\n      - expression: lower(source.note) = target.note\n',
    ['function lower', 'variable source', 'property note', 'variable target', 'property note'],
  ],
  ['broken SQL', element("    where: note = 'a\n"), ['class orders', 'property note', "string 'a"]],
];

function tokensOf(parsed: ParsedEntityGraph, memo: TokenCache = new WeakMap()): readonly SemanticToken[] {
  return toEnd(findingTokens(parsed, memo));
}

describe('semantic tokens', () => {
  for (const [name, text, expected] of graphs) {
    it(`classify ${name}`, () => assert.deepEqual(written(text, tokensOf(parseEntityGraph(text))), expected));
  }
});

describe('semantic tokens, incremental', () => {
  const text = `dataSource: shop
elements:
  - activityName: A
    dataObject: orders
    joins: JOIN customers AS c ON true
    where: |
      c.id > 5
  - activityName: B
    dataObject: orders
relationships:
  - { source: A, target: B, mappings: [{ source: c.id, target: c.id }] }
`;
  const edits: readonly (readonly [what: string, from: string, to: string])[] = [
    ['a line above', 'elements:', '# more\nelements:'],
    ['an alias that is called otherwise', 'AS c', 'AS d'],
    ['an end of a relationship', 'target: B', 'target: A'],
    ['SQL', 'c.id > 5', "c.name = 'x'"],
    ['an entry that is gone', '  - activityName: B\n    dataObject: orders\n', ''],
    ['an anchor', 'where: |', 'where: &few |'],
    ['a mistake', 'dataObject: orders', 'dataObject: [orders'],
  ];
  for (const [what, from, to] of edits) {
    it(`equal those of the whole text after a change of ${what}`, () => {
      const parser = createGraphParser();
      const memo: TokenCache = new WeakMap();
      tokensOf(parser.parse(text), memo);
      const changed = text.replace(from, to);
      const tokens = tokensOf(parser.parse(changed), memo);
      assert.deepEqual(tokens, tokensOf(createGraphParser().parse(changed)));
      assert.notDeepEqual(tokens, tokensOf(parseEntityGraph(text)));
    });
  }
});

describe('sourceTokens', () => {
  it('classify names, settings, kinds, secrets and variables', () => {
    const text =
      'version: 1\ndataSources:\n  shop: { kind: postgresql, user: "${env:SHOP_USER}" }\n  itsm:\n    kind: servicenow\n    auth: { kind: basic, password: "a ${secret:itsm}" } # ${secret:no}\n';
    assert.deepEqual(written(text, sourceTokens(parseDataSources(text))), [
      ...['property version', 'property dataSources', 'namespace shop', 'property kind', 'enumMember postgresql'],
      ...[
        'property user',
        'keyword env',
        'variable SHOP_USER',
        'namespace itsm',
        'property kind',
        'enumMember servicenow',
      ],
      ...['property auth', 'property kind', 'enumMember basic', 'property password', 'keyword secret', 'variable itsm'],
    ]);
  });

  for (const text of ['', '- a\n', 'dataSources: {', 'dataSources: [a]\n']) {
    it(`do not throw for ${JSON.stringify(text)}`, () =>
      assert.ok(Array.isArray(sourceTokens(parseDataSources(text)))));
  }
});
