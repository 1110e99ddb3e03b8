import assert from 'node:assert/strict';
import { SemanticTokensBuilder } from 'vscode-languageserver/node';
import { type EncodingCache, encodingGraphTokens, encodingTokens } from '../../../server/src/language/encode-tokens.ts';
import {
  type SemanticToken,
  type TokenCache,
  findingGraphTokens,
  semanticTokenTypes,
} from '../../../server/src/language/semantic-tokens.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { createLineIndex } from '../../../server/src/model/line-index.ts';
import type { ParsedEntityGraph } from '../../../server/src/model/parse-model.ts';
import { toEnd } from '../../../server/src/model/steps.ts';
import { findingTokens } from '../../support/finding-tokens.ts';
import { editedTexts, randomOf } from '../../support/random.ts';

const texts: readonly (readonly [name: string, text: string])[] = [
  [
    'lists of each kind',
    `dataSource: shop
dataObjects: [orders, customers]
elements:
  - activityName: A
    dataObject: orders
    joins: JOIN customers AS c ON true
    where: |
      c.id > 5
      AND note = 'a
        b'
  - activityName: B
    properties: [note]
entities:
  - { dataObject: customers, key: id }
relationships:
  - { source: A, target: B, mappings: [{ source: c.id, target: c.id }] }
  - { source: B, target: A }
`,
  ],
  [
    'objects and source behind the lists',
    'elements:\n  - activityName: A\n  - activityName: B\ndataObjects: [orders]\ndataSource: shop\n',
  ],
  [
    'tokens of an entry within another',
    `elements:
  - &first { activityName: A, dataObject: orders, where: &few id = 1 }
  - { activityName: B, where: *few }
  - *first
`,
  ],
  ['several entries in a line', '{"elements": [{"activityName": "A"}, {"activityName": "B", "key": ["id"]}]}'],
  [
    'JSON',
    '{\n  "dataSource": "shop",\n  "elements": [\n    { "activityName": "A", "where": "id = 1" },\n    {\n      "activityName": "B"\n    }\n  ]\n}\n',
  ],
  ['entries without tokens', 'elements:\n  - {}\n  - activityName: A\n  -\n'],
  ['nothing', ''],
];

describe('encoded tokens', () => {
  for (const [name, text] of texts) {
    for (const lineEnd of ['\n', '\r\n']) {
      it(`equal those of the whole text: ${name}${lineEnd === '\n' ? '' : ', with Windows line endings'}`, () => {
        const whole = text.replaceAll('\n', lineEnd);
        const parsed = createGraphParser().parse(whole);
        const memo: TokenCache = new WeakMap();
        const tokens = toEnd(findingTokens(parsed, memo));
        assert.deepEqual(toEnd(encodingTokens(tokens, createLineIndex(whole))), byTheLibrary(whole, tokens));
        assert.deepEqual(encoded(whole, parsed, memo, new WeakMap()), byTheLibrary(whole, tokens));
      });
    }
  }

  it('of cached entries equal the result of a full parse after any edits', () => {
    const random = randomOf(11);
    const pieces = [
      '\n',
      '\n  ',
      '\n\n',
      '# x\n',
      ' ',
      '- ',
      '|\n',
      'a: b\n',
      '{',
      ']',
      ',',
      '\r\n',
      '&x ',
      '*x',
      'AS d',
    ];
    for (const [, start] of texts) {
      const parser = createGraphParser();
      const memo: TokenCache = new WeakMap();
      const cache: EncodingCache = new WeakMap();
      for (const text of editedTexts(start, random, pieces)) {
        const anew = toEnd(findingTokens(createGraphParser().parse(text), new WeakMap()));
        assert.deepEqual(
          encoded(text, parser.parse(text), memo, cache),
          byTheLibrary(text, anew),
          JSON.stringify(text),
        );
      }
    }
  });

  it('of an unchanged entry are encoded once', () => {
    const [[, text] = ['', '']] = texts;
    const parser = createGraphParser();
    const memo: TokenCache = new WeakMap();
    const cache = new Set<object>();
    const set = new WeakMap() as EncodingCache;
    const counting = {
      get: (key) => set.get(key),
      set(key, value) {
        cache.add(key);
        return set.set(key, value);
      },
    } as EncodingCache;
    encoded(text, parser.parse(text), memo, counting);
    assert.equal(cache.size, 5);
    const longer = text.replace('dataSource: shop', 'dataSource: shop\n# more').replace('[note]', '[note2]');
    encoded(longer, parser.parse(longer), memo, counting);
    assert.equal(cache.size, 6);
  });
});

function encoded(text: string, parsed: ParsedEntityGraph, memo: TokenCache, cache: EncodingCache): readonly number[] {
  return toEnd(encodingGraphTokens(toEnd(findingGraphTokens(parsed, memo)), createLineIndex(text), cache));
}

function byTheLibrary(text: string, tokens: readonly SemanticToken[]): readonly number[] {
  const lines = createLineIndex(text);
  const builder = new SemanticTokensBuilder();
  for (const { range, type } of tokens) {
    const { start, end } = lines.range(range);
    if (start.line !== end.line) continue;
    builder.push(start.line, start.character, end.character - start.character, semanticTokenTypes.indexOf(type), 0);
  }
  return builder.build().data;
}
