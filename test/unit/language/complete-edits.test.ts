import assert from 'node:assert/strict';
import { completeDataSources } from '../../../server/src/language/completion/complete-data-sources.ts';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withCursor } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const orders = '  - activityName: A\n    dataObject: orders\n';
const inOrders = (rest: string): string => `elements:\n${orders}    ${rest}\n`;

/** A text, the label of the chosen proposal, and the resulting text. */
const cases: readonly (readonly [name: string, marked: string, label: string, expected: string])[] = [
  ['a value', inOrders('startTimestamp: <|>'), 'placed_at', inOrders('startTimestamp: placed_at')],
  ['a value without its space', inOrders('startTimestamp:<|>'), 'placed_at', inOrders('startTimestamp: placed_at')],
  [
    'a value before a comment',
    inOrders('startTimestamp: <|> # when'),
    'placed_at',
    inOrders('startTimestamp: placed_at # when'),
  ],
  ['the whole of a value', inOrders('startTimestamp: pl<|>ace'), 'shipped_on', inOrders('startTimestamp: shipped_on')],
  ['inside double quotes', inOrders('startTimestamp: "pl<|>"'), 'placed_at', inOrders('startTimestamp: "placed_at"')],
  [
    'inside quotes that are open',
    inOrders("startTimestamp: 'pl<|>"),
    'placed_at',
    inOrders("startTimestamp: 'placed_at'"),
  ],
  [
    'CRLF',
    'elements:\r\n  - dataObject: orders\r\n    key: <|>\r\n',
    'id',
    'elements:\r\n  - dataObject: orders\r\n    key: id\r\n',
  ],
  [
    'a column of a joined table',
    inOrders('joins: JOIN customers AS c ON true\n    startTimestamp: c.<|>'),
    'c.since',
    inOrders('joins: JOIN customers AS c ON true\n    startTimestamp: c.since'),
  ],
  ['an item after a dash', inOrders('properties:\n    -<|>'), 'note', inOrders('properties:\n    - note')],
  ['a list behind its key', inOrders('properties: <|>'), 'note', inOrders('properties: [note]')],
  ['a list on lines of its own', inOrders('properties:\n      <|>'), 'note', inOrders('properties:\n      - note')],
  [
    'an item on a line of its own in brackets',
    inOrders('properties: [id,\n      <|>]'),
    'note',
    inOrders('properties: [id,\n      note]'),
  ],
  [
    'an item in brackets that are open',
    `elements:\n${orders}    properties: [id, <|>\n    key: id\n`,
    'note',
    `elements:\n${orders}    properties: [id, note\n    key: id\n`,
  ],
  [
    'a sign that YAML reads as its own',
    'relationships:\n  - mappings:\n      - { source: a, operator: ><|>, target: b }\n',
    '>=',
    "relationships:\n  - mappings:\n      - { source: a, operator: '>=', target: b }\n",
  ],
  ['a number', 'version: <|>', '1', 'version: 1'],
  ['a half-typed key', inOrders('start<|>'), 'startTimestamp', inOrders('startTimestamp: ')],
  [
    'a key before other keys',
    `elements:\n  - activityName: A\n    <|>\n    key: id\n`,
    'dataObject',
    'elements:\n  - activityName: A\n    dataObject: \n    key: id\n',
  ],
  ['a key that has its colon', inOrders('st<|>art: x'), 'startTimestamp', inOrders('startTimestamp: x')],
  ['a key between braces', 'import: { <|> }', 'engine', 'import: { engine:  }'],
  [
    'a new entry',
    'elements:\n  - <|>\n',
    'New element',
    'elements:\n  - activityName: ${1}\n    dataObject: ${2}\n    startTimestamp: ${3}$0\n',
  ],
  [
    'a new entry whose dash is missing',
    `elements:\n${orders}  <|>\n`,
    'New element',
    `elements:\n${orders}  - activityName: \${1}\n    dataObject: \${2}\n    startTimestamp: \${3}$0\n`,
  ],
  ['a value of JSON', '{ "dataSource": <|> }', 'shop', '{ "dataSource": "shop" }'],
  [
    'a text of JSON',
    '{\n  "elements": [\n    { "dataObject": "orders",\n      "startTimestamp": "<|>" }\n  ]\n}',
    'placed_at',
    '{\n  "elements": [\n    { "dataObject": "orders",\n      "startTimestamp": "placed_at" }\n  ]\n}',
  ],
  [
    'an entry of a list of JSON',
    '{\n  "elements": [\n    { "activityName": "A" },\n    <|>\n  ]\n}',
    'dataObject',
    '{\n  "elements": [\n    { "activityName": "A" },\n    { "dataObject": "$0" }\n  ]\n}',
  ],
  ['a key of JSON', '{\n  "version": 1,\n  <|>\n}', 'name', '{\n  "version": 1,\n  "name": "$0"\n}'],
  ['a half-typed key of JSON', '{\n  "version": 1,\n  "na<|>"\n}', 'name', '{\n  "version": 1,\n  "name": "$0"\n}'],
];

