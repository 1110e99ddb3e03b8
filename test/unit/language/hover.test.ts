import assert from 'node:assert/strict';
import { hoverDataSources, hoverEntityGraph } from '../../../server/src/language/hover.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withCursor } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const ends =
  'elements: [{ activityName: A, dataObject: orders, startTimestamp: placed_at }, { activityName: B, dataObject: customers, key: id, startTimestamp: since }]\n';

const cases: readonly (readonly [string, string, RegExp | undefined])[] = [
  ['a property', 'elements:\n  - start<|>Timestamp: x', /^The column with the time of the event/],
  ['a value without facts: its property', 'version: <|>1', /^Version of this file format/],
  ['a data source', 'dataSource: sh<|>op', /^\*\*shop\*\* — postgresql data source, time zone UTC/],
  [
    'a data object',
    'elements:\n  - dataObject: or<|>ders',
    /^\*\*orders\*\* — table · 5 columns · about 6,000 rows\n\nSize: 123\.5 kB {2}\nKey: `id`\n\n`id` integer · key · not null {2}\n`customer_id` integer · → customers {2}\n`note` text {2}\n`placed_at` timestamp without time zone · not null {2}\n`shipped_on` date$/,
  ],
  [
    'a column',
    'elements:\n  - { dataObject: orders, properties: [no<|>te] }',
    /^\*\*note\*\* — text\n\nFree \\\*text\\\*\n\nMissing in 25 % of rows {2}\nAbout 1,200 distinct values {2}\nSuch as `fragile`, `` a `gift` ``$/,
  ],
  [
    'a foreign key',
    'elements:\n  - { dataObject: orders, properties: [customer_<|>id] }',
    /References `customers\.id`/,
  ],
  [
    'a column of a mapping',
    'elements: [{ activityName: A, dataObject: customers }]\nrelationships: [{ source: A, mappings: [{ source: na<|>me }] }]',
    /^\*\*name\*\* — text$/,
  ],
  [
    'a relationship: the join in words and as SQL',
    'elements: [{ activityName: A*, dataObject: orders, startTimestamp: placed_at }, { activityName: B, dataObject: customers, key: id, startTimestamp: since }]\nrelationships: [{ name: owns<|>, source: A*, target: B, mappings: [{ source: customer_id, target: id }] }]',
    /^Each \*\*A\\\*\*\* is linked to the \*\*B\*\* whose id equals its customer_id\.\n\n```sql\nSELECT[\s\S]*"customer_id"[\s\S]*```$/,
  ],
  [
    'an end of a relationship without a name: the element, the join in words and as SQL',
    `${ends}relationships: [{ source: A, target: B<|>, mappings: [{ source: customer_id, target: id }] }]`,
    /^\*\*B\*\* — element of customers, from since\n\nEach \*\*A\*\* is linked to the \*\*B\*\* whose id equals its customer_id\.\n\n```sql\nSELECT[^]*```$/,
  ],
  [
    'an end of a draft relationship',
    `${ends}relationships: [{ source: A<|>, target: B }]`,
    /^\*\*A\*\* — element of orders, from placed_at$/,
  ],
  [
    'the key of mappings: its meaning, and the joined columns',
    `${ends}relationships: [{ source: A, target: B, map<|>pings: [{ source: customer_id, target: id }] }]`,
    /^[^]+\n\nEach \*\*A\*\* is linked to[^]*```sql[^]*```$/,
  ],
  [
    'the key of a cross table',
    `${ends}relationships: [{ source: A, target: B, cross<|>Table: { dataObject: orders, sourceMappings: [{ source: id, cross: id }], targetMappings: [{ cross: customer_id, target: id }] } }]`,
    /Each \*\*A\*\* is linked to every \*\*B\*\* where a row of \*\*orders\*\* says so[^]*```sql/,
  ],
  ['the key of an element: no join', `${ends.replace('key', 'ke<|>y')}`, /^(?![^]*is linked)/],
  [
    'an operator',
    'relationships: [{ source: A, target: B, mappings: [{ source: a, operator: ">=<|>", target: b }] }]',
    /^`>=` — is at least\n\nEach \*\*A\*\* is linked to every \*\*B\*\* where its a is at least the other's b\.$/,
  ],
  ['nothing', 'name: x\n\n<|>\n', undefined],
];

describe('hoverEntityGraph', () => {
  for (const [name, marked, expected] of cases) {
    it(name, () => {
      const { text, offset } = withCursor(marked);
      const hover = hoverEntityGraph({ parsed: parseEntityGraph(text), sources, catalog }, offset);
      if (expected) assert.match(hover?.markdown.source ?? 'nothing', expected);
      else assert.equal(hover, undefined);
    });
  }
});

describe('hover of a wide data object', () => {
  const { text, offset } = withCursor('elements:\n  - dataObject: or<|>ders');
  const columnsOf = (count: number): string => {
    const column = { type: 'text', sense: 'text', nullable: true, primaryKey: false } as const;
    const columns = Array.from({ length: count }, (_, index) => ({ ...column, name: `c${index + 1}` }));
    const wide = { ...catalog, objects: catalog.objects.map((object) => ({ ...object, columns })) };
    const known = { parsed: parseEntityGraph(text), sources, catalog: wide };
    return hoverEntityGraph(known, offset)?.markdown.source.split('\n\n').at(-1) ?? '';
  };

  it('shows the first 20 columns, and how many more there are', () => {
    assert.deepEqual(columnsOf(1234).split('  \n').slice(-2), ['`c20` text', '… and 1,214 more columns']);
    assert.deepEqual(columnsOf(21).split('  \n').slice(-2), ['`c20` text', '… and 1 more column']);
    assert.deepEqual(columnsOf(20).split('  \n').slice(-2), ['`c19` text', '`c20` text']);
  });
});

describe('hoverEntityGraph without a catalog', () => {
  const reading = { catalogReading: { dataSource: 'shop', step: 'Connecting to db.example:5432' } };
  const unread: readonly (readonly [string, string, object, RegExp])[] = [
    [
      'a data object while its source is being read',
      'elements:\n  - dataObject: or<|>ders',
      reading,
      /^\*\*Reading the tables of shop…\*\*\n\nConnecting to db\.example:5432\n\n\S/,
    ],
    [
      'a column while its source is being read',
      'elements:\n  - { dataObject: orders, properties: [no<|>te] }',
      reading,
      /^\*\*Reading the tables of shop…\*\*/,
    ],
    [
      'a column of a mapping of an unreachable source',
      'relationships: [{ source: A, mappings: [{ source: na<|>me }] }]',
      { catalogUnknownBecause: 'Names and types are not checked: shop does not answer.' },
      /^\*\*The tables of the data source are not known\*\*\n\nNames and types are not checked: shop does not answer\./,
    ],
    ['a property', 'elements:\n  - start<|>Timestamp: x', reading, /^The column with the time of the event/],
    ['an activity name', 'elements:\n  - activityName: Pl<|>ace', reading, /^(?!\*\*Reading)/],
  ];
  for (const [name, marked, known, expected] of unread) {
    it(name, () => {
      const { text, offset } = withCursor(marked);
      const hover = hoverEntityGraph({ parsed: parseEntityGraph(text), sources, ...known }, offset);
      assert.match(hover?.markdown.source ?? 'nothing', expected);
    });
  }
});

describe('hoverDataSources', () => {
  it('explains the settings of a source kind', () => {
    const { text, offset } = withCursor('dataSources:\n  a: { kind: csv, null<|>Values: ["?"] }');
    assert.match(
      hoverDataSources({ parsed: parseDataSources(text) }, offset)?.markdown.source ?? '',
      /^Texts that represent a missing value/,
    );
  });
});
