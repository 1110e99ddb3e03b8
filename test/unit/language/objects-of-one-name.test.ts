import assert from 'node:assert/strict';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { withRanges } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const head = 'version: 1\ndataSource: shop\n';
const twice = 'dataObjects: [orders, { source: files, objects: [orders] }]\n';

const order = (more: string): string =>
  `  - activityName: Place Order\n    dataObject: ${more}\n    startTimestamp: placed_at\n`;
const shipment = (more: string): string =>
  `  - activityName: Ship Order\n    dataSource: files\n    dataObject: ${more}\n    key: id\n    startTimestamp: at\n`;

/** Marked text, and the rule, the titles of the fixes and the line that each of them adds. */
type Case = readonly [name: string, marked: string, code?: string, fixes?: Readonly<Record<string, string>>];

const ofOrder = {
  'Read it of "shop"': '    dataSource: shop\n',
  'Read it of "files"': '    dataSource: files\n',
};

const cases: readonly Case[] = [
  [
    'an element of an object that is selected twice',
    `${head}${twice}elements:\n${order('‹|orders|›')}`,
    'ambiguous-data-object',
    ofOrder,
  ],
  [
    'an entry of entities of an object that is selected twice',
    `${head}${twice}entities:\n  - dataObject: ‹|orders|›\n    key: id\n`,
    'ambiguous-data-object',
    ofOrder,
  ],
  [
    'a named default',
    `${head}${twice}elements:\n${order('orders\n    dataSource: shop\n    entityType: order')}${shipment('orders\n    entityType: shipment')}`,
  ],
  [
    'an unreadable data source is not a second mistake',
    `${head}${twice}elements:\n${order('orders\n    ‹|dataSorce|›: files')}`,
    'schema-unknown-property',
    { 'Change to "dataSource"': '    dataSource: files\n' },
  ],
  [
    'an element of another data source than its selected namesake',
    `${head}dataObjects: [orders]\nelements:\n${order('orders\n    entityType: order')}${shipment('‹|orders|›\n    entityType: shipment')}`,
    'element-object-not-selected',
    { 'Add "orders" to dataObjects': 'dataObjects: [orders, { source: files, objects: [orders] }]' },
  ],
  [
    'an element of another data source of which other objects are selected',
    `${head}dataObjects:\n  - orders\n  - source: files\n    objects: [shipments]\nelements:\n${order('orders\n    entityType: order')}${shipment('shipments')}${shipment('‹|orders|›\n    entityType: parcel').replace('Ship', 'Pack')}`,
    'element-object-not-selected',
    { 'Add "orders" to dataObjects': '    objects: [shipments, orders]\n' },
  ],
  [
    'an element of the data source of the file, whose namesake is selected',
    `${head}dataObjects: [{ source: files, objects: [orders] }]\nelements:\n${order('‹|orders|›\n    entityType: order')}${shipment('orders\n    entityType: shipment')}`,
    'element-object-not-selected',
    { 'Add "orders" to dataObjects': 'dataObjects: [{ source: files, objects: [orders] }, orders]' },
  ],
  [
    'a selected object of which only the namesake is used',
    `${head}dataObjects: [orders, { source: files, objects: [‹|orders|›] }]\nelements:\n${order('orders\n    dataSource: shop')}`,
    'selected-object-unused',
    {
      'Create an element for "orders"': '    dataSource: files\n    dataObject: orders\n',
      'Add "orders" as master data': 'entities:\n  - dataSource: files\n    dataObject: orders\n',
      'Remove "orders" from dataObjects': 'dataObjects: [orders]\n',
    },
  ],
  [
    'a misspelt data source of a selected object is one mistake',
    `${head}${twice}elements:\n${order('orders\n    dataSource: shop\n    entityType: order')}${shipment('orders').replace('files', '‹|fils|›')}`,
    'unknown-data-source',
    { 'Change to "files"': '    dataSource: files\n' },
  ],
  [
    'the type of an element of the other data source',
    `${head}elements:\n${order('orders\n    entityType: order')}${shipment('‹|orders|›')}`,
    'ambiguous-entity-type',
    {
      'Set entityType to "files orders"': '    entityType: files orders\n',
      'Set entityType to "orders"': '    entityType: orders\n',
    },
  ],
  [
    'the type of an element of the data source of the file',
    `${head}elements:\n${order('‹|orders|›')}${shipment('orders\n    entityType: shipment')}`,
    'ambiguous-entity-type',
    {
      'Set entityType to "orders"': '    entityType: orders\n',
      'Set entityType to "shop orders"': '    entityType: shop orders\n',
    },
  ],
  ['objects of two names', `${head}elements:\n${order('orders')}${shipment('shipments')}`],
  [
    'one type for both, on purpose',
    `${head}elements:\n${order('orders\n    entityType: order')}${shipment('orders\n    entityType: order')}`,
  ],
  [
    'a misspelt data source is one mistake',
    `${head}elements:\n${order('orders')}${shipment('orders').replace('files', '‹|fils|›')}`,
    'unknown-data-source',
    { 'Change to "files"': '    dataSource: files\n' },
  ],
];

describe('data objects of one name in several data sources', () => {
  for (const [name, marked, code, fixes = {}] of cases) {
    it(name, () => {
      const { text, ranges } = withRanges(marked);
      const parsed = createGraphParser().parse(text);
      const problems = validateEntityGraph({ text, parsed, sources, catalog });
      assert.deepEqual(
        problems.map((problem) => [problem.code, problem.range]),
        code === undefined ? [] : [[code, ranges[0]]],
      );
      const offered = problems.flatMap((problem) => fixesOf(problem, { parsed, sources, catalog }));
      assert.deepEqual(
        offered.map(({ title }) => title),
        Object.keys(fixes),
      );
      for (const { title, edits } of offered) {
        const mended = applyEdits(text, edits);
        assert.ok(mended.includes(fixes[title] ?? ''), mended);
        const left = validateEntityGraph({ text: mended, sources, catalog });
        assert.ok(!left.some((problem) => problem.code === code), mended);
      }
    });
  }
});
