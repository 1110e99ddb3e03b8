import assert from 'node:assert/strict';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import type { SqlValidator } from '../../../server/src/language/sql/sql-validator.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { loadPostgresqlValidator } from '../../../server/src/sql/postgresql-validator.ts';
import { withRanges } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

/** A valid graph. */
const good = `version: 1
name: Orders
dataSource: shop
dataObjects: [orders, customers]
elements:
  - activityName: Win Customer
    dataObject: customers
    key: id
    startTimestamp: since
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    changeTimestamp: shipped_on
    properties: [id, note]
    where: id > 5 AND note IS NOT NULL
relationships:
  - source: Win Customer
    target: Place Order
    correlate: both
    mappings:
      - { source: id, target: customer_id }
`;

/** The original and the mistake, marked; the rule, the first fix, and its result if not the original. */
interface Mistake {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly code: string;
  readonly fix: string;
  readonly gives?: string;
}

const mistakes: readonly Mistake[] = [
  {
    name: 'a misspelt required key',
    from: 'startTimestamp: placed_at',
    to: '‹|startTimestmp|›: placed_at',
    code: 'schema-unknown-property',
    fix: 'Change to "startTimestamp"',
  },
  {
    name: 'a bracket left open',
    from: '[orders, customers]',
    to: '‹|[|›orders, customers',
    code: 'yaml-syntax',
    fix: 'Close the bracket with "]"',
  },
  {
    name: 'a bracket left open in an element',
    from: '[id, note]',
    to: '‹|[|›id, note',
    code: 'yaml-syntax',
    fix: 'Close the bracket with "]"',
  },
  {
    name: 'a quote left open',
    from: 'activityName: Place Order',
    to: 'activityName: ‹|"|›Place Order',
    code: 'yaml-syntax',
    fix: 'Close the quote',
    gives: 'activityName: "Place Order"',
  },
  {
    name: 'an unknown data source',
    from: 'dataSource: shop',
    to: 'dataSource: ‹|shp|›',
    code: 'unknown-data-source',
    fix: 'Change to "shop"',
  },
  {
    name: 'an unknown data object',
    from: 'dataObject: orders',
    to: 'dataObject: ‹|order|›',
    code: 'unknown-data-object',
    fix: 'Change to "orders"',
  },
  {
    name: 'an unknown selected data object',
    from: '[orders, customers]',
    to: '[‹|ordrs|›, customers]',
    code: 'unknown-data-object',
    fix: 'Change to "orders"',
  },
  {
    name: 'an unknown column',
    from: 'startTimestamp: placed_at',
    to: 'startTimestamp: ‹|place_at|›',
    code: 'unknown-column',
    fix: 'Change to "placed_at"',
  },
  {
    name: 'an unknown column in a mapping',
    from: 'target: customer_id',
    to: 'target: ‹|custmer_id|›',
    code: 'unknown-column',
    fix: 'Change to "customer_id"',
  },
  {
    name: 'an element that is not defined',
    from: 'target: Place Order',
    to: 'target: ‹|Place Oder|›',
    code: 'unknown-activity',
    fix: 'Change to "Place Order"',
  },
  {
    name: 'an activity name twice',
    from: 'properties: [id, note]',
    to: 'properties: [id, note]\n  - activityName: ‹|Win Customer|›\n    dataObject: orders\n    startTimestamp: placed_at',
    code: 'duplicate-activity-name',
    fix: 'Rename it to "Win Customer 2"',
    gives:
      'properties: [id, note]\n  - activityName: Win Customer 2\n    dataObject: orders\n    startTimestamp: placed_at',
  },
  {
    name: 'a value that is not allowed',
    from: 'correlate: both',
    to: 'correlate: ‹|boht|›',
    code: 'schema-value',
    fix: 'Change to "both"',
  },
  {
    name: 'no key above the relationships',
    from: 'relationships:\n  - source',
    to: '  - ‹|source|›',
    code: 'misplaced-entry',
    fix: 'Insert "relationships:"',
  },
  {
    name: 'no key above the elements',
    from: 'elements:\n  - activityName: Win',
    to: '  - ‹|activityName|›: Win',
    code: 'yaml-syntax',
    fix: 'Insert "elements:"',
  },
  {
    name: 'no key above the mappings',
    from: '    mappings:\n      - { source',
    to: '      - { ‹|source|›',
    code: 'yaml-syntax',
    fix: 'Insert "mappings:"',
  },
  {
    name: 'a key of the file without colon',
    from: 'relationships:',
    to: '‹|relationships|›',
    code: 'yaml-syntax',
    fix: 'Add ":" behind "relationships"',
  },
  {
    name: 'a key that other formats have for the data object',
    from: 'dataObject: orders',
    to: '‹|table|›: orders',
    code: 'schema-unknown-property',
    fix: 'Change to "dataObject"',
  },
  {
    name: 'columns without brackets',
    from: 'properties: [id, note]',
    to: 'properties: ‹|id, note|›',
    code: 'schema-type',
    fix: 'Write it as a list',
  },
  {
    name: 'name in place of activityName',
    from: 'activityName: Place Order',
    to: '‹|name|›: Place Order',
    code: 'schema-unknown-property',
    fix: 'Change to "activityName"',
  },
  {
    name: 'an operator of another language',
    from: '{ source: id, target',
    to: '{ source: id, operator: ‹|==|›, target',
    code: 'schema-value',
    fix: 'Change to "="',
    gives: '{ source: id, operator: =, target',
  },
  {
    name: 'a number where a text belongs',
    from: 'name: Orders',
    to: 'name: ‹|2024|›',
    code: 'schema-type',
    fix: 'Put it in quotes',
    gives: 'name: "2024"',
  },
  {
    name: 'a text where a list belongs',
    from: 'dataObjects: [orders, customers]',
    to: 'dataObjects: ‹|orders, customers|›',
    code: 'schema-type',
    fix: 'Write it as a list',
  },
  {
    name: 'a misspelt key that names the data object',
    from: 'dataObject: orders',
    to: '‹|dataObjet|›: orders',
    code: 'schema-unknown-property',
    fix: 'Change to "dataObject"',
  },
  {
    name: 'a misspelt key that names the activity',
    from: 'activityName: Place Order',
    to: '‹|activtyName|›: Place Order',
    code: 'schema-unknown-property',
    fix: 'Change to "activityName"',
  },
  {
    name: 'a misspelt key of the elements',
    from: 'elements:',
    to: '‹|elemnts|›:',
    code: 'schema-unknown-property',
    fix: 'Change to "elements"',
  },
  {
    name: 'a tab',
    from: '    dataObject: orders',
    to: '‹|\t|›dataObject: orders',
    code: 'yaml-syntax',
    fix: 'Replace the tabs by spaces',
  },
  {
    name: 'a missing required key',
    from: '    startTimestamp: since\n  - activityName: Place Order\n',
    to: '  - activityName: Place Order\n',
    code: 'element-unconfigured',
    fix: 'Add startTimestamp',
  },
  {
    name: 'a missing required key of the file',
    from: 'dataSource: shop\n',
    to: '',
    code: 'schema-missing-property',
    fix: 'Add dataSource',
  },
  {
    name: 'a required key without a value',
    from: 'startTimestamp: placed_at',
    to: 'startTimestamp:',
    code: 'element-unconfigured',
    fix: 'Set startTimestamp',
  },
  {
    name: 'a misspelt word of SQL',
    from: 'id > 5 AND note',
    to: 'id > 5 ‹|ADN|› note',
    code: 'sql-syntax',
    fix: 'Change to "AND"',
  },
  {
    name: 'SQL that ends in the middle',
    from: 'where: id > 5 AND note IS NOT NULL',
    to: 'where: ‹|(|›id > 5 AND note IS NOT NULL',
    code: 'sql-not-contained',
    fix: 'Close the parenthesis',
    gives: 'where: (id > 5 AND note IS NOT NULL)',
  },
  {
    name: 'an unknown column in SQL',
    from: 'AND note IS',
    to: 'AND ‹|nte|› IS',
    code: 'unknown-column',
    fix: 'Change to "note"',
  },
  {
    name: 'an element without key on a table without one',
    from: '    key: id\n',
    to: '',
    code: 'missing-key',
    fix: 'Identify the entity by "id"',
  },
  {
    name: 'a data object that is not selected',
    from: 'dataObjects: [orders, customers]',
    to: 'dataObjects: [orders]',
    code: 'element-object-not-selected',
    fix: 'Add "customers" to dataObjects',
  },
  {
    name: 'a draft',
    from: '    mappings:\n      - { source: id, target: customer_id }\n',
    to: '',
    code: 'relationship-draft',
    fix: 'Join by id = customer_id (foreign key orders_customer_fk)',
  },
  {
    name: 'a key without colon',
    from: 'dataObject: orders',
    to: '‹|dataObject orders|›',
    code: 'yaml-syntax',
    fix: 'Add ":" behind "dataObject"',
  },
  {
    name: 'a key without colon between braces',
    from: '{ source: id,',
    to: '{ ‹|source id|›,',
    code: 'schema-unknown-property',
    fix: 'Change to "source: id"',
  },
  {
    name: 'a key without space between braces',
    from: 'target: customer_id',
    to: '‹|target:customer_id|›',
    code: 'schema-unknown-property',
    fix: 'Change to "target: customer_id"',
  },
  {
    name: 'a quote left open in a relationship',
    from: 'source: Win Customer',
    to: 'source: ‹|"|›Win Customer',
    code: 'yaml-syntax',
    fix: 'Close the quote',
    gives: 'source: "Win Customer"',
  },
  {
    name: 'a key of a relationship without colon',
    from: 'source: Win Customer',
    to: '‹|source Win Customer|›',
    code: 'yaml-syntax',
    fix: 'Add ":" behind "source"',
  },
  {
    name: 'a key of a relationship without space',
    from: 'source: Win Customer',
    to: '‹|source:Win Customer|›',
    code: 'yaml-syntax',
    fix: 'Put a space behind ":"',
  },
  {
    name: 'a misspelt key of a relationship',
    from: 'source: Win Customer',
    to: '‹|sorce|›: Win Customer',
    code: 'schema-unknown-property',
    fix: 'Change to "source"',
  },
  {
    name: 'a misspelt key that identifies the entity',
    from: 'key: id',
    to: '‹|kye|›: id',
    code: 'schema-unknown-property',
    fix: 'Change to "key"',
  },
  {
    name: 'an element without its dash',
    from: '  - activityName: Place Order',
    to: '    ‹|activityName|›: Place Order',
    code: 'yaml-syntax',
    fix: 'Put a dash before "activityName"',
  },
  {
    name: 'an element without its dash, where the dash would be',
    from: '  - activityName: Place Order',
    to: '  ‹|activityName|›: Place Order',
    code: 'yaml-syntax',
    fix: 'Put a dash before "activityName"',
  },
  {
    name: 'an element without dash and indentation',
    from: '  - activityName: Place Order',
    to: '‹|activityName|›: Place Order',
    code: 'yaml-syntax',
    fix: 'Put a dash before "activityName"',
  },
  {
    name: 'the first element without its dash',
    from: '  - activityName: Win Customer',
    to: '    activityName: Win Customer',
    code: 'yaml-syntax',
    fix: 'Put a dash before "activityName"',
  },
  {
    name: 'an operator that YAML reads as its own sign',
    from: '{ source: id, target: customer_id }',
    to: 'source: id\n        operator: ‹|>|›\n        target: customer_id',
    code: 'schema-value',
    fix: `Change to "'>'"`,
    gives: "source: id\n        operator: '>'\n        target: customer_id",
  },
  {
    name: 'an operator that YAML reads as its own sign, with a comment at the end',
    from: '{ source: id, target: customer_id }',
    to: 'source: id\n        target: customer_id\n        operator: ‹|>|› # later',
    code: 'schema-value',
    fix: `Change to "'>'"`,
    gives: "source: id\n        target: customer_id\n        operator: '>' # later",
  },
  {
    name: 'an operator that begins with a sign of YAML',
    from: '{ source: id, target: customer_id }',
    to: 'source: id\n        operator: >‹|=|›\n        target: customer_id',
    code: 'yaml-syntax',
    fix: 'Put the value in quotes',
    gives: 'source: id\n        operator: ">="\n        target: customer_id',
  },
  {
    name: 'an operator that begins with a sign of YAML, between braces',
    from: '{ source: id, target: customer_id }',
    to: '{ source: id, operator: ‹|>|›=, target: customer_id }',
    code: 'yaml-syntax',
    fix: 'Put the value in quotes',
    gives: '{ source: id, operator: ">=", target: customer_id }',
  },
  {
    name: 'an operator that begins with a sign of YAML, before the closing brace',
    from: '{ source: id, target: customer_id }',
    to: '{ source: id, target: customer_id, operator: ‹|>|› }',
    code: 'yaml-syntax',
    fix: 'Put the value in quotes',
    gives: '{ source: id, target: customer_id, operator: ">" }',
  },
  {
    name: 'the key of another side in a cross table',
    from: '    mappings:\n      - { source: id, target: customer_id }\n',
    to: '    crossTable:\n      dataObject: orders\n      sourceMappings: [{ source: id, ‹|target|›: customer_id }]\n      targetMappings: [{ cross: id, target: id }]\n',
    code: 'schema-unknown-property',
    fix: 'Change to "cross"',
    gives:
      '    crossTable:\n      dataObject: orders\n      sourceMappings: [{ source: id, cross: customer_id }]\n      targetMappings: [{ cross: id, target: id }]\n',
  },
  {
    name: 'mappings as a group between braces',
    from: '\n      - { source: id, target: customer_id }',
    to: ' { source: id, target: customer_id }',
    code: 'schema-type',
    fix: 'Write it as a list',
    gives: ' [{ source: id, target: customer_id }]',
  },
  {
    name: 'mappings as a group on lines',
    from: '- { source: id, target: customer_id }',
    to: 'source: id\n      # as the foreign key\n      target: customer_id',
    code: 'schema-type',
    fix: 'Write it as a list',
    gives: '- source: id\n        # as the foreign key\n        target: customer_id',
  },
  {
    name: 'a relationship without its dash',
    from: '  - source: Win Customer',
    to: '    source: Win Customer',
    code: 'schema-type',
    fix: 'Write it as a list',
  },
  {
    name: 'a selected object twice',
    from: '[orders, customers]',
    to: '[orders, customers, ‹|orders|›]',
    code: 'schema-value',
    fix: 'Remove this "orders"',
  },
  {
    name: 'a selected object twice, on lines',
    from: '[orders, customers]',
    to: '\n  - orders\n  - customers\n  - ‹|orders|›',
    code: 'schema-value',
    fix: 'Remove this "orders"',
    gives: '\n  - orders\n  - customers',
  },
  {
    name: 'a non-breaking space behind a key',
    from: 'dataObject: orders',
    to: '‹|dataObject:\u00a0orders|›',
    code: 'yaml-syntax',
    fix: 'Replace the non-breaking space by a space',
  },
  {
    name: 'a non-breaking space before a key',
    from: '    dataObject: orders',
    to: '   \u00a0dataObject: orders',
    code: 'yaml-syntax',
    fix: 'Replace the non-breaking space by a space',
  },
  {
    name: 'a table with a schema that its name lacks',
    from: 'dataObject: orders',
    to: 'dataObject: ‹|public.orders|›',
    code: 'unknown-data-object',
    fix: 'Change to "orders"',
  },
  {
    name: 'a selected table with its schema',
    from: '[orders, customers]',
    to: '[‹|public.orders|›, customers]',
    code: 'unknown-data-object',
    fix: 'Change to "orders"',
  },
];

