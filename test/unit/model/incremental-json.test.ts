import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { createIncrementalJson } from '../../../server/src/model/incremental-json.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { parseYaml } from '../../../server/src/model/yaml-text.ts';
import { soakProperty } from '../../support/soak.ts';

const graph = {
  version: 1,
  name: 'a "quoted" \\ name',
  dataObjects: ['orders', 'customers'],
  elements: [
    { activityName: 'Place Order', dataObject: 'orders', startTimestamp: 'placed_at', properties: ['note'] },
    { activityName: 'Ship Order', dataObject: 'orders', key: 'id', where: "note <> '[{' AND id > 1" },
    { activityName: 'Win Customer', dataObject: 'customers', processContext: { owner: 'us', links: [] } },
  ],
  relationships: [
    { source: 'Place Order', target: 'Ship Order', mappings: [{ source: 'id', target: 'id' }] },
    { name: 'buys', source: 'Win Customer', target: 'Place Order', mappings: [] },
  ],
  import: { engine: 'embedded' },
};
const texts = [JSON.stringify(graph), JSON.stringify(graph, null, 2), ` ${JSON.stringify(graph, null, '\t')}\r\n`];

const pieces = [
  ...[
    'x',
    ' ',
    '\n',
    '\t',
    '\r\n',
    '"',
    '""',
    ',',
    ', ',
    ':',
    '{',
    '}',
    '[',
    ']',
    '\\',
    '# x\n',
    '1',
    'null',
    "'",
    '- a',
    '&a ',
    '*a',
    '!x ',
  ],
  '"name": "x", ',
  '"elements": [], ',
  '{ "activityName": "New" }, ',
  '"key": "id", ',
  '"key": ["id"], ',
  'key: id, ',
];

/** May occur after a comma, and is read in parts. */
const fitting = [
  ' "name": "x",',
  ' "key": "id",',
  ' "elements": [],',
  ' "relationships": [{ "name": "r" }],',
  ' { "activityName": "New" },',
  ' {},',
  ' null,',
  ' "a",',
  '\n\n',
];

const anywhere = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  behindComma: fc.constant(false),
  remove: fc.oneof(fc.constant(0), fc.nat({ max: 30 })),
  insert: fc.constantFrom('', ...pieces),
});
const behindCommas = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  behindComma: fc.constant(true),
  remove: fc.constant(0),
  insert: fc.constantFrom(...fitting),
});
const letters = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  behindComma: fc.constant(false),
  remove: fc.nat({ max: 1 }),
  insert: fc.constant('x'),
});
const edit = fc.oneof(anywhere, behindCommas, behindCommas, letters);

describe('createIncrementalJson', () => {
  it('agrees with a full parse for random edits', () => soakProperty(50, randomEdits)).timeout(0);

  function randomEdits(settings: fc.Parameters<unknown>): number {
    let tried = 0;
    let byParts = 0;
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 8 }), (start, edits) => {
        const json = createIncrementalJson();
        const parser = createGraphParser();
        let text = start;
        json.parse(text);
        parser.parse(text);
        for (const { at, behindComma, remove, insert } of edits) {
          const place = Math.round(at * text.length);
          const offset = behindComma ? text.indexOf(',', place) + 1 || place : place;
          const changed = text.slice(0, offset) + insert + text.slice(offset + remove);
          const whole = parseYaml(changed);
          tried += 1;
          // Repaired text is more interesting than text broken several times.
          const isKept = whole.problems.length === 0;
          const yaml = json.parse(changed);
          const {
            graph: read,
            yaml: { document, problems },
          } = parser.parse(changed);
          assert.equal(problems.length > 0, whole.problems.length > 0, JSON.stringify(changed));
          if (yaml) {
            byParts += 1;
            assert.deepEqual(ordered(yaml.problems), ordered(whole.problems), JSON.stringify(changed));
          }
          if (isKept) {
            assert.deepEqual(document.toJS(), whole.document.toJS(), JSON.stringify(changed));
            assert.deepEqual(placed(read), placed(parseEntityGraph(changed, whole).graph), JSON.stringify(changed));
            text = changed;
          }
        }
      }),
      settings,
    );
    assert.ok(byParts > tried / 25, `${byParts} of ${tried} texts were read in parts`);
    return tried;
  }

  it('keeps unchanged entries, with shifted positions', () => {
    for (const text of texts) {
      const parser = createGraphParser();
      const before = parser.parse(text).graph;
      const [, second] = before.elements;
      const { elements, relationships } = parser.parse(text.replace('"placed_at"', '"placed_on"')).graph;
      assert.notEqual(elements[0], before.elements[0]);
      assert.equal(elements[1], second);
      assert.equal(relationships[0], before.relationships[0]);
      assert.equal(elements[0]?.startTimestamp?.value, 'placed_on');
      // An unreadable state in between does not change them.
      parser.parse(text.replace('"placed_at"', '"placed_at'));
      const start = second?.range.start;
      assert.equal(text.slice(start).search(/\{\s*"activityName":\s*"Ship Order"/), 0);
      const [, moved] = parser.parse(`\n${text}`).graph.elements;
      assert.equal(moved, second);
      assert.equal(moved?.range.start, (start ?? 0) + 1);
    }
  });

  it('leaves non-JSON text to the YAML parser', () => {
    for (const text of [
      '',
      'a: 1\n',
      '[]',
      '{ a: 1 }',
      '{ "a": 1, }',
      '{ "a": 1 } x',
      '{ "a": 1 } # note',
      '{ "a": .5 }',
      '{ "a": *b }',
      '{ "a": "x',
      "{ 'a': 1 }",
    ])
      assert.equal(createIncrementalJson().parse(text), undefined, text);
  });
});

/** Every value with its position: positions are getters, not data. */
function placed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(placed);
  if (typeof value !== 'object' || value === null) return value;
  const { range } = value as { readonly range?: { readonly start: number; readonly end: number } };
  const own = Object.entries(value).filter(([key]) => key !== 'range');
  const isText = 'value' in value;
  const data = isText ? value.value : Object.fromEntries(own.map(([key, each]) => [key, placed(each)]));
  return range ? [data, range.start, range.end] : data;
}

function ordered(problems: readonly { readonly message: string; readonly range: object }[]): readonly string[] {
  return problems.map(({ message, range }) => JSON.stringify([message, range])).sort();
}
