import assert from 'node:assert/strict';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { withCursor } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const head = 'version: 1\ndataSource: shop\ndataObjects: [orders, customers]\n';
const order = '  - activityName: A\n    dataObject: orders\n    startTimestamp: placed_at\n';
const brokenOrder = order.replace('placed_at', '[x');
const customer = '  - activityName: B\n    dataObject: customers\n';
const related = 'relationships:\n  - source: A\n    target: B\n    mappings: [{ source: id, target: id }]\n';

/** A graph with these lines among its elements, followed by others. */
const among = (lines: string, rest = customer + related): string => `${head}elements:\n${lines}${rest}`;
/** A graph with both elements and this relationship. */
const between = (lines: string): string => `${head}elements:\n${order}${customer}relationships:\n${lines}`;
const json = (element: string, more = ''): string =>
  `{\n  "version": 1,\n  "dataSource": "shop",\n  "elements": [\n    { "activityName": "A", "dataObject": "orders", "startTimestamp": "placed_at" }${element}\n  ]${more}\n}\n`;

const newElement = ['New element', 'activityName', 'dataObject', 'startTimestamp'];
const timestamps = ['placed_at', 'shipped_on', 'note'];
const columns = ['id', 'customer_id', 'note', 'placed_at', 'shipped_on'];
const inSql = ['customer_id', 'id', 'note', 'placed_at', 'shipped_on'];

/** A text right after a keystroke, and the first proposal. */
const cases: readonly (readonly [name: string, marked: string, first: readonly string[]])[] = [
  ['a dash between entries', among(`${order}  - <|>\n`), newElement],
  ['a dash behind the last entry', among(`${order}  - <|>\n`, related), newElement],
  ['a dash below a broken entry', among(`${brokenOrder}  - <|>\n`), newElement],
  ['a dash above a broken entry', among(`${order}  - <|>\n`, brokenOrder + related), newElement],
  ['a dash of properties', among(`${order}    properties:\n      - <|>\n`), columns],
  ['a key and a blank', among(`${order}${customer}    startTimestamp: <|>\n`, related), ['since', 'name', 'id']],
  ['a key below a broken entry', among(`${brokenOrder}${customer}    startTimestamp: <|>\n`, related), ['since']],
  ['a key above others', among(order.replace('placed_at', '<|>\n    key: id')), timestamps],
  ['a data object', among(order.replace('orders', '<|>')), ['orders', 'customers']],
  ['the data source', among(order).replace('shop', '<|>'), ['shop', 'files']],
  ['half a key', among(`${order}    pro<|>\n`), ['key', 'entityType', 'changeTimestamp']],
  [
    'half a key above others',
    among('  - activityName: A\n    data<|>\n    startTimestamp: placed_at\n'),
    ['dataObject'],
  ],
  ['half a key behind a dash', among('  - act<|>\n    dataObject: orders\n'), ['activityName', 'startTimestamp']],
  ['half a key below a list', among(`${order}    properties:\n      - id\n    wh<|>\n`), ['key', 'entityType']],
  ['half a key of the file', among(`${order}imp<|>\n`, ''), ['name', 'description']],
  ['half a key between braces', among('  - { dataObject: orders, st<|> }\n'), ['activityName', 'startTimestamp']],
  ['a value between braces', among('  - { dataObject: orders, startTimestamp: <|> }\n'), timestamps],
  ['a value in an open brace', among('  - { dataObject: orders, startTimestamp: <|>\n'), timestamps],
  ['a comma in an open brace', among('  - { dataObject: orders, <|>\n'), ['activityName', 'startTimestamp']],
  ['a mapping', between('  - source: A\n    target: B\n    mappings:\n      - { source: <|> }\n'), columns],
  ['a mapping left open', between('  - source: A\n    target: B\n    mappings:\n      - { source: <|>\n'), columns],
  [
    'a mapping left open above another',
    between('  - source: A\n    target: B\n    mappings:\n      - { source: <|>\n      - { source: id, target: id }\n'),
    columns,
  ],
  ['an end', between('  - source: <|>\n    target: B\n'), ['A', 'B']],
  ['half an end', between('  - source: A\n    target: B<|>\n'), ['A', 'B']],
  ['a line of SQL', among(`${order}    where: |\n      <|>\n`), inSql],
  ['a further line of SQL', among(`${order}    where: |\n      id = 1\n      AND <|>\n    key: id\n`), inSql],
  ['the dot of SQL', among(`${order}    where: |\n      orders.<|>\n`), inSql],
  ['folded SQL', among(`${order}    where: >-\n      orders.id = 1 AND n<|>\n`), inSql],
  ['SQL behind its key', among(`${order}    where: <|>\n`), inSql],
  ['JOIN', among(`${order}    joins: |\n      LEFT JOIN <|>\n`), ['customers', 'orders']],
  ['an expression', between('  - source: A\n    target: B\n    mappings:\n      - expression: source.<|>\n'), inSql],
  ['an entry of JSON', json(',\n    { <|> }'), ['activityName', 'dataObject', 'startTimestamp']],
  ['an open entry of JSON', json(',\n    { <|>'), ['activityName', 'dataObject', 'startTimestamp']],
  ['a comma of JSON', json(',\n    <|>'), ['New element', 'activityName', 'dataObject', 'startTimestamp']],
  ['a key of JSON', json(',\n    { "<|>" }'), ['activityName', 'dataObject', 'startTimestamp']],
  ['half an open key of JSON', json(',\n    { "act<|> }'), ['activityName', 'dataObject', 'startTimestamp']],
  ['a further key of JSON', json(',\n    { "dataObject": "orders", "<|>" }'), ['activityName', 'startTimestamp']],
  ['a value of JSON', json(',\n    { "dataObject": <|> }'), ['orders', 'customers']],
  ['a text of JSON', json(',\n    { "dataObject": "orders", "startTimestamp": "<|>" }'), timestamps],
  ['an open text of JSON', json(',\n    { "dataObject": "<|>'), ['orders', 'customers']],
  ['properties of JSON', json(',\n    { "dataObject": "orders", "properties": ["<|>"] }'), columns],
  ['SQL of JSON', json(',\n    { "dataObject": "orders", "where": "orders.<|>" }'), inSql],
  ['half an open key of the file in JSON', json('', ',\n  "rel<|>'), ['name', 'description']],
  ['an end in JSON', json('', ',\n  "relationships": [{ "source": "<|>" }]'), ['A']],
  ['an open end in JSON', json('', ',\n  "relationships": [{ "source": "<|>'), ['A']],
];

describe('first completion after a keystroke', () => {
  for (const [name, marked, first] of cases) {
    for (const lineBreak of ['\n', '\r\n']) {
      it(`${name}, with line endings ${JSON.stringify(lineBreak)}`, () => {
        const { text, offset } = withCursor(marked.replaceAll('\n', lineBreak));
        const proposals = completeEntityGraph({ parsed: createGraphParser().parse(text), sources, catalog }, offset);
        const labels = proposals
          .toSorted((left, right) => ((left.sortText ?? left.label) < (right.sortText ?? right.label) ? -1 : 1))
          .map(({ label }) => label);
        assert.deepEqual(labels.slice(0, first.length), first, labels.slice(0, 20).join());
      });
    }
  }
});
