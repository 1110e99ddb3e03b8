import assert from 'node:assert/strict';
import { type Node, isPair } from 'yaml';
import { readingDocument } from '../../../server/src/model/bounded-document.ts';
import { readOrdinaryEntry } from '../../../server/src/model/ordinary-entry.ts';
import { toEnd } from '../../../server/src/model/steps.ts';
import { yamlOptions } from '../../../server/src/model/yaml-text.ts';
import { pick, randomOf } from '../../support/random.ts';

/** A node with all that can be seen of it. */
function shown(node: unknown): unknown {
  if (isPair(node)) return { names: Object.keys(node), key: shown(node.key), value: shown(node.value) };
  if (typeof node !== 'object' || node === null) return node;
  const own = Object.entries(node).map(([name, value]) =>
    name === 'items' ? [name, (value as unknown[]).map(shown)] : [name, value as unknown],
  );
  const { schema: its } = node as { schema?: { name?: string } };
  return { class: node.constructor.name, own, schema: its?.name };
}

/** The library's nodes; undefined where it finds a mistake. */
function byLibrary(text: string): Node | null | undefined {
  const document = toEnd(readingDocument(text, yamlOptions));
  if ('isInOpenBracket' in document) return undefined;
  return document.errors.length + document.warnings.length > 0 ? undefined : document.contents;
}

/** @returns whether the entry is ordinary. */
function sameAsLibrary(text: string): boolean {
  const read = readOrdinaryEntry(text);
  if (read === undefined) return false;
  assert.deepEqual(shown(read), shown(byLibrary(text)), JSON.stringify(text));
  return true;
}

const ordinary = [
  '- a: b\n',
  '  - activityName: Place Order 1\n    key: id\n    n: 12\n    isReal: true\n    where: |\n      a IS NOT NULL\n\n      AND b\n',
  '  - { name: r1, source: "Place", e: [], mappings: [{ source: a , target: id }, b] }  \n\n',
  "- a: b  \n  c:\n    - x\n    - y: 1\n      z: 'it is'\n  d:\n    e: f\n  g:\n  - x\n  - y\n  h: |-\n   x # no comment\n    y\n\n\n",
  '- a: Über 顧客\n  x: 顧客\n',
  '- a: O\'Neill "x" {y} [z], 1: 2\n'.replace(': 2', ':2'),
];

const unusual = [
  ['a comment', '- a: b # c\n'],
  ['an anchor', '- a: &x b\n'],
  ['a tag', '- a: !!str b\n'],
  ['a repeated key', '- a: b\n  a: c\n'],
  ['a real number', '- a: 1.50\n'],
  ['a null', '- a: ~\n'],
  ['a key without value', '- a:\n  b: c\n'],
  ['a text on two lines', '- a: b\n    c\n'],
  ['a blank line in between', '- a: b\n\n  c: d\n'],
  ['an open bracket', '- a: [b\n'],
  ['an escape', '- a: "\\n"\n'],
  ['no line break at its end', '- a: b'],
] as const;

describe('ordinary entries', () => {
  for (const text of ordinary) {
    it(`are read like by the YAML library: ${JSON.stringify(text)}`, () => assert.ok(sameAsLibrary(text)));
  }

  for (const [what, text] of unusual) {
    it(`do not include ${what}, which the YAML library reads`, () => assert.equal(readOrdinaryEntry(text), undefined));
  }

  it('are read like by the YAML library after any change, or left to it', () => {
    const random = randomOf(23);
    const below = (end: number): number => Math.floor(random() * end);
    const pieces = [
      ...'\n :-,{}[]"\'|#&*!?@%~.0123ab_',
      '\n  ',
      '\n    ',
      ': ',
      '- ',
      ' #',
      '\n- ',
      'null',
      'true',
      '1e3',
      '0x1',
      '.5',
      '|-\n',
      '\\',
      '<<',
      '...',
      '\t',
      '\u00a0',
      '\u2028',
      '😀',
    ];
    let read = 0;
    for (let round = 0; round < 10_000; round += 1) {
      let text: string = pick(random, ordinary);
      for (let change = 0; change <= below(3); change += 1) {
        const at = below(text.length + 1);
        const gone = below(3) === 0 ? below(6) : 0;
        text = text.slice(0, at) + (below(4) === 0 ? '' : pick(random, pieces)) + text.slice(at + gone);
      }
      if (sameAsLibrary(text)) read += 1;
    }
    assert.ok(read > 1_500, `${read} of the changed entries were ordinary`);
  });
});
