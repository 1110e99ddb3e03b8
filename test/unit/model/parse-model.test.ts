import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { draftMessage, missingOfElement, unconfiguredMessage } from '../../../server/src/model/configuration-state.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { tooManyAliases } from '../../support/too-many-aliases.ts';

const sample = 'samples/incidents/incidents.entity.yaml';

describe('parseEntityGraph', () => {
  it('gives every value its range', () => {
    const text = `dataSource: 'shop'
elements:
  - activityName: Place Order
    key: [order_id, "product id"]
    properties: all
relationships:
  - target: Place Order
    mappings: [{ source: a, operator: '>=', target: b }, { expression: lower(source.x) = 'y' }]
    correlate: target
`;
    const { graph, problems } = parseEntityGraph(text);
    const written = (range?: { start: number; end: number }): string | undefined =>
      range && text.slice(range.start, range.end);
    assert.deepEqual(problems, []);
    const [element] = graph.elements;
    const [relationship] = graph.relationships;
    assert.equal(written(graph.dataSource?.range), "'shop'");
    assert.deepEqual(
      element?.key?.map(({ value, range }) => [value, written(range)]),
      [
        ['order_id', 'order_id'],
        ['product id', '"product id"'],
      ],
    );
    assert.equal(element?.properties.kind, 'all');
    assert.deepEqual(
      relationship?.mappings.map((mapping) => [mapping.kind, written(mapping.range)]),
      [
        ['columns', "{ source: a, operator: '>=', target: b }"],
        ['expression', "{ expression: lower(source.x) = 'y' }"],
      ],
    );
    assert.equal(relationship?.correlate, 'target');
  });

  it('creates entries with fast properties, not as hash tables of three times the size', () => {
    const entry = '{ activityName: A, key: id, properties: all }';
    const text = `elements: [${entry}, ${entry}]\nrelationships: [{ source: A, target: A, mappings: [{ source: a, target: b }] }]\n`;
    const { elements, relationships } = parseEntityGraph(text).graph;
    const placed = [...elements, ...elements.map(({ properties }) => properties), ...relationships];
    const mappings = relationships.flatMap((relationship) => relationship.mappings);
    assert.deepEqual([...placed, ...mappings].map(hasFastProperties), [true, true, true, true, true, true]);
  });

  it('keeps the range of copied entries', () => {
    const text = 'elements:\n  - activityName: A\n';
    const parser = createGraphParser();
    const [element] = parser.parse(text).graph.elements;
    assert.ok(element);
    const copy = { ...element };
    parser.parse(`name: Orders\n${text}`);
    assert.deepEqual(Object.keys(copy), Object.keys(element));
    assert.deepEqual([copy.range.start, element.range.start], [14, 27]);
  });

  it('reads JSON with the same parser', () => {
    const { graph, problems } = parseEntityGraph(
      '{"elements": [{"activityName": "A", "key": "id", "where": "x = 1"}]}',
    );
    assert.deepEqual(problems, []);
    assert.equal(graph.elements[0]?.where?.value, 'x = 1');
  });

  it('reports a syntax error, and parses the rest', () => {
    const { graph, problems } = parseEntityGraph('name: Orders\nelements:\n\t- activityName: A\n');
    assert.equal(graph.name?.value, 'Orders');
    assert.equal(problems[0]?.code, 'yaml-syntax');
  });

  it('resolves aliases, with the range of the alias', () => {
    const text = 'elements:\n  - &base { dataObject: orders }\n  - *base\n';
    const { graph } = parseEntityGraph(text);
    assert.equal(graph.elements[1]?.dataObject?.value, 'orders');
    assert.equal(text.slice(graph.elements[1]?.range.start, graph.elements[1]?.range.end), '*base');
  });

  it('omits values of another shape', () => {
    const { graph } = parseEntityGraph(
      'name: 5\nelements: { a: b }\nrelationships: [x, { mappings: 3, correlate: no }]\n',
    );
    assert.equal(graph.name, undefined);
    assert.deepEqual(graph.elements, []);
    assert.deepEqual(graph.relationships[0]?.mappings, []);
    assert.equal(graph.relationships[0]?.correlate, 'both');
  });

  it('never throws on a truncated file, nor on a file with a missing character', () => {
    const text = readFileSync(sample, 'utf8');
    for (let end = 0; end < text.length; end += 7) parseEntityGraph(text.slice(0, end));
    for (let at = 0; at < text.length; at += 11) parseEntityGraph(text.slice(0, at) + text.slice(at + 1));
  });
});

describe('element state', () => {
  const elements = parseEntityGraph(
    'elements:\n  - activityName: A\n  - { activityName: B, dataObject: t, startTimestamp: s }\n',
  );
  it('lists missing fields', () => {
    const [first, second] = elements.graph.elements;
    assert.ok(first && second);
    assert.deepEqual(
      missingOfElement(first).map(({ label }) => label),
      ['Data Object', 'Start Timestamp'],
    );
    assert.equal(
      unconfiguredMessage(first),
      'Element "A" is not configured: Data Object and Start Timestamp are missing. Set dataObject and startTimestamp.',
    );
    assert.equal(unconfiguredMessage(second), undefined);
  });

  const drafts: readonly (readonly [string, RegExp | undefined])[] = [
    ['{ source: A, target: B }', /nothing joins its ends/],
    ['{ source: A, mappings: [{ source: a, target: b }] }', /it has no target/],
    ['{ source: A, target: B, mappings: [{ source: a, target: b }] }', undefined],
    [
      '{ source: A, target: B, mappings: [{ source: a, target: b }], crossTable: { dataObject: t } }',
      /cross table needs/,
    ],
    ["{ source: A, target: B, mappings: [{ expression: 'source.a = target.b' }] }", undefined],
  ];
  for (const [text, expected] of drafts) {
    it(`${expected ? 'reports a draft' : 'reports no draft'}: ${text}`, () => {
      const [relationship] = parseEntityGraph(`relationships: [${text}]`).graph.relationships;
      assert.ok(relationship);
      if (expected) assert.match(draftMessage(relationship) ?? '', expected);
      else assert.equal(draftMessage(relationship), undefined);
    });
  }
});

describe('parseDataSources', () => {
  it('reads names, kinds, zones and settings verbatim', () => {
    const { sources } = parseDataSources(
      "dataSources:\n  shop: { kind: postgresql, port: '${env:PORT}' }\n  files:\n    kind: csv\n    timeZone: Europe/Berlin\n",
    );
    assert.deepEqual(
      sources.sources.map(({ name, kind, timeZone, settings }) => [name.value, kind?.value, timeZone, settings]),
      [
        ['shop', 'postgresql', 'UTC', { kind: 'postgresql', port: '${env:PORT}' }],
        ['files', 'csv', 'Europe/Berlin', { kind: 'csv', timeZone: 'Europe/Berlin' }],
      ],
    );
  });

  it('reads no settings when aliases expand to more nodes than the limit', () => {
    const settingsOf = (text: string): unknown => parseDataSources(text).sources.sources[0]?.settings;
    assert.deepEqual(settingsOf('x-all: &all a.csv\ndataSources: { shop: { kind: csv, path: *all } }\n'), {
      kind: 'csv',
      path: 'a.csv',
    });
    assert.deepEqual(settingsOf(`${tooManyAliases}dataSources: { shop: { kind: csv, path: *all } }\n`), {});
  });
});

/** How V8 keeps an object. */
function hasFastProperties(value: object): boolean {
  setFlagsFromString('--allow-natives-syntax');
  try {
    return runInNewContext('%HasFastProperties(value)', { value }) as boolean;
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}
