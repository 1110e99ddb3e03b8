import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { findingFolds } from '../../../server/src/language/folding-ranges.ts';
import { formatting } from '../../../server/src/language/formatting/format-document.ts';
import { outlineEntityGraph } from '../../../server/src/language/document-symbols.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { createLineIndex } from '../../../server/src/model/line-index.ts';
import { toEnd } from '../../../server/src/model/steps.ts';

const entry = '  - activityName: A\n    dataObject: orders\n    startTimestamp: placed_at\n';

/** Texts with further problems reported by the YAML library. */
const texts: readonly (readonly [name: string, text: string])[] = [
  ['a key in brackets', `elements:\n${entry}    ? [a, b]\n    : 1\n`],
  ['a key in braces', `elements:\n${entry}    x-more: { { a: 1 }: 2 }\n`],
  ['a key in brackets of the file', 'name: x\nx-more:\n  ? { a: 1 }\n  : 2\n'],
  ['an unknown tag', `name: !nothing x\nelements:\n${entry}`],
  ['an unknown directive', `%NOTHING 1\n---\nname: x\nelements:\n${entry}`],
  ['a list as key behind an alias', `x-key: &key [a]\nelements:\n${entry}    x-more: { *key : 1 }\n`],
  ['brackets deeper than the limit', `name: x\ndataObjects: ${'['.repeat(310)}\nelements:\n${entry}`],
  [
    'closed brackets deeper than the limit',
    `name: x\ndataObjects: ${'['.repeat(310)}${']'.repeat(310)}\nelements:\n${entry}`,
  ],
  ['braces of JSON deeper than the limit', '{ "a":'.repeat(310)],
  ['aliases upon aliases', 'a: &a [1, 1]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: { *c : *c }\n'],
];

describe('language features', () => {
  const told: Error[] = [];
  const note = (warning: Error): void => void told.push(warning);
  before(() => process.on('warning', note));
  after(() => process.off('warning', note));

  for (const [name, text] of texts) {
    it(`emit no process warning: ${name}`, async () => {
      told.length = 0;
      const parsed = createGraphParser().parse(text);
      validateEntityGraph({ text, parsed });
      for (let offset = 0; offset <= text.length; offset += Math.max(5, text.length >> 3))
        completeEntityGraph({ parsed }, offset);
      outlineEntityGraph(parsed);
      toEnd(findingFolds(parsed.yaml, createLineIndex(text)));
      toEnd(formatting({ text }));
      // Warnings are emitted in a later turn.
      await turn();
      assert.deepEqual(told.map(String), []);
    });
  }
});