/** For a mistake without text of its own: the underlined text. */
const underlined: Readonly<Record<string, string>> = {
  'the first element without its dash': ' ',
  'mappings as a group between braces': 'mappings',
  'mappings as a group on lines': 'mappings',
  'a relationship without its dash': 'relationships',
  'a non-breaking space before a key': ' ',
  'a missing required key': 'Win Customer',
  'a missing required key of the file': 'version: 1',
  'a required key without a value': 'Place Order',
  'an element without key on a table without one': 'Win Customer',
  'a data object that is not selected': 'customers',
  'a draft': 'source: Win Customer',
};

describe('diagnostics of a single mistake', () => {
  let sqlValidator: SqlValidator;
  before(async () => (sqlValidator = await loadPostgresqlValidator()));

  const [orders, ...others] = catalog.objects;
  const references = { dataObject: 'customers', columns: ['id'] };
  const foreignKeys = [{ name: 'orders_customer_fk', columns: ['customer_id'], references }];
  const known = {
    catalog: {
      ...catalog,
      objects: [
        ...(orders
          ? [
              { ...orders, foreignKeys },
              { ...orders, name: 'sales.stock', path: ['sales', 'stock'] },
            ]
          : []),
        ...others,
      ],
    },
    sources: { ...sources, sources: sources.sources.slice(0, 1) },
  };

  /** As read by the language server, the fixed text as the next version. */
  const read = (...texts: readonly string[]) => {
    const parser = createGraphParser();
    const [text = '', parsed] = texts.map((each) => [each, parser.parse(each)] as const).at(-1) ?? [];
    if (!parsed) throw new Error('There is no text.');
    const context = { ...known, parsed, sqlValidator };
    return { context, problems: validateEntityGraph({ text, ...context }) };
  };

  it('the graph without the mistake has no problem', () => assert.deepEqual(read(good).problems, []));

  for (const to of ['relationships', '\trelationships:', 'relationships: [']) {
    it(`report one problem instead of one per following key: ${JSON.stringify(to)}`, () => {
      const { problems } = read(good, good.replace('relationships:', to));
      assert.deepEqual(
        problems.map(({ code }) => code),
        ['yaml-syntax'],
      );
    });
  }

  for (const { name, from, to, code, fix: title, gives } of mistakes) {
    it(`report one problem with the right quick fix first: ${name}`, () => {
      assert.ok(good.includes(from));
      const { text, ranges } = withRanges(good.replace(from, to));
      const { context, problems } = read(good, text);
      const place = underlined[name] ?? text.slice(ranges[0]?.start, ranges[0]?.end);
      const found = problems.map((problem) => [problem.code, text.slice(problem.range.start, problem.range.end)]);
      assert.deepEqual(found, [[code, place]], JSON.stringify(problems));
      const fixes = problems.flatMap((problem) => fixesOf(problem, context));
      assert.deepEqual([fixes[0]?.title, fixes[0]?.preferred], [title, true]);
      assert.ok(fixes.slice(1).every(({ preferred }) => !preferred));
      const mended = applyEdits(text, fixes[0]?.edits ?? []);
      assert.deepEqual(read(good, text, mended).problems, []);
      if (ranges.length > 0) assert.equal(mended, good.replace(from, gives ?? from));
    });
  }

  it('suggest the missing schema of a table', () => {
    const text = good.replace('dataObject: orders', 'dataObject: stock').replace('[orders, ', '[sales.stock, ');
    const { context, problems } = read(text);
    assert.deepEqual(
      problems.map(({ code, suggestions }) => [code, suggestions]),
      [['unknown-data-object', ['sales.stock']]],
    );
    assert.deepEqual(
      fixesOf(problems[0] ?? assert.fail(), context).map(({ title, preferred }) => [title, preferred]),
      [['Change to "sales.stock"', true]],
    );
  });

  const withoutKey = good.replace('relationships:\n', '');
  for (const [name, text, codes] of [
    [
      'above them',
      withoutKey.replace('dataObject: customers', 'dataObject: [customers'),
      ['yaml-syntax', 'misplaced-entry'],
    ],
    ['right above them', withoutKey.replace('[id, note]', '[id, note'), ['yaml-syntax', 'misplaced-entry']],
    ['above the list', withoutKey.replace('dataSource: shop', 'dataSource: "shop'), ['yaml-syntax', 'misplaced-entry']],
    ['in them', withoutKey.replace('correlate: both', 'correlate: "both'), ['yaml-syntax']],
    ['that may be the key', good.replace('relationships:', 'relation ships'), ['yaml-syntax']],
  ] as const) {
    it(`a lost list key hides no relationships, unless the mistake is about them: ${name}`, () => {
      const { problems } = read(good, text);
      assert.deepEqual(
        problems.map(({ code }) => code),
        codes,
      );
    });
  }

  it('a lost line between selected objects and elements is reported once', () => {
    const text = good.replace('[orders, customers]\nelements:', '\n  - orders\n  - customers');
    const { context, problems } = read(text);
    assert.deepEqual(
      problems.map(({ code, message }) => [code, message]),
      [
        [
          'misplaced-entry',
          'This looks like an element, as does the entry below, but stands in the list "dataObjects". The line "elements:" is missing above them. Insert it.',
        ],
      ],
    );
    const [fix] = problems.flatMap((problem) => fixesOf(problem, context));
    assert.deepEqual(read(text, applyEdits(text, fix?.edits ?? [])).problems, []);
  });

  const lonely = `${good.replace('relationships:', '  - activityName: Count Stock\n    dataObject: customers\n    key: id\n    entityType: stock\n    startTimestamp: since\nrelationships:')}`;
  const draft = (more: string): string => `${lonely}  - name: draft\n    source: Place Order\n${more}`;
  for (const [name, text, isTold] of [
    ['nothing else', lonely, true],
    ['an end that is missing', draft('    mappings: [{ source: id, target: id }]\n'), false],
    ['an end that is missing, of which nothing is known', draft(''), false],
    ['an end that cannot be it, by its columns', draft('    mappings: [{ source: id, target: placed_at }]\n'), true],
    [
      'a misspelt end that is like it',
      draft('    target: Count Stok\n    mappings: [{ source: id, target: id }]\n'),
      false,
    ],
    [
      'a misspelt end like another',
      draft('    target: Win Custmer\n    mappings: [{ source: id, target: id }]\n'),
      true,
    ],
    ['an end that is like none', draft('    target: Nobody\n    mappings: [{ source: id, target: id }]\n'), false],
    ['a misspelt key elsewhere', lonely.replace('changeTimestamp', 'changTimestamp'), true],
    ['a misspelt type elsewhere', lonely.replace('changeTimestamp: shipped_on', 'entityTyp: stock'), false],
    ['a type that is no text elsewhere', lonely.replace('changeTimestamp: shipped_on', 'entityType: [stock]'), false],
    [
      'a wrong value where the type is said',
      lonely.replace('changeTimestamp: shipped_on', 'entityType: order\n    sequence: [id]'),
      true,
    ],
  ] as const) {
    it(`an unreachable element is reported only when the mistake is about it: ${name}`, () => {
      const told = read(text).problems.filter(({ code }) => code === 'unreachable-element');
      assert.deepEqual(
        told.map(({ range }) => text.slice(range.start, range.end)),
        isTold ? ['Count Stock'] : [],
      );
    });
  }
});