describe('completeEntityGraph edits', () => {
  for (const [name, marked, label, expected] of cases) {
    it(name, () => {
      const { text, offset } = withCursor(marked);
      const proposals = completeEntityGraph({ parsed: parseEntityGraph(text), sources, catalog }, offset);
      assert.equal(taken(proposals, label, text), expected);
    });
  }

  it('change one line only, in any truncated or broken file', () => {
    const text = `${inOrders('properties: [id, note]')}relationships:\n  - { source: A, name: "a b", target: A }\n`;
    for (const sign of ['[', '{', '"', "'", '|', '\n', '- ', '#', ':', '']) {
      for (let at = 0; at <= text.length; at += 3) {
        const broken = text.slice(0, at) + sign + text.slice(at + 1);
        const offset = Math.min(broken.length, at + sign.length);
        for (const { replace } of completeEntityGraph({ parsed: parseEntityGraph(broken), catalog }, offset)) {
          assert.ok(replace.start <= offset && offset <= replace.end && replace.end <= broken.length, broken);
          assert.ok(!broken.slice(replace.start, replace.end).includes('\n'), broken);
        }
      }
    }
  });

  it('are not offered in comments, nor where an object would have to start after its key', () => {
    for (const marked of ['name: x # <|>', inOrders('processContext: <|>'), 'elements: [{ processContext: <|> }]']) {
      const { text, offset } = withCursor(marked);
      assert.deepEqual(completeEntityGraph({ parsed: parseEntityGraph(text), sources, catalog }, offset), [], marked);
    }
  });
});

describe('completeDataSources edits', () => {
  it('write values with their type, and keys with the required brackets', () => {
    const take = (marked: string, label: string): string | undefined => {
      const { text, offset } = withCursor(marked);
      return taken(completeDataSources({ parsed: parseDataSources(text) }, offset), label, text);
    };
    assert.equal(
      take('dataSources: { a: { kind: csv, header: <|> } }', 'true'),
      'dataSources: { a: { kind: csv, header: true } }',
    );
    assert.equal(
      take('dataSources: { a: { kind: csv, decimal: <|> } }', ','),
      "dataSources: { a: { kind: csv, decimal: ',' } }",
    );
    assert.equal(
      take('dataSources: { a: { kind: cs<|>v } }', 'postgresql'),
      'dataSources: { a: { kind: postgresql } }',
    );
    assert.equal(
      take('dataSources: { a: { kind: csv, <|> } }', 'nullValues'),
      'dataSources: { a: { kind: csv, nullValues: [$0] } }',
    );
    assert.equal(
      take('dataSources: { a: { kind: postgresql, ssl: <|> } }', 'false'),
      'dataSources: { a: { kind: postgresql, ssl: false } }',
    );
    assert.equal(
      take('dataSources:\n  a:\n    kind: postgresql\n    ssl:\n      <|>\n', 'mode'),
      'dataSources:\n  a:\n    kind: postgresql\n    ssl:\n      mode: \n',
    );
    assert.equal(
      take('dataSources: { a: { kind: servicenow, auth: { kind: oauth2, <|> } } }', 'clientSecret'),
      'dataSources: { a: { kind: servicenow, auth: { kind: oauth2, clientSecret:  } } }',
    );
    assert.equal(
      take('dataSources:\n  a:\n    timeZone: Eur<|>\n', 'Europe/Berlin'),
      'dataSources:\n  a:\n    timeZone: Europe/Berlin\n',
    );
  });
});

type Proposals = ReturnType<typeof completeEntityGraph>;

/**
 * The text after choosing the proposal with this label; snippets keep their placeholders. As in editors, further lines
 * are indented like the first.
 */
function taken(proposals: Proposals, label: string, text: string): string | undefined {
  const proposal = proposals.find((each) => each.label === label);
  if (!proposal) return undefined;
  const { start, end } = proposal.replace;
  const indent = /^ */.exec(text.slice(text.lastIndexOf('\n', start - 1) + 1))?.[0] ?? '';
  return text.slice(0, start) + proposal.insertText.replaceAll('\n', `\n${indent}`) + text.slice(end);
}
