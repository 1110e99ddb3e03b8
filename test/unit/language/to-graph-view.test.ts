import assert from 'node:assert/strict';
import { outlineEntityGraph } from '../../../server/src/language/document-symbols.ts';
import { toGraphView } from '../../../server/src/language/to-graph-view.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';

const text = `name: Shop
elements:
  - { activityName: Place, dataObject: orders, startTimestamp: at, properties: [a, b], processContext: { owner: Sales } }
  - { activityName: Place, dataObject: orders, properties: all }
  - {}
relationships:
  - { name: has, source: Place, target: Nowhere, mappings: [{ source: a, target: b }, { expression: "source.x\\n = 1" }] }
  - source: Place
    target: Place
    crossTable: { dataObject: t, sourceMappings: [{ source: a, cross: c }], targetMappings: [{ cross: d, operator: '>', target: b }] }
  - { source: Place, target: Place }
`;

describe('toGraphView', () => {
  const view = toGraphView(parseEntityGraph(text), { uri: 'file:///shop.entity.yaml', version: 3 });

  it('names the columns of computed times, each once', () => {
    for (const [sql, shown] of [
      ["strptime(ERDAT || ERZET, '%Y%m%d%H%M%S')", 'ƒ(ERDAT, ERZET)'],
      ['strptime(header.UDATE || header."U TIME", \'%Y\')::TIMESTAMP', 'ƒ(UDATE, U TIME)'],
      ['CASE WHEN paid IS NULL THEN CAST(day AS DATE) ELSE paid END', 'ƒ(paid, day)'],
      // Words of SQL are names of columns, too.
      ["at AT TIME ZONE 'Europe/Berlin'", 'ƒ(at)'],
      ['coalesce(at, last, date::timestamp)', 'ƒ(at, last, date)'],
      ["CASE WHEN time > DATE '2024-01-01' THEN zone + INTERVAL 1 DAY END", 'ƒ(time, zone)'],
      ["max(first) FILTER (interval > 0 AND rows IS NULL) AT TIME ZONE 'UTC'", 'ƒ(first, interval, rows)'],
      ["CAST(values AS TIMESTAMP WITH TIME ZONE) AT TIME ZONE 'UTC'", 'ƒ(values)'],
      ["TIMESTAMP  '2024-01-01'", "TIMESTAMP '2024-01-01'"],
    ] as const) {
      const written = `elements:\n  - { activityName: A, dataObject: o, startTimestamp: { expression: ${JSON.stringify(sql)} } }\n`;
      const [card] = toGraphView(parseEntityGraph(written), { uri: 'file:///a.entity.yaml', version: 1 }).elements;
      assert.equal(card?.isMasterData === true ? undefined : card?.startTimestamp, shown);
    }
  });

  it('keeps element ids stable, and lists missing fields', () => {
    assert.deepEqual(
      view.elements.map(({ id, allProperties, properties, unconfigured, processContext }) => [
        id,
        allProperties,
        properties,
        unconfigured,
        processContext,
      ]),
      [
        ['Place', false, ['a', 'b'], undefined, 'Sales'],
        [
          '#1',
          true,
          [],
          {
            message: 'Element "Place" is not configured: Start Timestamp is missing. Set startTimestamp.',
            problem: 'Start Timestamp is missing.',
            remedy: 'Choose the column that marks when a record enters this activity.',
          },
          undefined,
        ],
        [
          '#2',
          false,
          [],
          {
            message:
              'Element 3 is not configured: Activity Name, Data Object and Start Timestamp are missing. Set activityName and dataObject and startTimestamp.',
            problem: 'Activity Name, Data Object and Start Timestamp are missing.',
            remedy: 'Configure the element to set them.',
          },
          undefined,
        ],
      ],
    );
    assert.deepEqual(view.elements[0]?.range, { start: { line: 2, character: 20 }, end: { line: 2, character: 25 } });
  });

  it('labels relationships with their join, and marks drafts and missing ends', () => {
    assert.deepEqual(
      view.relationships.map(({ name, source, target, label, crossTable, draft }) => [
        name,
        source,
        target,
        label,
        crossTable,
        draft !== undefined,
      ]),
      [
        ['has', 'Place', undefined, 'a = b and source.x = 1', undefined, false],
        ['Place → Place', 'Place', 'Place', 'a = c and d > b', 't', false],
        ['Place → Place', 'Place', 'Place', '', undefined, true],
      ],
    );
  });

  it('names the data source of each entry only in a graph of several', () => {
    assert.deepEqual(
      view.elements.map(({ dataSource }) => dataSource),
      [undefined, undefined, undefined],
    );
    const several = `dataSource: shop
elements: [{ activityName: A, dataObject: a }, { activityName: B, dataSource: itsm, dataObject: b }]
entities: [{ dataSource: files, dataObject: c }]
relationships: [{ name: r, source: A, target: B, crossTable: { dataSource: files, dataObject: d } }, { name: s, source: A, target: B }]
`;
    assert.equal(view.dataSources, undefined);
    const { dataSources, elements, relationships } = toGraphView(parseEntityGraph(several), { uri: 'x', version: 1 });
    assert.deepEqual(dataSources, ['shop', 'itsm', 'files']);
    assert.deepEqual(
      elements.map(({ dataSource }) => dataSource),
      ['shop', 'itsm', 'files'],
    );
    assert.deepEqual(
      relationships.map(({ crossTableSource }) => crossTableSource),
      ['files', undefined],
    );
  });

  it('contains the syntax error of an invalid text', () => {
    const broken = toGraphView(parseEntityGraph('elements: ['), { uri: 'x', version: 1 });
    assert.equal(broken.syntaxError?.range.start.line, 0);
  });
});

describe('outlineEntityGraph', () => {
  it('lists elements and relationships in groups', () => {
    const outline = outlineEntityGraph(parseEntityGraph(text));
    assert.deepEqual(
      outline.map(({ name, children }) => [name, children.map((child) => [child.name, child.detail])]),
      [
        [
          'Elements',
          [
            ['Place', 'orders'],
            ['Place', 'orders'],
            ['Element 3', undefined],
          ],
        ],
        [
          'Relationships',
          [
            ['has', 'Place → Nowhere'],
            ['Place → Place', undefined],
            ['Place → Place', undefined],
          ],
        ],
      ],
    );
  });
});
