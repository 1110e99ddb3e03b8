import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { OnigScanner, OnigString, loadWASM } from 'vscode-oniguruma';
import {
  type IGrammar,
  INITIAL,
  type IRawGrammar,
  type ITokenizeLineResult,
  Registry,
  type StateStack,
  parseRawGrammar,
} from 'vscode-textmate';

/** VS Code has its own SQL grammar; words and literals are enough to see where SQL is. */
const sql: IRawGrammar = parseRawGrammar(
  JSON.stringify({
    scopeName: 'source.sql',
    patterns: [
      // As in VS Code's grammar, open constructs continue in the next line.
      { begin: "'", end: "'", name: 'string.quoted.single.sql' },
      { begin: '"', end: '"', name: 'string.quoted.double.sql' },
      { match: '\\b(?:AND|IS|NOT|NULL|LEFT|JOIN|ON|OR)\\b', name: 'keyword.sql' },
    ],
  }),
  'sql.json',
);

const files: Readonly<Record<string, string>> = {
  'source.entity-graph': 'entity-graph.tmLanguage.json',
  'source.entity-sources': 'entity-sources.tmLanguage.json',
  'source.entity-tests': 'entity-tests.tmLanguage.json',
  'source.entity-graph-http': 'entity-graph-http.tmLanguage.json',
};

/** A line, and the innermost scopes of some of its texts. */
type Expectation = readonly [line: string, ...tokens: (readonly [text: string, ...scopes: string[]])[]];

const key = 'entity.name.tag.yaml';
const inSql = 'meta.embedded.block.sql';

const tests: readonly Expectation[] = [
  ['graph: shop.entity.yaml # below', ['graph', key], ['# below', 'comment.line.number-sign.yaml']],
  ['    given: { orders: [{ id: 1 }] }', ['orders', key], ['1', 'constant.numeric.yaml']],
];

const graph: readonly Expectation[] = [
  ['version: 1', ['version', key], ['1', 'constant.numeric.yaml']],
  ['# note: not a key', ['# note: not a key', 'comment.line.number-sign.yaml']],
  ['elements:', ['elements', key]],
  ['  - activityName: Place Order', ['-', 'punctuation.definition.block.sequence.item.yaml'], ['activityName', key]],
  ["    entityType: 'order'", ["'order'", 'string.quoted.single.yaml']],
  [
    '    properties: [id, "a b"]',
    ['[', 'punctuation.definition.sequence.yaml'],
    ['"a b"', 'string.quoted.double.yaml'],
  ],
  [
    '    where: id > 5 AND note IS NULL # few',
    ['where', key],
    ['AND', 'keyword.sql'],
    ['# few', 'comment.line.number-sign.yaml'],
  ],
  ['    where: |', ['where', key], ['|', 'keyword.control.flow.block-scalar.yaml']],
  ['      id > 5', ['id > 5', inSql]],
  ["        AND note = 'x: y'", ['AND', 'keyword.sql'], ["'x: y'", 'string.quoted.single.sql']],
  [''],
  ['      AND 1 = 1', ['AND', 'keyword.sql', inSql]],
  ['    joins: >-', ['joins', key], ['>-', 'keyword.control.flow.block-scalar.yaml']],
  ['      LEFT JOIN customers AS c', ['LEFT', 'keyword.sql', inSql]],
  ['    startTimestamp: placed_at', ['startTimestamp', key]],
  ['relationships:', ['relationships', key]],
  ['  - mappings:', ['mappings', key]],
  ['      - expression: |', ['expression', key]],
  ['          source.id = target.id AND 1 = 1', ['AND', 'keyword.sql', inSql]],
  ['      - source: id', ['source', key]],
  ['description: |', ['description', key]],
  ['  no AND sql: here', ['  no AND sql: here', 'string.unquoted.block.yaml']],
];

const inline = 'meta.embedded.inline.sql';

