import assert from 'node:assert/strict';
import { type FoldCache, type FoldedLines, findingFolds } from '../../../server/src/language/folding-ranges.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { createLineIndex } from '../../../server/src/model/line-index.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { toEnd } from '../../../server/src/model/steps.ts';
import { editedTexts, randomOf } from '../../support/random.ts';

/** A text, and first and last line (1-based) of each folding range. */
const graphs: readonly (readonly [name: string, text: string, folds: readonly string[]])[] = [
  [
    'lists, their entries, and lists in these',
    `dataObjects:
  - orders
  - customers
elements:
  - activityName: A
    properties:
      - id
      - note

  - { activityName: "Ship" }
relationships:
  - source: A
    target: A
    mappings:
      - source: id
        target: id
      - { source: a,
          target: b }
`,
    ['1-3', '4-10', '5-8', '6-8', '11-18', '12-18', '14-18', '15-16', '17-18'],
  ],
  [
    'texts of several lines',
    `elements:
  - dataObject: a
    joins: |
      JOIN b
      # no comment

    where: >-
      a = 1

    key: "a
      b"
`,
    ['1-11', '2-11', '3-5', '7-8', '10-11'],
  ],
  [
    'brackets and braces over several lines',
    `elements:
  - properties: [
      id,
      note
    ]
    processContext: {
      owner: me }
`,
    ['1-7', '2-7', '6-7'],
  ],
  [
    'comments of several lines, but not single ones, nor text that looks like comments',
    `# one
# two
version: 1 # three
# alone
description: |
  # a
  # b
elements: []
  # four
  # five
`,
    ['1-2 comment', '5-7', '9-10 comment'],
  ],
  [
    'regions, one in another',
    `# region all
elements:
  # region first
  - key: a
  # endregion
# endregion
# endregion
`,
    ['1-6 region', '2-4', '3-5 region'],
  ],
  [
    'no comment behind the last entry',
    `elements:
  - key: a
    dataObject: b
# about relationships
relationships:
  - source: a
    target: b
`,
    ['1-3', '2-3', '5-7', '6-7'],
  ],
  ['JSON', '{\n  "elements": [\n    {\n      "key": "a"\n    }\n  ]\n}\n', ['1-7', '2-6', '3-5']],
  [
    'a file with a broken line',
    'elements:\n  - key: [\n    dataObject: b\n  - key: a\n    where: |\n      b\n',
    ['1-6', '2-3', '4-6', '5-6'],
  ],
  ['nothing', '', []],
];

describe('folding ranges', () => {
  for (const [name, text, folds] of graphs) {
    for (const lineEnd of ['\n', '\r\n']) {
      it(`fold ${name}${lineEnd === '\n' ? '' : ', with Windows line endings'}`, () => {
        const whole = text.replaceAll('\n', lineEnd);
        const { yaml } = createGraphParser().parse(whole);
        assert.deepEqual(shown(toEnd(findingFolds(yaml, createLineIndex(whole)))), folds);
      });
    }
  }

  it('fold sources files', () => {
    const text = `version: 1
dataSources:
  shop:
    kind: postgresql
    schemas:
      - public
  files: { kind: csv,
    path: a.csv }
`;
    assert.deepEqual(shown(toEnd(findingFolds(parseDataSources(text).yaml, createLineIndex(text)))), [
      '2-8',
      '3-6',
      '5-6',
      '7-8',
    ]);
  });
});

describe('folding ranges of entries that were visited before', () => {
  it('equal the result of a full parse after any edits', () => {
    const random = randomOf(7);
    const pieces = ['\n', '\n  ', '\n\n', '# x\n', ' ', '- ', '|\n', 'a: b\n', '{', ']', '\r\n', '&x ', '*x'];
    for (const [, start] of graphs) {
      const parser = createGraphParser();
      const cache: FoldCache = new WeakMap();
      for (const text of editedTexts(start, random, pieces, 30)) {
        const lines = createLineIndex(text);
        const folds = toEnd(findingFolds(parser.parse(text).yaml, lines, cache));
        const anew = toEnd(findingFolds(createGraphParser().parse(text).yaml, lines));
        assert.deepEqual(shown(folds), shown(anew), JSON.stringify(text));
      }
    }
  });
});

function shown(ranges: readonly FoldedLines[]): readonly string[] {
  return ranges.map(
    ({ startLine, endLine, kind }) => `${startLine + 1}-${endLine + 1}${kind === undefined ? '' : ` ${kind}`}`,
  );
}