/** Lines of one file each: where SQL is, and that nothing after it is taken for SQL. */
const scalars: Readonly<Record<string, readonly Expectation[]>> = {
  'in double quotes': [
    [
      '    where: "id > 5 AND note = \'x\'" # few',
      ['where', key],
      ['"', 'string.quoted.double.yaml'],
      ['AND', 'keyword.sql', inline],
      ["'x'", 'string.quoted.single.sql', inline],
      ['# few', 'comment.line.number-sign.yaml'],
    ],
    ['    key: id', ['key', key], ['id', 'string.unquoted.plain.yaml']],
  ],
  'in double quotes, with a name in escaped ones': [
    ['    where: "\\"Odd Name\\" IS NULL"', ['Odd Name', 'variable.other.quoted.sql', inline], ['IS', 'keyword.sql']],
    ['    key: id', ['key', key]],
  ],
  'in single quotes': [
    ["    where: 'note = ''x'' OR id = 1'", ["''x''", 'string.quoted.single.sql', inline], ['OR', 'keyword.sql']],
    ['    key: id', ['key', key]],
  ],
  'in quotes, a text of SQL not closed': [
    ['    where: "note = \'x"', ["'x", 'string.quoted.single.sql']],
    ['    key: id', ['key', key]],
    ["    where: 'note = ''x'", ["''x", 'string.quoted.single.sql']],
    ['    key: id', ['key', key]],
  ],
  'in double quotes over lines': [
    ['    where: "id > 5', ['id', inline]],
    ["      AND note = 'x'\"", ['AND', 'keyword.sql', inline], ["'x'", 'string.quoted.single.sql']],
    ['    key: AND', ['key', key], ['AND', 'string.unquoted.plain.yaml']],
  ],
  'in single quotes over lines': [
    [
      "    - joins: 'LEFT JOIN a",
      ['-', 'punctuation.definition.block.sequence.item.yaml'],
      ['LEFT', 'keyword.sql', inline],
    ],
    ["      ON note = ''x'''", ['ON', 'keyword.sql', inline], ["''x''", 'string.quoted.single.sql']],
    ['    key: id', ['key', key]],
  ],
  'in a flow map': [
    [
      '  - { dataObject: a, where: id = 1 AND note IS NULL, key: AND }',
      ['dataObject', key],
      ['where', key],
      ['AND note', 'keyword.sql', inline],
      ['IS', 'keyword.sql', inline],
      ['key', key],
      ['AND }', 'string.unquoted.plain.yaml'],
      ['}', 'punctuation.definition.mapping.yaml'],
    ],
    [
      '      - { expression: source.a = 1 OR target.b = 2 }',
      ['{', 'punctuation.definition.mapping.yaml'],
      ['OR', 'keyword.sql', inline],
    ],
    [
      '  - { where: "a IS NULL", key: b }',
      ['IS', 'keyword.sql', inline],
      ['key', key],
      ['b }', 'string.unquoted.plain.yaml'],
    ],
    ["  - { key: b, where: 'a IS NULL' }", ['IS', 'keyword.sql', inline], ['}', 'punctuation.definition.mapping.yaml']],
  ],
  'of JSON': [
    [
      '  { "where": "a IS NULL", "key": "AND" }',
      ['where', key],
      ['IS', 'keyword.sql', inline],
      ['"AND"', 'string.quoted.double.yaml'],
    ],
    ['  "where":"a IS NULL",', ['where', key], ['IS', 'keyword.sql', inline]],
  ],
  'with an anchor': [
    ['    where: &filter a IS NULL', ['filter', 'entity.name.type.anchor.yaml'], ['IS', 'keyword.sql', inline]],
    ['    where: &filter "a IS NULL"', ['filter', 'entity.name.type.anchor.yaml'], ['IS', 'keyword.sql', inline]],
    [
      '  - where: &filter |',
      ['filter', 'entity.name.type.anchor.yaml'],
      ['|', 'keyword.control.flow.block-scalar.yaml'],
    ],
    ['      a IS NULL', ['IS', 'keyword.sql', inSql]],
    ['    where: &other >-', ['other', 'entity.name.type.anchor.yaml']],
    ['      a IS NULL', ['IS', 'keyword.sql', inSql]],
    ['  - { where: &f a IS NULL }', ['f a', 'entity.name.type.anchor.yaml'], ['IS', 'keyword.sql', inline]],
    ['    where: *filter', ['filter', 'entity.name.type.anchor.yaml']],
    ['    key: AND', ['AND', 'string.unquoted.plain.yaml']],
  ],
  'in a plain scalar of several lines': [
    ['    where: a IS NULL', ['IS', 'keyword.sql', inline]],
    ['      AND b = 1', ['AND', 'keyword.sql', inline]],
    ['    key: AND', ['key', key], ['AND', 'string.unquoted.plain.yaml']],
    ['  - joins: LEFT JOIN a', ['LEFT', 'keyword.sql', inline]],
    ['      ON true', ['ON', 'keyword.sql', inline]],
    ['    key: AND', ['key', key], ['AND', 'string.unquoted.plain.yaml']],
  ],
  'nowhere else': [
    ['description: where: a AND b', ['AND', 'string.unquoted.plain.yaml']],
    ['  whereabouts: a AND b', ['whereabouts', key]],
    ['  - { nowhere: "a AND b" }', ['"a AND b"', 'string.quoted.double.yaml']],
  ],
};

const sources: readonly Expectation[] = [
  ['dataSources:', ['dataSources', key]],
  [
    '  shop: { kind: postgresql, password: "${secret:shop}" }',
    ['shop', key],
    ['secret', 'keyword.other.reference.yaml'],
  ],
  ['    user: ${env:SHOP_USER}', ['user', key], ['env', 'keyword.other.reference.yaml']],
];

const http: readonly Expectation[] = [
  ['### Records of incident, page by page: a=b', ['a=b', 'comment.line.number-sign.http']],
  [
    'GET https://acme.example/api/now/table/incident?sysparm_query=active%3Dtrue&sysparm_limit=100',
    ['GET', 'keyword.control.method.http'],
    ['https://acme.example', 'markup.underline.link.http'],
    ['sysparm_query', 'variable.parameter.http'],
    ['active%3Dtrue', 'string.unquoted.http'],
    ['sysparm_limit', 'variable.parameter.http'],
    ['100', 'string.unquoted.http'],
  ],
  ['Authorization: Basic ***', ['Authorization', 'entity.name.tag.http'], ['Basic ***', 'string.unquoted.http']],
  [''],
  ['-- Core query, on the fetched records', ['Core', inSql]],
  ['SELECT note FROM incident WHERE NOT a: b', ['NOT', 'keyword.sql', inSql], ['a: b', inSql]],
  [''],
  ['### Records of problem', ['Records', 'comment.line.number-sign.http']],
  ['GET /records', ['GET', 'keyword.control.method.http']],
  ['Accept: application/json', ['Accept', 'entity.name.tag.http']],
];

describe('TextMate grammars of syntaxes/', () => {
  const registry = new Registry({
    onigLib: oniguruma(),
    loadGrammar: async (scope) => {
      const file = files[scope];
      if (file === undefined) return scope === 'source.sql' ? sql : null;
      return parseRawGrammar(readFileSync(new URL(`../../syntaxes/${file}`, import.meta.url), 'utf8'), file);
    },
  });

  it('colour an entity graph, and its custom SQL as SQL', async () =>
    check(await registry.loadGrammar('source.entity-graph'), graph));
  for (const [name, lines] of Object.entries(scalars)) {
    it(`recognise SQL ${name}`, async () => check(await registry.loadGrammar('source.entity-graph'), lines));
  }
  it('colour a sources file and its secrets', async () =>
    check(await registry.loadGrammar('source.entity-sources'), sources));
  it('colour tests with given rows', async () => check(await registry.loadGrammar('source.entity-tests'), tests));
  it('colour HTTP requests and the SQL that runs on their records', async () =>
    check(await registry.loadGrammar('source.entity-graph-http'), http));
});

function check(grammar: IGrammar | null, lines: readonly Expectation[]): void {
  assert.ok(grammar);
  let state: StateStack = INITIAL;
  for (const [line, ...expected] of lines) {
    const read: ITokenizeLineResult = grammar.tokenizeLine(line, state);
    const { tokens } = read;
    state = read.ruleStack;
    for (const [text, ...scopes] of expected) {
      const at = line.indexOf(text);
      const token = tokens.find(({ startIndex, endIndex }) => startIndex <= at && at < endIndex);
      const missing = scopes.filter((scope) => !token?.scopes.includes(scope));
      assert.deepEqual(missing, [], `${line}\n${text} is ${token?.scopes.join(' ')}`);
    }
  }
}

async function oniguruma() {
  const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
  await loadWASM(readFileSync(wasm).buffer);
  return {
    createOnigScanner: (patterns: string[]) => new OnigScanner(patterns),
    createOnigString: (text: string) => new OnigString(text),
  };
}
